"""Make the report page of a corpus: `vorlage report`.

The page is one HTML file that opens from disk and loads nothing else. It holds tables, figures and the
alignments, and leaves out what the other stages did not write: without gold it has no scores, and without a
semi-HMM it has no figure of jump probabilities.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.gold import Gold
from vorlage.files.outputs import write_text
from vorlage.report.catalogue import FIGURES
from vorlage.report.page import caption, tables
from vorlage.report.selection import choose_pairs, gold_spans, pair_f, read_golds
from vorlage.score.systems import read_side_by_side
from vorlage.settings import Report, SemiHmm, add_options, from_options
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
        try:
            light, dark = (_encode(folder / f"{name}{ending}") for ending in (".svg", ".dark.svg"))
        except OSError as error:
            raise InputError(f"{error.filename}: {error.strerror}; draw it with vorlage figures") from None
        figures[name] = {"light": light, "dark": dark, "caption": caption(name)}
    return figures


def _encode(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def viewer_entries(
    corpus: StrPath, golds: Mapping[str, Sequence[Gold]], alignments: Sequence[StrPath], most: int
) -> list[Entry]:
    """Return at most `most` pairs for the viewer, those with gold first.

    `golds`: the gold of each annotated pair by its id; `alignments`: a file for each system.
    """
    ids = choose_pairs(corpus, golds, most)
    entries = {}
    for pair, aligned in read_side_by_side(corpus, alignments, set(ids)):
        gold = golds.get(pair.id, [])
        data = pair_data(pair, gold_spans(pair, gold), aligned)
        entries[pair.id] = make_entry(data, pair_f(pair, gold, aligned))
    return [entries[key] for key in ids]


def read_settings(text: str) -> str:
    """Return the settings to show, given as JSON, as YAML."""
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise InputError(f"--settings: not valid JSON ({error}); give an object") from None
    if not isinstance(settings, dict):
        raise InputError("--settings: not a JSON object; give the settings section by section")
    return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)


@command
def main(arguments: list[str] | None = None) -> None:
    """Make the report page of a corpus."""
    parser = CommandParser("report", main, description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: none)")
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl of each system"
    )
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument("--figures", required=True, type=Path, help="folder of vorlage.report.figures")
    parser.add_argument("--statistics", required=True, help="statistics.tsv of the corpus stage")
    parser.add_argument("--name", default="corpus", help="name of the corpus (default: corpus)")
    parser.add_argument("--settings", default="{}", help="settings to show, as JSON (default: none)")
    parser.add_argument("--output", required=True, help="index.html to write")
    add_options(parser, Report)
    add_options(parser, SemiHmm, SLIDER)
    options = parser.parse(arguments)
    golds = read_golds(options.gold)
    most = from_options(options, Report).pairs
    entries = viewer_entries(options.corpus, golds, options.alignments, most)
    slider = from_options(options, SemiHmm)
    variables = {
        "title": f"Alignments of {options.name}",
        "tables": tables(options.scores, options.statistics),
        "figures": embed_figures(options.figures),
        "golds": len(golds),
        "settings": read_settings(options.settings),
        **page_parts([*VIEWER_SCRIPTS, "tables"]),
        **viewer_parts(entries, slider.posterior_threshold, slider.candidate_threshold),
    }
    write_text(options.output, render("page", **variables))
