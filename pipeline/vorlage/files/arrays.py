"""Folders of arrays, one file each: a reader maps the arrays it needs and leaves the rest on the disk."""

import contextlib
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike

from vorlage.command.errors import InputError
from vorlage.files.npy import Header, read_array, read_header
from vorlage.files.outputs import replacing_folder
from vorlage.types import AnyArray, Bytes, LongInts, StrPath


def save_arrays(folder: StrPath, arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays to `folder` by name, whole or not at all; a folder that exists is replaced."""
    with replacing_folder(folder) as temporary:
        write_arrays(temporary, arrays)


def write_arrays(folder: Path, arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays by name to files in an existing folder."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


class Arrays:
    """The arrays of a folder that `save_arrays` wrote, by name, each read when it is used.

    `maker` is the command that writes such folders, for error messages. All methods raise
    `InputError` for an array that is missing or damaged.
    """

    def __init__(self, folder: StrPath, maker: str) -> None:
        self.folder, self._maker = Path(folder), maker

    def __getitem__(self, name: str) -> AnyArray:
        """Return an array, read into memory."""
        return self._load(name, mapped=False)

    def mapped(self, name: str) -> AnyArray:
        """Return an array that stays on the disk."""
        return self._load(name, mapped=True)

    def slices(self, name: str) -> "Slices":
        """Return an array whose slices are read from the disk each time, and are all that is in memory."""
        with self.opened(name) as file:
            header = read_header(file)
            if header.order == "F":
                raise ValueError("rows that are not consecutive")
            return Slices(self, name, header)

    def names(self) -> list[str]:
        """Return the names of all arrays, sorted."""
        return sorted(path.stem for path in self.folder.glob("*.npy"))

    def ragged(self, name: str, number: int) -> AnyArray:
        """Return one of the arrays that `concatenate_ragged` joined, of which nothing else is read.

        The bounds are in the array `NAME_at`.
        """
        first, last = self.slices(f"{name}_at")[number : number + 2].tolist()
        return self.slices(name)[first:last]

    def text(self, name: str) -> list[str]:
        """Return the lines of an array that `lines_to_array` made."""
        return array_to_lines(self[name])

    def _load(self, name: str, mapped: bool) -> AnyArray:
        path = self.folder / f"{name}.npy"
        with self.opened(name) as file:
            if not mapped:
                return read_array(file, finite=False)
            header = read_header(file)
            if not header.bytes:  # cannot be mapped
                return np.empty(header.shape, header.dtype)
            order: Literal["C", "F"] = "F" if header.order == "F" else "C"
            array: AnyArray = np.memmap(path, header.dtype, "r", header.offset, header.shape, order)
            return array

    @contextlib.contextmanager
    def opened(self, name: str) -> Iterator[io.BufferedReader]:
        """Open the file of an array; what goes wrong while it is open is an `InputError`."""
        path = self.folder / f"{name}.npy"
        try:
            with open(path, "rb") as file:
                yield file
        except (OSError, ValueError, MemoryError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not an array"
            raise InputError(f"{path}: cannot be read ({reason}); make it with `{self._maker}`") from None


class Slices:
    """An array in a file, whose slices of rows are read when they are needed."""

    def __init__(self, arrays: Arrays, name: str, header: Header) -> None:
        """`header`: of the array `name` of `arrays`."""
        self._arrays, self._name, self._header = arrays, name, header

    def __len__(self) -> int:
        return self._header.shape[0]

    def __getitem__(self, span: slice) -> AnyArray:
        first, last, _ = span.indices(len(self))
        shape = (max(last - first, 0), *self._header.shape[1:])
        row = self._header.dtype.itemsize * math.prod(shape[1:])
        with self._arrays.opened(self._name) as file:
            file.seek(self._header.offset + first * row)
            return np.frombuffer(file.read(shape[0] * row), self._header.dtype).reshape(shape)


class ArrayWriter:
    """Writes a one-dimensional array file part by part, and closes it in between.

    The array consists of segments of `sizes` numbers, each of which is written from its beginning on.
    """

    def __init__(self, path: Path, dtype: DTypeLike, *sizes: int) -> None:
        self._path, self._dtype = path, np.dtype(dtype)
        self._at = np.cumsum([0, *sizes], dtype=np.int64)
        self._next = self._at[:-1].copy()  # where each segment is continued
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": (int(self._at[-1]),)}
        with open(path, "wb") as out:
            np.lib.format.write_array_header_1_0(out, header)
            self._offset = out.tell()

    def append(self, part: AnyArray, segment: int = 0) -> None:
        """Write the next numbers of a segment."""
        with open(self._path, "r+b") as out:
            out.seek(self._offset + int(self._next[segment]) * self._dtype.itemsize)
            out.write(np.ascontiguousarray(part, self._dtype).data)
        self._next[segment] += len(part)

    def check(self) -> None:
        """Raise ValueError unless all numbers have been written."""
        if (self._next != self._at[1:]).any():
            raise ValueError(f"{self._path}: some numbers are not written")


def lines_to_array(lines: Iterable[str]) -> Bytes:
    """Return lines of text as one array of bytes."""
    return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), dtype=np.uint8)


def array_to_lines(array: AnyArray) -> list[str]:
    """Return the lines of an array of `lines_to_array`."""
    return array.tobytes().decode().split("\n")[:-1]


def concatenate_ragged(
    arrays: Sequence[Sequence[int] | AnyArray], dtype: DTypeLike = np.int32
) -> tuple[AnyArray, LongInts]:
    """Concatenate arrays; return `(flat, at)`, where the i-th array is `flat[at[i] : at[i+1]]`."""
    at = np.cumsum([0, *map(len, arrays)], dtype=np.int64)
    flat = np.concatenate(arrays) if arrays else np.empty(0)
    return flat.astype(dtype, copy=False), at


def split_ragged(flat: AnyArray, at: LongInts) -> list[AnyArray]:
    """Return the arrays of `concatenate_ragged`, as views of `flat`."""
    bounds = at.tolist()
    return [flat[first:last] for first, last in zip(bounds, bounds[1:], strict=False)]
