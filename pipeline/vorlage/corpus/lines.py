"""Turns records into the lines of `corpus.jsonl`, in several processes if there are many."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from vorlage.command.processes import MIN_PAIRS, map_in_processes
from vorlage.corpus.records import Record, tokenize
from vorlage.files.jsonl import to_line


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

    def open(self) -> Callable[[Record], Line]:
        """Return the function that another process calls."""
        return self.line

    def line(self, record: Record) -> Line:
        """Return the line of one record."""
        pair = tokenize(record, self.tokenized, self.language)
        return Line(pair.id, len(pair.document.tokens), len(pair.summary.tokens), to_line(pair.to_json()))


def make_lines(records: Iterable[Record], count: int, tokenizer: Tokenizer, threads: int) -> Iterator[Line]:
    """Yield the `Line` of each of `count` records, in order.

    `threads` is the number of processes; this process does fewer than `MIN_PAIRS` pairs itself.
    """
    processes = threads if count >= MIN_PAIRS else 1
    with closing(map_in_processes(tokenizer.open, records, processes, size=16)) as lines:
        yield from lines
