"""Make a page to annotate word alignments by hand: `vorlage annotate`.

    vorlage annotate corpus.jsonl --html page.html --alignments alignments.jsonl --annotator A

The page holds the whole corpus, opens from disk and loads nothing. It keeps the work in the browser and
downloads it as a gold file. `vorlage serve --gold` shows the same page and writes to a gold file as
you work.
"""

import argparse
from pathlib import Path

from vorlage.api import load_model
from vorlage.app.annotate.annotation_page import disk_page
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.corpus_files import add_corpus_options, open_corpus
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.files.outputs import write_text


@command
def main(arguments: list[str] | None = None) -> None:
    """Make a page to annotate word alignments by hand."""
    parser = CommandParser("annotate", main, description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("corpus", help="pairs as JSON lines, or a folder of results")
    parser.add_argument("--html", required=True, metavar="FILE", help="page to write")
    annotator = "who annotates, and whose gold is continued; `adjudicated` starts from the gold of two others"
    parser.add_argument("--annotator", default="", metavar="NAME", help=annotator)
    add_corpus_options(parser)
    options = parser.parse(arguments)
    task = AnnotationTask(open_corpus(options), options.gold, load_model() if options.align else None)
    write_text(options.html, disk_page(task, Path(options.corpus).name, options.annotator))
    ordered = task.index(None)["by_doubt"]
    order = (
        "most doubtful first" if ordered else "in the order of the corpus; --align finds the most doubtful"
    )
    log.info(f"{options.html}: a page with {len(task)} pairs, {order}")
