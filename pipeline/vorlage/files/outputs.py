"""Outputs that appear whole or not at all, whatever stops the process that writes them.

A process writes to a temporary name beside the output and renames it when it is complete. What a killed
process has left under such a name, the next one that writes the same output removes.
"""

import contextlib
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.types import StrPath


def write_text(path: StrPath, text: str) -> None:
    """Write `text` to `path` in UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_lines(path: StrPath, lines: Iterable[str]) -> None:
    """Write lines, which have no line breaks yet, to `path` in UTF-8, whole or not at all."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


@contextlib.contextmanager
def replacing(path: StrPath) -> Iterator[Path]:
    """Yield a temporary path beside `path`, and rename it to `path` when the block ends normally.

    When the block raises, the temporary file is removed and `path` stays as it was. A symbolic link is
    followed. What is neither a file nor new, such as `/dev/stdout`, is yielded itself.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        with _naming_errors(path):
            yield path
        return
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    path.parent.mkdir(parents=True, exist_ok=True)
    for leftover in _leftovers(path):
        leftover.unlink(missing_ok=True)
    temporary = _temporary_path(path)
    try:
        with _naming_errors(path):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def replacing_folder(folder: StrPath) -> Iterator[Path]:
    """Yield a new folder beside `folder`, which replaces `folder` when the block ends normally.

    Raises:
        InputError: for an old folder with files that the new one lacks: no earlier run has written it.
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    for leftover in _leftovers(folder):
        shutil.rmtree(leftover, ignore_errors=True)
    temporary = _temporary_path(folder)
    old = _temporary_path(temporary)
    try:
        with _naming_errors(folder):
            shutil.rmtree(temporary, ignore_errors=True)  # left by a killed process of the same number
            temporary.mkdir()
            yield temporary
            if folder.exists():
                others = {path.name for path in folder.glob("[!.]*")} - set(os.listdir(temporary))
                if others:
                    raise InputError(f"{folder}: has other files, such as {min(others)}; name a new folder")
                folder.rename(old)
            temporary.rename(folder)
    finally:
        for leftover in (temporary, old):
            shutil.rmtree(leftover, ignore_errors=True)


@contextlib.contextmanager
def _naming_errors(path: Path) -> Iterator[None]:
    """Add the name of `path`, which is being written, to an `OSError` without one, as of a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno and not error.filename:
            error.filename = str(path)
        raise


def _temporary_path(path: Path) -> Path:
    """Return the path under which this process writes `path`."""
    return path.with_name(f".{path.name}.{platform.node()}-{os.getpid()}.part")


def _leftovers(path: Path) -> list[Path]:
    """Return what processes of this machine that run no more have left when they wrote `path`."""
    form = re.compile(rf"\.{re.escape(path.name)}\.{re.escape(platform.node())}-(\d+)\.part")
    named = ((other, form.fullmatch(other.name)) for other in path.parent.iterdir())
    return [other for other, match in named if match and not _runs(int(match[1]))]


def _runs(process: int) -> bool:
    """Return whether a process runs on this machine, perhaps of another user."""
    if sys.platform == "win32":  # where signal 0 is no question
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
