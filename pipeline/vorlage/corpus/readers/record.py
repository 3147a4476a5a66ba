"""The record that every reader yields, and functions that readers share."""

import html
import re
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from vorlage.command.errors import InputError, shorten
from vorlage.files.inputs import open_file, utf8_error
from vorlage.files.jsonl import JsonError, find_lone_surrogate, parse_json
from vorlage.text.tokenized import Section

# Limited, because int() refuses thousands of digits.
_ENTITY = re.compile(r"&(?:\w{1,32}|#\d{1,8}|#[xX][0-9a-fA-F]{1,8});")


# A document or a summary: one string, or a list of sentences.
Side: TypeAlias = str | list[str]


class Record(NamedTuple):
    """A document and its summary as the corpus has them, before sentences and tokens.

    A side is None if the corpus lacks it. `where`: the file, and the line or row, for messages.
    `sections`: those of a document that is a list of sentences, none of them blank, as in
    `vorlage.text.tokenized.Text`. `note`: what the reader had to decide about the pair, for the
    log; pairs with the same note are listed together.
    """

    id: str
    where: str
    document: Side | None
    summary: Side | None
    sections: tuple[Section, ...] = ()
    note: str = ""

    @property
    def problem(self) -> str | None:
        """Why the record cannot become a pair, or None."""
        for name, side in (("document", self.document), ("summary", self.summary)):
            if side is None:
                return f"no {name}"
            if flaw := find_flaw(side if isinstance(side, str) else "\n".join(side)):
                return f"{flaw} {name}"
        return None


def find_flaw(text: str) -> str | None:
    """Return why a text cannot be used, in words that go before `document` or `summary`, or None."""
    if not text.strip():
        return "empty"
    if "\0" in text:
        return "NUL characters, as of UTF-16, in the"
    half = find_lone_surrogate(text)
    return half and f"half of a surrogate pair, {half}, in the"


def check_id(name: str, where: str) -> None:
    """Raise `InputError` unless the id of a pair is visible text on one line.

    An id is never a path, even if it looks like one.
    """
    if not name.strip() or not name.isprintable():
        raise InputError(
            f"{where}: id {shorten(name)} must be some text on one line, all of it visible; change it"
        )


def read_file(path: Path) -> str:
    """Return the text of a UTF-8 file; raise `InputError` if it cannot be read."""
    with open_file(path, encoding="utf-8-sig") as file:
        try:
            return file.read()
        except UnicodeDecodeError:
            raise utf8_error(path) from None


def read_json_file(path: Path) -> Any:
    """Return the value of a JSON file; raise `InputError` for a file that is not JSON."""
    try:
        return parse_json(read_file(path))
    except JsonError as error:
        raise InputError(f"{path}: not valid JSON ({error}); get the file again") from None


def unescape(text: str) -> str:
    """Resolve the SGML and HTML entities of a text that end in a semicolon; leave unknown ones."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
