"""The number of the format of the files that are promised, which they hold."""

from collections.abc import Mapping
from typing import Any

from vorlage.command.errors import InputError, shorten

FORMAT = 1


class FormatError(InputError):
    """A file of another format."""


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
