"""The options that say what is annotated, for ``palimpsest annotate`` and for an app."""

from argparse import ArgumentParser, Namespace

from pipeline.annotate.annotation_task import Task, open_task


def add_task_options(parser: ArgumentParser, gold: str) -> None:
    """Add ``--alignments``, ``--gold``, ``--tokenized`` and ``--language``; ``gold``: help on ``--gold``."""
    parser.add_argument(
        "--alignments",
        nargs="+",
        default=(),
        metavar="FILE",
        help="alignments.jsonl of systems to start from; the first with posteriors orders the pairs by doubt",
    )
    parser.add_argument("--gold", metavar="FILE", help=gold)
    parser.add_argument("--tokenized", action="store_true", help="spaces separate tokens in the corpus")
    parser.add_argument("--language", default="en", help="language of the texts, two letters (default: en)")


def open_from_options(corpus: str, options: Namespace) -> Task:
    """Return the task of annotating ``corpus``; raise :class:`InputError` for input that cannot be used."""
    return open_task(corpus, options.gold, options.alignments, options.tokenized, options.language)
