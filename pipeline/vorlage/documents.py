"""Reads the texts of a user: files in plain text, PDF or HTML, folders of them, standard input."""

import logging
import re
import sys
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from vorlage.command.errors import InputError, find_missing
from vorlage.corpus.records import STANDARD_INPUT, find_flaw
from vorlage.files.inputs import open_file, utf8_error

HTML = (".htm", ".html", ".xhtml")
SUFFIXES = (".md", ".pdf", ".txt", *HTML)  # files of a folder
SHORT = 0.75  # a line of a PDF that is shorter than this share of the page's longest ends a paragraph
_LIGATURES = dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_CUT_WORD = re.compile(r"(?<=\w)[-\u00ad\u2010]$")


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`; raise `InputError` if it has none."""
    if path == STANDARD_INPUT:
        return extract_text("standard input", sys.stdin.buffer.read())
    with open_file(path, "rb") as file:
        return extract_text(path, file.read())


def read_documents(paths: Sequence[str]) -> dict[str, str]:
    """Return the texts of files and folders by name, in the order given.

    Names are those of the files or, in a folder, their paths below it; two files with the same name have
    their whole paths. Raise `InputError` for a folder without texts and for a file given twice.
    """
    files = [file for path in paths for file in _find_files(path)]
    names = Counter(name for name, _ in files)
    texts: dict[str, str] = {}
    for name, path in files:
        key = name if names[name] == 1 else path
        if key in texts:
            raise InputError(f"{path}: given twice; name each document once")
        texts[key] = read_text(path)
    return texts


def extract_text(name: str, content: bytes) -> str:
    """Return the text of a file's content: plain text, PDF or HTML; raise `InputError` if it has none.

    Args:
        name: of the file, for messages and for what its ending says.
        content: its bytes.
    """
    start = content.removeprefix(b"\xef\xbb\xbf")[:100].lstrip().lower()
    try:
        if content.startswith(b"%PDF-"):
            text = _pdf_text(name, content)
        elif start.startswith((b"<!doctype html", b"<html")) or name.lower().endswith(HTML):
            text = _html_text(content)
        else:
            text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise utf8_error(name, content) from None
    except ModuleNotFoundError as error:
        raise InputError(f"{name}: {find_missing(error) or error}") from None
    if flaw := find_flaw(text):
        raise InputError(f"{name}: {flaw} text; give a file with some text")
    return text


def _find_files(path: str) -> list[tuple[str, str]]:
    """Return the name and the path of a file, or of each text in a folder and those below it, sorted."""
    folder = Path(path)
    if not folder.is_dir():
        return [(folder.name if path != STANDARD_INPUT else "standard input", path)]
    texts = (file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    below = sorted(file.relative_to(folder) for file in texts)
    visible = [file for file in below if not any(part.startswith(".") for part in file.parts)]
    if not visible:
        raise InputError(
            f"{path}: no texts in this folder; give one with files {', '.join(sorted(SUFFIXES))}"
        )
    return [(file.as_posix(), str(folder / file)) for file in visible]


def _html_text(content: bytes) -> str:
    """Return the main text of a page, without navigation, scripts and the like."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    try:
        page = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        page = bytes_to_str(content, detect_encoding(content) or "utf-8")
    return extract_plain_text(page, main_content=True, list_bullets=False)


def _pdf_text(name: str, content: bytes) -> str:
    """Return the text of a PDF, a paragraph on each line; raise `InputError` if it has none."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages]
    except Exception as error:  # pypdf raises what it meets in a damaged file, not only errors of its own
        raise InputError(
            f"{name}: cannot be read as PDF ({type(error).__name__}: {error}); convert it to text"
        ) from None
    text = "\n".join(map(join_lines, pages))
    if not text.strip():
        raise InputError(f"{name}: no text in this PDF, only images; recognize its text (OCR) first")
    return text


def join_lines(page: str) -> str:
    """Return the text of a page with the lines of a paragraph joined, and the words that they cut."""
    lines = [line.strip() for line in page.translate(_LIGATURES).splitlines()]
    long = SHORT * max(map(len, lines), default=0)
    joined = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if following[:1].islower() and _CUT_WORD.search(line):
            joined += line[:-1]
        else:
            joined += line + (" " if len(line) >= long and following else "\n")
    return joined
