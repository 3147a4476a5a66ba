"""Reads the texts of a user: files of many kinds, folders of them, standard input.

`KINDS` has every kind of files that is read; one more is a line there, and a function in a module of its own.
"""

import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from vorlage.command.errors import InputError
from vorlage.command.progress import log, warn_once
from vorlage.documents.page_lines import join_lines
from vorlage.documents.records import STANDARD_INPUT, find_flaw
from vorlage.documents.subtitles import spoken_text
from vorlage.documents.table import table_text
from vorlage.files.inputs import BINARY, PDF, UTF_16, WORD, decode, name_kind, open_file, printable_path

Say: TypeAlias = Callable[[str], object]  # is called with what the user should know about a file
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


class FileKind(NamedTuple):
    """A kind of files, such as PDF.

    `endings`: of their names, in small letters. `read`: returns the text of a file from its name, its content
    and `say` as for `extract_text`. `is_kind`: tells whether the content of a file is of the kind, whatever
    its name is; None if its name alone can tell.
    """

    endings: tuple[str, ...]
    read: Callable[[str, bytes, Say], str]
    is_kind: Callable[[bytes], object] | None = None


def extract_text(name: str, content: bytes, say: Say = warn_once) -> str:
    """Return the text of a file's content, by what it is and how its name ends.

    Args:
        name: of the file, for messages and for what its ending says.
        content: its bytes.
        say: as for `vorlage.files.inputs.find_encoding`.

    Raises:
        InputError: the content has no text, is damaged, or of another kind.
    """
    text = find_kind(name, content).read(name, content, say)
    if flaw := find_flaw(text):
        raise InputError(f"{name}: {flaw} text; give a file with some text")
    return text


def find_kind(name: str, content: bytes) -> FileKind:
    """Return the kind of a file; that of texts for any other, which `read` refuses if it is no text."""
    suffix = Path(name).suffix.lower()
    for kind in KINDS:
        if kind.is_kind and kind.is_kind(content):
            return kind
    may_be_text = name_kind(io.BytesIO(content)) in (None, UTF_16, BINARY)
    return next((kind for kind in KINDS if suffix in kind.endings and may_be_text), TEXT)


def suffixes() -> list[str]:
    """Return the endings of the files that are read, sorted."""
    return sorted(ending for kind in KINDS for ending in kind.endings)


def check_order(documents: Iterable[str], text: str, say: Say = warn_once) -> None:
    """Say so if a text is so much longer than its documents that they are probably swapped."""
    # Chinese has half as many bytes as English.
    if len(text.encode()) > 2 * sum(len(document.encode()) for document in documents):
        say("note: the text is twice as long as its documents; perhaps they are swapped")


def find_files(path: str) -> list[tuple[str, str]]:
    """Return the name and the path of a file, or of each text in a folder and those below it, sorted."""
    folder = Path(path)
    if not folder.is_dir():
        return [(printable_path(folder.name) if path != STANDARD_INPUT else "standard input", path)]
    endings = suffixes()
    texts = (file for file in folder.rglob("*") if file.suffix.lower() in endings and file.is_file())
    below = sorted(file.relative_to(folder) for file in texts)
    visible = [file for file in below if not any(part.startswith(".") for part in file.parts)]
    if not visible:
        raise InputError(f"{path}: no texts in this folder; give one with files {', '.join(endings)}")
    return [(printable_path(file.as_posix()), str(folder / file)) for file in visible]


def of_text(read: Callable[[str], str]) -> Callable[[str, bytes, Say], str]:
    """Return a reader of a kind of text files from a function of their characters."""
    return lambda name, content, say: read(decode(name, content, say))


def _read_pdf(name: str, content: bytes, say: Say) -> str:
    """Return the text of a PDF: its lines joined to paragraphs, and form feeds between pages."""
    text = join_lines(*_pages("pdf", name, content))
    if not text.strip():
        raise InputError(f"{name}: no text in this PDF, only images; recognize its text (OCR) first")
    return text


def _is_page(content: bytes) -> object:
    """Return whether the content of a file begins as an HTML page, perhaps in UTF-16."""
    start = content[:200].translate(None, b"\0\xef\xbb\xbf\xff\xfe").lstrip().lower()
    return start.startswith(b"<") and re.search(b"<!doctype html|<html", start)


def _isolated(module: str) -> Callable[[str, bytes, Say], str]:
    """Return a reader of the kind of files that a module of `vorlage.documents.isolated` reads."""
    return lambda name, content, say: "".join(_pages(module, name, content))


def _pages(kind: str, name: str, content: bytes) -> list[str]:
    """Return the texts of the pages of a PDF, or that of another file, read in a process that can be ended.

    Args:
        kind: the module of `vorlage.documents.isolated` that reads it.
        name: of the file, for messages.
        content: its bytes.

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


TEXT = FileKind((".md", ".txt"), of_text(str))
KINDS = [
    FileKind((".pdf",), _read_pdf, lambda content: name_kind(io.BytesIO(content)) == PDF),
    FileKind((".docx",), _isolated("docx"), lambda content: name_kind(io.BytesIO(content)) == WORD),
    FileKind((".htm", ".html", ".xhtml"), _isolated("html"), _is_page),
    FileKind((".eml",), _isolated("eml")),
    FileKind((".csv", ".tsv"), of_text(table_text)),
    FileKind((".srt", ".vtt"), of_text(spoken_text)),
    TEXT,
]
