"""The options of `vorlage align` and `vorlage attribute`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from vorlage.command.errors import InputError

FILES = "a text file, PDF or HTML; - reads standard input"


def parse_align(arguments: Sequence[str]) -> Namespace:
    """Return the options of `vorlage align`; wrong ones end the command with status 2."""
    parser = ArgumentParser(
        prog="vorlage align",
        usage="%(prog)s DOCUMENT SUMMARY [options]\n       %(prog)s --pairs FILE [--output FILE] [options]",
        description="Find the part of a document that each part of its summary comes from.",
    )
    parser.add_argument("files", nargs="*", metavar="DOCUMENT SUMMARY", help=f"two files: each {FILES}")
    _add_options(parser, "alignments.jsonl", "a row for each pair of phrases")
    return _parse(parser, arguments, "DOCUMENT and SUMMARY", most=2)


def parse_attribute(arguments: Sequence[str]) -> Namespace:
    """Return the options of `vorlage attribute`; wrong ones end the command with status 2."""
    parser = ArgumentParser(
        prog="vorlage attribute",
        usage="%(prog)s DOCUMENT... TEXT [options]\n       %(prog)s --pairs FILE [--output FILE] [options]",
        description="Find the sources of each sentence and span of a text in one or more documents, or "
        "that it has none.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="DOCUMENT... TEXT",
        help=f"each {FILES}; a document may also be a folder of such files",
    )
    _add_options(parser, "the sources of a text in each line", "a row for each span and source")
    return _parse(parser, arguments, "DOCUMENT and TEXT", most=None)


def _add_options(parser: ArgumentParser, line: str, row: str) -> None:
    """Add the options that both commands have."""
    parser.add_argument(
        "--pairs",
        metavar="FILE",
        help="instead of files: JSON lines with `id`, `document` and `summary`; - reads standard input",
    )
    parser.add_argument("--output", metavar="FILE", help="file to write (default: standard output)")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help=f"write JSON lines: {line}")
    formats.add_argument("--tsv", action="store_true", help=f"write a table: {row}")
    formats.add_argument("--html", metavar="FILE", help="write a page with the viewer, which opens from disk")
    parser.add_argument(
        "--model", metavar="FILE", help="a trained model, model.npz (default: the one supplied)"
    )
    parser.add_argument(
        "--tokenized", action="store_true", help="tokens are separated by spaces; a line is a sentence"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that work on --pairs (default: 1)")


def _parse(parser: ArgumentParser, arguments: Sequence[str], files: str, most: int | None) -> Namespace:
    """Parse the options; `most`: the largest number of files."""
    options = parser.parse_args(arguments)
    options.command = parser.prog.split()[1]
    if options.workers < 1:
        raise InputError(f"--workers is {options.workers}; give a whole number of at least 1")
    if options.pairs:
        if options.files:
            parser.error("argument --pairs: not allowed with files")
        options.json = not (options.tsv or options.html)
    elif len(options.files) < 2 or len(options.files) > (most or len(options.files)):
        parser.error(f"give {files}, or --pairs")
    if options.html and options.output:
        parser.error("argument --output: not allowed with --html, which names the file")
    return options
