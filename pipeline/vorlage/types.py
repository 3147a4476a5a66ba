"""Type aliases that all rooms share: arrays, whose shapes are in docstrings, paths, spans, JSON objects."""

from os import PathLike
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
LongInts: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Bools: TypeAlias = NDArray[np.bool_]
Vectors: TypeAlias = NDArray[np.float32]  # one a row
AnyArray: TypeAlias = NDArray[Any]
StrPath: TypeAlias = str | PathLike[str]

# A half-open range: of tokens, characters or sentences.
Span: TypeAlias = tuple[int, int]
# A JSON object: a line of a JSON-lines file, or a section of the settings.
JsonObject: TypeAlias = dict[str, Any]


class ArraySource(Protocol):
    """Arrays by name, such as a dict."""

    def __getitem__(self, name: str, /) -> AnyArray:
        """Return an array."""
