"""Outputs that appear whole or not at all, whatever stops the process that writes them.

A process writes to a name of its own beside the output, and renames it at the end. What one that was killed
leaves there is found by :func:`leftovers`.
"""

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from pathlib import Path

from pipeline.io import checksums

# The name of what a process is writing, with the number of the process; see `part_of` and `scratch`.
PART = re.compile(r"^\..*\.(\d+)(?:\.\w+)?\.part$")


@contextlib.contextmanager
def replacing(path):
    """Yield a temporary path beside ``path``; rename it to ``path`` when the block ends well.

    Nothing appears under ``path`` when the block raises, and the temporary file is removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = part_of(path)
    try:
        with naming(path):
            yield temporary
            put(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def naming(path):
    """Give the name of ``path``, which is being written, to an OSError that has none, of a full disk say."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def part_of(path):
    """The name of what this process is writing of ``path``."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextlib.contextmanager
def scratch(path):
    """Yield a temporary folder beside ``path``, which goes when the block ends."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(".part", f".{path.name}.{os.getpid()}.", path.parent)
    try:
        with naming(path):
            yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put(temporary, path):
    """Rename a finished file to ``path``, with its checksums where they are wanted.

    A file that is there has its own checksums or none, whenever this is interrupted and whoever else does it.
    """
    sums = checksums.beside(path)
    made = part_of(sums)
    try:
        if checksums.wanted():
            checksums.write(made, {path.name: temporary})
        with alone(path.parent):
            sums.unlink(missing_ok=True)
            os.replace(temporary, path)
            if checksums.wanted():
                os.replace(made, sums)
    finally:
        made.unlink(missing_ok=True)


@contextlib.contextmanager
def alone(folder):
    """Keep other processes out of the block for a folder, where the file system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def leftovers(folder, pattern="**/.*.part"):
    """What processes that were killed were writing in a folder or below it: files and folders."""
    for path in Path(folder).glob(pattern):
        number = PART.search(path.name)
        if number and not _at_work(int(number[1])):
            yield path


def remove(path):
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _at_work(number):
    """Whether this machine has a process of that number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
