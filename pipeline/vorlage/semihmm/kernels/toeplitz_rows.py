"""One row times a Toeplitz matrix, and the sums of an outer product along its diagonals.

Everything is linear, float64; rows are contiguous.
"""

from vorlage.semihmm.kernels.compile import inner_kernel
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
