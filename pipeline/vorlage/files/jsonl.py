"""JSON and JSON-lines files, read strictly and with errors that name the line.

Strict means: JSON that would lose something, is not a number, or cannot be written again is refused.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from vorlage.command.errors import InputError
from vorlage.command.visible import CONTROL
from vorlage.files.inputs import open_file, read_lines, utf8_error
from vorlage.files.outputs import write_lines
from vorlage.types import JsonObject, StrPath


class JsonError(ValueError):
    """Text that is not JSON, or JSON that is refused; the message says why."""


def write_jsonl(path: StrPath, records: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON-serialisable records to `path`, one per line, whole or not at all."""
    write_lines(path, map(to_line, records))


def to_line(record: Mapping[str, Any]) -> str:
    """Return a record as a line of a JSON-lines file; raise ValueError for NaN and infinities."""
    return escape_controls(json.dumps(record, ensure_ascii=False, allow_nan=False))


def escape_controls(text: str) -> str:
    r"""Return a JSON text with the controls that JSON allows, U+007F to U+009F, as `\u009b`."""
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def read_jsonl(
    path: StrPath, lines: Iterable[tuple[int, str]] | None = None
) -> Iterator[tuple[int, JsonObject]]:
    """Yield `(line number, record)` for each non-blank line of a JSON-lines file.

    `lines` are the `(line number, line)` to parse, for example of a part of the file (default: all).

    Raise `InputError` for a file that is missing or unreadable, and for a line that is not a JSON
    object, naming file and line.
    """
    for number, line in read_lines(path) if lines is None else lines:
        if line.strip():
            yield number, from_line(path, number, line)


def from_line(path: StrPath, number: int, line: str, lone_surrogates: bool = False) -> JsonObject:
    """Return the record of a line of a JSON-lines file; raise `InputError` if it has none.

    `lone_surrogates` is that of `parse_json`.
    """
    try:
        record = parse_json(line, lone_surrogates)
    except JsonError as error:
        raise InputError(
            f"{path}, line {number}: not valid JSON ({error}); each line must be one JSON object"
        ) from None
    if not isinstance(record, dict):
        raise InputError(f"{path}, line {number}: expected a JSON object, found {type(record).__name__}")
    return record


def read_json(path: StrPath, what: str, maker: str) -> JsonObject:
    """Return the object of a JSON file; raise `InputError` for a file without one.

    `what` says what the file should be, `maker` which command makes it; the error names both.
    """
    try:
        with open_file(path, encoding="utf-8") as file:
            value = parse_json(file.read())
    except UnicodeDecodeError:
        raise utf8_error(path) from None
    except JsonError as error:
        raise InputError(f"{path}: not {what} ({error}); make the file with {maker}") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: not {what} (not a JSON object); make the file with {maker}")
    return value


def parse_json(text: str, lone_surrogates: bool = False) -> Any:
    """Return the value of a JSON text; raise `JsonError`.

    Refuses `NaN` and `Infinity`, numbers that are too large for a float or have thousands of digits, a
    key that occurs twice in an object, values nested too deeply for the stack and, unless
    `lone_surrogates`, texts with half of a surrogate pair, which a file in UTF-8 cannot hold.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        nul = ", there are NUL bytes; is it UTF-16?" if "\0" in text else ""
        raise JsonError(f"{error.msg} at column {error.colno}{nul}") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except JsonError:
        raise
    except ValueError:  # of int()
        raise JsonError("a number of thousands of digits") from None
    if not lone_surrogates and _SURROGATE.search(text):
        found = find_lone_surrogate(json.dumps(value, ensure_ascii=False))
        if found:
            raise JsonError(f"half of a surrogate pair, {found}")
    return value


def find_lone_surrogate(text: str) -> str | None:
    r"""Return the first half of a surrogate pair that stands alone in `text`, as `\ud83d`, or None."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"\\u{ord(text[error.start]):x}"
    return None


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    record = dict(pairs)
    if len(record) != len(pairs):
        keys = [key for key, _ in pairs]
        raise JsonError(f"the key `{next(key for key in keys if keys.count(key) > 1)}` occurs twice")
    return record


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise JsonError(f"{text:.40} is too large for a number")
    return number


def _constant(text: str) -> NoReturn:
    raise JsonError(f"{text} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
