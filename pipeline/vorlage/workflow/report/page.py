"""The tables of the report page, made from the files of other stages."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas as pd

from vorlage.alignments.viewer import Entry
from vorlage.command.errors import InputError
from vorlage.types import StrPath
from vorlage.workflow.report import frames
from vorlage.workflow.report.columns import COLUMNS, HARD, PHRASES, SCORES, SYSTEM, WORDS, Column, typed
from vorlage.workflow.report.frames import NOTHING, AboutSystems
from vorlage.workflow.score.systems import ANNOTATOR

CAPTIONS = Path(__file__).with_name("captions")
SIGNIFICANT = 0.05
NEAR = 5  # words: the longest jumps that the table shows
FEW = 4  # systems whose scores of each pair are not folded
PAIRS = {"all": "all pairs", "annotated": "annotated pairs"}
WORDS_SHORT = {"nonstop": "non-stop"}


@dataclass(frozen=True)
class ShownCell:
    """A cell: its `text`, the `value` to sort by, whether it is the best of its column, and its link."""

    text: str
    value: object
    best: bool = False
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table ready for the template."""

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[ShownCell]]

    def to_latex(self) -> str:
        """Return the columns of the table that are not folded, in LaTeX for the package booktabs.

        Seconds are left out: with them, no two runs would give the same archive.
        """
        shown = [k for k, each in enumerate(self.columns) if not each.folded and each.name != "seconds"]
        names = [f"{self.columns[k].group} {self.columns[k].heading}".strip() for k in shown]
        frame = pd.DataFrame([[row[k].text for k in shown] for row in self.rows], columns=names)
        return frame.to_latex(index=False, escape=True, caption=re.sub(r"([%&#_$])", r"\\\1", self.caption))

    @property
    def groups(self) -> list[tuple[str, int, bool]]:
        """The headings over columns, each with their number and whether they are folded, or an empty list."""
        groups = groupby(self.columns, lambda column: (column.group, column.folded))
        counts = [(group, len(list(columns)), folded) for (group, folded), columns in groups]
        return counts if any(group for group, *_ in counts) else []

    @property
    def folded(self) -> bool:
        """Whether some columns are hidden at first."""
        return any(column.folded for column in self.columns)


def caption(name: str) -> str:
    """Return the caption of a table or a figure, which Snakemake's report shows too."""
    return " ".join((CAPTIONS / f"{name}.rst").read_text(encoding="utf-8").split())


def make_table(name: str, frame: pd.DataFrame, columns: Sequence[Column] | None = None) -> Table | None:
    """Return the `Table` of a data frame, or None if the frame has no rows."""
    if not len(frame):
        return None
    columns = columns or COLUMNS[name]
    ranked = [column.name for column in columns if column.best and len(frame) > 1]
    largest = frame[~frame["system"].str.startswith(ANNOTATOR)][ranked].max().to_dict() if ranked else {}
    rows = []
    for row in frame.to_dict("records"):
        annotator = str(row.get("system", "")).startswith(ANNOTATOR)
        best = {key for key, value in largest.items() if row[key] == value and not annotator}
        rows.append([_make_cell(row, column, column.name in best) for column in columns])
    return Table(name, caption(name), columns, rows)


def _make_cell(row: Mapping[Hashable, Any], column: Column, best: bool) -> ShownCell:
    value = row[column.name]
    if isinstance(value, float) and pd.isna(value):
        return ShownCell("–", "")
    link = pair_link(value, row["system"], row.get("first")) if column.name == "id" else ""
    match column.kind:
        case "whole":
            text = f"{value:,.0f}"
        case "number":
            text = f"{value:.3f}"
        case "percent":
            text = f"{100 * value:.1f} %"
        case _:
            text = WORDS_SHORT.get(value, str(value))
    return ShownCell(text, value, best, link)


def pair_link(id: str, system: str, word: int | None = None) -> str:
    """Return the link to a pair, and to a word of its summary, in the viewer."""
    place = {} if word is None else {"word": f"summary-{word}"}
    return "#" + urlencode({"pair": id, "system": system} | place)


def pair_table(entries: Sequence[Entry]) -> Table | None:
    """Return a row for each pair with the F of each system or, without gold, with the doubt of each.

    The columns after the first `FEW` systems are folded.
    """
    scored = any(entry.scores for entry in entries)
    rows = []
    for entry in entries:
        doubts = {system: numbers.doubt for system, numbers in entry.numbers.items()}
        row = {"id": entry.id, "system": entry.systems[0]}
        rows.append(row | ((entry.scores or {}) if scored else doubts))
    frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
    systems = [name for name in frame.columns if name not in ("id", "system")]
    columns = [Column(name, name, folded=number >= FEW) for number, name in enumerate(systems)]
    name = "pairs" if scored else "doubts"
    return make_table(name, frame, [Column("id", "pair", "text"), *columns]) if systems else None


def score_table(
    name: str,
    scores: pd.DataFrame,
    differences: pd.DataFrame,
    measures: Mapping[str, str],
    more: Mapping[str, str] | None = None,
) -> Table | None:
    """Return the main results, a row for each system, or None without scores.

    Args:
        name: of the table.
        scores: a table with the columns `system`, `extract`, `words`, `low`, `high` and those of `measures`.
        differences: the results of the paired bootstrap, or a table without rows.
        measures: name → heading; the interval is that of the last one.
        more: measures to fold, as the scores of non-stop words are.
    """
    more = more or {}
    columns = typed("text", "system", "extract")
    for words, label in WORDS.items():
        group = [Column(f"{key} {words}", heading, best=True) for key, heading in measures.items()]
        group += typed("text", **{f"interval {words}": "95 % interval"})
        if len(differences):
            group += typed("text", **{f"mark {words}": "against the best baseline"})
        columns += [replace(column, group=label, folded=words != "all") for column in group]
        columns += [
            Column(f"{key} {words}", heading, best=True, group=label, folded=True)
            for key, heading in more.items()
        ]
    rows: dict[str, dict[str, Any]] = {}
    for score in scores.to_dict("records"):
        system, words = score["system"], score["words"]
        row = rows.setdefault(system, {"system": system, "extract": score["extract"]})
        row |= {f"{key} {words}": score[key] for key in (*measures, *more)}
        known = pd.notna(score["low"])
        row[f"interval {words}"] = f"{score['low']:.3f}–{score['high']:.3f}" if known else "–"
        row[f"mark {words}"] = _mark(differences, system, words)
    return make_table(name, pd.DataFrame(list(rows.values())), columns)


def _mark(differences: pd.DataFrame, system: str, words: str) -> str:
    """Return how a system compares with the best baseline, and the difference with its interval.

    An annotator is not compared with it.
    """
    if not len(differences):
        return ""
    if system.startswith(ANNOTATOR):
        return "–"
    rows = differences[(differences["words"] == words) & (differences["system"] == system)]
    if not len(rows):
        return "best baseline"
    (row,) = rows.to_dict("records")
    if pd.isna(row["p"]):
        return "–"
    verdict = "better" if row["difference"] > 0 else "worse"
    if row["p"] >= SIGNIFICANT:
        verdict = "not different"
    return f"{verdict}: {row['difference']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f})"


def tables(folder: StrPath, statistics: StrPath, about: AboutSystems) -> dict[str, Table | None]:
    """Return the tables of the page by name; a table without rows is None.

    `folder`: that of the score stage. Raise `InputError` if it lacks the tables of the analysis.
    """
    if not (Path(folder) / "identity.tsv").exists():
        raise InputError(f"{folder}: has no identity.tsv; write it with vorlage analysis")
    scores = ("scores", "phrases", "oracle", "nonidentical")
    others = ("significance", "phrase_significance", "jumps", "pairwise")
    found = frames.read_tables(folder, (*COLUMNS, *scores, *others))
    found |= {name: frames.about_systems(found[name], about) for name in ("systems", *scores)}
    found["statistics"] = frames.read_table(statistics)
    extracts = found["implied_extracts"]
    found["implied_extracts"] = extracts[extracts["id"] == "average"] if len(extracts) else NOTHING
    result = {name: make_table(name, found[name]) for name in COLUMNS}
    sizes = frames.size_frame(found["statistics"])
    result["sizes_of_texts"] = make_table("sizes_of_texts", sizes, _size_columns(sizes))
    jumps, pairwise = frames.near_jumps(found["jumps"], NEAR), frames.pairwise_frame(found["pairwise"])
    result["jumps"] = make_table("jumps", jumps, [*SYSTEM, *typed("percent", *jumps.columns[1:])])
    result["pairwise"] = make_table("pairwise", pairwise, [*SYSTEM, *typed("number", *pairwise.columns[1:])])
    result["scores"] = score_table("scores", found["scores"], found["significance"], SCORES, HARD)
    result["phrases"] = score_table("phrases", found["phrases"], found["phrase_significance"], PHRASES)
    for name in ("oracle", "nonidentical"):
        result[name] = score_table(name, found[name], NOTHING, SCORES)
    return result


def _size_columns(sizes: pd.DataFrame) -> list[Column]:
    """Return the columns of the sizes of the corpus, grouped by pairs."""
    columns = typed("text", "size")
    for name in sizes.columns[1:]:
        pairs, text = name.split()
        columns.append(Column(name, text, "printed", group=PAIRS[pairs]))
    return columns
