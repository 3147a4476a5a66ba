"""The door of files: what a command opens, and what it may replace, is decided here and nowhere else.

An input is a regular file: opening a pipe could wait for ever, and reading a device could never end. An
output takes the place of a regular file or of nothing, and never that of an input of the same command.
"""

import io
import os
import stat
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TypeAlias

from vorlage.command.errors import InputError

StrPath: TypeAlias = str | os.PathLike[str]  # not of vorlage.types, which imports NumPy
# The number of a device and of a file on it: the same for all names of the file.
Identity: TypeAlias = tuple[int, int]

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a link",
    stat.S_IFREG: "a file",
}
# The files and folders that the running command has announced as its outputs, and those of its inputs that
# lie in one of these folders.
_outputs: dict[Identity, str] = {}
_inputs_within: dict[Identity, str] = {}


def announce_outputs(outputs: Iterable[StrPath], others: Iterable[StrPath]) -> None:
    """Remember the outputs of a command that begins, in place of those of the command before it.

    `open_regular` then refuses to open one of them as an input. `others`: the values of the other
    options. Raise `InputError` for a file among both, for one that is named as two outputs, and for
    an output that is neither a file nor a folder.
    """
    _outputs.clear()
    _inputs_within.clear()
    for path in outputs:
        if status := _status(path):
            if not stat.S_ISDIR(status.st_mode):
                check_output(path)
            name = os.fspath(path)
            before = _outputs.setdefault(_identity(status), name)
            if before is not name and stat.S_ISREG(status.st_mode):
                raise InputError(f"{path}: is named as two outputs; name a file for each")
    for path in others:
        status = _status(path)
        if status and stat.S_ISREG(status.st_mode):
            _check_not_output(path, status)


def check_file(path: StrPath) -> None:
    """Raise `InputError` unless `path` is a regular file, or a link to one."""
    try:
        _check_regular(path, os.stat(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except ValueError as error:  # a NUL character
        raise InputError(f"{path}: cannot be read ({error}); check the path") from None


def open_regular(path: StrPath, *, links: bool = True, most: int | None = None) -> io.BufferedReader:
    """Open a regular file to read bytes.

    `links`: whether a link may lead to it. `most`: the largest size in bytes. Raise `OSError` as
    `open` does, and `InputError` for anything that is not a regular file, for a larger one, and
    for an output of the running command.
    """
    _check_regular(path, os.stat(path, follow_symlinks=links))
    # The path may lead elsewhere by now: a pipe must not wait, and what was opened is checked again.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | (0 if links else os.O_NOFOLLOW))
    file = os.fdopen(handle, "rb")
    try:
        status = os.fstat(handle)
        _check_regular(path, status)
        if most is not None and status.st_size > most:
            raise InputError(f"{path}: has {status.st_size:,} bytes, more than {most:,}; check the path")
        _check_not_output(path, status)
    except BaseException:
        file.close()
        raise
    return file


def check_output(path: StrPath) -> None:
    """Raise `InputError` unless the file `path` may be written: a new one, or instead of a file."""
    status = _status(path)
    if status is None:
        return
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: is {_kind(status)}, which no output replaces; name a file")
    if _is_at(_inputs_within.get(_identity(status)), status):
        raise InputError(f"{path}: is an input of this command and its output; name another output")


def check_output_folder(path: StrPath, content: Collection[str] | None = None) -> None:
    """Raise `InputError` unless the folder `path` may be replaced by one with the names `content`.

    Nothing is lost then but what an earlier run has written: hidden files apart, the folder has only names
    that the new one has too. Without `content`, check only that `path` is a folder or nothing.
    """
    status = _status(path)
    if status is None:
        return
    if not stat.S_ISDIR(status.st_mode):
        raise InputError(f"{path}: is {_kind(status)}, which no folder replaces; name a folder")
    if content is None:
        return
    others = sorted(name for name in os.listdir(path) if not name.startswith(".") and name not in content)
    if others:
        raise InputError(
            f"{path}: would be replaced, but it has other files, such as {others[0]}; name a new folder"
        )


def _check_regular(path: StrPath, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: is {_kind(status)}, not a file; check the path")


def _check_not_output(path: StrPath, status: os.stat_result) -> None:
    """Raise `InputError` for an announced output; remember an input that lies in one."""
    if not _outputs:
        return
    identity = _identity(status)
    output = _outputs.get(identity)
    if _is_at(output, status):
        raise InputError(f"{path}: is an input of this command and its output {output}; name another output")
    folder = _status(Path(path).parent)
    if folder and _is_at(_outputs.get(_identity(folder)), folder):
        _inputs_within[identity] = os.fspath(path)


def _status(path: StrPath) -> os.stat_result | None:
    """Return the status of what a path leads to, or None if it leads nowhere."""
    try:
        return os.stat(path)
    except (OSError, ValueError):  # the latter for a NUL character
        return None


def _is_at(path: str | None, status: os.stat_result) -> bool:
    """Return whether `path` still leads to the file of `status`.

    A new file may have the number of one that was removed.
    """
    now = _status(path) if path else None
    return now is not None and _identity(now) == _identity(status)


def _identity(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino


def _kind(status: os.stat_result) -> str:
    return KINDS.get(stat.S_IFMT(status.st_mode), "something else")
