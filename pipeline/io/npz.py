"""Reading archives of arrays (``.npz``), of which nothing is run and nothing half-read is taken."""

import tokenize
import zipfile
import zlib

import numpy as np

from pipeline.io.inputs import open_file
from pipeline.run.errors import InputError

# What the modules for zip archives and arrays raise for bytes that are neither.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(ValueError, OverflowError, MemoryError, NotImplementedError, RuntimeError),
    *(SyntaxError, tokenize.TokenError),  # of a header that is no Python literal
)


def read_npz(path, what, maker):
    """All arrays of an npz, a dict; raises :class:`InputError` for another file.

    ``what`` it should be (``a model``) and the command ``maker`` that makes such files are for the error.
    Arrays of Python objects, which would be unpickled, are refused.
    """
    with open_file(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return {name.removesuffix(".npy"): _array(archive, name) for name in archive.namelist()}
        except BROKEN:
            raise InputError(f"{path}: not {what}, or damaged; make it again with `{maker}`") from None


def _array(archive, name):
    with archive.open(name) as member:
        array = np.lib.format.read_array(member, allow_pickle=False)
        if member.read(1):
            raise ValueError(f"{name} is longer than its header says")
        return array
