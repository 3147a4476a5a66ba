"""Sources of pairs for alignment that come straight from a user, see `vorlage.extract.source.PairSource`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Record, find_flaw, read_records, tokenize
from vorlage.files.inputs import read_lines
from vorlage.files.parts import WHOLE, Part
from vorlage.types import StrPath


@dataclass(frozen=True)
class JsonLines:
    """A file of pairs, see `vorlage.corpus.records`, or a part of it."""

    path: StrPath
    tokenized: bool = False
    part: Part = WHOLE
    language: str = "en"

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for one that cannot be used."""
        return sum(1 for _ in self.records())

    def records(self) -> Iterator[Record]:
        """Yield the record of each pair."""
        return read_records(self.path, self.part)

    def read(self, record: Record) -> tuple[Pair, None]:
        """Return `(pair, None)` for a record."""
        return tokenize(record, self.tokenized, self.language), None


@dataclass(frozen=True)
class TextFiles:
    """Two text files with one text per line: line k of one goes with line k of the other.

    The id of a pair is its line number, from 1. `tokenized`: spaces separate tokens, and a line is one
    sentence. `language`: as in `tokenize`.
    """

    documents: StrPath
    summaries: StrPath
    tokenized: bool = False
    language: str = "en"

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for an empty line or unequal line counts."""
        count = 0
        for document, summary in zip_longest(*self._lines()):
            for path, line in ((self.documents, document), (self.summaries, summary)):
                if line is None:
                    other = self.summaries if path == self.documents else self.documents
                    raise InputError(
                        f"{path}, line {count + 1}: missing; {other} has one, and line k of one "
                        "goes with line k of the other"
                    )
                number, text = line
                if flaw := find_flaw(text):
                    raise InputError(
                        f"{path}, line {number}: {flaw} text; fix it or remove the line in both files"
                    )
            count += 1
        return count

    def records(self) -> Iterator[tuple[int, str, str]]:
        """Yield `(line number, document, summary)` for each pair."""
        for (number, document), (_, summary) in zip(*self._lines(), strict=True):
            yield number, document, summary

    def read(self, record: tuple[int, str, str]) -> tuple[Pair, None]:
        """Return `(pair, None)` for a pair of lines."""
        number, document, summary = record
        return tokenize(Record(str(number), "", document, summary), self.tokenized, self.language), None

    def _lines(self) -> Iterator[Iterator[tuple[int, str]]]:
        # Only a line feed ends a line, so editors and programs agree on line numbers.
        for path in (self.documents, self.summaries):
            lines = read_lines(path, newline="\n")
            yield ((number, line.rstrip("\r\n")) for number, line in lines)
