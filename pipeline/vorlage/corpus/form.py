"""Checks values of files against a type: the message names the field that is wrong."""

from typing import Any, TypeAlias, TypeVar

from pydantic import StrictInt, TypeAdapter, ValidationError

from vorlage.command.errors import InputError, shorten

StrictSpan: TypeAlias = tuple[StrictInt, StrictInt]
Parsed = TypeVar("Parsed")


def parse(form: TypeAdapter[Parsed], value: Any, where: str) -> Parsed:
    """Return a JSON value as an object of a type; raise `InputError` for another value.

    Args:
        form: the type.
        value: of the file.
        where: the file and line, for the message.
    """
    try:
        return form.validate_python(value)
    except ValidationError as error:
        problem = error.errors()[0]
        place = f"`{'.'.join(map(str, problem['loc']))}`" if problem["loc"] else "the value"
        found = "missing" if problem["type"] == "missing" else shorten(problem["input"])
        raise InputError(f"{where}: {place} is {found}: {problem['msg'].lower()}; correct it") from None
