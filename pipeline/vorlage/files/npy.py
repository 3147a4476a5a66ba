"""The door of arrays: what an array file may hold is checked here, once, before any of it is used.

Arrays have a type of `DTYPE` in the byte order of this project, as many bytes as their header says, finite
numbers (unless infinite ones are asked for), truth values of 0 or 1, and text of whole characters. What is
returned is contiguous in the order of C, aligned and writable. Headers are matched and not evaluated. The
format is numpy.lib.format, version 1.0.
"""

import math
import os
import re
from collections.abc import Mapping
from typing import IO, NamedTuple

import numpy as np

from vorlage.types import AnyArray

MAGIC = b"\x93NUMPY\x01\x00"
DTYPE = r"\|b1|\|[iu]1|<[iu][248]|<f[248]|<U\d{1,7}|\|S\d{1,7}"
HEADER = re.compile(
    rf"\{{'descr': '({DTYPE})', 'fortran_order': (False|True), "
    r"'shape': \((|\d{1,18},|\d{1,18}(?:, \d{1,18}){1,7})\), \} *\n"
)


class Header(NamedTuple):
    """What the header of an array file says; the numbers begin at byte `offset`."""

    dtype: np.dtype
    shape: tuple[int, ...]
    order: str  # C, or F for Fortran
    offset: int

    @property
    def bytes(self) -> int:
        """The size of the numbers."""
        return math.prod(self.shape) * self.dtype.itemsize


class Kind(NamedTuple):
    """What an array must be: its type, as `np.dtype.str` begins, and its number of dimensions."""

    dtype: str
    dimensions: int


def read_header(file: IO[bytes], size: int | None = None) -> Header:
    """Return the header of an array file, read from its beginning; raise ValueError for another file.

    `size`: of the file in bytes, needed if the file cannot be sought in.
    """
    if size is None:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    start = file.read(len(MAGIC) + 2)
    if start[: len(MAGIC)] != MAGIC or len(start) < len(MAGIC) + 2:
        raise ValueError("not an array file")
    length = int.from_bytes(start[len(MAGIC) :], "little")
    found = HEADER.fullmatch(file.read(length).decode("ascii", "replace"))
    if found is None:
        raise ValueError("an array of a type that is not read")
    shape = tuple(int(number) for number in found[3].replace(",", " ").split())
    header = Header(np.dtype(found[1]), shape, "F" if found[2] == "True" else "C", len(start) + length)
    if header.offset + header.bytes != size:
        raise ValueError("an array whose size differs from its header")
    return header


def read_array(file: IO[bytes], size: int | None = None, finite: bool = True) -> AnyArray:
    """Return the array of a file; `size` and errors as for `read_header`.

    `finite`: whether to refuse NaN and infinite numbers. Raise `MemoryError` for an array that memory
    cannot hold.
    """
    header = read_header(file, size)
    content = bytearray(header.bytes)
    rest = memoryview(content)
    while rest:
        count = file.readinto(rest)  # type: ignore[attr-defined]
        if not count:
            raise ValueError("a truncated array")
        rest = rest[count:]
    if file.read(1):
        raise ValueError("an array that is longer than its header says")
    flat: AnyArray = np.frombuffer(content, header.dtype)
    check_values(flat, finite)
    return np.asarray(flat.reshape(header.shape, order="F" if header.order == "F" else "C"), order="C")


def check_values(array: AnyArray, finite: bool) -> None:
    """Raise ValueError for truth values other than 0 and 1, broken text and, if asked, infinite numbers."""
    if finite and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("an array with NaN or an infinite number")
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise ValueError("an array with truth values that are neither 0 nor 1")
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
        if codes.max() > 0x10FFFF or ((codes >= 0xD800) & (codes < 0xE000)).any():
            raise ValueError("an array of text that is not Unicode")


def check_kinds(arrays: Mapping[str, AnyArray], kinds: Mapping[str, Kind]) -> None:
    """Raise ValueError unless each array has its kind; `kinds` has the names that are allowed."""
    for name, array in arrays.items():
        kind = kinds.get(name)
        if kind is None:
            raise ValueError(f"the array {name:.100} does not belong to it")
        if not array.dtype.str.startswith(kind.dtype) or array.ndim != kind.dimensions:
            raise ValueError(f"the array {name} has another type or shape than it must have")
