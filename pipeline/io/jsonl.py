"""Reading and writing files: JSON lines with errors that name the line, outputs that appear whole."""

import json

from pipeline.io.inputs import not_utf8, open_file
from pipeline.io.outputs import replacing
from pipeline.io.strict_json import JsonError, parse_json
from pipeline.run.errors import InputError


def write_text(path, text):
    """Write ``text`` to ``path`` in UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_jsonl(path, records):
    """Write an iterable of JSON-serialisable records to ``path``, one a line, whole or not at all."""
    write_lines(path, map(to_line, records))


def write_lines(path, lines):
    """Write an iterable of lines to ``path`` in UTF-8, whole or not at all."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


def to_line(record):
    """A JSON-serialisable record as a line of a JSON-lines file; raises ValueError for NaN and infinities."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def read_jsonl(path, lines=None):
    """Yield ``(line number, record)`` for each non-blank line of a JSON-lines file.

    ``lines``: the ``(line number, line)`` to take, of a part of the file say (all).

    Raises :class:`InputError` when the file is missing or unreadable, and for a line that is not a
    JSON object, naming file and line.
    """
    for number, line in read_lines(path) if lines is None else lines:
        if line.strip():
            yield number, from_line(path, number, line)


def read_lines(path, newline=None):
    """Yield ``(line number, line)`` for each line of a text file in UTF-8, which ends as it does there.

    A byte order mark before the first is passed over. ``newline``: as in :func:`open`. Raises
    :class:`InputError` when the file is missing or unreadable.
    """
    with open_file(path, encoding="utf-8-sig", newline=newline) as lines:
        try:
            yield from enumerate(lines, start=1)
        except UnicodeDecodeError:
            raise not_utf8(path) from None


def from_line(path, number, line, halves=False):
    """The record of a line of a JSON-lines file; raises :class:`InputError` for what is not a JSON object.

    ``halves``: as in :func:`pipeline.io.strict_json.parse_json`.
    """
    try:
        record = parse_json(line, halves)
    except JsonError as error:
        raise InputError(
            f"{path}, line {number}: not valid JSON ({error}); each line must be one JSON object"
        ) from None
    if not isinstance(record, dict):
        raise InputError(f"{path}, line {number}: expected a JSON object, found {type(record).__name__}")
    return record


def read_json(path, what, maker):
    """The object of a JSON file; raises :class:`InputError` for another file.

    ``what`` it should be and the command ``maker`` that makes such files are for the error.
    """
    try:
        with open_file(path, encoding="utf-8") as file:
            found = parse_json(file.read())
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except JsonError as error:
        raise InputError(f"{path}: not {what} ({error}); make the file with {maker}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: not {what} (no object); make the file with {maker}")
    return found
