"""Sources of pairs, which alignment reads from: the interface, and pairs with their extracts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from vorlage.corpus.pair import Pair, make_pair
from vorlage.extract.extracts import Extract, make_extract, read_extracted_pairs
from vorlage.files.jsonl import from_line
from vorlage.files.parts import WHOLE, Part, read_part
from vorlage.types import StrPath

RecordT = TypeVar("RecordT")


class PairSource(Protocol[RecordT]):
    """Files with pairs, which are checked as a whole and then read pair by pair.

    A source pickles and holds no more than a record at a time. A record is a tuple of numbers and strings as
    they are in the files, cheap to make and to send to another process.
    """

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` for the first error in the files.

        Reading everything first finds errors before hours of work.
        """

    def records(self) -> Iterator[RecordT]:
        """Yield the record of each pair, in order."""

    def read(self, record: RecordT) -> tuple[Pair, Extract | None]:
        """Return the pair of a record and its extract, None for the whole document."""


@dataclass(frozen=True)
class Extracted:
    """A `corpus.jsonl` and its `extracts.jsonl`, or a part of them."""

    corpus: StrPath
    extracts: StrPath
    part: Part = WHOLE

    def check(self) -> int:
        """Return the number of pairs; raise `InputError` if the files do not belong together."""
        return sum(1 for _ in read_extracted_pairs(self.corpus, self.extracts, self.part))

    def records(self) -> Iterator[tuple[int, str, int, str]]:
        """Yield `(line number, line, line number, line)` for each pair and its extract."""
        for pair, extract in zip(self._lines(self.corpus), self._lines(self.extracts), strict=True):
            yield *pair, *extract

    def read(self, record: tuple[int, str, int, str]) -> tuple[Pair, Extract]:
        """Return `(pair, extract)` for the two lines of a pair."""
        number, line, extract_number, extract_line = record
        pair = make_pair(self.corpus, number, from_line(self.corpus, number, line))
        fields = from_line(self.extracts, extract_number, extract_line)
        return pair, make_extract(self.extracts, extract_number, fields)

    def _lines(self, path: StrPath) -> Iterator[tuple[int, str]]:
        lines = read_part(path, self.part)
        return ((number, line) for number, line in lines if line.strip())
