"""Convert a public data set into a corpus with gold: `vorlage convert`.

    vorlage convert --layout quotesum --path QuoteSum/v1/dev.jsonl --output quotesum-dev

The folder `--output` gets `corpus.jsonl` and `gold.jsonl` in the form of the input, for
`corpus.reader: jsonl` and for `make field`. The layouts are in `vorlage.corpus.layouts.known`.
"""

from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.layouts.example import Example
from vorlage.corpus.layouts.known import LAYOUTS
from vorlage.corpus.records import check_id, make_record, refuse_repeated
from vorlage.files.jsonl import write_jsonl

SIDES = ("id", "document", "summary")


def read_examples(layout: str, path: Path) -> list[Example]:
    """Return the examples of a data set.

    Raise `InputError` for an id or a text that is not text, an id that comes twice, and a data set
    without examples.
    """
    examples = list(LAYOUTS[layout].read(path))
    records = (make_record({side: getattr(e, side) for side in SIDES}, e.where) for e in examples)
    for record in refuse_repeated(records):
        check_id(record.id, record.where)
    if not examples:
        raise InputError(f"{path}: no examples with gold in it; check the path and the layout")
    return examples


@command
def main(arguments: list[str] | None = None) -> None:
    """Convert a public data set into a corpus with gold."""
    parser = CommandParser("convert", main)
    parser.add_argument("--layout", required=True, choices=LAYOUTS, help="the data set that has the layout")
    parser.add_argument("--path", required=True, type=Path, help="its file, or a folder with its files")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    options = parser.parse(arguments)
    examples = read_examples(options.layout, options.path)
    options.output.mkdir(parents=True, exist_ok=True)
    write_jsonl(
        options.output / "corpus.jsonl", ({side: getattr(e, side) for side in SIDES} for e in examples)
    )
    write_jsonl(options.output / "gold.jsonl", ({"id": e.id} | e.gold for e in examples))
    log.info(f"{options.layout}: {len(examples)} pairs with gold")
