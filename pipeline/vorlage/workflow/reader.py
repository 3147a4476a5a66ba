"""A reader of corpora: what the modules of `vorlage.workflow.readers` have, each found by its file.

Below it is what readers share: it finds the files of a corpus, reads whole files, and resolves entities.
"""

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from vorlage.command.errors import InputError
from vorlage.documents.records import Record
from vorlage.files.inputs import read_text, refuse_special
from vorlage.files.jsonl import JsonError, parse_json
from vorlage.workflow.settings import READERS, Corpus

# Limited, because int() refuses thousands of digits.
_ENTITY = re.compile(r"&(?:\w{1,32}|#\d{1,8}|#[xX][0-9a-fA-F]{1,8});")


class Reader(NamedTuple):
    """A reader, by its name in `corpus.reader`.

    `read` yields the records of a corpus lazily, also of pairs that lack a side, in an order that depends on
    names alone; it raises `InputError` for anything that is not in the format.
    """

    name: str
    read: Callable[[Path, Corpus], Iterator[Record]]


def read_corpus(corpus: Corpus) -> Iterator[Record]:
    """Yield the records of the corpus that the section `corpus` names; each call reads the file again."""
    refuse_special(corpus.path)
    reader: Reader = READERS.load(corpus.reader)
    return reader.read(Path(corpus.path), corpus)


def find_files(path: Path, *patterns: str) -> list[Path]:
    """Return the file `path`, or the files below the folder `path` that match a pattern, sorted.

    Hidden files and folders are ignored, and so are links to folders. Raise `InputError` if nothing is found.
    """
    if not path.is_dir():
        return [path]
    files = {file for pattern in patterns or ("*",) for file in path.rglob(pattern) if file.is_file()}
    visible = sorted(f for f in files if not any(n.startswith(".") for n in f.relative_to(path).parts))
    if not visible:
        raise InputError(
            f"{path}: no files {' or '.join(patterns)} below this folder; "
            "check `corpus.path` and `corpus.reader`"
        )
    return visible


def read_json_file(path: Path) -> Any:
    """Return the value of a JSON file; raise `InputError` for a file that is not JSON."""
    try:
        return parse_json(read_text(path))
    except JsonError as error:
        raise InputError(f"{path}: not valid JSON ({error}); get the file again") from None


def unescape(text: str) -> str:
    """Resolve the SGML and HTML entities of a text that end in a semicolon; leave unknown ones."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
