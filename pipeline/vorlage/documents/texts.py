"""Reads the texts of a user: files in plain text, PDF or HTML, folders of them, standard input."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.command.extras import find_missing
from vorlage.corpus.readers.record import find_flaw
from vorlage.files.inputs import open_file, utf8_error

STANDARD_INPUT = "-"
HTML = (".htm", ".html", ".xhtml")
SUFFIXES = (".md", ".pdf", ".txt", *HTML)  # files of a folder


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`; raise `InputError` if it has none."""
    if path == STANDARD_INPUT:
        name, content = "standard input", sys.stdin.buffer.read()
    else:
        name = path
        with open_file(path, "rb") as file:
            content = file.read()
    return extract_text(name, content, is_file=path != STANDARD_INPUT)


def extract_text(name: str, content: bytes, is_file: bool = False) -> str:
    """Return the text of a file's content: plain text, PDF or HTML; raise `InputError` if it has none.

    `name`: of the file, for messages and for what its ending says; `is_file`: whether it is a path.
    """
    try:
        text = _extract(name, content, is_file)
    except ModuleNotFoundError as error:
        raise InputError(f"{name}: {find_missing(error) or error}") from None
    if flaw := find_flaw(text):
        raise InputError(f"{name}: {flaw} text; give a file with some text")
    return text


def read_documents(paths: Sequence[str]) -> dict[str, str]:
    """Return the texts of files and folders by name, in the order given.

    Names are those of the files or, in a folder, their paths below it; two files with the same name have
    their whole paths. Raise `InputError` for a folder without texts and for a file given twice.
    """
    files = [found for path in paths for found in _find_files(path)]
    names = Counter(name for name, _ in files)
    texts: dict[str, str] = {}
    for name, path in files:
        key = name if names[name] == 1 else path
        if key in texts:
            raise InputError(f"{path}: given twice; name each document once")
        texts[key] = read_text(path)
    return texts


def check_files(paths: Sequence[str], output: str | None) -> None:
    """Raise `InputError` if standard input is read twice, and for an unusable `output`.

    Folders that do not exist can be made.
    """
    if paths.count(STANDARD_INPUT) > 1:
        raise InputError("-: standard input can be read once; give a file for the other text")
    if not output:
        return
    folder = next(parent for parent in Path(output).absolute().parents if parent.exists())
    if not folder.is_dir():
        raise InputError(f"{output}: {folder} is a file, not a folder; choose another file to write")


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


def _extract(name: str, content: bytes, is_file: bool) -> str:
    if content.startswith(b"%PDF-"):
        from vorlage.documents.pdf import extract_pdf

        return extract_pdf(name, content)
    start = content.removeprefix(b"\xef\xbb\xbf")[:100].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")) or name.lower().endswith(HTML):
        from vorlage.documents.html import extract_html

        return extract_html(content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if is_file:
            raise utf8_error(name) from None
        raise InputError(f"{name}: not UTF-8 at byte {error.start}; convert it to UTF-8") from None
