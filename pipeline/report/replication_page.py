"""Put the numbers of the papers beside those of runs: ``python -m pipeline.report.replication_page``.

It is three tables, each between the lines ``<!-- replication NAME -->`` and ``<!-- end -->``. The numbers
of the papers are those of ``docs/replication.tsv``.
"""

from pathlib import Path

import pandas as pd

from pipeline.report.field_page import markdown_table
from pipeline.report.markdown import insert_into_file
from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser

# For each table, the file of a run that has the same measures.
FILES = {
    "scores": "score/scores.tsv",
    "extracts": "score/implied_extracts.tsv",
    "sources": "score/decomposition.tsv",
}


def find_value(results: Path, row: pd.Series) -> str:
    """Return the number of a run for a row of the papers, with three decimals, or a dash without one.

    ``results``: the folder of a run; ``row``: has ``table``, ``system``, ``words`` and ``measure``. Extracts
    are those of the row ``average``. Raise :class:`InputError` if the run lacks the file.
    """
    path = results / FILES[row["table"]]
    if not path.is_file():
        raise InputError(f"{path}: no such file; run make replication")
    table = pd.read_table(path)
    table = table[table["system"] == row["system"]]
    if row["table"] == "scores":
        table = table[table["words"] == row["words"]]
    if row["table"] == "extracts":
        table = table[table["id"] == "average"]
    values = table[row["measure"]]
    return f"{values.iloc[0]:.3f}" if len(values) else "–"


def compare(paper: pd.DataFrame, runs: dict[str, Path], name: str) -> str:
    """Return the Markdown table ``name``: a row for each number of the papers, a column for each run."""
    rows = []
    for _, row in paper[paper["table"] == name].iterrows():
        label = " ".join(part for part in (row["system"], row["words"], row["measure"]) if part)
        found = [find_value(folder, row) for folder in runs.values()]
        rows.append([label, f"{row['paper']:.3f}", *found])
    return markdown_table(["measure", "paper", *runs], rows)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the numbers of the papers beside those of runs into a Markdown file."""
    parser = CommandParser(main, log=False)
    parser.add_argument("--paper", required=True, type=Path, help="docs/replication.tsv")
    parser.add_argument("--runs", required=True, nargs="+", type=Path, help="folders of results")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    paper = pd.read_table(options.paper, keep_default_na=False)
    runs = {folder.name: folder for folder in options.runs}
    insert_into_file(options.file, {f"replication {name}": compare(paper, runs, name) for name in FILES})


if __name__ == "__main__":
    main()
