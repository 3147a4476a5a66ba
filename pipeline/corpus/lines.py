"""From records to the lines of ``corpus.jsonl``, in several processes where there are many."""

from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from pipeline.corpus.gold import check_gold
from pipeline.corpus.new import tokenize
from pipeline.io.jsonl import to_line
from pipeline.run.processes import MANY, batches, in_processes


class Line(NamedTuple):
    """A line of ``corpus.jsonl``, the id of its pair, and how many tokens its sides have."""

    id: str
    document_words: int
    summary_words: int
    text: str


@dataclass(frozen=True)
class Tokenizer:
    """Makes lines of records; ``tokenized``: as in :func:`pipeline.corpus.new.tokenize`."""

    tokenized: bool

    def open(self):
        """The function that another process calls: items to lines."""
        return self.lines

    def lines(self, items):
        """The lines of ``items``, see :func:`make_lines`."""
        return [self.line(*item) for item in items]

    def line(self, record, annotations):
        """The line of one record; raises :class:`InputError` for gold outside of its texts."""
        pair = tokenize(record, self.tokenized)
        for where, gold in annotations:
            check_gold(gold, pair, where)
        return Line(pair.id, len(pair.document.tokens), len(pair.summary.tokens), to_line(pair.to_json()))


def make_lines(items, count, tokenized, threads):
    """Yield the :class:`Line` of each of ``count`` items, in order.

    ``items``: of each pair its :class:`~pipeline.corpus.readers.record.Record`, without a problem, and a list
    of ``(where, Gold)``. ``threads`` are processes; fewer than ``MANY`` pairs are done by this one.
    """
    tokenizer = Tokenizer(tokenized)
    if threads == 1 or count < MANY:
        yield from (tokenizer.line(*item) for item in items)
        return
    with closing(in_processes(tokenizer.open, batches(items, _characters), threads)) as made:
        yield from chain.from_iterable(made)


def _characters(item):
    record, _ = item
    return sum(len(part) for side in (record.document, record.summary) for part in side)
