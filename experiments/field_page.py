"""Put the tables of the field into a Markdown file: `python experiments/field_page.py`.

The tables of each kind of gold are between the lines `<!-- field KIND -->` and `<!-- end -->`, one for
each set of `results/field/`; that of time and memory is between `<!-- field cost -->` and
`<!-- end -->`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import pandas as pd
from markdown import insert_into_file
from vorlage.baselines.translation import MODELS, SOURCES
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.evidence_gold import CHARACTERS, FUSED, PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED


class Column(NamedTuple):
    """A measure and its heading; a `main` one is shown with its interval and a p-value."""

    measure: str
    heading: str
    main: bool = False


WORDS = (
    Column("word_auroc", "words: AUROC", True),
    Column("word_average_precision", "AP"),
    Column("word_calibration_error", "ECE"),
)
# The columns for each kind of gold. A set is of the first kind whose first measure it has.
COLUMNS = {
    TOKENS: (
        Column("sure_f", "sure: F", True),
        *(Column(f"sure_{name}", short) for name, short in (("precision", "P"), ("recall", "R"))),
        Column("sure_exact", "exact"),
        Column("possible_f", "sure and possible: F", True),
        *(Column(f"possible_{name}", short) for name, short in (("precision", "P"), ("recall", "R"))),
        Column("possible_exact", "exact"),
        Column("aer", "AER"),
        Column("soft_f", "SoftF", True),
    ),
    PASSAGES: (Column("accuracy", "accuracy", True),),
    SUPPORTED: (
        Column("best", "best", True),
        Column("f", "F", True),
        Column("precision", "P"),
        Column("recall", "R"),
        Column("average_precision", "AP", True),
        *WORDS,
    ),
    UNSUPPORTED: (
        Column("text_auroc", "texts: AUROC", True),
        Column("text_average_precision", "AP"),
        Column("text_calibration_error", "ECE"),
        *WORDS,
    ),
    FUSED: (
        Column("all_sources", "all sources", True),
        Column("f", "F", True),
        Column("precision", "P"),
        Column("recall", "R"),
    ),
    CHARACTERS: (Column("f", "F", True), Column("precision", "P"), Column("recall", "R")),
}
COST = "cost"


def find_kind(scores: pd.DataFrame) -> str:
    """Return the kind of the gold of a set by the measures in its `field.tsv`."""
    return next(kind for kind, columns in COLUMNS.items() if columns[0].measure in set(scores["measure"]))


def set_table(scores: pd.DataFrame) -> str:
    """Return the rows of a `field.tsv` as a Markdown table, one line for each system, with three decimals.

    Main measures have the 95 % interval and, in the next column, the p-value of the difference from the first
    system. A cell is empty where a system does not have a measure.
    """
    columns = COLUMNS[find_kind(scores)]
    heading = [
        name for column in columns for name in ([column.heading, "p"] if column.main else [column.heading])
    ]
    rows = []
    for system, of_system in scores.groupby("system", sort=False):
        measured = of_system.set_index("measure")
        cells = [str(system)]
        for column in columns:
            if column.measure in measured.index:
                cells += _cells(cast("pd.Series[Any]", measured.loc[column.measure]), column.main)
            else:
                cells += [""] * (1 + column.main)
        rows.append(cells)
    return markdown_table(["system", *heading], rows)


def _cells(row: "pd.Series[Any]", main: bool) -> list[str]:
    if not main:
        return [f"{row['value']:.3f}"]
    p = "" if pd.isna(row["p"]) else "< 0.01" if row["p"] < 0.01 else f"{row['p']:.2f}"
    return [f"{row['value']:.3f} ({row['low']:.3f}–{row['high']:.3f})", p]


def markdown_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose first column is aligned left and the others right."""
    lines = [heading, ["---"] + ["---:"] * (len(heading) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def jobs_of(system: str) -> Iterator[str]:
    """Yield the jobs that a system needs, by the names of their benchmarks.

    Both directions of a translation model, and the models that each begins with, belong to it.
    """
    model, _, how = system.rpartition("-")
    start: str | None = model
    while start in MODELS:
        yield from (f"train-{start}-{side}" for side in SOURCES if how not in SOURCES or how == side)
        start = MODELS[start].start
    if model in MODELS and how not in SOURCES:
        yield from (f"align-{model}-{side}" for side in SOURCES)
    yield f"align-{system}"


def cost_table(folders: Sequence[Path], systems: Sequence[str]) -> str:
    """Return the seconds of each system on each set and its largest peak of memory as a Markdown table."""
    rows = []
    for system in systems:
        seconds, peak = [], 0.0
        for folder in folders:
            paths = [folder / "benchmarks" / f"{job}.tsv" for job in jobs_of(system)]
            if not paths[-1].exists():
                seconds.append("")
                continue
            jobs = pd.concat([pd.read_table(path, na_values="-") for path in paths])
            seconds.append(f"{jobs['s'].sum():,.0f}")
            peak = max(peak, jobs["max_rss"].max(skipna=True))
        if any(seconds):
            rows.append([system, *seconds, f"{peak:,.0f}"])
    return markdown_table(["system", *(folder.name for folder in folders), "peak MB"], rows)


def make_tables(results: Path) -> dict[str, str]:
    """Return the text for each mark, from the folder `results/field`.

    Raise `InputError` if no set has scores.
    """
    folders = [path.parents[1] for path in sorted(results.glob("*/score/field.tsv"))]
    if not folders:
        raise InputError(f"{results}: no set with score/field.tsv; run make field DATA=folder")
    parts: dict[str, list[str]] = {kind: [] for kind in COLUMNS}
    systems: dict[str, None] = {}
    for folder in folders:
        scores = pd.read_table(folder / "score" / "field.tsv")
        title = f"**{folder.name}**, {scores['pairs'].iloc[0]} pairs"
        parts[find_kind(scores)].append(f"{title}\n\n{set_table(scores)}")
        systems |= dict.fromkeys(scores["system"])
    cost = cost_table(folders, list(systems))
    texts = {kind: "\n\n".join(tables) or "No set of this kind was run." for kind, tables in parts.items()}
    return {f"field {name}": f"\n{text}\n" for name, text in (texts | {COST: cost}).items()}


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the tables of the field into a Markdown file."""
    parser = CommandParser("field_page", main, log=False)
    parser.add_argument("--results", required=True, type=Path, help="folder results/field")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    options = parser.parse(arguments)
    insert_into_file(options.file, make_tables(options.results))


if __name__ == "__main__":
    main()
