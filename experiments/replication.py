"""Run the settings of the papers and put their numbers beside ours in docs/replication.md:

    python experiments/replication.py --scisummnet FOLDER --ziffdavis FOLDER

The runs are those of the paper on each corpus, and of extracts by Marcu's deletion of clauses; the default
settings are those of `make align`. `docs/replication.tsv` has the numbers of the papers and says where in the
results ours are. The tables are in the places `<!-- replication NAME -->` of the page.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from markdown_tables import insert_into_file, markdown_table

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
PAPERS, PAGE = Path("docs/replication.tsv"), Path("docs/replication.md")
BUNDLED = {"reader": "jsonl", "path": "data/sample/corpus.jsonl", "gold": "data/sample/gold.jsonl"}
PRESETS = ["workflow/presets/paper.yaml", "workflow/presets/replication.yaml"]
JUMPS = ["relative", "gaussian", "syntax"]
# 100 documents of ScisummNet, without the translation models.
SCISUMMNET = {
    "semihmm": {"jumps": JUMPS},
    "systems": [*(f"semihmm-{jump}" for jump in JUMPS), "cutpaste", "cutpaste-1-document"],
}


def runs(scisummnet: str | None, ziffdavis: str | None, ziffdavis_gold: str | None) -> Iterator[list[str]]:
    """Yield the arguments of each run of Snakemake; the corpora that have to be fetched may be None."""
    yield ["--cores", "all"]
    paper = ["--cores", "all", "--configfile", *PRESETS]
    yield paper
    clauses = {"corpus": {"name": "replication-clauses"} | BUNDLED}
    clauses |= {"extract": {"method": "deletion", "unit": "clause"}}
    yield [*paper, "--config", *_assignments(clauses), "--until", "evaluate_extracts"]
    if scisummnet:
        corpus = {"name": "replication-scisummnet", "reader": "scisummnet", "path": scisummnet}
        corpus["select"] = {"sample": 100, "unusable": "drop"}
        yield [*paper, "--config", *_assignments({"corpus": corpus} | SCISUMMNET)]
    if ziffdavis:
        corpus = {"name": "replication-ziffdavis", "reader": "ziffdavis", "path": ziffdavis}
        corpus |= {"gold": ziffdavis_gold, "select": {"shortest": 2000, "unusable": "drop"}}
        yield [*paper, "--config", *_assignments({"corpus": corpus})]


def _assignments(config: dict[str, Any]) -> list[str]:
    return [f"{section}={json.dumps(values)}" for section, values in config.items()]


def find_values(folder: Path, number: "pd.Series[Any]") -> str:
    """Return what the run in `folder` has for a row of `docs/replication.tsv`, or a dash.

    `number`: names the `file`, the `row` of it by conditions `column=value`, and the `columns`.
    """
    path = folder / number["file"]
    if not path.is_file():
        return NONE
    table = pd.read_table(path)
    for condition in number["row"].split():
        column, value = condition.split("=", 1)
        table = table[table[column].astype(str) == value]
    if table.empty:
        return NONE
    values = [table[column].iloc[0] for column in number["columns"].split()]
    return " / ".join(map(show, values, number["paper"].split(" / ")))


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

    A run without any of the numbers has no column.
    """
    numbers = papers[papers["table"] == name]
    shown = numbers[["quantity", "place", "paper"]].set_axis(["number", "in", "paper"], axis=1)
    for run in TABLES[name]:
        values = [find_values(results / run, row) for _, row in numbers.iterrows()]
        if set(values) != {NONE}:
            shown[RUNS[run]] = values
    missing = shown[(shown.iloc[:, 3:] == NONE).all(axis=1)]["number"]
    if len(missing):
        raise SystemExit(f"error: {results}: no run has “{missing.iloc[0]}”; run it again")
    return markdown_table(list(shown), shown.to_numpy().tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scisummnet", metavar="FOLDER", help="ScisummNet (default: leave it out)")
    parser.add_argument("--ziffdavis", metavar="FOLDER", help="Ziff-Davis (default: leave it out)")
    parser.add_argument("--ziffdavis-gold", metavar="FILE", help="gold of Ziff-Davis (default: none)")
    for arguments in runs(**vars(parser.parse_args())):
        subprocess.run(["snakemake", *arguments], check=True)
    papers = pd.read_table(PAPERS)
    results = Path("results")
    insert_into_file(PAGE, {f"replication {name}": compare(papers, results, name) for name in TABLES})


if __name__ == "__main__":
    main()
