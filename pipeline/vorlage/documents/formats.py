"""Reads the texts of a user: files of many formats, folders of them, standard input."""

import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.command.progress import log, warn_once
from vorlage.documents.page_lines import join_lines
from vorlage.documents.records import STANDARD_INPUT, find_flaw
from vorlage.documents.subtitles import spoken_text
from vorlage.documents.table import table_text
from vorlage.files.inputs import BINARY, PDF, UTF_16, WORD, decode, name_kind, open_file, printable_path

# Readers by the endings of files: in a process of their own, and of what is text already.
ISOLATED = {".docx": "docx", ".eml": "eml", ".htm": "html", ".html": "html", ".pdf": "pdf", ".xhtml": "html"}
PLAIN = {".csv": table_text, ".srt": spoken_text, ".tsv": table_text, ".vtt": spoken_text}
SUFFIXES = sorted((*ISOLATED, *PLAIN, ".md", ".txt"))  # files of a folder
SECONDS = 10  # that reading a file may take in such a process,
SECONDS_PER_MEGABYTE = 20  # with its length,
MAX_SECONDS = 300  # and at most


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`; raise `InputError` if it has none."""
    if path == STANDARD_INPUT:
        return extract_text("standard input", sys.stdin.buffer.read())
    with open_file(path, "rb") as file:
        return extract_text(path, file.read())


def read_documents(paths: Sequence[str]) -> tuple[dict[str, str], int]:
    """Return the texts of files and folders by name, in the order given, and how many have been left out.

    Names are those of the files or, in a folder, their paths below it; two files with the same name have
    their whole paths. A file of a folder that cannot be read is named in the log and left out.

    Raises:
        InputError: a file that was given cannot be read or was given twice, or a folder has no texts.
    """
    files = [file for path in paths for file in find_files(path)]
    names = Counter(name for name, _ in files)
    texts: dict[str, str] = {}
    for name, path in files:
        key = name if names[name] == 1 else printable_path(path)
        if key in texts:
            raise InputError(f"{path}: given twice; name each document once")
        try:
            texts[key] = read_text(path)
        except InputError as error:
            if path in paths:
                raise
            log.warning(f"left out: {error}")
    if not texts:
        raise InputError(f"{', '.join(paths)}: none of {len(files)} files can be read")
    return texts, len(files) - len(texts)


def single_or_named(texts: dict[str, str]) -> str | dict[str, str]:
    """Return texts by name, or a single one alone, unless it has pages, to which its name leads."""
    (first, *others) = texts.values()
    return texts if others or "\f" in first else first


def extract_text(name: str, content: bytes, say: Callable[[str], object] = warn_once) -> str:
    """Return the text of a file's content, by what it is and how its name ends.

    Args:
        name: of the file, for messages and for what its ending says.
        content: its bytes.
        say: as for `vorlage.files.inputs.find_encoding`.

    Raises:
        InputError: the content has no text, is damaged, or of another kind.
    """
    suffix = Path(name).suffix.lower()
    kind = name_kind(io.BytesIO(content))
    reader = {PDF: "pdf", WORD: "docx"}.get(kind or "")
    if kind in (None, UTF_16, BINARY):  # HTML may be in UTF-16 without a mark
        start = content[:200].translate(None, b"\0\xef\xbb\xbf\xff\xfe").lstrip().lower()  # of UTF-16, too
        is_page = start.startswith(b"<") and re.search(b"<!doctype html|<html", start)
        reader = ISOLATED.get(suffix, "html" if is_page else None)
    if reader == "pdf":
        text = join_lines(*_pages(name, content, reader))
        if not text.strip():
            raise InputError(f"{name}: no text in this PDF, only images; recognize its text (OCR) first")
    elif reader:
        [text] = _pages(name, content, reader)
    else:
        text = PLAIN.get(suffix, str)(decode(name, content, say))
    if flaw := find_flaw(text):
        raise InputError(f"{name}: {flaw} text; give a file with some text")
    return text


def check_order(documents: Iterable[str], text: str, say: Callable[[str], object] = warn_once) -> None:
    """Say so if a text is so much longer than its documents that they are probably swapped."""
    # Chinese has half as many bytes as English.
    if len(text.encode()) > 2 * sum(len(document.encode()) for document in documents):
        say("note: the text is twice as long as its documents; perhaps they are swapped")


def find_files(path: str) -> list[tuple[str, str]]:
    """Return the name and the path of a file, or of each text in a folder and those below it, sorted."""
    folder = Path(path)
    if not folder.is_dir():
        return [(printable_path(folder.name) if path != STANDARD_INPUT else "standard input", path)]
    texts = (file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    below = sorted(file.relative_to(folder) for file in texts)
    visible = [file for file in below if not any(part.startswith(".") for part in file.parts)]
    if not visible:
        raise InputError(f"{path}: no texts in this folder; give one with files {', '.join(SUFFIXES)}")
    return [(printable_path(file.as_posix()), str(folder / file)) for file in visible]


def _pages(name: str, content: bytes, kind: str) -> list[str]:
    """Return the texts of the pages of a PDF, or that of another file, read in a process that can be ended.

    Args:
        name: of the file, for messages.
        content: its bytes.
        kind: `pdf`, `docx` or `html`.

    Raises:
        InputError: the file is damaged, or reading it takes too much time or memory.
    """
    seconds = min(MAX_SECONDS, SECONDS + round(SECONDS_PER_MEGABYTE * len(content) / 1e6))
    try:
        done = subprocess.run(
            # The process ends itself a little later, if this one cannot.
            [sys.executable, "-P", "-m", "vorlage.documents.isolated", kind, str(seconds + 5)],
            input=content,
            capture_output=True,
            timeout=seconds,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        answer = {"error": f"it takes more than {seconds} seconds"}
    except ValueError:
        answer = {"error": f"its reader ended with status {done.returncode}, perhaps for lack of memory"}
    if "missing" in answer:
        raise InputError(f"{name}: {answer['missing']}, or save the file as text")
    if "error" in answer:
        what = f"{name}: cannot be read as {kind.upper()} ({answer['error']})"
        raise InputError(f"{what}; it may be damaged: save it again, or as text")
    pages: list[str] = answer["pages"]
    return pages
