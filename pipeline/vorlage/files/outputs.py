"""Outputs that appear whole or not at all, whatever stops the process that writes them.

A process writes to a temporary name beside the output and renames it when it is complete. What a killed
process leaves behind is found by `find_leftovers`.
"""

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from vorlage.files import checksums
from vorlage.files.door import check_output
from vorlage.types import StrPath

# A temporary name, with the number of the process; see `temporary_name` and `scratch_folder`.
TEMPORARY = re.compile(r"^\..*\.(\d+)(?:\.\w+)?\.part$")


def write_text(path: StrPath, text: str) -> None:
    """Write `text` to `path` in UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_lines(path: StrPath, lines: Iterable[str]) -> None:
    """Write lines, which have no line breaks yet, to `path` in UTF-8, whole or not at all."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


@contextlib.contextmanager
def replacing(path: StrPath) -> Iterator[Path]:
    """Yield a temporary path beside `path`, and rename it to `path` when the block ends normally.

    When the block raises, the temporary file is removed and `path` stays as it was. Raise
    `vorlage.command.errors.InputError` for a path that `vorlage.files.door.check_output` refuses.
    """
    path = Path(path)
    check_output(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_name(path)
    temporary.unlink(missing_ok=True)  # left by a killed process with the number of this one
    try:
        with naming_errors(path):
            yield temporary
            move_into_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def naming_errors(path: Path) -> Iterator[None]:
    """Add the name of `path`, which is being written, to an `OSError` without one, as of a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def temporary_name(path: Path) -> Path:
    """Return the name under which this process writes `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextlib.contextmanager
def scratch_folder(path: StrPath) -> Iterator[Path]:
    """Yield a temporary folder beside `path`, and remove it when the block ends."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(".part", f".{path.name}.{os.getpid()}.", path.parent)
    try:
        with naming_errors(path):
            yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def move_into_place(temporary: Path, path: Path) -> None:
    """Rename a finished file to `path`, with its checksums if they are enabled.

    At every moment the file at `path` has its own checksums or none, even if this process is interrupted
    or another one writes the same file.
    """
    check_output(path)
    sums = checksums.sums_path(path)
    temporary_sums = temporary_name(sums)
    try:
        if checksums.enabled():
            checksums.write_sums(temporary_sums, {path.name: temporary})
        with locked(path.parent):
            sums.unlink(missing_ok=True)
            os.replace(temporary, path)
            if checksums.enabled():
                os.replace(temporary_sums, sums)
    finally:
        temporary_sums.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder during the block, if the file system supports it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def find_leftovers(folder: StrPath, pattern: str = "**/.*.part") -> Iterator[Path]:
    """Yield the temporary files and folders below a folder whose processes have ended."""
    for path in Path(folder).glob(pattern):
        number = TEMPORARY.search(path.name)
        if number and not _is_running(int(number[1])):
            yield path


def remove(path: Path) -> None:
    """Remove a file or a folder if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _is_running(number: int) -> bool:
    """Return whether this machine has a process with that number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
