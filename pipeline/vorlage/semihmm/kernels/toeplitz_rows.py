"""One row times a Toeplitz matrix, and the sums of an outer product along its diagonals.

Everything is linear, float64; rows are contiguous. Over documents for which J is the same at all distances
but some, J is a constant plus a band: a table of relative jumps has its smallest value at every distance that
no document of training had. So a product takes L · n steps and not n², where L is the number of distances
that training had.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.types import Floats

# Numbers of a row processed at once: they fit the first-level cache.
PART = 1024


@inner_kernel
def add_toeplitz_product(weights: Floats, factor: float, table: Floats, start: int, out: Floats) -> None:
    """Add out[i] += Σ_k factor · weights[k] · table[start − k + i]: a row times a Toeplitz matrix.

    Six rows of the matrix share one pass over `out`, each added by one fused instruction, and `out` is
    processed in parts that stay in the first-level cache, which makes arithmetic the bottleneck and not
    memory.
    """
    for first in range(0, out.shape[0], PART):
        _add_part_of_product(weights, factor, table, start + first, out[first : first + PART])


@inner_kernel
def _add_part_of_product(weights: Floats, factor: float, table: Floats, start: int, out: Floats) -> None:
    """Do what `add_toeplitz_product` does, for one part of `out`."""
    size, count = out.shape[0], weights.shape[0]
    k = 0
    while k + 6 <= count:
        w0, w1, w2 = factor * weights[k], factor * weights[k + 1], factor * weights[k + 2]
        w3, w4, w5 = factor * weights[k + 3], factor * weights[k + 4], factor * weights[k + 5]
        row = table[start - k - 5 : start - k + size]
        for i in range(size):
            total = out[i] + w0 * row[i + 5] + w1 * row[i + 4] + w2 * row[i + 3]
            out[i] = total + w3 * row[i + 2] + w4 * row[i + 1] + w5 * row[i]
        k += 6
    while k < count:
        weight = factor * weights[k]
        row = table[start - k : start - k + size]
        for i in range(size):
            out[i] += weight * row[i]
        k += 1


@inner_kernel
def add_diagonal_sums(weights: Floats, factor: float, padded: Floats, at: int, out: Floats) -> None:
    """Add out[at + j − p] += factor · weights[p] · b[j] for all p and j: an outer product summed by diagonal.

    This is the transpose of `add_toeplitz_product` as a function of the table. `padded` holds b[0] …
    with five zeros on either side; `at` is at least the last p, and `out` reaches to `at` + the last
    j. Parts of `out` are processed as in `add_toeplitz_product`.
    """
    size, count = padded.shape[0] - 10, weights.shape[0]
    whole = count - count % 6
    for first in range(0, size + 5, PART):
        last = min(first + PART, size + 5)
        part = padded[first : last + 5]
        for p in range(0, whole, 6):
            w0, w1, w2 = factor * weights[p], factor * weights[p + 1], factor * weights[p + 2]
            w3, w4, w5 = factor * weights[p + 3], factor * weights[p + 4], factor * weights[p + 5]
            row = out[at - 5 - p + first : at - 5 - p + last]
            for i in range(last - first):
                total = row[i] + w0 * part[i] + w1 * part[i + 1] + w2 * part[i + 2]
                row[i] = total + w3 * part[i + 3] + w4 * part[i + 4] + w5 * part[i + 5]
    for p in range(whole, count):
        row, weight = out[at - p : at + size - p], factor * weights[p]
        for i in range(size):
            row[i] += weight * padded[i + 5]


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
