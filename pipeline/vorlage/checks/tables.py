"""Cells of a table in the document that the text gives to the name of another row."""

from collections.abc import Iterator
from functools import partial
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

from vorlage.attribution.reading import AGREED, CONTRADICTED, Finding
from vorlage.checks.facts import StatementPair
from vorlage.text.words import is_stop_word

SEPARATORS = ("|", "\t", ";", ",")
LEAST_ROWS = 3  # the head included


class Row(NamedTuple):
    """A row of a table: where it begins in the document, and the words of its cells, in lower case."""

    start: int
    cells: list[list[str]]


def find_exchanged_cells(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words of a cell where the text names another row; those of a row that it names agree."""
    text, rows = pair.text, list(_read_rows(pair.document.tokenized.raw))
    for first, end in text.tokenized.sentences if rows else ():
        words = [word.replace(",", "") for word in text.lower[first:end]]
        named = [row for row in rows if _places(words, row.cells[0])]
        own = [cell for row in named for cell in row.cells]
        for start, cells in (row for row in rows if named):
            source = pair.document.tokenized.tokens_in((start, start + 1))
            message = f"“{{}}”: the source has this in the row of “{' '.join(cells[0])}”"
            for cell in filter(partial(_places, words), cells):
                place = first + _places(words, cell)[0]
                span = place, place + len(cell)
                if cell in own:
                    yield pair.finding(span, None, "agreed", AGREED)
                else:
                    yield pair.finding(span, (source.start, source.stop), "role", CONTRADICTED, message)


def _places(words: list[str], cell: list[str]) -> list[int]:
    """Return where the words of a cell stand in a sentence, if they say anything."""
    found = (i for i in range(len(words)) if words[i : i + len(cell)] == cell)
    return [] if all(map(is_stop_word, cell)) else list(found)


def _read_rows(raw: str) -> Iterator[Row]:
    """Yield the rows below the heads of the tables in a document: lines with as many separators each."""
    starts = accumulate((len(line) + 1 for line in raw.split("\n")), initial=0)
    lines = list(zip(starts, raw.split("\n"), strict=False))
    for separator in SEPARATORS:
        counted = [(line.strip(" |").count(separator), start, line) for start, line in lines]
        for separators, group in groupby(counted, itemgetter(0)):
            rows = [(start, line) for _, start, line in group]
            is_prose = any(line.rstrip().endswith((".", ":", "?")) for _, line in rows)
            if not separators or len(rows) < LEAST_ROWS or is_prose:
                continue
            for start, line in rows[1:]:
                cells = [cell.lower().split() for cell in line.strip(" |").split(separator)]
                if cells[0] and not set("".join(cells[0])) <= set("-:"):
                    yield Row(start, [cell for cell in cells if cell])
