"""Tables: the file of tab-separated values, and the same for reading on a terminal."""

import csv

from pipeline.io.outputs import replacing


def write_tsv(path, rows, columns=None):
    """Write rows (dicts with the same keys) under a header; numbers that are not whole to six digits.

    ``columns``: the header, wanted where there may be no rows.
    """
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(columns or rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _text(value, 6) for key, value in row.items()} for row in rows)


def readable(rows, columns):
    """The columns named of ``rows``, aligned, numbers to three digits: text of several lines."""
    lines = [list(columns)] + [[_text(row[column], 3) for column in columns] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _text(value, digits):
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)
