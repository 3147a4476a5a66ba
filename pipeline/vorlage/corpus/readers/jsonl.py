"""Reads JSON lines: a text file in UTF-8 with one JSON object for each pair.

    {"id": "a1", "document": "A text. It has sentences.", "summary": ["A sentence.", "Another one."]}

`id` is a string. `document` and `summary` are a string or a list of sentences each. Other fields are
ignored. Character offsets of gold count in the string or, for a list, in its sentences joined by one line
break each.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vorlage.command.errors import InputError, shorten
from vorlage.corpus.readers.record import Record, Side
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import from_line
from vorlage.types import JsonObject


def read(path: Path, settings: JsonObject) -> Iterator[Record]:
    """Yield the records of a JSON-lines file, in its order."""
    for number, line in read_lines(path):
        if line.strip():
            # Half of a surrogate pair makes one pair unusable, not the file.
            yield make_record(from_line(path, number, line, lone_surrogates=True), f"{path}, line {number}")


def make_record(fields: JsonObject, where: str) -> Record:
    """Return the record of an object; raise `InputError` for a missing field or a wrong type."""
    for key in ("id", "document", "summary"):
        if key not in fields:
            raise InputError(f"{where}: no `{key}`; each line needs `id`, `document` and `summary`")
    if not isinstance(fields["id"], str):
        raise InputError(f"{where}: `id` is {shorten(fields['id'])}; make it a string")
    return Record(fields["id"], where, _side(fields, "document", where), _side(fields, "summary", where))


def _side(fields: JsonObject, key: str, where: str) -> Side:
    value: Any = fields[key]
    sentences = value if isinstance(value, list) else [value]
    if not all(isinstance(sentence, str) for sentence in sentences):
        raise InputError(
            f"{where}: pair {fields['id']}: `{key}` must be a string or a list of strings, its sentences"
        )
    return value
