"""Make the report page of a corpus: `vorlage report`.

The page is one HTML file that opens from disk and loads nothing else. It holds tables, figures and the
alignments, and leaves out what the other stages did not write: without gold it has no scores, and without a
semi-HMM it has no figure of jump probabilities.
"""

import base64
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import yaml

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.corpus.gold import Gold, read_annotations, settled
from vorlage.files.outputs import write_text
from vorlage.report.catalogue import FIGURES
from vorlage.report.page import caption, pair_link, pair_table, tables
from vorlage.report.selection import choose_pairs, gold_spans, pair_f
from vorlage.report.summary import best_system, changes, pairs_to_look_at
from vorlage.score.command_line import add_alignments
from vorlage.score.systems import read_side_by_side
from vorlage.settings import Decoding, Report
from vorlage.types import StrPath
from vorlage.viewer.viewer import (
    VIEWER_SCRIPTS,
    Entry,
    make_entry,
    page_parts,
    pair_data,
    render,
    viewer_parts,
)

# The settings that give the slider of the viewer its start and its left end.
SLIDER = ("posterior_threshold", "candidate_threshold")


def embed_figures(folder: Path) -> dict[str, dict[str, str]]:
    """Return the figures by name, each a dict for the template with `light`, `dark` and `caption`."""
    figures = {}
    for name in FIGURES:
        light, dark = (
            base64.b64encode((folder / f"{name}{ending}").read_bytes()).decode()
            for ending in (".svg", ".dark.svg")
        )
        figures[name] = {"light": light, "dark": dark, "caption": caption(name)}
    return figures


def viewer_entries(
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
        entries[pair.id] = make_entry(data, pair_f(pair, gold, aligned))
    return [entries[key] for key in ids]


def archive(paths: Iterable[Path]) -> str:
    """Return files as a ZIP archive in base64; the same files always give the same text."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as out:
        for path in paths:
            out.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return base64.b64encode(data.getvalue()).decode()


@command
def main(arguments: list[str] | None = None) -> None:
    """Make the report page of a corpus."""
    parser = CommandParser("report", main, description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: none)")
    add_alignments(parser)
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument("--figures", required=True, type=Path, help="folder of vorlage.report.figures")
    parser.add_argument("--statistics", required=True, help="statistics.tsv of the corpus stage")
    parser.add_argument("--name", default="corpus", help="name of the corpus (default: corpus)")
    parser.add_argument("--settings", default="{}", help="settings to show, as JSON (default: none)")
    parser.add_argument("--systems", default="{}", help="extract and benchmarks of systems (default: none)")
    parser.add_argument("--output", required=True, type=Path, help="index.html to write, beside runs.jsonl")
    Report.add_options(parser)
    Decoding.add_options(parser, SLIDER)
    options = parser.parse(arguments)
    annotations = read_annotations(options.gold) if options.gold else {}
    golds = {key: settled(marked) for key, marked in annotations.items()}
    limit = Report.from_options(options).pairs
    entries = viewer_entries(options.corpus, golds, options.alignments, limit)
    slider = Decoding.from_options(options)
    settings = json.loads(options.settings)
    best = best_system(options.scores)
    worst_of = best.system if best else entries[0].systems[0] if entries else ""
    variables = {
        "title": f"Alignments of {options.name}",
        "name": options.name,
        "best": best,
        "changes": changes(options.output.with_name("runs.jsonl"), options.scores, settings),
        "worst": [(id, value, pair_link(id, worst_of)) for id, value in pairs_to_look_at(entries, worst_of)],
        "worst_of": worst_of,
        "archive": archive([*sorted(options.scores.glob("*.tsv")), Path(options.statistics)]),
        "tables": tables(options.scores, options.statistics, json.loads(options.systems))
        | {"pairs": pair_table(entries)},
        "parser": settings.get("parser"),
        "figures": embed_figures(options.figures),
        "golds": len(golds),
        "settings": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True),
        **page_parts([*VIEWER_SCRIPTS, "tables"]),
        **viewer_parts(entries, slider.posterior_threshold, slider.candidate_threshold),
    }
    write_text(options.output, render("page", **variables))
