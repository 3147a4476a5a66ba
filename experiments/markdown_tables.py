"""Markdown tables, and their places in the pages of docs/.

A place is between the lines `<!-- NAME -->` and `<!-- end -->`, so the numbers of a page come from a run.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Return a Markdown table whose first `text_columns` columns are aligned left and the others right."""
    rules = ["---"] * text_columns + ["---:"] * (len(heading) - text_columns)
    head, *lines = ("| " + " | ".join(cells) + " |" for cells in (heading, *rows))
    return "\n".join([head, "|" + "|".join(rules) + "|", *lines])


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
