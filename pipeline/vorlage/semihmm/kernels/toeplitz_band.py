"""Toeplitz products over documents for which J is the same at all distances but some: a constant plus a band.

A table of relative jumps has its smallest value at every distance that no document of training had. So a
product takes L · n steps and not n², where L is the number of distances that training had.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.toeplitz import ToeplitzTables
from vorlage.semihmm.kernels.toeplitz_rows import add_toeplitz_product
from vorlage.types import Floats

# The fewest distances that a band leaves out; with fewer it is not worth another kernel.
LEFT_OUT = 256


class Band(NamedTuple):
    """J by distance d = j − p: `floor` + `above[d − first]`, linear, where `above` ends only `floor`.

    - `above` (L) float64: of the distances from `first` to first + L − 1, of which 0 and 1 are two;
    - `reversed_above` (L) float64: the same backwards;
    - `padded` (n+1+2L) float64: space for a row between L zeros on either side.
    """

    floor: float
    above: Floats
    reversed_above: Floats
    first: int
    padded: Floats


def make_band(toeplitz: ToeplitzTables, n: int) -> Band | None:
    """Return the `Band` of a document of n words, None if it does not leave out `LEFT_OUT` distances."""
    if len(toeplitz.tables) > 1 or n <= LEFT_OUT:
        return None
    table = toeplitz.tables[0]
    floor = table.min()
    distances = np.flatnonzero(table > floor) - n
    first, last = min(0, distances.min(initial=0)), max(1, distances.max(initial=1))
    size = last - first + 1
    if size > n - LEFT_OUT:
        return None
    above = table[n + first : n + last + 1] - floor
    reversed_above = np.ascontiguousarray(above[::-1])
    return Band(float(floor), above, reversed_above, int(first), np.zeros(n + 1 + 2 * size))


@inner_kernel
def banded_product(band: Band, row: Floats, backward: bool, out: Floats) -> None:
    """Multiply a row by J, or by its transpose if `backward`: `row` (n+1) and `out` (n), or the reverse."""
    size, total = band.above.shape[0], 0.0
    for k in range(row.shape[0]):
        band.padded[size + k] = row[k]
        total += row[k]
    band.padded[size + row.shape[0] :] = 0.0
    out[:] = band.floor * total
    if backward:
        add_toeplitz_product(band.reversed_above, band.padded, 2 * size + band.first - 2, out)
    else:
        add_toeplitz_product(band.above, band.padded, size + 1 - band.first, out)
