"""Convert a public data set into a corpus with gold.

    python experiments/field_step.py convert --layout quotesum --path QuoteSum/v1/dev.jsonl --output quotesum

The folder `--output` gets `corpus.jsonl` and `gold.jsonl` in the form of the input, for
`corpus.reader: jsonl` and for `make field`. `record_layouts.py` and `spark_layout.py`
describe the layouts.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import log
from vorlage.documents.records import make_record
from vorlage.files.jsonl import write_jsonl
from vorlage.types import JsonObject
from vorlage.workflow.gold import CHARACTERS, TOKENS

from field import record_layouts, spark_layout
from field.evidence_gold import FUSED, PASSAGES, SUPPORTED, UNSUPPORTED
from field.example import Examples, MakeExample, read_examples


class PublicSet(NamedTuple):
    """Reads the examples of a file or folder; `kind` is one of those of `vorlage.workflow.gold`."""

    read: Callable[[Path], Examples]
    kind: str


def _by(make: MakeExample, ending: str, kind: str, key: str | None = None) -> PublicSet:
    return PublicSet(partial(read_examples, ending=ending, make=make, key=key), kind)


LAYOUTS = {
    "multimwa": _by(record_layouts.multimwa, "tsv", TOKENS),
    "jacana": _by(record_layouts.jacana, "json", TOKENS),
    "spark": PublicSet(spark_layout.read, CHARACTERS),
    "quotesum": _by(record_layouts.quotesum, "jsonl", PASSAGES),
    "verifiability": _by(record_layouts.verifiability, "jsonl", PASSAGES),
    "wice": _by(record_layouts.wice, "jsonl", SUPPORTED),
    "faithbench": _by(record_layouts.faithbench, "json", UNSUPPORTED, key="samples"),
    "poc": _by(record_layouts.poc, "json", FUSED),
}


def convert(layout: str, path: Path) -> tuple[list[JsonObject], list[JsonObject]]:
    """Return the lines of the pairs of a data set and those of their gold.

    Raise `InputError` for an id or a text that is not text, and for a data set without examples.
    """
    pairs: list[JsonObject] = []
    golds: list[JsonObject] = []
    for where, (name, document, summary, gold) in LAYOUTS[layout].read(path):
        pairs.append({"id": name, "document": document, "summary": summary})
        make_record(pairs[-1], where)
        golds.append({"id": name} | gold)
    if not pairs:
        raise InputError(f"{path}: no examples with gold in it; check the path and the layout")
    return pairs, golds


@command
def main(arguments: list[str] | None = None) -> None:
    """Convert a public data set into a corpus with gold."""
    parser = CommandParser("convert", main)
    parser.prog = "field_step.py convert"
    parser.add_argument("--layout", required=True, choices=LAYOUTS, help="the data set that has the layout")
    parser.add_argument("--path", required=True, type=Path, help="its file, or a folder with its files")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    options = parser.parse(arguments)
    outputs = options.output / "corpus.jsonl", options.output / "gold.jsonl"
    refuse_inputs(outputs, [options.path])
    pairs, golds = convert(options.layout, options.path)
    for path, lines in zip(outputs, (pairs, golds), strict=True):
        write_jsonl(path, lines)
    log.info(f"{options.layout}: {len(pairs)} pairs with gold")
