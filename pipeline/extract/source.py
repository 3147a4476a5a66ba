"""Pairs with their extracts as a source of pairs, see :mod:`pipeline.corpus.new`."""

from dataclasses import dataclass

from pipeline.corpus.new import count_distinct
from pipeline.corpus.pair import make_pair
from pipeline.extract.extracts import make_extract, read_extracted_pairs
from pipeline.io.jsonl import from_line, read_lines
from pipeline.io.parts import WHOLE, Part, part_lines


@dataclass(frozen=True)
class Extracted:
    """A ``corpus.jsonl`` and its ``extracts.jsonl``, or a part of them."""

    corpus: str
    extracts: str
    part: Part = WHOLE

    def check(self):
        """How many pairs there are; raises :class:`InputError` where the files do not belong together."""
        files = self.corpus, self.extracts, self.part
        return count_distinct(lambda: ((self.corpus, pair.id) for pair, _ in read_extracted_pairs(*files)))

    def records(self):
        """Yield ``(line number, line, line number, line)`` for each pair and its extract."""
        lines = (
            (
                (number, line)
                for number, line in part_lines(path, self.part) or read_lines(path)
                if line.strip()
            )
            for path in (self.corpus, self.extracts)
        )
        return (pair + extract for pair, extract in zip(*lines, strict=True))

    def read(self, record):
        """``(pair, extract)`` of a record."""
        number, line, extract_number, extract_line = record
        pair = make_pair(self.corpus, number, from_line(self.corpus, number, line))
        made = from_line(self.extracts, extract_number, extract_line)
        return pair, make_extract(self.extracts, extract_number, made)
