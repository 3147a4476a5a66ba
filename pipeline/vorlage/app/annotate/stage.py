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
from vorlage.app.corpus_files import CorpusFiles
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.files.outputs import write_text
from vorlage.semihmm.kernels.compile import announce_compilation


@command
def main(arguments: list[str] | None = None) -> None:
    """Make a page to annotate word alignments by hand."""
    parser = CommandParser("annotate", main, description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("corpus", help="pairs as JSON lines, or a folder of results")
    parser.add_argument("--html", required=True, metavar="FILE", help="page to write")
    parser.add_argument(
        "--alignments",
        nargs="+",
        default=(),
        metavar="FILE",
        help="alignments.jsonl of systems to start from; the first with posteriors orders the pairs by doubt",
    )
    parser.add_argument(
        "--align",
        action="store_true",
        help="align the pairs with the supplied model, to start from and to order them by doubt",
    )
    parser.add_argument("--gold", metavar="FILE", help="gold file with work to continue or to adjudicate")
    parser.add_argument("--tokenized", action="store_true", help="spaces separate tokens in the corpus")
    parser.add_argument("--language", default="en", help="language of the texts, two letters (default: en)")
    parser.add_argument(
        "--annotator",
        default="",
        metavar="NAME",
        help="who annotates, and whose gold is continued; `adjudicated` starts from the gold of two others",
    )
    options = parser.parse(arguments)
    corpus = CorpusFiles(
        options.corpus, options.alignments, tokenized=options.tokenized, language=options.language
    )
    if options.align:
        announce_compilation()
    task = AnnotationTask(corpus, options.gold, load_model() if options.align else None)
    write_text(options.html, disk_page(task, Path(options.corpus).name, options.annotator))
    log.info(f"{options.html}: a page with {len(task)} pairs")
