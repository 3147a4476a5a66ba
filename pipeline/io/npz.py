"""Reading archives of arrays (``.npz``): nothing in them is run, and a damaged archive is refused."""

import tokenize
import zipfile
import zlib

import numpy as np

from pipeline.io.inputs import open_file
from pipeline.run.errors import InputError
from pipeline.types import AnyArray, StrPath

# What the modules for zip archives and arrays raise for bytes that are neither.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(ValueError, OverflowError, MemoryError, NotImplementedError, RuntimeError),
    *(SyntaxError, tokenize.TokenError),  # of a header that is not a Python literal
)


def read_npz(path: StrPath, what: str, maker: str) -> dict[str, AnyArray]:
    """Return all arrays of an npz by name; raise :class:`InputError` for a file that is not one.

    ``what`` says what the file should be (``a model``), ``maker`` which command makes it; the error names
    both. Arrays of Python objects, which would be unpickled, are refused.
    """
    with open_file(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return {name.removesuffix(".npy"): _array(archive, name) for name in archive.namelist()}
        except BROKEN:
            raise InputError(f"{path}: not {what}, or damaged; make it again with `{maker}`") from None


def _array(archive: zipfile.ZipFile, name: str) -> AnyArray:
    with archive.open(name) as member:
        array: AnyArray = np.lib.format.read_array(member, allow_pickle=False)
        if member.read(1):
            raise ValueError(f"{name} is longer than its header says")
        return array
