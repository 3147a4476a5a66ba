"""Convert a public data set into a corpus with gold: `vorlage convert`.

    vorlage convert --layout quotesum --path QuoteSum/v1/dev.jsonl --output quotesum-dev

The folder `--output` gets `corpus.jsonl` and `gold.jsonl` in the form of the input, for
`corpus.reader: jsonl` and for `make field`. The layouts are in `vorlage.corpus.layouts.known`.
"""

from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.layouts.known import LAYOUTS
from vorlage.corpus.records import Record, check_id, make_record, refuse_repeated
from vorlage.files.jsonl import write_jsonl
from vorlage.types import JsonObject


def convert(layout: str, path: Path) -> tuple[list[Record], list[JsonObject]]:
    """Return the pairs of a data set and the lines of their gold.

    Raise `InputError` for an id or a text that is not text, an id that comes twice, and a data set
    without examples.
    """
    records, golds = [], []
    for where, (name, document, summary, gold) in LAYOUTS[layout].read(path):
        records.append(make_record({"id": name, "document": document, "summary": summary}, where))
        golds.append({"id": name} | gold)
    for record in refuse_repeated(records):
        check_id(record.id, record.where)
    if not records:
        raise InputError(f"{path}: no examples with gold in it; check the path and the layout")
    return records, golds


@command
def main(arguments: list[str] | None = None) -> None:
    """Convert a public data set into a corpus with gold."""
    parser = CommandParser("convert", main)
    parser.add_argument("--layout", required=True, choices=LAYOUTS, help="the data set that has the layout")
    parser.add_argument("--path", required=True, type=Path, help="its file, or a folder with its files")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    options = parser.parse(arguments)
    records, golds = convert(options.layout, options.path)
    options.output.mkdir(parents=True, exist_ok=True)
    pairs = ({"id": r.id, "document": r.document, "summary": r.summary} for r in records)
    write_jsonl(options.output / "corpus.jsonl", pairs)
    write_jsonl(options.output / "gold.jsonl", golds)
    log.info(f"{options.layout}: {len(records)} pairs with gold")
