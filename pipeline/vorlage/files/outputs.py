"""Outputs that appear whole or not at all, whatever stops the process that writes them.

A process writes to a temporary name beside the output and renames it when it is complete. What a killed
process has left under such a name, the next one that writes the same output removes.
"""

import contextlib
import csv
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.files.inputs import did_you_mean_file, is_special
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


def to_row(cells: Iterable[object], delimiter: str = "\t") -> str:
    """Return cells as a row of a table, without a line break at its end; floats have six decimals."""
    row = StringIO(newline="")
    # A cell with `\r` is quoted as well where this is part of the ending.
    writer = csv.writer(row, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(f"{cell:.6f}" if isinstance(cell, float) else cell for cell in cells)
    return row.getvalue().removesuffix("\r\n")


def check_folder(path: StrPath) -> None:
    """Raise `InputError` unless the folder exists that a file is to be written to; refuse a folder itself."""
    _refuse_folder(path)
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {str(folder)!r}; create it{did_you_mean_file(folder)}")


def _refuse_folder(path: StrPath) -> None:
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder; name a file in it")


@contextlib.contextmanager
def replacing(path: StrPath) -> Iterator[Path]:
    """Yield a temporary path beside `path`, and rename it to `path` when the block ends normally.

    When the block raises, the temporary file is removed and `path` stays as it was. A symbolic link is
    followed. A pipe or a device is yielded itself.
    """
    _refuse_folder(path)
    if is_special(path):
        with _naming_errors(Path(path)):
            yield Path(path)
        return
    path = Path(os.path.realpath(path) if os.path.islink(path) else path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path)
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

    When the block raises, the folders above that were made for it are removed.

    Raises:
        InputError: for an old folder with files that the new one lacks: no earlier run has written it.
    """
    folder = Path(folder)
    made = [parent for parent in folder.parents if not parent.exists()]
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder)
    temporary = _temporary_path(folder)
    old = _temporary_path(temporary)
    try:
        with _naming_errors(folder):
            shutil.rmtree(temporary, ignore_errors=True)  # left by a killed process of the same number
            temporary.mkdir()
            yield temporary
            if folder.exists():
                foreign = {path.name for path in folder.glob("[!.]*")} - set(os.listdir(temporary))
                if foreign:
                    raise InputError(f"{folder}: has other files, such as {min(foreign)}; name a new folder")
                folder.rename(old)
            temporary.rename(folder)
    finally:
        for leftover in (temporary, old):
            shutil.rmtree(leftover, ignore_errors=True)
        with contextlib.suppress(OSError):  # those that hold something stay
            for parent in made:
                parent.rmdir()


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


def _remove_leftovers(path: Path) -> None:
    """Remove what processes of this machine that run no more have left when they wrote `path`."""
    form = re.compile(rf"\.{re.escape(path.name)}\.{re.escape(platform.node())}-(\d+)\.part")
    for file in path.parent.iterdir():
        match = form.fullmatch(file.name)
        if not match or _runs(int(match[1])):
            continue
        if file.is_dir():
            shutil.rmtree(file, ignore_errors=True)
        else:
            file.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Return whether another process with this number runs on this machine, perhaps of another user."""
    if process == os.getpid():
        return False
    if sys.platform == "win32":  # where signal 0 is no question
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
