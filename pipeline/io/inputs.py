"""Opening files that a user gives: what is no file, or no text in UTF-8, ends with one line."""

import io
import os
import stat

from pipeline.io.checksums import open_checked
from pipeline.run.errors import InputError

# How files begin that are not text in UTF-8, what they are, and what to do.
BEGINNINGS = {
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"BZh": "compressed by bzip2; unpack it first",
    b"\xfd7zXZ": "compressed by xz; unpack it first",
    b"(\xb5/\xfd": "compressed by zstd; unpack it first",
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"PAR1": "a Parquet file; give one of text",
    b"\xff\xfe": "in UTF-16; convert it to UTF-8",
    b"\xfe\xff": "in UTF-16; convert it to UTF-8",
}
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def check_file(path):
    """Raise :class:`InputError` unless ``path`` is a file; to open a pipe could wait for ever."""
    try:
        kind = stat.S_IFMT(os.stat(path).st_mode)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    if kind != stat.S_IFREG:
        raise InputError(
            f"{path}: is {KINDS.get(kind, 'something else')} where a file is wanted; give a file"
        )


def open_file(path, mode="r", **how):
    """Open a file to read, as :func:`open` does; raises :class:`InputError` where that cannot be.

    A file with checksums is compared with them as it is read, see :mod:`pipeline.io.checksums`.
    """
    check_file(path)
    try:
        file = open_checked(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    return file if "b" in mode else io.TextIOWrapper(file, **how)


def not_utf8(path):
    """The :class:`InputError` for a file that is not UTF-8: what it is, or its first line that is not.

    Bytes of the line are counted from 0.
    """
    with open_file(path, "rb") as file:
        beginning = file.read(8)
        for bytes_, what in BEGINNINGS.items():
            if beginning.startswith(bytes_):
                return InputError(f"{path}: is not text in UTF-8 but {what}")
        file.seek(0)
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                where = f"{path}, line {number}"
                return InputError(f"{where}: not UTF-8 at byte {error.start}; convert the file to UTF-8")
    return InputError(f"{path}: was changed while it was read; do not change files that are read")
