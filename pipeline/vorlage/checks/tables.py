"""Cells of a table in the document that the text gives to the name of another row."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from vorlage.attribution.reading import AGREED, CONTRADICTED, Finding
from vorlage.checks.facts import StatementPair
from vorlage.text.words import is_stop_word

SEPARATORS = ("|", "\t", ";", ",")
LEAST_ROWS, LEAST_CELLS = 3, 2  # the head included


class Row(NamedTuple):
    """A row of a table: where it begins in the document, and the words of its cells, in lower case."""

    start: int
    cells: list[list[str]]


def find_exchanged_cells(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words of a cell where the text names another row; those of a row that it names agree."""
    text, rows = pair.text, list(_read_rows(pair.document.tokenized.raw))
    for first, end in text.tokenized.sentences if rows else ():
        words = [word.replace(",", "") for word in text.lower[first:end]]
        named = [row for row in rows if _place(words, row.cells[0]) is not None]
        own = [cell for row in named for cell in row.cells]
        others = [
            (row, cell) for row in rows if row not in named for cell in row.cells[1:] if cell not in own
        ]
        for cell in own if named else ():
            if (place := _place(words, cell)) is not None:
                span = first + place, first + place + len(cell)
                yield pair.finding(span, None, "agreed", AGREED)
        for row, cell in others if named else ():
            place = _place(words, cell)
            if place is not None and _place(words, row.cells[0]) is None:
                span = first + place, first + place + len(cell)
                source = pair.document.tokenized.tokens_in((row.start, row.start + 1))
                message = f"“{{}}”: the source has this in the row of “{' '.join(row.cells[0])}”"
                yield pair.finding(span, (source.start, source.stop), "role", CONTRADICTED, message)


def _place(words: list[str], cell: list[str]) -> int | None:
    """Return where the words of a cell stand in a sentence, if it says anything."""
    if all(map(is_stop_word, cell)):
        return None
    return next((i for i in range(len(words)) if words[i : i + len(cell)] == cell), None)


def _read_rows(raw: str) -> Iterator[Row]:
    """Yield the rows below the heads of the tables in a document: lines with as many separators each."""
    start, lines = 0, list[tuple[int, str]]()
    for line in raw.split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    for separator in SEPARATORS:
        counted = [(line.strip(" |").count(separator), start, line) for start, line in lines]
        for separators, group in groupby(counted, itemgetter(0)):
            rows = [(start, line) for _, start, line in group]
            is_prose = any(line.rstrip().endswith((".", ":", "?")) for _, line in rows)
            if separators + 1 < LEAST_CELLS or len(rows) < LEAST_ROWS or is_prose:
                continue
            for start, line in rows[1:]:
                parts = [part.lower().split() for part in line.strip(" |").split(separator)]
                if parts[0] and not set("".join(parts[0])) <= set("-:"):
                    yield Row(start, [part for part in parts if part])
