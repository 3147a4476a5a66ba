"""Collects the scores on public sets, and their cost, and puts the main ones into pages:

    python experiments/field_page.py results/field

`make field` runs what it needs. `field.tsv` has every measure of every system on every set, with three
decimals; a set that is not in the results keeps its rows. `field-cost.tsv` has time and memory. Tables of
docs/results.md have all systems, those of README.md the best ones.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from field.evidence_gold import FUSED, PASSAGES, SUPPORTED, UNSUPPORTED
from markdown_tables import ROOT, markdown_table, write_pages
from runs import update
from vorlage.workflow.baselines.systems.translation import MODELS, SOURCES, START_MODELS
from vorlage.workflow.gold import CHARACTERS, TOKENS

TABLES_FOLDER = ROOT / "docs/results"
COLUMNS = ["set", "pairs", "system", "measure", "value", "low", "high", "p"]
# The sets in two languages are known by their first system, the model for many languages.
LANGUAGES, ACROSS = "languages", "vorlage-multilingual"
# A set is of the first kind whose measure it has.
KINDS = {
    TOKENS: "sure_f",
    PASSAGES: "accuracy",
    SUPPORTED: "best",
    UNSUPPORTED: "text_auroc",
    FUSED: "all_sources",
    CHARACTERS: "f",
}
# For each table, the kinds of gold and the measure of each column, and what is added to the name of the set.
TABLES = {
    "links": ((TOKENS, "sure_f", ""), (TOKENS, "soft_f", ", SoftF")),
    "phrases": ((CHARACTERS, "f", ""), (CHARACTERS, "stretch_f", ", stretches"), (FUSED, "f", "")),
    "sources": ((PASSAGES, "accuracy", ""), (SUPPORTED, "best", "")),
    "unsupported": (
        (SUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "text_auroc", ", texts"),
    ),
    "languages": ((LANGUAGES, "sure_f", ""), (LANGUAGES, "soft_f", ", SoftF")),
}
# The tables of the summary. They have the first measure of links alone.
SUMMARIES = {"links": TABLES["links"][:1], "sources": TABLES["sources"]}
OWN = "vorlage"  # the beginning of the names of the systems that summaries always show
FEW = 500  # pairs
OTHERS = 2  # other systems in a summary: those with the highest means


def find_kind(scores: pd.DataFrame) -> str:
    """Return the kind of the gold of a set by its measures and its first system."""
    if scores["system"].iloc[0] == ACROSS:
        return LANGUAGES
    return next(kind for kind, measure in KINDS.items() if measure in set(scores["measure"]))


def rounded(path: Path) -> pd.DataFrame:
    """Return the rows of `field.tsv` of a set as text: values with three decimals, p-values with two."""
    scores = pd.read_table(path)
    numbers = scores[["value", "low", "high"]].map("{:.3f}".format)
    p = scores["p"].map(lambda p: "" if pd.isna(p) else "<0.01" if p < 0.01 else f"{p:.2f}")
    names = scores[["pairs", "system", "measure"]].astype(str)
    return names.join(numbers).assign(p=p).assign(set=path.parents[1].name)[COLUMNS]


def jobs_of(system: str) -> Iterator[str]:
    """Yield the jobs that a system needs, by the names of their benchmarks.

    Both directions of a translation model, and the models that each begins with, belong to it.
    """
    model, _, how = system.rpartition("-")
    start: str | None = model
    while start in MODELS:
        yield from (f"train-{start}-{side}" for side in SOURCES if how not in SOURCES or how == side)
        start = START_MODELS.get(start)
    if model in MODELS and how not in SOURCES:
        yield from (f"align-{model}-{side}" for side in SOURCES)
    yield f"align-{system}"


def cost_table(folders: Sequence[Path], systems: Sequence[str]) -> pd.DataFrame:
    """Return the seconds of each system on each set, and its largest peak of memory, as text."""
    rows = []
    for system in systems:
        costs, peaks = {}, []
        for folder in folders:
            paths = [folder / f"benchmarks/{job}.tsv" for job in jobs_of(system)]
            if paths[-1].exists():
                jobs = pd.concat([pd.read_table(path, na_values="-") for path in paths])
                costs[folder.name] = f"{jobs['s'].sum():.0f}"
                peaks.append(jobs["max_rss"].max(skipna=True))
        if costs:
            rows.append({"system": system} | costs | {"peak_mb": f"{max(0.0, *peaks):.0f}"})
    columns = ["system", *(folder.name for folder in folders), "peak_mb"]
    return pd.DataFrame(rows, columns=columns).fillna("")


def summary_table(
    scores: pd.DataFrame, columns: Sequence[tuple[str, str, str]], others: int | None = None
) -> str | None:
    """Return a Markdown table of a row for each system; None if no set has the measures.

    The models of the package come first, the others by their means, those without a column last; the largest
    value of a column is bold. Columns of fewer pairs than `FEW` have intervals.

    Args:
        scores: the rows of all sets.
        columns: the kind of gold, the measure and the end of the heading of each column.
        others: number of other systems to show, among those that have all columns; None: all.
    """
    by_column = {
        f"{name}{addition}": rows[rows["measure"] == measure].set_index("system")
        for kind, measure, addition in columns
        for name, rows in scores.groupby("set", sort=False)
        if find_kind(rows) == kind and measure in set(rows["measure"])
    }
    if not by_column:
        return None
    values = pd.DataFrame({name: rows["value"] for name, rows in by_column.items()}).astype(float)
    own = sorted(system for system in values.index if system.startswith(OWN))
    rest = values.drop(index=own)
    order = rest.assign(complete=rest.notna().all(axis=1), mean=rest.mean(axis=1, skipna=others is None))
    order = order.dropna(subset="mean").sort_values(["complete", "mean"], ascending=False, kind="stable")
    shown = values.map(lambda value: "" if pd.isna(value) else f"{value:.3f}")
    cells = shown.where(values.ne(values.max()), "**" + shown + "**")
    for name, rows in by_column.items():
        few = rows[rows["pairs"].astype(int) < FEW]
        cells.loc[few.index, name] += " (" + few["low"] + "–" + few["high"] + ")"
    return markdown_table(["system", *cells], [[s, *cells.loc[s]] for s in (*own, *order.index[:others])])


def tables(results: Path) -> dict[str, dict[str, str]]:
    """Return the tables of both pages by their places; `results`: a folder with one for each set."""
    files = sorted(results.glob("*/score/field.tsv"))
    if not files:
        raise SystemExit(f"error: {results}: no set with score/field.tsv; run make field DATA=folder")
    new = pd.concat(map(rounded, files))
    scores = update(TABLES_FOLDER / "field.tsv", new, "set")
    if set(new.groupby("set").first()["system"]) != {ACROSS}:
        costs = cost_table([path.parents[1] for path in files], new["system"].unique().tolist())
        costs.to_csv(TABLES_FOLDER / "field-cost.tsv", sep="\t", index=False)
    page = {f"field {name}": summary_table(scores, columns) for name, columns in TABLES.items()}
    summary = {f"field summary {k}": summary_table(scores, x, OTHERS) for k, x in SUMMARIES.items()}
    both = {"docs/results.md": page, "README.md": summary}
    return {path: {k: table for k, table in made.items() if table} for path, made in both.items()}


if __name__ == "__main__":
    write_pages(tables)
