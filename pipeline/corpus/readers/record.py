"""What every reader yields, and what readers share."""

import html
import re
from typing import NamedTuple

from pipeline.errors import InputError

_ENTITY = re.compile(r"&(?:\w+|#\d+|#[xX][0-9a-fA-F]+);")


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
            if not any(map(str.strip, [value] if isinstance(value, str) else value)):
                return f"empty {side}"
        return None


def read_file(path):
    """The text of a UTF-8 file; raises :class:`InputError` where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; convert the file to UTF-8") from None


def find_files(path, *patterns):
    """The files at ``path``: itself, or those below the folder that match one of ``patterns``, sorted.

    Hidden files are passed over. Raises :class:`InputError` where there is none.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder; check `corpus.path`")
    patterns = patterns or ("*",)
    found = [
        file
        for pattern in patterns
        for file in path.rglob(pattern)
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts)
    ]
    if not found:
        raise InputError(
            f"{path}: no files {' or '.join(patterns)} below this folder; "
            "check `corpus.path` and `corpus.reader`"
        )
    return sorted(found)


def unescape(text):
    """Resolve the SGML and HTML entities of a text that end in a semicolon; leave unknown ones."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
