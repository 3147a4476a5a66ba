"""Tables of tab-separated values, with cells in quotation marks where they have tabs or line breaks."""

import csv
from collections.abc import Iterable
from io import StringIO
from itertools import chain

from vorlage.files.outputs import write_lines
from vorlage.types import StrPath


def write_table(path: StrPath, columns: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Write the names of columns and the rows below them to `path`, whole or not at all."""
    write_lines(path, map(to_row, chain([columns], rows)))


def to_row(cells: Iterable[object]) -> str:
    """Return cells as a row of a table, without a line break at its end."""
    row = StringIO(newline="")
    # A cell with `\r` is quoted as well where this is part of the ending.
    csv.writer(row, delimiter="\t", lineterminator="\r\n").writerow(cells)
    return row.getvalue().removesuffix("\r\n")
