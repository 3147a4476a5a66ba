"""Put a summary of the field into a Markdown file: `python experiments/field_summary.py`.

It is three tables, each between the lines `<!-- field summary NAME -->` and `<!-- end -->`, where NAME is
`links`, `sources` or `unsupported`.
"""

from pathlib import Path

import pandas as pd
from field_page import find_kind, markdown_table
from markdown import insert_into_file
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.evidence_gold import PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED

# For each table, the kinds of gold and the measure of each column, and what is added to the name of the set.
TABLES = {
    "links": ((TOKENS, "sure_f", ""),),
    "sources": ((PASSAGES, "accuracy", ""), (SUPPORTED, "best", "")),
    "unsupported": (
        (SUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "text_auroc", ", texts"),
    ),
}
OWN = "vorlage"  # the beginning of the names of the systems that are always shown
OTHERS = 3  # other systems in a table: those with the highest means


def summarize(scores: dict[str, pd.DataFrame], table: str) -> str:
    """Return a table of the main measures: a column for each set, a row for each of the best systems.

    `scores`: the `field.tsv` of each set, by its name; `table`: a key of `TABLES`. Shown are the
    models of the package and the `OTHERS` systems with the highest means among those that have all columns.
    The largest value of a column over all systems is bold.
    """
    columns = {
        f"{name}{addition}": rows[rows["measure"] == measure].set_index("system")["value"]
        for kind, measure, addition in TABLES[table]
        for name, rows in scores.items()
        if find_kind(rows) == kind
    }
    if not columns:
        return "No set of this kind was run."
    values = pd.DataFrame(columns)
    own = sorted(system for system in values.index if system.startswith(OWN))
    means = values.drop(index=own).dropna().mean(axis=1)
    others = list(means.sort_values(ascending=False, kind="stable").index[:OTHERS])
    best = values.max()
    rows = []
    for system in [*own, *others]:
        shown = {name: f"{values.loc[system, name]:.3f}" for name in columns}
        rows.append([system] + [f"**{v}**" if v == f"{best[name]:.3f}" else v for name, v in shown.items()])
    return markdown_table(["system", *columns], rows)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put a summary of the field into a Markdown file."""
    parser = CommandParser("field_summary", main, log=False)
    parser.add_argument("--results", required=True, type=Path, help="folder results/field")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    paths = sorted(options.results.glob("*/score/field.tsv"))
    if not paths:
        raise InputError(f"{options.results}: no set with score/field.tsv; run make field DATA=folder")
    scores = {path.parents[1].name: pd.read_table(path) for path in paths}
    insert_into_file(options.file, {f"field summary {name}": summarize(scores, name) for name in TABLES})


if __name__ == "__main__":
    main()
