"""What every reader yields, and what readers share."""

import html
import re
from typing import NamedTuple

from pipeline.io.inputs import not_utf8, open_file
from pipeline.io.strict_json import find_half
from pipeline.run.errors import InputError, shown

# Of so many digits at most: int() would refuse thousands of them.
_ENTITY = re.compile(r"&(?:\w{1,32}|#\d{1,8}|#[xX][0-9a-fA-F]{1,8});")


class Record(NamedTuple):
    """A document and its summary as found, before sentences and tokens.

    Each side is a string, a list of sentences, or None where the corpus has none. ``where`` says where
    it was found, for messages.
    """

    id: str
    where: str
    document: str | list | None
    summary: str | list | None

    @property
    def problem(self):
        """Why the record cannot become a pair, or None."""
        for side in ("document", "summary"):
            value = getattr(self, side)
            if value is None:
                return f"no {side}"
            if found := flaw(value if isinstance(value, str) else "\n".join(value)):
                return f"{found} {side}"
        return None


def flaw(text):
    """Why a text cannot be used, in words that go before what it is, or None."""
    if not text.strip():
        return "empty"
    if "\0" in text:
        return "NUL characters, as of UTF-16, in the"
    half = find_half(text)
    return half and f"half of a surrogate pair, {half}, in the"


def check_id(name, where):
    """Raise :class:`InputError` unless the id of a pair is text on one line that can be seen.

    An id is never a path, whatever it looks like.
    """
    if not name.strip() or not name.isprintable():
        raise InputError(
            f"{where}: id {shown(name)} must be some text on one line, without characters that cannot be "
            "seen; change it"
        )


def read_file(path):
    """The text of a UTF-8 file; raises :class:`InputError` where it cannot be read."""
    with open_file(path, encoding="utf-8-sig") as file:
        try:
            return file.read()
        except UnicodeDecodeError:
            raise not_utf8(path) from None


def unescape(text):
    """Resolve the SGML and HTML entities of a text that end in a semicolon; leave unknown ones."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
