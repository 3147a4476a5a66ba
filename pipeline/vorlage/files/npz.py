"""Reading archives of arrays (`.npz`): nothing in them is run, and a damaged archive is refused."""

import os
import struct
import zipfile
import zlib
from collections.abc import Collection
from typing import IO

from vorlage.command.errors import InputError
from vorlage.files.inputs import open_file
from vorlage.files.npy import read_array
from vorlage.types import AnyArray, StrPath

# What the module for zip archives and `read_array` raise for bytes that are neither.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError),
    *(ValueError, OverflowError, MemoryError, NotImplementedError, RuntimeError),
)
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
END = struct.Struct("<4s4H2LH")  # the end of an archive: signature, disks, members, directory, comment
ENCRYPTED = 1  # a flag of a member


def read_npz(
    path: StrPath, what: str, maker: str, only: Collection[str] | None = None, finite: bool = True
) -> dict[str, AnyArray]:
    """Return the arrays of an npz by name: all, or `only` some of them.

    Each is as `vorlage.files.npy` promises, `finite` or not, and the CRC of its member is checked.
    `what` says what the file should be (`a model`), `maker` which command makes it;
    `InputError`, raised for any other file, names both.
    """
    with open_file(path, "rb") as file:
        try:
            count = _count_members(file)
            with zipfile.ZipFile(file) as archive:
                if len(archive.infolist()) != count:  # which zipfile does not compare
                    raise ValueError("a damaged directory of members")
                return _arrays(archive, only, finite)
        except BROKEN:
            raise InputError(f"{path}: not {what}, or damaged; make it again with `{maker}`") from None


def _count_members(file: IO[bytes]) -> int:
    """Return the number of members that an archive without a comment states in its last 22 bytes.

    It begins with a member or, if it has none, with this end: zipfile would skip other bytes before it.
    """
    if file.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
        raise ValueError("bytes before the archive")
    file.seek(-END.size, os.SEEK_END)
    signature, *_, count = END.unpack(file.read(END.size))[:5]
    if signature != b"PK\x05\x06":
        raise ValueError("not an archive, or one with a comment")
    return int(count)


def _arrays(archive: zipfile.ZipFile, only: Collection[str] | None, finite: bool) -> dict[str, AnyArray]:
    arrays: dict[str, AnyArray] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if name in arrays or name == member.filename:
            raise ValueError("a member that is not an array, or one name for two")
        if member.compress_type not in COMPRESSIONS or member.flag_bits & ENCRYPTED:
            raise ValueError("a member that is encrypted, or compressed in another way than by deflation")
        if only is None or name in only:
            with archive.open(member) as content:
                arrays[name] = read_array(content, member.file_size, finite)
    if only is not None and len(arrays) < len(set(only)):
        raise KeyError("an array is missing")
    return arrays
