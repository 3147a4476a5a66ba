"""Opening files of the user: a path that is not a file of text in UTF-8 ends with one line."""

import io
from collections.abc import Iterator
from typing import IO, Any, Literal, overload

from vorlage.command.errors import InputError
from vorlage.types import StrPath

# First bytes of files that are not text in UTF-8, what such files are, and what to do.
BEGINNINGS = {
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"BZh": "compressed by bzip2; unpack it first",
    b"\xfd7zXZ": "compressed by xz; unpack it first",
    b"(\xb5/\xfd": "compressed by zstd; unpack it first",
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"PAR1": "a Parquet file; convert it to text",
    b"\xff\xfe": "in UTF-16; convert it to UTF-8",
    b"\xfe\xff": "in UTF-16; convert it to UTF-8",
}


@overload
def open_file(path: StrPath, mode: Literal["r"] = "r", **how: Any) -> io.TextIOWrapper: ...
@overload
def open_file(path: StrPath, mode: Literal["rb"]) -> io.BufferedReader: ...
def open_file(path: StrPath, mode: str = "r", **how: Any) -> IO[Any]:
    """Open a file of the user as `open` does; raise `InputError` if it cannot be read."""
    try:
        return open(path, mode, **how)
    except (OSError, ValueError) as error:  # the latter for a NUL character
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: cannot be read ({reason}); check the path") from None


def read_text(path: StrPath) -> str:
    """Return the text of a file in UTF-8; raise `InputError` for another one."""
    with open_file(path, encoding="utf-8-sig") as file:
        try:
            return file.read()
        except UnicodeDecodeError:
            raise utf8_error(path) from None


def read_lines(path: StrPath, newline: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield `(line number, line)` for each line of a text file in UTF-8, with its line break.

    A byte order mark at the beginning is skipped. `newline` is that of `open`. Raise
    `InputError` for a file that is missing, unreadable or not UTF-8.
    """
    with open_file(path, encoding="utf-8-sig", newline=newline) as lines:
        try:
            yield from enumerate(lines, start=1)
        except UnicodeDecodeError:
            raise utf8_error(path) from None


def utf8_error(path: StrPath, content: bytes | None = None) -> InputError:
    """Return the `InputError` for a file that is not UTF-8: what it is, or its first wrong line.

    Bytes of the line are counted from 0. `content`: that of a file that is not on the disk.
    """
    with open_file(path, "rb") if content is None else io.BytesIO(content) as file:
        start = file.read(8)
        for beginning, kind in BEGINNINGS.items():
            if start.startswith(beginning):
                return InputError(f"{path}: is not text in UTF-8 but {kind}")
        file.seek(0)
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                where = f"{path}, line {number}"
                return InputError(f"{where}: not UTF-8 at byte {error.start}; convert the file to UTF-8")
    return InputError(f"{path}: has changed while it was read; do not change files during a run")
