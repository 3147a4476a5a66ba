"""Tables of tab-separated values for people and spreadsheets."""

import csv
from collections.abc import Iterable
from typing import Protocol

from vorlage.command.visible import visible

# Beginnings of a cell that a spreadsheet program would run as a formula (OWASP, "CSV Injection").
FORMULAS = ("=", "+", "-", "@", "\t", "\n", "\\x0d", "＝", "＋", "－", "＠")

# The help of an option.
SAFE_CELLS = "tsv: put an apostrophe before a text that a spreadsheet program would run, such as =1+1"


class Output(Protocol):
    """What a table is written to."""

    def write(self, text: str, /) -> object:
        """Write a text."""


class TableWriter:
    """Writes rows of tab-separated values, with control characters visible, as `\\x1b`.

    Cells with tabs or line breaks are in quotation marks. `safe`: whether a text that a spreadsheet program
    would run gets an apostrophe before it. Lines end with `ending`.
    """

    def __init__(self, out: Output, safe: bool = False, ending: str = "\n") -> None:
        self._rows = csv.writer(out, delimiter="\t", lineterminator=ending)
        self._safe = safe

    def writerow(self, row: Iterable[object]) -> None:
        """Write a row."""
        self._rows.writerow([self._cell(value) for value in row])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)

    def _cell(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        text = visible(value)
        return f"'{text}" if self._safe and text.startswith(FORMULAS) else text
