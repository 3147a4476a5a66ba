"""Reads plain text: a folder with the two folders `documents/` and `summaries/`.

    mine/documents/first.txt    mine/summaries/first.txt
    mine/documents/more/b.txt   mine/summaries/more/b.txt

A document and its summary have the same file name, with any extension, in UTF-8; folders inside are allowed.
The id is that name without the extension: `first` and `more/b` here.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.documents.records import Record
from vorlage.files.inputs import read_text
from vorlage.workflow.reader import Reader, find_files
from vorlage.workflow.settings import Corpus

DOCUMENTS, SUMMARIES = "documents", "summaries"


def read(path: Path, settings: Corpus) -> Iterator[Record]:
    """Yield the records of a folder, sorted by name; a file without its partner is an error."""
    documents, summaries = _names(path, DOCUMENTS), _names(path, SUMMARIES)
    for name in sorted(documents ^ summaries):
        present, missing = (DOCUMENTS, SUMMARIES) if name in documents else (SUMMARIES, DOCUMENTS)
        raise InputError(
            f"{path / present / name}: has no partner {path / missing / name}; add it, or move "
            "this file elsewhere"
        )
    for name in sorted(documents):
        document, summary = path / DOCUMENTS / name, path / SUMMARIES / name
        yield Record(name.with_suffix("").as_posix(), str(document), read_text(document), read_text(summary))


def _names(path: Path, side: str) -> set[Path]:
    folder = path / side
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; `corpus.path` must hold the folders {DOCUMENTS} and {SUMMARIES}"
        )
    return {file.relative_to(folder) for file in find_files(folder)}


READER = Reader("text", read)
