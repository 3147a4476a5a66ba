"""Opening files of the user: a path that is not a file of text ends with one line."""

import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any, BinaryIO, Literal, overload
from zipfile import BadZipFile, ZipFile

from vorlage.command.errors import InputError, did_you_mean, shorten
from vorlage.command.progress import warn_once
from vorlage.types import StrPath

PDF, WORD = "a PDF; save it as text", "a Word document; save it as text"
UTF_16 = "in UTF-16; convert it to UTF-8"
BINARY = "binary, or in UTF-16 without a mark; save it as .docx, PDF or text"
IMAGE = "an image; recognize its text (OCR) first"
# What files are that are not text in UTF-8, and what to do with them: by their first bytes,
BEGINNINGS = {
    b"%PDF-": PDF,
    b"{\\rtf": "in Rich Text Format; save it as .docx, PDF or text",
    b"\xd0\xcf\x11\xe0": "an old Office file (.doc, .xls) or one with a password; save it as .docx or PDF",
    b"\x89PNG": IMAGE,
    b"\xff\xd8\xff": IMAGE,
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"\xff\xfe": UTF_16,
    b"\xfe\xff": UTF_16,
}
# and, of zip archives, by how the name of an entry begins.
ENTRIES = {
    "word/": WORD,
    "xl/": "an Excel workbook; save it as CSV",
    "ppt/": "a presentation; save it as PDF or text",
    "content.xml": "an OpenDocument file; save it as .docx, PDF or text, a table as CSV",
    "Index/": "a Pages, Numbers or Keynote document; save it as .docx, PDF or text",
    "META-INF/container.xml": "an e-book; convert it to text",
    "": "a zip archive; unpack it first",
}
BEGINNING = 1024  # bytes that show what a file is
SAMPLE = 1 << 20  # bytes that the guess of an encoding looks at
MAX_SHARE = 0.25  # of characters beyond ASCII in a text of Western Europe


def as_path(path: StrPath, name: str) -> str:
    """Return a path as text; raise `InputError` for what is no path. `name`: of the argument."""
    with suppress(TypeError):
        text = os.fsdecode(path)
        if text and "\0" not in text:
            return text
    raise InputError(f"{name} is {shorten(path)}; give the path of a file or folder")


@overload
def open_file(path: StrPath, mode: Literal["r"] = "r", **how: Any) -> io.TextIOWrapper: ...
@overload
def open_file(path: StrPath, mode: Literal["rb"]) -> io.BufferedReader: ...
def open_file(path: StrPath, mode: str = "r", **how: Any) -> IO[Any]:
    """Open a file of the user as `open` does; raise `InputError` if it cannot be read."""
    try:
        return open(path, mode, **how)
    except (OSError, ValueError) as error:  # the latter for a NUL character
        if re.match("https?://", str(path)):
            raise InputError(f"{path}: is an address, not a file; save the page first") from None
        if isinstance(error, IsADirectoryError):
            raise InputError(f"{path}: is a folder; name a file in it") from None
        reason = error.strerror if isinstance(error, OSError) else error
        similar = did_you_mean_file(path) if isinstance(error, FileNotFoundError) else ""
        raise InputError(f"{path}: cannot be read ({reason}); check the path{similar}") from None


def printable_path(path: StrPath) -> str:
    """Return a path as text for files and pages: its bytes that are not UTF-8 are escaped."""
    return str(path).encode(errors="surrogateescape").decode(errors="backslashreplace")


def is_special(path: StrPath) -> bool:
    """Return whether a path is that of a pipe or a device, such as `/dev/stdout`."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def refuse_special(path: StrPath) -> None:
    """Raise `InputError` for a pipe or a device, where a file is needed because it is read twice."""
    if is_special(path):
        raise InputError(f"{path}: is a pipe or a device, which cannot be read twice; save it as a file")


def did_you_mean_file(path: StrPath) -> str:
    """Return the end of a message that names the most similar file or folder beside a missing one."""
    folder, name = os.path.split(path)
    return did_you_mean(name, os.listdir(folder or ".") if os.path.isdir(folder or ".") else [])


def read_text(path: StrPath) -> str:
    """Return the text of a file in UTF-8; raise `InputError` for another one."""
    return "".join(line for _, line in read_lines(path))


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


def name_kind(file: BinaryIO) -> str | None:
    """Return what a file is and what to do with it if its beginning shows that it is not text in UTF-8."""
    start = file.read(BEGINNING)
    if not start.startswith(b"PK\x03\x04"):
        kinds = (kind for beginning, kind in BEGINNINGS.items() if start.startswith(beginning))
        return next(kinds, BINARY if b"\0" in start else None)
    try:
        names = ZipFile(file).namelist()
    except BadZipFile:
        return "a damaged zip archive or Office file; save or download it again"
    return next(kind for entry, kind in ENTRIES.items() if any(name.startswith(entry) for name in names))


def decode(name: str, content: bytes, say: Callable[[str], object]) -> str:
    """Return the content of a file as a text. Arguments as those of `find_encoding`.

    Raises:
        InputError: the file is not text, in another encoding, or JSON or XML.
    """
    text = content.decode(find_encoding(name, io.BytesIO(content), say), errors="replace")
    start = text.lstrip()
    is_data = start.startswith("<?xml ")
    with suppress(ValueError, RecursionError):
        value, end = json.JSONDecoder().raw_decode(start)
        is_data = isinstance(value, dict | list) and start[end:].lstrip()[:1] in ("", "{")
    if is_data:
        raise InputError(f"{name}: is JSON or XML, not a text; save what it says as .txt, HTML or .docx")
    return text


def find_encoding(path: StrPath, file: BinaryIO, say: Callable[[str], object] = warn_once) -> str:
    """Return the encoding of a text: UTF-8, UTF-16 with a byte order mark, or, as a guess, Windows-1252.

    Args:
        path: of the file, for messages.
        file: its content.
        say: is called with a line about the guess.

    Raises:
        InputError: the file is not text, or in another encoding.
    """
    kind = name_kind(file)
    if kind == UTF_16:
        return "utf-16"
    file.seek(0)
    if not kind:
        wrong = _wrong_line(file)
        if wrong is None:
            return "utf-8-sig"
        if word := _western_word(wrong[1] + file.read(SAMPLE)):
            say(f"{path}: not UTF-8, read as Windows-1252; if {word} is not right, convert the file to UTF-8")
            return "cp1252"
    file.seek(0)
    raise utf8_error(path, file)


def _wrong_line(file: Iterable[bytes]) -> tuple[int, bytes, int] | None:
    """Return the number of the first line that is not UTF-8, the line, and its first wrong byte, or None."""
    for number, line in enumerate(file, start=1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return number, line, error.start
    return None


def _western_word(sample: bytes) -> str | None:
    """Return a word beyond ASCII of bytes that are text of Western Europe in Windows-1252; None of others."""
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return None
    share = 1 - len(text.encode("ascii", "ignore")) / len(text)
    is_partly_utf8 = not sample.decode(errors="ignore").isascii()
    if share > MAX_SHARE or is_partly_utf8 or re.search(r"[\0-\x08\x0e-\x1f]", text):
        return None
    word = re.search(r"\w*[^\0-\x7f]\w*", text)
    return word and word[0]


def utf8_error(path: StrPath, content: BinaryIO | None = None) -> InputError:
    """Return the `InputError` for a file that is not UTF-8: what it is, or its first wrong line.

    Bytes of the line are counted from 0. `content`: that of a file that is not on the disk.
    """
    if content is None and is_special(path):
        return InputError(f"{path}: not UTF-8; convert it to UTF-8")
    with open_file(path, "rb") if content is None else content as file:
        if kind := name_kind(file):
            return InputError(f"{path}: is not text in UTF-8 but {kind}")
        file.seek(0)
        if wrong := _wrong_line(file):
            number, _, byte = wrong
            return InputError(f"{path}, line {number}: not UTF-8 at byte {byte}; convert the file to UTF-8")
    return InputError(f"{path}: has changed while it was read; do not change files during a run")
