"""What readers share: finds the files of a corpus, reads whole files, and resolves entities."""

import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vorlage.command.errors import InputError
from vorlage.files.inputs import read_text
from vorlage.files.jsonl import JsonError, parse_json

# Limited, because int() refuses thousands of digits.
_ENTITY = re.compile(r"&(?:\w{1,32}|#\d{1,8}|#[xX][0-9a-fA-F]{1,8});")


def find_files(path: Path, *patterns: str, root: Path | None = None) -> list[Path]:
    """Return the file `path`, or the files below the folder `path` that match a pattern, sorted.

    Hidden files and folders are ignored, and so are links to folders of the corpus. Raise
    `InputError` if nothing is found, and for a link out of
    `root`, the folder of the corpus (default: `path`).
    """
    if not path.is_dir():
        return [path]
    found = sorted(_below(path, patterns or ("*",), root or path))
    if not found:
        raise InputError(
            f"{path}: no files {' or '.join(patterns)} below this folder; "
            "check `corpus.path` and `corpus.reader`"
        )
    return found


def check_inside(file: Path, root: Path) -> None:
    """Raise `InputError` if `file`, below `root`, is a link out of `root` or to nothing.

    Otherwise a corpus could copy any file of this machine into the results.
    """
    try:
        target = file.resolve(strict=True)
    except (OSError, RuntimeError):
        raise InputError(f"{file}: is a link that leads nowhere; correct it, or create the file") from None
    if not target.is_relative_to(root.resolve()):
        raise InputError(f"{file}: is a link out of {root}, to {target}; replace it by a copy")


def _below(path: Path, patterns: tuple[str, ...], root: Path) -> Iterator[Path]:
    folders = [path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(".")]
        for entry in visible:
            file = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                folders.append(file)
            elif any(map(file.match, patterns)) or entry.is_dir():
                check_inside(file, root)
                if not entry.is_dir():
                    yield file


def read_json_file(path: Path) -> Any:
    """Return the value of a JSON file; raise `InputError` for a file that is not JSON."""
    try:
        return parse_json(read_text(path))
    except JsonError as error:
        raise InputError(f"{path}: not valid JSON ({error}); get the file again") from None


def unescape(text: str) -> str:
    """Resolve the SGML and HTML entities of a text that end in a semicolon; leave unknown ones."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
