"""The command `vorlage attribute`: the sources of a text in documents, or of the texts of a file of pairs."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from vorlage.api.trained_model import AUTO, TrainedModel, open_model
from vorlage.attribution.result import Attribution
from vorlage.attribution.tables import COLUMNS, source_rows
from vorlage.cli.outputs import (
    FILE,
    TABLES,
    add_output_options,
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
from vorlage.documents.records import Record, read_attributed
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import write_text
from vorlage.workflow.report.texts import Outcome, count_outcomes, find_outcome, junit, texts_page


@command
def main(arguments: list[str] | None = None) -> None:
    """Find the sources of each sentence and span of a text in one or more documents, or that it has none."""
    options = parse(_make_parser(), arguments, max_files=None)
    read, left_out = _open_source(options)
    pairs = open_pairs(read, options)
    judge = None if options.judge == "none" else options.judge
    model = open_model(options.model, judge=judge)
    attribute = partial(
        TrainedModel.attribute_task,
        tokenized=options.tokenized,
        languages=(options.language, options.document_language),
        marks=options.marks,
    )
    threshold, outcomes = 1.0 if options.fail_under is None else options.fail_under, list[Outcome]()

    def take(attribution: Attribution) -> Any:
        outcomes.append(find_outcome(attribution, threshold, bool(options.report)))
        return _form(attribution, options.form)

    write(options, model, attribute, pairs, COLUMNS, "attribution", take)
    name = input_name(options)
    if options.report:
        write_text(options.report, texts_page(name, outcomes))
    if options.junit:
        write_text(options.junit, junit(name, outcomes))
    if options.form == "none" or (options.form == "terminal" and options.pairs):
        print(count_outcomes(outcomes))
    if is_checked(options) and (failed := [each.id for each in outcomes if not each.passed]):
        raise InputError(
            f"{name}: {len(failed)} of {len(outcomes)} texts have less than {100 * threshold:g}% of their "
            f"statements supported: {', '.join(failed[:5])}{', …' * (len(failed) > 5)}"
        )
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
        return partial(read_attributed, options.pairs), 0
    *paths, path = options.files
    outputs = options.output, options.html, options.report, options.junit
    refuse_inputs(outputs, (file for folder in paths for _, file in find_files(folder)))
    (texts, left_out), text = read_documents(paths), read_text(path)
    check_order(texts.values(), text)
    document = single_or_named(texts)
    return (lambda: [Record(pair_id(path), path, document, text)]), left_out


def _form(attribution: Attribution, form: str) -> Any:
    """Return an attribution in a form of the output."""
    if form == "none":
        return None
    if form == "html":
        return attribution.viewer_data()
    if form == "json":
        return [to_line(attribution.to_json())]
    if form in TABLES:
        return list(source_rows(attribution))
    return attribution
