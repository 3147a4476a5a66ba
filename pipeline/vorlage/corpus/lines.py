"""Turns records into the lines of `corpus.jsonl`, in several processes if there are many."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from vorlage.command.processes import MIN_PAIRS, map_in_processes
from vorlage.corpus.gold import Gold, check_gold
from vorlage.corpus.records import Record, tokenize
from vorlage.files.jsonl import to_line

# A record without a problem, and the gold of its pair.
Item: TypeAlias = tuple[Record, Sequence[Gold]]


class Line(NamedTuple):
    """A line of `corpus.jsonl`, the id of its pair, and the number of tokens on each side."""

    id: str
    document_words: int
    summary_words: int
    text: str


@dataclass(frozen=True)
class Tokenizer:
    """Makes lines from records; `tokenized`, `language`: as in `vorlage.corpus.new.tokenize`."""

    tokenized: bool
    language: str = "en"

    def open(self) -> Callable[[Item], Line]:
        """Return the function that another process calls."""
        return self.line

    def line(self, item: Item) -> Line:
        """Return the line of one record; raise `InputError` for gold outside its texts."""
        record, annotations = item
        pair = tokenize(record, self.tokenized, self.language)
        for gold in annotations:
            check_gold(gold, pair)
        return Line(pair.id, len(pair.document.tokens), len(pair.summary.tokens), to_line(pair.to_json()))


def make_lines(items: Iterable[Item], count: int, tokenizer: Tokenizer, threads: int) -> Iterator[Line]:
    """Yield the `Line` of each of `count` items, in order.

    `threads` is the number of processes; this process does fewer than `MIN_PAIRS` pairs itself.
    """
    processes = threads if count >= MIN_PAIRS else 1
    with closing(map_in_processes(tokenizer.open, items, processes, size=16)) as lines:
        yield from lines
