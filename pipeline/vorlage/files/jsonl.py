"""JSON and JSON-lines files, read strictly and with errors that name the line.

A key that is repeated, of which Python would keep the last value, is an error; so are `NaN` and half of a
surrogate pair, which cannot be written in UTF-8. Files of the formats that are promised hold the number of
their format.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NoReturn, TypeAlias, TypeVar

from pydantic import StrictInt, TypeAdapter, ValidationError

from vorlage.command.errors import InputError, shorten
from vorlage.files.inputs import read_lines, read_text
from vorlage.files.outputs import write_lines
from vorlage.files.parts import WHOLE, Part, take_part
from vorlage.types import JsonObject, StrPath

FORMAT = 1
StrictSpan: TypeAlias = tuple[StrictInt, StrictInt]
Parsed = TypeVar("Parsed")
_validator: Any = cache(TypeAdapter)


class JsonError(ValueError):
    """Text that is not JSON, or JSON that is refused; the message says why."""


class FormatError(InputError):
    """A file of another format."""


def write_jsonl(path: StrPath, records: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON-serialisable records to `path`, one per line, whole or not at all."""
    write_lines(path, map(to_line, records))


def to_line(record: Mapping[str, Any]) -> str:
    """Return a record as a line of a JSON-lines file; raise ValueError for NaN and infinities."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def read_jsonl(path: StrPath, part: Part = WHOLE) -> Iterator[tuple[int, JsonObject]]:
    """Yield `(line number, record)` for each non-blank line of a JSON-lines file, or of a part of it.

    Raises:
        InputError: for a file that cannot be read, and for a line that is not a JSON object.
    """
    for number, line in take_part(read_lines, path, part):
        if line.strip():
            yield number, from_line(path, number, line)


def from_line(path: StrPath, number: int, line: str) -> JsonObject:
    """Return the record of a line; raise `InputError` if it has none.

    Args:
        path: of the file, for messages.
        number: of the line, from 1.
        line: its text.
    """
    if line.startswith("["):
        raise InputError(
            f"{path}, line {number}: starts a list, but each line must be one JSON object; "
            "`jq -c '.[]' FILE` converts it"
        )
    try:
        record = parse_json(line.rstrip())
    except JsonError as error:
        raise InputError(
            f"{path}, line {number}: not valid JSON ({error}); each line must be one JSON object"
        ) from None
    if not isinstance(record, dict):
        raise InputError(f"{path}, line {number}: expected a JSON object, found {type(record).__name__}")
    return record


def read_json(path: StrPath, what: str, maker: str) -> JsonObject:
    """Return the object of a JSON file; raise `InputError` for a file without one.

    Args:
        path: of the file.
        what: what it should be, such as `counts of stems`.
        maker: the command that makes it.
    """
    try:
        record = parse_json(read_text(path))
    except JsonError as error:
        raise InputError(f"{path}: not {what} ({error}); make the file with {maker}") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}: not {what} (not a JSON object); make the file with {maker}")
    return record


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; raise `JsonError` also for what is refused, as above."""
    try:
        value = _DECODER.decode(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        raise JsonError(f"half of a surrogate pair, {ascii(error.object[error.start])}") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        what = error.msg.removesuffix(" starting at")
        raise JsonError(f"{what} at {line}column {error.colno}") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except ValueError as error:  # of a number with thousands of digits, too
        raise JsonError(str(error)) from None


def parse_form(form: type[Parsed], value: Any, where: str) -> Parsed:
    """Return a JSON value as an object of a type; raise `InputError` for another value.

    Args:
        form: the type.
        value: of the file.
        where: the file and line, for the message.
    """
    try:
        parsed: Parsed = _validator(form).validate_python(value)
        return parsed
    except ValidationError as error:
        problem = error.errors()[0]
        place = f"`{'.'.join(map(str, problem['loc']))}`" if problem["loc"] else "the value"
        found = "missing" if problem["type"] == "missing" else shorten(problem["input"])
        raise InputError(f"{where}: {place} is {found}: {problem['msg'].lower()}; correct it") from None


def check_format(number: Any, where: str) -> None:
    """Raise `FormatError` for a number of another format; `where`: the file and the key, for the message."""
    if number != FORMAT:
        raise FormatError(f"{where} is {shorten(number)}, but this version reads {FORMAT}; update Vorlage")


def without_format(record: Any, where: str) -> Any:
    """Return a JSON value without `format`, which is checked; files from before it was written lack it."""
    if not isinstance(record, Mapping):
        return record
    check_format(record.get("format", FORMAT), f"{where}: `format`")
    return {key: value for key, value in record.items() if key != "format"}


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    record: JsonObject = {}
    for key, value in pairs:
        if key in record:
            raise JsonError(f"the key `{key}` occurs twice")
        record[key] = value
    return record


def _constant(text: str) -> NoReturn:
    raise JsonError(f"{text} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
