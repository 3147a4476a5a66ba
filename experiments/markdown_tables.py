"""Markdown tables, the cells of numbers in them, and their places in the pages of docs/.

A place is between the lines `<!-- NAME -->` and `<!-- end -->`, so the numbers of a page come from a run. A
script that makes tables has a function that returns them by page and place, and hands it to `write_pages`.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from pathlib import Path

ROOT = Path(__file__).parents[1]


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Return a Markdown table whose first `text_columns` columns are aligned left and the others right."""
    rules = ["---"] * text_columns + ["---:"] * (len(heading) - text_columns)
    head, *lines = ("| " + " | ".join(cells) + " |" for cells in (heading, *rows))
    return "\n".join([head, "|" + "|".join(rules) + "|", *lines])


def decimals(values: Iterable[float], digits: int = 3) -> list[str]:
    """Return cells of numbers with as many decimals."""
    return [f"{value:.{digits}f}" for value in values]


def with_range(value: float, low: float, high: float, digits: int = 3) -> str:
    """Return the cell of a number and its interval, or the range of its values."""
    return "{} ({}–{})".format(*decimals((value, low, high), digits))


def with_bounds(value: str, low: float, high: float) -> str:
    """Return the cell of a number and the interval of a difference."""
    return f"{value} ({low:+.3f} to {high:+.3f})"


def insert(text: str, name: str, table: str) -> str:
    """Return `text` with `table` in the place `name`."""
    place = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", flags=re.DOTALL)
    if not place.search(text):
        raise SystemExit(f"error: no lines `<!-- {name} -->` and `<!-- end -->` in the page; add them")
    return place.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def insert_into_file(path: Path, tables: Mapping[str, str]) -> None:
    """Put each table into its place in a Markdown file."""
    text = path.read_text(encoding="utf-8")
    for name, table in tables.items():
        text = insert(text, name, table)
    path.write_text(text, encoding="utf-8")


def write_pages(make: Callable[..., Mapping[str, Mapping[str, str]]]) -> None:
    """Write the tables that `make` returns, by page and place, of the paths that the command line names."""
    names, paths = signature(make).parameters, list(map(Path, sys.argv[1:]))
    if len(paths) != len(names):
        raise SystemExit(f"usage: python {sys.argv[0]} {' '.join(names).upper()}".rstrip())
    for page, tables in make(*paths).items():
        insert_into_file(ROOT / page, tables)
