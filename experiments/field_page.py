"""Put the scores on public sets, and their cost, into pages:

    python experiments/field_page.py --results results/field --page docs/field.md --summary README.md

`make field` runs what it needs. The page has a place `<!-- field KIND -->` for the tables of each kind of
gold and `<!-- field cost -->` for time and memory. The summary has the best systems, in the places
`<!-- field summary links -->`, `sources` and `unsupported`.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from markdown_tables import insert_into_file, markdown_table
from vorlage.baselines.translation import MODELS, SOURCES, START
from vorlage.corpus.gold import CHARACTERS, FUSED, PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED


class Measure(NamedTuple):
    """A measure and its heading; a `main` one is shown with its interval and a p-value."""

    name: str
    heading: str
    main: bool = False


PRECISION_RECALL = (Measure("precision", "P"), Measure("recall", "R"))
WORDS = (
    Measure("word_auroc", "words: AUROC", True),
    Measure("word_average_precision", "AP"),
    Measure("word_calibration_error", "ECE"),
)
# The measures for each kind of gold. A set is of the first kind whose first measure it has.
MEASURES = {
    TOKENS: (
        Measure("sure_f", "sure: F", True),
        Measure("sure_precision", "P"),
        Measure("sure_recall", "R"),
        Measure("sure_exact", "exact"),
        Measure("possible_f", "sure and possible: F", True),
        Measure("possible_precision", "P"),
        Measure("possible_recall", "R"),
        Measure("possible_exact", "exact"),
        Measure("aer", "AER"),
        Measure("soft_f", "SoftF", True),
    ),
    PASSAGES: (Measure("accuracy", "accuracy", True),),
    SUPPORTED: (
        Measure("best", "best", True),
        Measure("f", "F", True),
        *PRECISION_RECALL,
        Measure("average_precision", "AP", True),
        *WORDS,
    ),
    UNSUPPORTED: (
        Measure("text_auroc", "texts: AUROC", True),
        Measure("text_average_precision", "AP"),
        Measure("text_calibration_error", "ECE"),
        *WORDS,
    ),
    FUSED: (Measure("all_sources", "all sources", True), Measure("f", "F", True), *PRECISION_RECALL),
    CHARACTERS: (
        Measure("f", "links: F", True),
        *PRECISION_RECALL,
        Measure("stretch_f", "stretches: F", True),
        Measure("stretch_precision", "P"),
        Measure("stretch_recall", "R"),
    ),
}
# The table of sets in two languages; its first system is the model for many languages.
LANGUAGES, ACROSS = "languages", "vorlage-multilingual"
MEASURES[LANGUAGES] = (
    Measure("sure_f", "F", True),
    *(Measure("sure_precision", "P"), Measure("sure_recall", "R")),
    Measure("aer", "AER", True),
    Measure("soft_f", "SoftF", True),
)
# For each table of the summary, the kinds of gold and the measure of each column, and what is added to the
# name of the set.
SUMMARIES = {
    "links": ((TOKENS, "sure_f", ""),),
    "sources": ((PASSAGES, "accuracy", ""), (SUPPORTED, "best", "")),
    "unsupported": (
        (SUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "word_auroc", ", words"),
        (UNSUPPORTED, "text_auroc", ", texts"),
    ),
}
OWN = "vorlage"  # the beginning of the names of the systems that summaries always show
OTHERS = 3  # other systems in a summary: those with the highest means


def find_kind(scores: pd.DataFrame) -> str:
    """Return the kind of the gold of a set by the measures and the first system in its `field.tsv`."""
    if scores["system"].iloc[0] == ACROSS:
        return LANGUAGES
    return next(kind for kind, measures in MEASURES.items() if measures[0].name in set(scores["measure"]))


def set_table(scores: pd.DataFrame) -> str:
    """Return the rows of a `field.tsv` as a Markdown table, one line for each system, with three decimals.

    Main measures have the 95 % interval and, in the next column, the p-value of the difference from the first
    system. A cell is empty where a system does not have a measure.
    """
    measures = MEASURES[find_kind(scores)]
    heading = ["system"]
    for measure in measures:
        heading += [measure.heading, "p"] if measure.main else [measure.heading]
    rows = []
    for system, of_system in scores.groupby("system", sort=False):
        by_measure = of_system.set_index("measure").to_dict("index")
        row = [str(system)]
        for measure in measures:
            row += _cells(by_measure.get(measure.name), measure.main)
        rows.append(row)
    return markdown_table(heading, rows)


def _cells(score: Mapping[str, float] | None, main: bool) -> list[str]:
    if score is None:
        return [""] * (1 + main)
    if not main:
        return [f"{score['value']:.3f}"]
    p = "" if pd.isna(score["p"]) else "< 0.01" if score["p"] < 0.01 else f"{score['p']:.2f}"
    return [f"{score['value']:.3f} ({score['low']:.3f}–{score['high']:.3f})", p]


def jobs_of(system: str) -> Iterator[str]:
    """Yield the jobs that a system needs, by the names of their benchmarks.

    Both directions of a translation model, and the models that each begins with, belong to it.
    """
    model, _, how = system.rpartition("-")
    start: str | None = model
    while start in MODELS:
        yield from (f"train-{start}-{side}" for side in SOURCES if how not in SOURCES or how == side)
        start = START.get(start)
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


def summary_table(scores_by_set: Mapping[str, pd.DataFrame], name: str) -> str | None:
    """Return a column for each set of summary `name`, a row for each of the best systems; None without sets.

    It shows the models of the package and the `OTHERS` systems with the highest means among those that have
    all columns. The largest value of a column over all systems is bold.
    """
    columns = {
        f"{set_name}{addition}": rows[rows["measure"] == measure].set_index("system")["value"]
        for kind, measure, addition in SUMMARIES[name]
        for set_name, rows in scores_by_set.items()
        if find_kind(rows) == kind
    }
    if not columns:
        return None
    values = pd.DataFrame(columns)
    own = sorted(system for system in values.index if system.startswith(OWN))
    means = values.drop(index=own).dropna().mean(axis=1)
    others = means.sort_values(ascending=False, kind="stable").index[:OTHERS]
    shown = values.map("{:.3f}".format)
    best = values.max().map("{:.3f}".format)
    bold = shown.where(shown != best, "**" + shown + "**")
    return markdown_table(["system", *columns], [[s, *bold.loc[s]] for s in (*own, *others)])


def page_tables(scores_by_set: Mapping[str, pd.DataFrame], results: Path) -> dict[str, str]:
    """Return the text of each place in the page, but for those of gold that no set has."""
    tables: dict[str, list[str]] = {kind: [] for kind in MEASURES}
    for name, scores in scores_by_set.items():
        tables[find_kind(scores)].append(
            f"**{name}**, {scores['pairs'].iloc[0]} pairs\n\n{set_table(scores)}"
        )
    texts = {kind: "\n\n".join(parts) for kind, parts in tables.items() if parts}
    if texts.keys() != {LANGUAGES}:
        systems = pd.concat(scores_by_set.values())["system"].unique().tolist()
        texts["cost"] = cost_table([results / name for name in scores_by_set], systems)
    return {f"field {name}": f"\n{text}\n" for name, text in texts.items()}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", required=True, type=Path, help="folder results/field")
    parser.add_argument("--page", required=True, type=Path, help="page for all tables")
    parser.add_argument("--summary", required=True, type=Path, help="page for the summary")
    options = parser.parse_args(arguments)
    files = sorted(options.results.glob("*/score/field.tsv"))
    if not files:
        parser.error(f"{options.results}: no set with score/field.tsv; run make field DATA=folder")
    scores_by_set = {path.parents[1].name: pd.read_table(path) for path in files}
    insert_into_file(options.page, page_tables(scores_by_set, options.results))
    summaries = {f"field summary {name}": summary_table(scores_by_set, name) for name in SUMMARIES}
    insert_into_file(options.summary, {name: table for name, table in summaries.items() if table})


if __name__ == "__main__":
    main()
