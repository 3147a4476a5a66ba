"""Toeplitz products over documents for which J is the same at all distances but some: a constant plus a band.

A table of relative jumps has its smallest value at every distance that no document of training had. So a
product takes L · n steps and not n², where L is the number of distances that training had.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.semihmm.kernels.toeplitz_rows import add_toeplitz_product
from vorlage.types import Floats

# The fewest distances that a band leaves out; with fewer it is not worth another kernel.
LEFT_OUT = 256


class Band(NamedTuple):
    """J, or its transpose: `floor` everywhere, and more at some distances, linear.

    - `above` (L) float64: what the distances in the band have above `floor`;
    - `start`: the element of `padded` that the first of `above` multiplies in the first column;
    - `padded` (n+1+2L) float64: space for a row between L zeros on either side.
    """

    floor: float
    above: Floats
    start: int
    padded: Floats


def make_bands(toeplitz: Toeplitz) -> tuple[Band, Band] | tuple[None, None]:
    """Return the bands of J and of its transpose, None if they do not leave out `LEFT_OUT` distances."""
    n = toeplitz.columns[-1]
    if len(toeplitz.tables) > 1 or n <= LEFT_OUT:
        return None, None
    table = toeplitz.tables[0]
    floor = float(table.min())
    found = np.flatnonzero(table > floor)  # the band has the distances 0 and 1, where rows and columns meet
    first, last = min(n, found.min(initial=n)), max(n + 1, found.max(initial=n + 1))
    size = int(last - first + 1)
    if size > n - LEFT_OUT:
        return None, None
    above, padded = table[first : last + 1] - floor, np.zeros(n + 1 + 2 * size)
    start = size + toeplitz.start - int(first)
    transposed = np.ascontiguousarray(above[::-1])
    return Band(floor, above, start, padded), Band(floor, transposed, 3 * size - 1 - start, padded)


@inner_kernel
def banded_product(band: Band, row: Floats, out: Floats) -> None:
    """Multiply a row by J, `row` (n+1) and `out` (n), or by its transpose, the reverse."""
    size, total = band.above.shape[0], 0.0
    for k in range(row.shape[0]):
        band.padded[size + k] = row[k]
        total += row[k]
    for k in range(size + row.shape[0], band.padded.shape[0]):
        band.padded[k] = 0.0
    for k in range(out.shape[0]):
        out[k] = band.floor * total
    add_toeplitz_product(band.above, 1.0, band.padded, band.start, out)
