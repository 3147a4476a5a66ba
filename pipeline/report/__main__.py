"""Make the report page of a corpus: ``python -m pipeline.report``.

One HTML file that opens from disk and fetches nothing: tables, figures and the alignments themselves. It has
whatever the other stages have left: without gold there are no scores, without a semi-HMM no jump tables.
"""

import argparse
import base64
import json
from pathlib import Path

import yaml

from pipeline.io.checksums import open_checked
from pipeline.io.jsonl import write_text
from pipeline.report.catalogue import FIGURES
from pipeline.report.page import caption, tables
from pipeline.report.selection import choose, gold_spans, pair_f, read_golds
from pipeline.report.viewer import environment, make_entry, page_parts, pair_data, viewer_parts
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log
from pipeline.score.systems import read_side_by_side
from pipeline.settings import add_options, from_options

# Where the slider of the viewer stands, and its least.
SLIDER = ("posterior_threshold", "candidate_threshold")


def images(folder):
    """The figures as data addresses, light and dark: name → a dict for the template."""
    found = {}
    for name in FIGURES:
        try:
            light, dark = (_encoded(folder / f"{name}{ending}") for ending in (".svg", ".dark.svg"))
        except OSError as error:
            raise InputError(
                f"{error.filename}: {error.strerror}; draw it with python -m pipeline.report.figures"
            ) from None
        found[name] = {"light": light, "dark": dark, "caption": caption(name)}
    return found


def _encoded(path):
    with open_checked(path) as file:
        return base64.b64encode(file.read()).decode()


def viewer_entries(corpus, golds, alignments, most):
    """At most ``most`` pairs for the viewer, those with gold first; ``golds``: pair id → list of Gold."""
    ids = choose(corpus, golds, most)
    entries = {}
    for pair, aligned in read_side_by_side(corpus, alignments, set(ids)):
        gold = golds.get(pair.id, [])
        data = pair_data(pair, gold_spans(pair, gold), aligned)
        entries[pair.id] = make_entry(data, pair_f(pair, gold, aligned))
    return [entries[key] for key in ids]


def read_settings(text):
    """The settings to show, a text in YAML, from JSON."""
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise InputError(f"--settings: not valid JSON ({error}); give an object") from None
    if not isinstance(settings, dict):
        raise InputError("--settings: not an object; give one, section by section")
    return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)


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
    parser.add_argument("--settings", default="{}", help="settings to show, JSON (default: none)")
    parser.add_argument("--output", required=True, help="index.html to write")
    parser.add_argument("--log", help="log file (default: standard error)")
    add_options(parser, "report")
    add_options(parser, "semihmm", SLIDER)
    given = parser.parse_args(arguments)
    start_log(given.log)
    golds = read_golds(given.gold)
    most = from_options(given, "report")["pairs"]
    slider = from_options(given, "semihmm")
    parts = {
        "name": given.name,
        "tables": tables(given.scores, given.statistics),
        "figures": images(given.figures),
        "annotated": len(golds),
        "settings": read_settings(given.settings),
        **page_parts("viewer", "tables"),
        **viewer_parts(
            viewer_entries(given.corpus, golds, given.alignments, most), *(slider[key] for key in SLIDER)
        ),
    }
    write_text(given.output, environment().get_template("page.html.jinja").render(**parts))


if __name__ == "__main__":
    main()
