"""Checksums of results, by which a reader notices bytes that have changed on the disk.

The checksums of the file `NAME` are in `.NAME.sum` beside it, those of a folder that was written as a
whole in one file `.sum` inside it. They hold the size of each file and a CRC-32 of each of its blocks, and
a reader of a part checks only what it reads. A CRC-32 detects any change within 32 neighbouring bits, and
misses one in four billion of the others.

They are written if the environment variable `VORLAGE_CHECKSUMS` is set, as in the workflow, and checked
wherever they exist. A file without checksums is read unchecked.
"""

import io
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from vorlage.command.errors import InputError
from vorlage.files.door import open_regular
from vorlage.types import StrPath

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

VARIABLE = "VORLAGE_CHECKSUMS"
ENDING = ".sum"
BLOCK = 1 << 20
LARGEST = 1 << 28  # bytes of a file of checksums, those of 20 TB


class Sums(NamedTuple):
    """`size` of a file in bytes, and `blocks`: the CRC-32 of each block of `BLOCK` bytes."""

    size: int
    blocks: list[int]


def enabled() -> bool:
    """Return whether checksums are written."""
    return bool(os.environ.get(VARIABLE))


def sums_path(path: StrPath) -> Path:
    """Return the path of the checksums of the file `path`."""
    path = Path(path)
    return path.with_name(f".{path.name}{ENDING}")


def folder_sums_path(folder: StrPath) -> Path:
    """Return the path of the checksums of a folder's files."""
    return Path(folder) / ENDING


def compute_sums(path: StrPath) -> Sums:
    """Return the `Sums` of a file."""
    size, blocks = 0, []
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            size += len(block)
            blocks.append(zlib.crc32(block))
    return Sums(size, blocks)


def write_sums(path: Path, files: Mapping[str, Path]) -> None:
    """Write the checksums of `files`, name → path, to `path`."""
    text = json.dumps({name: compute_sums(file) for name, file in files.items()}, sort_keys=True)
    path.write_text(f"{zlib.crc32(text.encode()):08x} {text}\n", encoding="utf-8")


def write_folder_sums(folder: Path) -> None:
    """Write the checksums of all files under a folder into it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_sums(folder_sums_path(folder), {path.relative_to(folder).as_posix(): path for path in files})


def open_checked(path: StrPath, most: int | None = None) -> io.BufferedReader:
    """Open a file to read bytes, which are compared with their checksums as they are read.

    `most`: the largest size in bytes. Raise what `vorlage.files.door.open_regular` raises, and
    `InputError` if the size of the file differs from what was written. Reading raises
    `InputError` for a damaged block.
    """
    while True:
        file = open_regular(path, most=most)
        record = _find_sums(path)
        # A file that has been replaced since it was opened is opened again: its checksums are new.
        if record is None or os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            break
        file.close()
    if record is None:
        return file
    return io.BufferedReader(_CheckedFile(file, *record), 1 << 16)


def check(path: StrPath) -> None:
    """Read a whole file; raise `InputError` if it is damaged."""
    with open_checked(path) as file:
        if isinstance(file.raw, _CheckedFile):
            while file.raw.read(BLOCK):
                pass


def check_folder(folder: StrPath) -> None:
    """Check all files of a folder with checksums; raise `InputError` for damage or a missing file."""
    for name in _read_sums(folder_sums_path(folder), folder) or ():
        path = Path(folder, name)
        if not path.is_file():
            raise InputError(f"{path}: is missing; remove {folder} and run again")
        check(path)


class _CheckedFile(io.RawIOBase):
    """A file whose blocks are compared with their checksums as they are read."""

    def __init__(self, file: BinaryIO, sums: Sums, damage: str) -> None:
        self._file, self._sums, self._damage = file, sums, damage
        self._at = 0
        self._number: int | None = None  # of the block in `_block`
        self._block = b""
        if os.fstat(file.fileno()).st_size != sums.size:
            file.close()
            raise InputError(damage)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._sums.size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        number, first = divmod(self._at, BLOCK)
        if number >= len(self._sums.blocks):
            return 0
        if number != self._number:
            self._file.seek(number * BLOCK)
            self._number, self._block = number, self._file.read(BLOCK)
            if zlib.crc32(self._block) != self._sums.blocks[number]:
                raise InputError(self._damage)
        target = memoryview(buffer)
        part = memoryview(self._block)[first : first + len(target)]
        target[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        self._file.close()
        super().close()


def _find_sums(path: StrPath) -> tuple[Sums, str] | None:
    """Return the `Sums` of a file and the message for damage, or None for a file without checksums.

    They are read from the file beside it, or from that of a folder around it.
    """
    path = Path(path)
    folders = [(folder_sums_path(folder), folder) for folder in path.parents[:2]]
    for sums, whole in ((sums_path(path), path), *folders):
        found = (_read_sums(sums, whole) or {}).get(path.relative_to(sums.parent).as_posix())
        if found is not None:
            damage = (
                f"{path}: damaged: its bytes are not those that were written; remove {whole} and run again "
                f"(or remove {sums} if you changed it on purpose)"
            )
            return found, damage
    return None


def _read_sums(path: Path, whole: StrPath) -> dict[str, Sums] | None:
    """Return the content of a file of checksums, name → `Sums`, or None if it does not exist.

    Raise `InputError` for anything else, which may be a damaged file or one that this project did not
    write. `whole` is what it belongs to.
    """
    try:
        with open_regular(path, links=False, most=LARGEST) as file:
            digest, _, text = file.read().rstrip(b"\n").partition(b" ")
        if digest != b"%08x" % zlib.crc32(text):
            raise ValueError("it does not fit its own checksum")
        return {name: _to_sums(*sums) for name, sums in json.loads(text).items()}
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, InputError, ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"{path}: not the checksums of {whole}, or damaged; move this file elsewhere if {whole} is "
            f"sound, or make {whole} again"
        ) from None


def _to_sums(size: int, blocks: list[int]) -> Sums:
    """Return the `Sums` of a file; raise ValueError for values that no file has."""
    numbers = [size, *blocks]
    if any(type(number) is not int or number < 0 for number in numbers) or len(blocks) != -(-size // BLOCK):
        raise ValueError("not a size and the checksums of its blocks")
    return Sums(size, blocks)
