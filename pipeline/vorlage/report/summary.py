"""What a run found: its best system, what changed since the last run, and the pairs to look at."""

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from vorlage.files.outputs import write_lines
from vorlage.files.tables import format_table
from vorlage.report.columns import COLUMNS, PHRASES, SCORES
from vorlage.report.frames import AboutSystems, about_systems, read_tables
from vorlage.report.page import SIGNIFICANT
from vorlage.score.systems import ANNOTATOR
from vorlage.types import StrPath
from vorlage.viewer.viewer import Entry

SHOWN = 5  # pairs to look at


class Best(NamedTuple):
    """The system with the highest F over all words, and the difference from the best baseline.

    `against` is the best baseline; None if the system itself is that, or if there is none.
    """

    system: str
    measure: str
    f: float
    low: float
    high: float
    against: str | None
    difference: float
    significant: bool


class Change(NamedTuple):
    """A setting or the score of a system, before and after."""

    name: str
    before: str
    after: str


def _all_words(
    folder: StrPath,
) -> tuple[list[dict[Hashable, Any]], Mapping[str, str], list[dict[Hashable, Any]]]:
    """Return the scores over all words, the headings of their measures, and the differences from a baseline.

    `folder`: that of the score stage. The scores are those of phrases if the gold is in characters, and have
    no rows without gold.
    """
    scores, differences, phrases, of_phrases = (
        frame[frame["words"] == "all"].to_dict("records") if len(frame) else []
        for frame in read_tables(
            folder, ("scores", "significance", "phrases", "phrase_significance")
        ).values()
    )
    return (scores, SCORES, differences) if scores else (phrases, PHRASES, of_phrases)


def best_system(folder: StrPath) -> Best | None:
    """Return the best system by the tables of the score stage in `folder`; None without gold."""
    rows, measures, differences = _all_words(folder)
    *_, f = measures
    systems = [row for row in rows if not row["system"].startswith(ANNOTATOR)]
    if not systems:
        return None
    best = max(systems, key=lambda row: row[f])
    against = next((row for row in differences if row["system"] == best["system"]), None)
    compared = (
        (against["against"], against["difference"], against["p"] < SIGNIFICANT)
        if against
        else (None, 0.0, False)
    )
    return Best(best["system"], measures[f], best[f], best["low"], best["high"], *compared)


def score_lines(folder: StrPath, about: AboutSystems) -> str:
    """Return a table for the terminal: the scores over all words, or without gold what links are like."""
    rows, measures, _ = _all_words(folder)
    lines = [
        {"system": row["system"], "extract": about.get(row["system"], {}).get("extract", "–")}
        | {heading: row[name] for name, heading in measures.items()}
        | {"95 % interval": f"{row['low']:.3f}–{row['high']:.3f}"}
        for row in rows
    ]
    if not rows:
        systems = about_systems(read_tables(folder, ("systems",))["systems"], about).to_dict("records")
        lines = [{column.heading: row[column.name] for column in COLUMNS["systems"]} for row in systems]
    return format_table(lines, list(lines[0])) if lines else ""


def changes(path: Path, folder: StrPath, settings: Mapping[str, Any]) -> list[Change]:
    """Return what differs from the last run with other settings or scores, and add this run to a file.

    Each line of the file `path` is a run; a run with the settings and scores of the last line adds none.
    """
    rows, measures, _ = _all_words(folder)
    *_, f = measures
    run = {
        "settings": {name: str(value) for name, value in pd.json_normalize(dict(settings)).iloc[0].items()},
        "scores": {row["system"]: f"{row[f]:.3f}" for row in rows},
    }
    runs = list(map(json.loads, path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
    if run not in runs[-1:]:
        runs.append(run)
    write_lines(path, (json.dumps(each, ensure_ascii=False) for each in runs))
    if len(runs) < 2:
        return []
    before, after = (each["settings"] | each["scores"] for each in runs[-2:])
    return [
        Change(name, before.get(name, "–"), after.get(name, "–"))
        for name in before | after
        if before.get(name) != after.get(name)
    ]


def pairs_to_look_at(entries: Sequence[Entry], system: str) -> list[tuple[str, float]]:
    """Return the pairs with the lowest F of a system, or without gold with the highest doubt."""
    scored = [(entry.id, entry.scores[system]) for entry in entries if entry.scores]
    if scored:
        return sorted(scored, key=lambda pair: pair[1])[:SHOWN]
    doubts = [(entry.id, entry.numbers[system].doubt) for entry in entries if system in entry.numbers]
    known = [(id, doubt) for id, doubt in doubts if doubt is not None]
    return sorted(known, key=lambda pair: -pair[1])[:SHOWN]
