"""Make the report page of a corpus: ``python -m pipeline.report``.

One HTML file that opens from disk and fetches nothing: tables, figures and the alignments themselves. It has
whatever the other stages have left: without gold there are no scores, without a semi-HMM no jump tables.
"""

import argparse
import base64
import json
from pathlib import Path

from pipeline.errors import InputError, command
from pipeline.files import write_text
from pipeline.progress import start_log
from pipeline.report.page import caption, tables
from pipeline.report.pairs import aligned_pairs, choose, gold_spans, pair_f, read_golds
from pipeline.report.viewer import environment, make_entry, page_parts, pair_data, viewer_parts
from pipeline.settings import add_options, from_options

FIGURES = ("scores", "jumps", "learned", "em", "calibration")


def images(folder):
    """The figures as data addresses, light and dark: name → a dict for the template."""
    found = {}
    for name in FIGURES:
        light, dark = (
            base64.b64encode((folder / f"{name}{ending}").read_bytes()).decode()
            for ending in (".svg", ".dark.svg")
        )
        found[name] = {"light": light, "dark": dark, "caption": caption(name)}
    return found


@command
def main(arguments=None):
    """Make the report page of a corpus."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report", description=__doc__.split("\n\n")[1])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: none)")
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl, one file a system"
    )
    parser.add_argument("--scores", required=True, type=Path, help="folder of the score stage")
    parser.add_argument("--figures", required=True, type=Path, help="folder of pipeline.report.figures")
    parser.add_argument("--statistics", required=True, help="statistics.tsv of the corpus stage")
    parser.add_argument("--name", default="corpus", help="name of the corpus (default: corpus)")
    parser.add_argument("--threshold", type=float, default=0.5, help="where the slider stands (default: 0.5)")
    parser.add_argument("--settings", default="{}", help="settings to show, JSON (default: none)")
    parser.add_argument("--output", required=True, help="index.html to write")
    parser.add_argument("--log", help="log file (default: standard error)")
    add_options(parser, "report")
    given = parser.parse_args(arguments)
    start_log(given.log)
    golds = read_golds(given.gold)
    ids = choose(given.corpus, golds, from_options(given, "report")["pairs"])
    entries = {}
    for pair, alignments in aligned_pairs(given.corpus, given.alignments, set(ids)):
        gold = golds.get(pair.id, [])
        data = pair_data(pair, gold_spans(pair, gold), alignments)
        entries[pair.id] = make_entry(data, pair_f(pair, gold, alignments))
    made = tables(given.scores, given.statistics)
    try:
        shown = images(given.figures)
    except OSError as error:
        raise InputError(
            f"{error.filename}: {error.strerror}; draw it: python -m pipeline.report.figures"
        ) from None
    html = (
        environment()
        .get_template("page.html.jinja")
        .render(
            name=given.name,
            tables=made,
            figures=shown,
            annotated=len(golds),
            settings=json.loads(given.settings),
            **page_parts("viewer", "tables"),
            **viewer_parts([entries[key] for key in ids], given.threshold),
        )
    )
    write_text(given.output, html)


if __name__ == "__main__":
    main()
