"""The tables of other stages as data frames, and what the page makes of them."""

from collections.abc import Iterable, Mapping
from glob import glob
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from vorlage.command.errors import InputError
from vorlage.types import StrPath

NOTHING = pd.DataFrame()
# Of each system: `extract`, what it aligns summaries to, and `benchmarks`, patterns of Snakemake's files.
AboutSystems: TypeAlias = Mapping[str, Mapping[str, Any]]
# Columns of texts, even if their values look like numbers.
TEXTS = ["system", "id", "summary", "document", "aligned", "against", "annotator", "signature"]
# Row of the tables of Daumé & Marcu 2005 (Sections 2 and 5.1) → column of statistics.tsv.
SIZES = {
    "Documents": "documents",
    "Sentences": "sentences",
    "Words": "words",
    "Unique words": "unique_words",
    "Unique words of both sides": "unique_words_with_summaries",
    "Sentences/Doc": "sentences_per_document",
    "Words/Doc": "words_per_document",
    "Words/Sent": "words_per_sentence",
}


def read_tables(folder: StrPath, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return tables of the score stage by name; one without a file has no rows."""
    paths = {name: Path(folder) / f"{name}.tsv" for name in names}
    return {name: read_table(path) if path.exists() else NOTHING for name, path in paths.items()}


def read_table(path: StrPath) -> pd.DataFrame:
    """Return a tab-separated file.

    A column whose values are all numbers or `nan` becomes numbers; all others are texts as in the file.
    """
    try:
        frame = pd.read_table(path, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError(f"{path}: not a table ({error}); write it again") from None
    for column in frame.columns.difference(TEXTS):
        numbers = pd.to_numeric(frame[column], errors="coerce")
        if (numbers.notna() | frame[column].eq("nan")).all():
            frame[column] = numbers
    return frame


def about_systems(frame: pd.DataFrame, about: AboutSystems) -> pd.DataFrame:
    """Return a table with two columns more: the `extract` of each system, and the `seconds` of its jobs."""
    made = [about.get(system, {}) for system in frame.get("system", ())]
    extracts = [system.get("extract", "–") for system in made]
    return frame.assign(extract=extracts, seconds=[_seconds(system.get("benchmarks", ())) for system in made])


def _seconds(patterns: Iterable[str]) -> str:
    """Return the sum of the times in the benchmarks that match patterns, or `–` if there are none."""
    times = [pd.read_table(file)["s"].sum() for pattern in patterns for file in sorted(glob(pattern))]
    return f"{sum(times):.1f}" if times else "–"


def pairwise_frame(pairwise: pd.DataFrame) -> pd.DataFrame:
    """Return SoftF over all words between systems: a row and a column for each."""
    others = pairwise[pairwise["system"] != pairwise["against"]] if len(pairwise) else NOTHING
    if not len(others):
        return NOTHING
    systems = others["system"].unique()
    matrix = others[others["words"] == "all"].pivot(index="system", columns="against", values="soft_f")
    return matrix.reindex(index=systems, columns=systems).reset_index(names="system")


def printed(value: float) -> str:
    """Return a count as the paper prints it: 244, 6.4k, 13k, 2.5m."""
    if value < 1_000:
        return f"{value:.0f}"
    thousands = f"{value / 1e3:.{int(value < 9_950)}f}k"
    return (thousands if value < 999_500 else f"{value / 1e6:.1f}m").replace(".0", "")


def size_frame(statistics: pd.DataFrame) -> pd.DataFrame:
    """Return the sizes as the paper prints them: `size`, then a column for each row of `statistics.tsv`.

    The columns are named `all summaries`, `all extracts`, …, and the values are texts.
    """
    cells: dict[str, list[str]] = {"size": list(SIZES)} if len(statistics) else {}
    for row in statistics.to_dict("records"):
        values = {
            name: f"{row[name]:.2f}" if "_per_" in name else printed(row[name]) for name in SIZES.values()
        }
        values["documents"] = f"{row['documents']:.0f}"
        if row["text"] == "summaries":
            values["unique_words_with_summaries"] = "–"
        cells[f"{row['pairs']} {row['text']}"] = list(values.values())
    return pd.DataFrame(cells)


def near_jumps(jumps: pd.DataFrame, longest: int) -> pd.DataFrame:
    """Return the shares of jumps of up to `longest` words: a row for each system, a column for each jump."""
    if not len(jumps):
        return NOTHING
    near = range(-longest, longest + 1)
    shares = jumps[jumps["jump"].isin(near)].pivot(index="system", columns="jump", values="share")
    shares = shares.reindex(jumps["system"].unique()).reindex(columns=near).fillna(0.0)
    shares.columns = pd.Index([f"{distance:+d}" if distance else "0" for distance in near])
    return shares.reset_index(names="system")
