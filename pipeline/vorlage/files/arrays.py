"""Arrays in files, the forms that they must have, and lists of arrays or of lines as one array."""

import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from tokenize import TokenError
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from vorlage.command.errors import InputError
from vorlage.files.jsonl import FormatError
from vorlage.files.outputs import replacing
from vorlage.types import AnyArray, ArraySource, Bytes, LongInts, StrPath

# What NumPy and zipfile raise for bytes that are not an archive of arrays, and what other arrays lead to.
DAMAGED = (EOFError, ValueError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, TokenError)
OTHER = (InputError, KeyError, TypeError)
ROUNDING = 1e-6  # of sums
TINY = float(np.finfo(float).tiny)  # the least number for a form that has no 0

Made = TypeVar("Made")


class Form(NamedTuple):
    """What an array of a file holds.

    `shape`: None for any size. `low`, `high`: the least and the greatest value; they are broadcast, so that
    columns may have their own. `order`: whether values are in order. `total`: what they sum to.
    """

    dtype: DTypeLike
    shape: tuple[int | None, ...]
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    order: Callable[[AnyArray], bool] | None = None
    total: float | None = None


TEXT = Form(np.uint8, (None,))  # lines of `lines_to_array`


def check_arrays(arrays: ArraySource, forms: Iterable[tuple[str, Form]], prefix: str = "") -> None:
    """Raise KeyError for an array that is missing, ValueError for one that does not have its form.

    `forms`: by name; the next one is taken when an array is checked. `prefix`: of the names in messages.
    """
    for name, form in forms:
        array, name = arrays[name], f"`{prefix}{name}`"
        sizes = zip(form.shape, array.shape, strict=False)
        fits = array.ndim == len(form.shape) and all(size in (None, found) for size, found in sizes)
        if not (fits and array.dtype.isnative and np.issubdtype(array.dtype, form.dtype)):
            expected = f"{np.dtype(form.dtype)} {form.shape}".replace("None", "any")
            raise ValueError(f"{name} is {array.dtype} {array.shape}, not {expected}")
        if form.low is not None and form.high is not None:
            low, high = np.broadcast_to(form.low, array.shape), np.broadcast_to(form.high, array.shape)
            for index in np.argwhere(~((low <= array) & (array <= high)))[:1]:
                place = tuple(index.tolist())
                limits = f"from {low[place]} to {high[place]}"
                raise ValueError(f"{name} has {array[place]} at {place}, which must be {limits}")
        if form.order and not form.order(array):
            raise ValueError(f"{name} is not in order")
        if form.total is not None and not np.isclose(array.sum(), form.total, ROUNDING, ROUNDING):
            raise ValueError(f"{name} sums to {array.sum()}, not to {form.total}")


def are_bounds(array: AnyArray) -> bool:
    """Return whether numbers ascend from 0, as the bounds of rows do; equal ones may follow each other."""
    return not array.size or bool(array.flat[0] == 0 and (np.diff(array.ravel()) >= 0).all())


def rows_ascend(*columns: AnyArray) -> bool:
    """Return whether rows, compared from the left, ascend, each above the one before.

    `columns`: of the rows, or arrays of several columns, in order.
    """
    above = np.zeros(max(len(columns[0]) - 1, 0), dtype=bool)
    for column in reversed(np.column_stack(columns).T):
        above = (column[1:] > column[:-1]) | (above & (column[1:] == column[:-1]))
    return bool(above.all())


def load_arrays(path: StrPath, make: Callable[[dict[str, AnyArray]], Made], what: str, maker: str) -> Made:
    """Return what is made of the arrays of an archive (`.npz`).

    Args:
        path: of the archive.
        make: makes it of the arrays by name; raises one of `OTHER` or ValueError for wrong ones.
        what: what it should be, such as `a model`.
        maker: the command that makes it.

    Raises:
        InputError: for a file that is missing, damaged, or has other arrays.
    """
    try:
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
            return make({name: array for name, array in archive.items() if isinstance(array, np.ndarray)})
    except OSError as error:
        reason = str(error.strerror or error)
        raise InputError(f"{path}: cannot be read ({reason}); make it with `{maker}`") from None
    except FormatError as error:
        raise InputError(f"{path}: {error}") from None
    except (*DAMAGED, *OTHER) as error:
        reason = f"it has no array {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"{path}: not {what}, of another version, or damaged: {reason}; make it again with `{maker}`"
        ) from None


def save_arrays(path: StrPath, arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays to an archive (`.npz`), whole or not at all; the same arrays give the same bytes."""
    # Counts hardly shrink, and the default level takes twice the time for files 2 to 6 % smaller.
    with (
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out,
    ):
        for name, array in arrays.items():
            with out.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def fields_to_arrays(part: Any, prefix: str) -> dict[str, AnyArray]:
    """Return the fields of a dataclass as arrays by name: numbers, arrays, and tuples of texts.

    An array has the name of its field, or the one that the field has as `array` in its metadata.
    """
    names = {field.name: field.metadata.get("array", field.name) for field in fields(part)}
    return {f"{prefix}{array}": np.asarray(getattr(part, name)) for name, array in names.items()}


def arrays_to_fields(arrays: ArraySource, part: type[Made], prefix: str) -> Made:
    """Return the object of a dataclass of arrays of `fields_to_arrays`."""
    names = (field.metadata.get("array", field.name) for field in fields(cast(Any, part)))
    values = (arrays[f"{prefix}{name}"] for name in names)
    return part(*(tuple(a.tolist()) if a.dtype.kind == "U" else a if a.ndim else a.item() for a in values))


def lines_to_array(lines: Iterable[str]) -> Bytes:
    """Return lines of text as one array of bytes."""
    return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), dtype=np.uint8)


def array_to_lines(array: AnyArray) -> list[str]:
    """Return the lines of an array of `lines_to_array`."""
    return array.tobytes().decode().split("\n")[:-1]


def concatenate_ragged(
    arrays: Sequence[Sequence[int] | AnyArray], dtype: DTypeLike = np.int32
) -> tuple[AnyArray, LongInts]:
    """Concatenate arrays; return `(flat, bounds)`, with the i-th array as `flat[bounds[i] : bounds[i+1]]`."""
    bounds = np.cumsum([0, *map(len, arrays)], dtype=np.int64)
    flat = np.concatenate(arrays) if arrays else np.empty(0)
    return flat.astype(dtype, copy=False), bounds


class Ragged(NamedTuple):
    """N arrays, flat: the i-th is `flat[bounds[i] : bounds[i+1]]`; `bounds` (N+1) int64."""

    flat: AnyArray
    bounds: LongInts

    @classmethod
    def join(cls, arrays: Sequence[AnyArray]) -> "Ragged":
        """Return some arrays of one type together, without a copy if there is only one."""
        if len(arrays) == 1:
            return cls(arrays[0].ravel(), np.array([0, arrays[0].size]))
        return cls(*concatenate_ragged([array.ravel() for array in arrays], arrays[0].dtype))

    def part(self, i: int) -> AnyArray:
        """Return an array, flat."""
        part: AnyArray = self.flat[self.bounds[i] : self.bounds[i + 1]]
        return part

    def numbers(self) -> LongInts:
        """Return the number of the array of each element, flat."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
