"""The command `vorlage attribute`: the sources of a text in documents, or of the texts of a file of pairs."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from vorlage.api.batches import map_batches
from vorlage.api.trained_model import AUTO, load_model
from vorlage.cli.outputs import (
    FILE,
    add_output_options,
    in_form,
    input_name,
    is_checked,
    open_pairs,
    pair_id,
    parse,
    write,
)
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.documents.formats import check_order, find_files, read_documents, read_text, single_or_named
from vorlage.documents.records import Record, read_multidocument
from vorlage.files.outputs import write_text
from vorlage.text.detect import Languages
from vorlage.views.tables import COLUMNS, source_rows
from vorlage.views.texts import TextOutcome, describe_totals, find_outcome, make_junit, texts_page


@command
def main(arguments: list[str] | None = None) -> None:
    """Find the sources of each sentence and span of a text in one or more documents, or that it has none."""
    options = parse(_make_parser(), arguments, max_files=None)
    read, left_out = _open_source(options)
    pairs = open_pairs(read, options)
    model = load_model(options.model, judge=None if options.judge == "none" else options.judge)
    attribute = partial(
        model.attribute_records,
        tokenized=options.tokenized,
        languages=Languages(options.language, options.document_language),
        marks=options.marks,
    )
    outcomes: list[TextOutcome] = []

    def find(records: Iterable[Record], processes: int) -> Iterator[Any]:
        for attribution in map_batches(attribute, records, processes):
            if _has_outcomes(options):
                outcomes.append(find_outcome(attribution, _threshold(options), bool(options.report)))
            yield in_form(attribution, options.form, partial(source_rows, attribution))

    write(options, find, pairs, COLUMNS, "attribution")
    if _has_outcomes(options):
        _report(outcomes, options)
    if left_out:
        raise InputError(
            f"documents left out: {left_out}; what comes from them counts as having no source, so repair them"
        )


def _make_parser() -> CommandParser:
    usage = "%(prog)s DOCUMENT... TEXT [options]\n       %(prog)s --pairs FILE [--output FILE] [options]"
    parser = CommandParser("attribute", main, usage=usage, log=False)
    files = f"each {FILE}; a document may also be a folder of such files"
    parser.add_argument("files", nargs="*", metavar="DOCUMENT... TEXT", help=files)
    pairs = "instead: JSON lines or CSV with `id`, `document` and `text` or `summary`; - reads standard input"
    parser.add_argument("--pairs", metavar="FILE", help=pairs)
    judge = (
        "classifier that says whether sources support a sentence: a folder, a name that was fetched, or none"
    )
    parser.add_argument(
        "--judge", metavar="NAME", default=AUTO, help=f"{judge} (default: if one was fetched)"
    )
    marks = "check the marks of citations, such as [1], which name documents by name or number"
    parser.add_argument("--marks", action="store_true", help=marks)
    report = "write a page over all texts: how many pass, what fails and why"
    parser.add_argument("--report", metavar="FILE", help=report)
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML with a case for each text")
    under = "end with status 1 unless at least this share of the statements of each text is supported"
    default = "default: 1 with --report or --junit, else no check"
    parser.add_argument("--fail-under", metavar="SHARE", type=_share, help=f"{under} ({default})")
    add_output_options(
        parser, "the sources of a text in each line", "a row for each span and source, and each finding"
    )
    return parser


def _share(value: str) -> float:
    with suppress(ValueError):
        if 0 <= (share := float(value)) <= 1:
            return share
    raise ArgumentTypeError(f"give a number from 0 to 1, not {value}")


def _open_source(options: Namespace) -> tuple[Callable[[], Iterable[Record]], int]:
    """Return a function that yields the pairs that the options name, and how many documents it leaves out."""
    if options.pairs:
        return partial(read_multidocument, options.pairs), 0
    *paths, path = options.files
    outputs = options.output, options.html, options.report, options.junit
    refuse_inputs(outputs, (file for folder in paths for _, file in find_files(folder)))
    (texts, left_out), text = read_documents(paths), read_text(path)
    check_order(texts.values(), text)
    document = single_or_named(texts)
    return (lambda: [Record(pair_id(path), path, document, text)]), left_out


def _has_outcomes(options: Namespace) -> bool:
    """Return whether it is reported how many texts pass."""
    return is_checked(options) or (options.form == "terminal" and bool(options.pairs))


def _threshold(options: Namespace) -> float:
    """Return the share of the statements of a text that must be supported."""
    return 1.0 if options.fail_under is None else float(options.fail_under)


def _report(outcomes: Sequence[TextOutcome], options: Namespace) -> None:
    """Write the reports over all texts, and count them; raise `InputError` for texts that must pass."""
    name = input_name(options)
    if options.report:
        write_text(options.report, texts_page(name, outcomes))
    if options.junit:
        write_text(options.junit, make_junit(name, outcomes))
    if options.form == "none" or (options.form == "terminal" and options.pairs):
        print(describe_totals(outcomes))
    if is_checked(options) and (failed := [outcome.id for outcome in outcomes if not outcome.passed]):
        share, ids = f"{100 * _threshold(options):g}%", ", ".join(failed[:5]) + ", …" * (len(failed) > 5)
        raise InputError(
            f"{name}: {len(failed)} of {len(outcomes)} texts have less than {share} of their statements "
            f"supported: {ids}"
        )
