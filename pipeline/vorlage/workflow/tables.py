"""Tables: files of tab-separated values, with cells in quotation marks where they have tabs or line breaks.

A row of a table of results has a value for each column; `format_table` shows some on a terminal.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from vorlage.files.outputs import to_row, write_lines
from vorlage.types import StrPath

Value: TypeAlias = str | int | float
Row: TypeAlias = dict[str, Value]


def write_table(path: StrPath, columns: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Write the names of columns and the rows below them to `path`, whole or not at all."""
    write_lines(path, map(to_row, chain([columns], rows)))


def write_tsv(
    path: StrPath, rows: Iterable[Mapping[str, Value]], columns: Iterable[str] | None = None
) -> None:
    """Write rows (dicts with the same keys) below a header, and floats with six decimals.

    `columns` is the header, by default the keys of the first row; it is needed where there may be no rows.
    Rows are written one by one if it is given.
    """
    if columns is None:
        rows = list(rows)
        columns = rows[0]
    names = list(columns)
    write_table(path, names, ([row[name] for name in names] for row in rows))


def format_table(rows: Sequence[Mapping[str, Value]], columns: Sequence[str]) -> str:
    """Return the named columns of `rows` as lines of aligned text; floats have three decimals."""
    lines = [list(columns)]
    for row in rows:
        cells = (row[column] for column in columns)
        lines.append([f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
