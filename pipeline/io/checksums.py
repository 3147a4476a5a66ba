"""Checksums of results, by which a reader notices bytes that have changed on the disk since.

Beside the file ``NAME`` stands ``.NAME.sum``, and in a folder that was written as a whole one file ``.sum``.
They hold the size of each file and a CRC-32 of each block of it, so that a reader of a part checks what it
reads. A CRC-32 tells any change of up to 32 neighbouring bits, and misses one in four billion of the others.

They are written where the environment has ``PALIMPSEST_CHECKSUMS``, as in the workflow, and checked wherever
they are. A file without them is read as it is.
"""

import io
import json
import os
import zlib
from pathlib import Path
from typing import NamedTuple

from pipeline.run.errors import InputError

VARIABLE = "PALIMPSEST_CHECKSUMS"
ENDING = ".sum"
BLOCK = 1 << 20


class Sums(NamedTuple):
    """``size`` of a file in bytes, and ``blocks``: the CRC-32 of each block of ``BLOCK`` bytes."""

    size: int
    blocks: list


def wanted():
    """Whether checksums are to be written."""
    return bool(os.environ.get(VARIABLE))


def beside(path):
    """The file with the checksums of the file ``path``."""
    path = Path(path)
    return path.with_name(f".{path.name}{ENDING}")


def inside(folder):
    """The file with the checksums of a folder's files."""
    return Path(folder) / ENDING


def is_sums(path):
    """Whether a file is one of checksums, by its name."""
    name = Path(path).name
    return name.startswith(".") and name.endswith(ENDING)


def sums_of(path):
    """The :class:`Sums` of a file as it is now."""
    size, blocks = 0, []
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            size += len(block)
            blocks.append(zlib.crc32(block))
    return Sums(size, blocks)


def write(path, files):
    """Write the checksums of ``files``, name → file, to ``path``."""
    text = json.dumps({name: sums_of(file) for name, file in files.items()}, sort_keys=True)
    path.write_text(f"{zlib.crc32(text.encode()):08x} {text}\n", encoding="utf-8")


def write_inside(folder):
    """Write the checksums of all files under a folder into it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write(inside(folder), {path.relative_to(folder).as_posix(): path for path in files})


def open_checked(path):
    """Open a file to read bytes; a block that is not what was written raises :class:`InputError` when read.

    Raises what :func:`open` raises, and :class:`InputError` where the size is another one.
    """
    while True:
        file = open(path, "rb")  # noqa: SIM115 - the caller's
        record = _find(path)
        # A file that was replaced meanwhile has its checksums from the next one.
        if record is None or os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            break
        file.close()
    if record is None:
        return file
    return io.BufferedReader(_Checked(file, *record), 1 << 16)


def check(path):
    """Read a file through; raises :class:`InputError` where it is not what was written."""
    with open_checked(path) as file:
        if isinstance(file.raw, _Checked):
            while file.raw.read(BLOCK):
                pass


def check_folder(folder):
    """Check all files of a folder that has checksums, as :func:`check` does; none may be missing."""
    for name in _read(inside(folder), folder) or ():
        path = Path(folder, name)
        if not path.is_file():
            raise InputError(f"{path}: is missing; remove {folder} and run again")
        check(path)


class _Checked(io.RawIOBase):
    """A file whose blocks are compared with their checksums as they are read."""

    def __init__(self, file, sums, damage):
        self._file, self._sums, self._damage = file, sums, damage
        self._at, self._number, self._block = 0, None, b""
        if os.fstat(file.fileno()).st_size != sums.size:
            file.close()
            raise InputError(damage)

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=os.SEEK_SET):
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._sums.size}[whence]
        return self._at

    def tell(self):
        return self._at

    def readinto(self, buffer):
        number, first = divmod(self._at, BLOCK)
        if number >= len(self._sums.blocks):
            return 0
        if number != self._number:
            self._file.seek(number * BLOCK)
            self._number, self._block = number, self._file.read(BLOCK)
            if zlib.crc32(self._block) != self._sums.blocks[number]:
                raise InputError(self._damage)
        part = memoryview(self._block)[first : first + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self):
        self._file.close()
        super().close()


def _find(path):
    """``(Sums, what to say of damage)`` of a file, from beside it or from a folder around it, or None."""
    path = Path(path)
    for sums, whole in ((beside(path), path), *((inside(folder), folder) for folder in path.parents[:2])):
        found = (_read(sums, whole) or {}).get(path.relative_to(sums.parent).as_posix())
        if found:
            damage = (
                f"{path}: damaged: its bytes are not those that were written; remove {whole} and run again "
                f"(or remove {sums} if you changed it on purpose)"
            )
            return Sums(*found), damage
    return None


def _read(path, whole):
    """What a file of checksums holds, None where there is none; it has a checksum of its own."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    digest, _, text = data.rstrip(b"\n").partition(b" ")
    if digest != b"%08x" % zlib.crc32(text):
        raise InputError(
            f"{path}: damaged; remove {whole} and run again, or remove this file if {whole} is sound"
        )
    return json.loads(text)
