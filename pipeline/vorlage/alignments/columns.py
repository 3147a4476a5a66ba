"""A value for each summary word and each document word that was compared with it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from vorlage.types import AnyArray, Ints


class Columns(NamedTuple):
    """The known columns of a matrix (T, n) of summary and document words, those of some sentences.

    A text is aligned to a part of a long document, and the matrix of all of it would fill the memory.
    `values` (T, m); `positions` (m): the document word of each column, ascending.
    """

    values: AnyArray
    positions: Ints

    def whole(self, words: int, outside: float) -> AnyArray:
        """Return the matrix for a document of some `words`, with the value `outside` in unknown columns."""
        if len(self.positions) == words:
            return self.values
        whole = np.full((len(self.values), words), outside, self.values.dtype)
        whole[:, self.positions] = self.values
        return whole

    def at(self, t: int, places: ArrayLike) -> AnyArray:
        """Return the values of a summary word and some document words, 0 in unknown columns."""
        columns = np.minimum(np.searchsorted(self.positions, places), len(self.positions) - 1)
        return np.where(self.positions[columns] == places, self.values[t, columns], 0.0)
