"""Put the numbers of the papers beside ours: `python experiments/replication_page.py`.

`docs/replication.tsv` has the numbers of the papers and says where in the results ours are. The tables are
between the lines `<!-- replication NAME -->` and `<!-- end -->`. `make replication` runs what they need.
"""

import re
from pathlib import Path
from typing import Any

import pandas as pd
from field_page import markdown_table
from markdown import insert_into_file
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser

# The runs, by their folders in the results, with their headings.
RUNS = {
    "sample": "bundled, default settings",
    "replication-sample": "bundled",
    "replication-clauses": "bundled, clauses",
    "replication-scisummnet": "ScisummNet",
    "replication-ziffdavis": "Ziff-Davis",
}
CORPORA = ("replication-sample", "replication-scisummnet", "replication-ziffdavis")
# The runs of each table.
TABLES = {
    "corpora": CORPORA,
    "annotation": CORPORA,
    "scores": ("sample", *CORPORA),
    "errors": ("sample", *CORPORA),
    "sources": CORPORA,
    "extracts": ("replication-sample", "replication-clauses", *CORPORA[1:]),
}
NONE = "–"


def find_values(folder: Path, number: "pd.Series[Any]") -> str:
    """Return what the run in `folder` has for a row of `docs/replication.tsv`, or a dash.

    `number`: names the `file`, the `row` of it by conditions `column=value`, and the `columns`.
    Raise `InputError` if the file lacks one of these columns.
    """
    path = folder / number["file"]
    if not path.is_file():
        return NONE
    table = pd.read_table(path)
    conditions = dict(condition.split("=", 1) for condition in number["row"].split())
    columns = number["columns"].split()
    for column in (*conditions, *columns):
        if column not in table:
            raise InputError(f"{path}: no column {column}; correct docs/replication.tsv")
    for column, value in conditions.items():
        table = table[table[column].astype(str) == value]
    if table.empty:
        return NONE
    papers = number["paper"].split(" / ")
    values = [table[column].iloc[0] for column in columns]
    return " / ".join(show(value, paper) for value, paper in zip(values, papers, strict=True))


def show(value: Any, paper: str) -> str:
    """Return `value` with as many decimals as the number of the paper, or three if this is not a number."""
    if pd.isna(value):
        return NONE
    if not isinstance(value, float):
        return f"{value:,}"
    decimals = re.search(r"\.(\d+)$", paper)
    return f"{value:.{len(decimals[1]) if decimals else 3}f}"


def compare(papers: pd.DataFrame, results: Path, name: str) -> str:
    """Return the Markdown table `name`: a row for each number of the papers, a column for each run.

    A run without any of the numbers has no column. Raise `InputError` for a number that no run has.
    """
    numbers = papers[papers["table"] == name]
    found = {
        RUNS[run]: [find_values(results / run, row) for _, row in numbers.iterrows()] for run in TABLES[name]
    }
    found = {heading: values for heading, values in found.items() if set(values) != {NONE}}
    rows = [
        [row["quantity"], row["place"], row["paper"], *values]
        for (_, row), *values in zip(numbers.iterrows(), *found.values(), strict=True)
    ]
    for row in rows:
        if set(row[3:]) <= {NONE}:
            raise InputError(f"{results}: no run has “{row[0]}”; run make replication")
    return markdown_table(["number", "in", "paper", *found], rows)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the numbers of the papers beside ours in a Markdown file."""
    parser = CommandParser("replication_page", main, log=False)
    parser.add_argument("--papers", required=True, type=Path, help="docs/replication.tsv")
    parser.add_argument("--results", required=True, type=Path, help="folder with the results of all runs")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    papers = pd.read_table(options.papers)
    tables = {f"replication {name}": compare(papers, options.results, name) for name in TABLES}
    insert_into_file(options.file, tables)


if __name__ == "__main__":
    main()
