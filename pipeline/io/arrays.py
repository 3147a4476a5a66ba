"""Folders of arrays, one file each, so that a reader maps what it wants and leaves the rest on the disk."""

import contextlib
import shutil
from pathlib import Path

import numpy as np

from pipeline.io import checksums
from pipeline.io.outputs import alone, naming, part_of
from pipeline.run.errors import InputError


@contextlib.contextmanager
def replacing_folder(folder, summed=False):
    """Yield a new folder beside ``folder``; it takes the place of what is there when the block ends well.

    What is there goes as a whole, not file by file. The new one has checksums where they are wanted, or
    ``summed``.
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = part_of(folder)
    old = part_of(temporary)
    shutil.rmtree(temporary, ignore_errors=True)  # of a process that was killed and had this one's number
    try:
        with naming(folder):
            temporary.mkdir()
            yield temporary
            if summed or checksums.wanted():
                checksums.write_inside(temporary)
            with alone(folder.parent):
                if folder.is_dir():
                    folder.rename(old)
                temporary.rename(folder)
    finally:
        for leftover in (temporary, old):
            shutil.rmtree(leftover, ignore_errors=True)


def save_arrays(folder, arrays):
    """Write a dict of arrays to ``folder``, whole or not at all, in place of what is there."""
    with replacing_folder(folder) as temporary:
        write_arrays(temporary, arrays)


def write_arrays(folder, arrays):
    """Write a dict of arrays to files in a folder that is there."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


class Arrays:
    """The arrays of a folder that :func:`save_arrays` wrote, by name, read when asked for.

    ``maker``: the command that writes such folders, for errors.
    """

    def __init__(self, folder, maker):
        self.folder, self._maker = Path(folder), maker
        self._checked = set()

    def __getitem__(self, name):
        """A whole array in memory; raises :class:`InputError` where it is not there or broken."""
        return self._load(name, None)

    def mapped(self, name):
        """An array left on the disk, of which what is used is read; once all of it, if it has checksums."""
        return self._load(name, "r")

    def slices(self, name):
        """An array left on the disk, for slices of it, which are read each time: no memory beside theirs."""
        mapped = self.mapped(name)
        return Slices(self.folder / f"{name}.npy", mapped.dtype, len(mapped))

    def text(self, name):
        """A list of lines that :func:`lines_to_array` made an array."""
        return array_to_lines(self[name])

    def _load(self, name, mode):
        path = self.folder / f"{name}.npy"
        try:
            # What is empty cannot be mapped.
            if mode and path.stat().st_size > 128:
                if name not in self._checked:
                    checksums.check(path)
                    self._checked.add(name)
                return np.load(path, mmap_mode=mode, allow_pickle=False)
            with checksums.open_checked(path) as file:
                return np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not an array"
            raise InputError(f"{path}: cannot be read ({reason}); make it with `{self._maker}`") from None


class Slices:
    """A one-dimensional array in a file, of which slices are read."""

    def __init__(self, path, dtype, size):
        self._path, self._dtype, self._size = path, dtype, size
        self._header = path.stat().st_size - size * dtype.itemsize

    def __len__(self):
        return self._size

    def __getitem__(self, span):
        first, last, _ = span.indices(self._size)
        at = self._header + first * self._dtype.itemsize
        return np.fromfile(self._path, self._dtype, max(last - first, 0), offset=at)


class Written:
    """A one-dimensional array file of ``size`` numbers, written part by part and closed in between."""

    def __init__(self, path, dtype, size):
        self._path, self._dtype, self._left = path, np.dtype(dtype), size
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": (size,)}
        with open(path, "wb") as out:
            np.lib.format.write_array_header_1_0(out, header)

    def append(self, part):
        """Write the numbers that come next."""
        self._left -= len(part)
        with open(self._path, "ab") as out:
            out.write(part.astype(self._dtype).tobytes())

    def check(self):
        """Raise ValueError unless all numbers have been written."""
        if self._left:
            raise ValueError(f"{self._path}: {self._left} numbers are not written")


def lines_to_array(lines):
    """Lines of text as one array of bytes, uint8."""
    return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), dtype=np.uint8)


def array_to_lines(array):
    """The inverse of :func:`lines_to_array`."""
    return array.tobytes().decode().split("\n")[:-1]


def ragged(arrays, dtype=np.int32):
    """Arrays put one after another: ``(flat, at)``; the i-th is ``flat[at[i] : at[i+1]]``, ``at`` int64."""
    at = np.cumsum([0, *map(len, arrays)], dtype=np.int64)
    flat = np.concatenate(arrays) if arrays else np.empty(0)
    return flat.astype(dtype, copy=False), at


def cut(flat, at):
    """The inverse of :func:`ragged`: a list of views."""
    bounds = at.tolist()
    return [flat[first:last] for first, last in zip(bounds, bounds[1:], strict=False)]
