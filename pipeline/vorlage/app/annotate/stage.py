"""Make a page to annotate word alignments by hand: `vorlage annotate`.

    vorlage annotate corpus.jsonl --html page.html --alignments alignments.jsonl --annotator A
    vorlage annotate corpus.jsonl --html page.html --rate extracts --extracts extracts.jsonl --sample 20
    vorlage annotate corpus.jsonl --html page.html --rate decompositions --alignments alignments.jsonl

The page holds the whole corpus, opens from disk and loads nothing. It keeps the work in the browser and
downloads it as a gold file. `vorlage serve --gold` shows the same page and writes to a gold file as
you work. With `--rate`, the page asks for each summary sentence how good its extract or its decomposition is,
and downloads `ratings.jsonl`, which `vorlage agreement --ratings` reads.
"""

import argparse
from pathlib import Path

from vorlage.api import load_model
from vorlage.app.annotate.annotation_page import disk_page
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.annotate.rating_page import decomposition_items, extract_items, rating_page
from vorlage.app.corpus_files import add_corpus_options, open_corpus
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.extract.extracts import read_extracts
from vorlage.files.outputs import write_text
from vorlage.workflow.score.ratings import FORMS


@command
def main(arguments: list[str] | None = None) -> None:
    """Make a page to annotate word alignments by hand."""
    parser = CommandParser("annotate", main, description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("corpus", help="pairs as JSON lines, or a folder of results")
    parser.add_argument("--html", required=True, metavar="FILE", help="page to write")
    annotator = "who annotates, and whose gold is continued; `adjudicated` starts from the gold of two others"
    parser.add_argument("--annotator", default="", metavar="NAME", help=annotator)
    rate = "what to rate, a summary sentence at a time, instead of links"
    parser.add_argument("--rate", choices=FORMS, help=rate)
    parser.add_argument("--extracts", metavar="FILE", help="with --rate extracts: those of the extract stage")
    parser.add_argument("--sample", type=int, metavar="N", help="with --rate: sentences drawn at random")
    add_corpus_options(parser)
    options = parser.parse(arguments)
    if options.rate:
        _write_rating_page(options)
        return
    task = AnnotationTask(open_corpus(options), options.gold, load_model() if options.align else None)
    write_text(options.html, disk_page(task, Path(options.corpus).name, options.annotator))
    ordered = task.index(None)["by_doubt"]
    order = (
        "most doubtful first" if ordered else "in the order of the corpus; --align finds the most doubtful"
    )
    log.info(f"{options.html}: a page with {len(task)} pairs, {order}")


def _write_rating_page(options: argparse.Namespace) -> None:
    corpus = open_corpus(options)
    if options.rate == "extracts":
        if not options.extracts:
            raise InputError("--rate extracts needs --extracts, the extracts.jsonl of the extract stage")
        items = extract_items(corpus, read_extracts(options.extracts))
    else:
        items = decomposition_items(corpus)
    write_text(options.html, rating_page(items, options.rate, options.annotator, options.sample))
    log.info(f"{options.html}: a page to rate {options.rate}")
