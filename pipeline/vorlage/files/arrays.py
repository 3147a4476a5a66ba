"""Arrays in files, and lists of arrays or of lines as one array."""

import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike

from vorlage.command.errors import InputError
from vorlage.files.outputs import replacing
from vorlage.types import AnyArray, Bytes, LongInts, StrPath

# What NumPy raises for bytes that are not arrays.
DAMAGED = (EOFError, ValueError, zipfile.BadZipFile, zlib.error)


def load_arrays(path: StrPath, what: str, maker: str) -> dict[str, AnyArray]:
    """Return the arrays of an archive (`.npz`) by name.

    Args:
        path: of the archive.
        what: what it should be, such as `a model`.
        maker: the command that makes it.

    Raises:
        InputError: for a file that is missing or damaged.
    """
    try:
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
            return dict(archive)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: cannot be read ({reason}); make it with `{maker}`") from None
    except DAMAGED:
        raise InputError(f"{path}: not {what}, or damaged; make it again with `{maker}`") from None


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
