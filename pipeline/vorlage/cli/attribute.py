"""The command `vorlage attribute`: the sources of a text in documents, or of the texts of a file of pairs."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from vorlage.api.blocks import Task
from vorlage.api.trained_model import AUTO, TrainedModel, attribute_record, open_model
from vorlage.attribution.tables import COLUMNS, source_rows
from vorlage.cli.outputs import (
    FILE,
    add_output_options,
    open_pairs,
    pair_id,
    parse,
    write,
)
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.corpus.documents import check_order, find_files, read_documents, read_text
from vorlage.corpus.records import Record, read_attributed
from vorlage.files.jsonl import to_line
from vorlage.files.tables import to_row


@command
def main(arguments: list[str] | None = None) -> None:
    """Find the sources of each sentence and span of a text in one or more documents, or that it has none."""
    options = parse(_make_parser(), arguments, max_files=None)
    read, left_out = _open_source(options)
    items, count = open_pairs(read, options)
    judge = None if options.judge == "none" else options.judge
    model = open_model(options.model, judge=judge)
    settings = {
        "tokenized": options.tokenized,
        "language": options.language,
        "document_language": options.document_language,
    }
    answer = partial(_answer, form=options.form, settings=settings)
    write(options, model, answer, items, count, COLUMNS, "attribution")
    if left_out:
        raise InputError(
            f"documents left out: {left_out}; what comes from them counts as having no source, so repair them"
        )


def _make_parser() -> CommandParser:
    usage = "%(prog)s DOCUMENT... TEXT [options]\n       %(prog)s --pairs FILE [--output FILE] [options]"
    parser = CommandParser("attribute", main, usage=usage, log=False)
    files = f"each {FILE}; a document may also be a folder of such files"
    parser.add_argument("files", nargs="*", metavar="DOCUMENT... TEXT", help=files)
    pairs = "instead: JSON lines or CSV with `id`, `document` and `summary`, the text; - reads standard input"
    parser.add_argument("--pairs", metavar="FILE", help=pairs)
    judge = (
        "classifier that says whether sources support a sentence: a folder, a name that was fetched, or none"
    )
    parser.add_argument(
        "--judge", metavar="NAME", default=AUTO, help=f"{judge} (default: if one was fetched)"
    )
    add_output_options(
        parser, "the sources of a text in each line", "a row for each span and source, and each finding"
    )
    return parser


def _open_source(options: Namespace) -> tuple[Callable[[], Iterable[Record]], int]:
    """Return a function that yields the pairs that the options name, and how many documents it leaves out."""
    if options.pairs:
        return partial(read_attributed, options.pairs), 0
    *paths, path = options.files
    outputs = options.output, options.html
    refuse_inputs(outputs, (file for folder in paths for _, file in find_files(folder)))
    (texts, left_out), text = read_documents(paths), read_text(path)
    check_order(texts.values(), text)
    document = next(iter(texts.values())) if len(texts) == 1 else texts
    return (lambda: [Record(pair_id(path), path, document, text)]), left_out


def _answer(model: TrainedModel, record: Record, form: str, settings: Mapping[str, Any]) -> Task[Any]:
    """Attribute a text, here or in another process, and return it in the form of the output."""
    attribution = yield from attribute_record(model, record, **settings)
    if form == "html":
        return attribution.viewer_data()
    if form == "json":
        return [to_line(attribution.to_json())]
    if form == "tsv":
        return list(map(to_row, source_rows(attribution)))
    return attribution
