"""Reads pairs, or a text, from a table: a file whose name ends in `.csv` or `.tsv`.

    id,document,summary
    a1,"A text. It has sentences.",A sentence.

The first line names the columns: `document`, `summary` or `text`, and `id`, without which the id of a pair is
the number of its row. Other columns are ignored. Commas, semicolons or tabs separate cells;
those with a separator or a line break are in quotation marks. The text is UTF-8, or Windows-1252 as Excel
writes it.
"""

import csv
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from itertools import chain, count
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.files.inputs import find_encoding, open_file
from vorlage.types import JsonObject, StrPath

MAX_CELL = 10**9  # characters
TEXT = ("summary", "text")  # the keys that a summary may have


def is_table(path: StrPath) -> bool:
    """Return whether the name of a file is that of a table."""
    return Path(path).suffix.lower() in (".csv", ".tsv")


def table_text(text: str) -> str:
    """Return a table as a text: a row on each line, with tabs between its cells."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=_find_separator(text.partition("\n")[0]))
    return "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in rows)


def _find_separator(header: str) -> str:
    """Return what separates the cells of a table by its first line; cells may have any length."""
    csv.field_size_limit(MAX_CELL)
    return max("\x1f\t;,", key=lambda separator: (header.count(separator), separator == "\x1f"))


def read_rows(path: StrPath) -> Iterator[tuple[int, JsonObject]]:
    """Yield `(line number, pair)` for each row, the pair with the keys of a line of JSON.

    Raises:
        InputError: a column is repeated, or a row does not fit the columns.
    """
    with open_file(path, "rb") as opened:
        file = opened if opened.seekable() else BytesIO(opened.read())
        encoding = find_encoding(path, file)
        file.seek(0)
        lines = TextIOWrapper(file, encoding, errors="replace", newline="")
        header = lines.readline()
        separator = _find_separator(header)
        rows = csv.reader(chain([header], lines), delimiter=separator, strict=True)
        line = 1
        try:
            columns = [name.strip().lower() for name in next(rows)]
            if repeated := [name for name in ("id", "document", *TEXT) if columns.count(name) > 1]:
                raise InputError(f"{path}, line 1: two columns `{repeated[0]}`; rename one of them")
            numbers = count(1)
            line = rows.line_num + 1
            for cells in rows:
                if cells and len(cells) != len(columns):
                    raise InputError(
                        f"{path}, line {line}: {len(cells)} cells, but the table has {len(columns)} columns; "
                        f"put cells with {separator!r} or line breaks in quotation marks"
                    )
                if cells:
                    yield line, {"id": str(next(numbers)), **dict(zip(columns, cells, strict=True))}
                line = rows.line_num + 1
        except csv.Error as error:
            raise InputError(f"{path}, line {line}: not CSV ({error}); save the table again as CSV") from None
