"""Make the report page of a corpus: `vorlage report`.

The page is one HTML file that opens from disk and loads nothing else. It holds tables, figures and the
alignments, and leaves out what the other stages did not write: without gold it has no scores, and without a
semi-HMM it has no figure of jump probabilities.
"""

import base64
import json
import zipfile
from collections.abc import Hashable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.files.outputs import write_lines, write_text
from vorlage.settings import Decoding
from vorlage.types import StrPath
from vorlage.views.viewer import (
    VIEWER_SCRIPTS,
    Entry,
    make_entry,
    page_parts,
    pair_data,
    render,
    viewer_parts,
)
from vorlage.workflow.gold import Gold, read_annotations, select_gold
from vorlage.workflow.report.columns import COLUMNS, FIGURES, PHRASES, SCORES
from vorlage.workflow.report.frames import SystemFacts, describe_systems, read_tables
from vorlage.workflow.report.page import SIGNIFICANT, Table, make_tables, pair_link, pair_table, read_caption
from vorlage.workflow.report.selection import choose_pairs, gold_spans, score_pair
from vorlage.workflow.score.systems import ANNOTATOR, add_alignments_option, read_side_by_side
from vorlage.workflow.settings import Report
from vorlage.workflow.tables import format_table

LISTED_PAIRS = 5  # pairs to look at
# The settings that give the slider of the viewer its start and its left end.
SLIDER = ("posterior_threshold", "candidate_threshold")


class BestSystem(NamedTuple):
    """The system with the highest F over all words, and the difference from the best baseline.

    `low` and `high` bound F over samples of the scored `pairs`. `against`: the best baseline; None if there
    is none, or if the system is itself a baseline.
    """

    system: str
    measure: str
    f: float
    low: float
    high: float
    pairs: int
    against: str | None
    difference: float
    significant: bool


def _read_scores(
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


def find_best_system(folder: StrPath) -> BestSystem | None:
    """Return the best system by the tables of the score stage in `folder`; None without gold."""
    rows, measures, differences = _read_scores(folder)
    *_, f = measures
    systems = [row for row in rows if not row["system"].startswith(ANNOTATOR)]
    if not systems:
        return None
    row = max(systems, key=lambda row: row[f])
    against = next((compared for compared in differences if compared["system"] == row["system"]), None)
    comparison = (
        (against["against"], against["difference"], against["p"] < SIGNIFICANT)
        if against
        else (None, 0.0, False)
    )
    interval = row["low"], row["high"]
    return BestSystem(row["system"], measures[f], row[f], *interval, row["pairs"], *comparison)


def format_scores(folder: StrPath, about: SystemFacts) -> str:
    """Return a table for the terminal: the scores over all words, or without gold what links are like."""
    rows, measures, _ = _read_scores(folder)
    lines = [
        {"system": row["system"], "extract": about.get(row["system"], {}).get("extract", "–")}
        | {heading: row[name] for name, heading in measures.items()}
        | {"95 % interval": f"{row['low']:.3f}–{row['high']:.3f}".replace("nan–nan", "–")}
        for row in rows
    ]
    if not rows:
        systems = describe_systems(read_tables(folder, ("systems",))["systems"], about).to_dict("records")
        lines = [{column.heading: row[column.name] for column in COLUMNS["systems"]} for row in systems]
    return format_table(lines, list(lines[0])) if lines else ""


def record_run(path: Path, folder: StrPath, settings: Mapping[str, Any]) -> list[str]:
    """Add this run to the file of runs; return what differs from the last run with other settings or scores.

    Each line of the file `path` is a run; a run with the settings and scores of the last line adds none.
    """
    rows, measures, _ = _read_scores(folder)
    *_, f = measures
    run = {
        "settings": pd.json_normalize(dict(settings)).to_dict("records")[0],
        "scores": {row["system"]: f"{row[f]:.3f}" for row in rows},
    }
    runs = list(map(json.loads, path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
    if run not in runs[-1:]:
        runs.append(run)
    write_lines(path, (json.dumps(past, ensure_ascii=False) for past in runs))
    if len(runs) < 2:
        return []
    before, after = (past["settings"] | past["scores"] for past in runs[-2:])
    return [
        f"{name} {_change(before.get(name), after.get(name))}"
        for name in before | after
        if before.get(name) != after.get(name)
    ]


def _change(before: Any, after: Any) -> str:
    """Return how a setting or a score has changed: of lists, what was added to them and removed from them."""
    if not (isinstance(before, list) and isinstance(after, list)):
        return f"{_in_words(before)} → {_in_words(after)}"
    steps = {"+": [x for x in after if x not in before], "−": [x for x in before if x not in after]}
    return " ".join(f"{sign} {_in_words(items)}" for sign, items in steps.items() if items) or "reordered"


def _in_words(value: Any) -> str:
    """Return a setting or a score as text; – is one that a run lacks."""
    words = value if isinstance(value, list) else ["–" if value is None else value]
    return ", ".join(word if isinstance(word, str) else json.dumps(word) for word in words)


def find_worst_pairs(entries: Sequence[Entry], system: str) -> list[tuple[str, float]]:
    """Return the pairs with the lowest F of a system below 1, or without gold with the highest doubt."""
    scored = [(entry.id, entry.scores[system]) for entry in entries if entry.scores]
    if scored:
        return sorted((pair for pair in scored if pair[1] < 1), key=lambda pair: pair[1])[:LISTED_PAIRS]
    doubts = [(entry.id, entry.numbers[system].doubt) for entry in entries if system in entry.numbers]
    known = [(id, doubt) for id, doubt in doubts if doubt is not None]
    return sorted(known, key=lambda pair: -pair[1])[:LISTED_PAIRS]


def embed_figures(folder: Path) -> dict[str, dict[str, str]]:
    """Return the figures by name, each a dict for the template with `light`, `dark` and `caption`."""
    figures = {}
    for name in FIGURES:
        light, dark = (
            base64.b64encode((folder / f"{name}{ending}").read_bytes()).decode()
            for ending in (".svg", ".dark.svg")
        )
        figures[name] = {"light": light, "dark": dark, "caption": read_caption(name)}
    return figures


def make_viewer_entries(
    corpus: StrPath, golds: Mapping[str, Sequence[Gold]], alignments: Sequence[StrPath], limit: int
) -> list[Entry]:
    """Return at most `limit` pairs for the viewer, those with gold first.

    `golds`: the gold of each annotated pair by its id; `alignments`: a file for each system.
    """
    ids = choose_pairs(corpus, golds, limit)
    entries = {}
    for pair, aligned in read_side_by_side(corpus, alignments, set(ids)):
        gold = golds.get(pair.id, [])
        data = pair_data(pair, gold_spans(pair, gold), aligned)
        entries[pair.id] = make_entry(data, score_pair(pair, gold, aligned))
    return [entries[key] for key in ids]


def make_archive(paths: Iterable[Path], tables: Iterable[Table | None]) -> str:
    """Return files, and tables in LaTeX, as a ZIP archive in base64, always the same for the same ones."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as out:
        for path in paths:
            out.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for table in filter(None, tables):
            out.writestr(zipfile.ZipInfo(f"{table.name}.tex"), table.to_latex(), zipfile.ZIP_DEFLATED)
    return base64.b64encode(data.getvalue()).decode()


@command
def main(arguments: list[str] | None = None) -> None:
    """Make the report page of a corpus."""
    parser = CommandParser("report", main, description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: none)")
    add_alignments_option(parser)
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument(
        "--figures", required=True, type=Path, help="folder of vorlage.workflow.report.figures"
    )
    parser.add_argument("--statistics", required=True, help="statistics.tsv of the corpus stage")
    parser.add_argument("--name", default="corpus", help="name of the corpus (default: corpus)")
    parser.add_argument("--settings", default="{}", help="settings to show, as JSON (default: none)")
    parser.add_argument("--systems", default="{}", help="extract and benchmarks of systems (default: none)")
    parser.add_argument("--output", required=True, type=Path, help="index.html to write, beside runs.jsonl")
    Report.add_options(parser)
    Decoding.add_options(parser, SLIDER)
    options = parser.parse(arguments)
    annotations = read_annotations(options.gold) if options.gold else {}
    golds = {key: select_gold(marked) for key, marked in annotations.items()}
    limit = Report.from_options(options).pairs
    entries = make_viewer_entries(options.corpus, golds, options.alignments, limit)
    settings = json.loads(options.settings)
    best = find_best_system(options.scores)
    worst_system = best.system if best else entries[0].systems[0] if entries else ""
    shown = make_tables(options.scores, options.statistics, json.loads(options.systems))
    shown["pairs"] = pair_table(entries)
    statistics = Path(options.statistics)
    files = [*sorted(options.scores.glob("*.tsv")), statistics, *statistics.parent.glob("overlap.tsv")]
    variables = {
        "title": f"Alignments of {options.name}",
        "name": options.name,
        "best": best,
        "changes": record_run(options.output.with_name("runs.jsonl"), options.scores, settings),
        "worst": [
            (id, value, pair_link(id, worst_system)) for id, value in find_worst_pairs(entries, worst_system)
        ],
        "worst_system": worst_system,
        "archive": make_archive(files, shown.values()),
        "tables": shown,
        "parser": settings.get("parser"),
        "figures": embed_figures(options.figures),
        "golds": len(golds),
        "settings": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True),
        **page_parts([*VIEWER_SCRIPTS, "tables"]),
        **viewer_parts(entries, slider=Decoding.from_options(options)),
    }
    write_text(options.output, render("page", **variables))
