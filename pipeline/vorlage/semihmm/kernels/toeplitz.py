"""Jump probabilities that depend on the distance alone: J is a Toeplitz matrix.

A row of probabilities over positions or words is cut into blocks, each with an exponent of its own
(`vorlage.semihmm.kernels.scaling`). Relative jumps need one block. A narrow Gaussian spans more orders
of magnitude than a float64 and is cut into blocks of `width` words, which gives each tile of the transition
matrix, from one block to another, an exponent of its own.

Block b has the words blocks[b] … blocks[b+1]−1, counted from 0, and the positions blocks[b]+1 … blocks[b+1];
the first block has position 0 as well. Everything is linear, float64; rows are contiguous.

Over documents for which J is the same at all distances but some, J is a constant plus a band: a table of
relative jumps has its smallest value at every distance that no document of training had. So a product takes
L · n steps and not n², where L is the number of distances that training had. Other long documents of one
block take `vorlage.semihmm.kernels.toeplitz_fft`; all others are summed term by term.
"""

from typing import NamedTuple

import numpy as np
from numba import objmode

from vorlage.compiled import inner_kernel
from vorlage.semihmm.kernels.scaling import EMPTY, LOG_UNIT, Scaled, power
from vorlage.semihmm.kernels.toeplitz_fft import (
    WIDTH,
    Spectra,
    add_correlations,
    correlate,
    make_spectra,
    multiply,
)
from vorlage.types import Floats, Ints, LongInts

# Numbers of a row processed at once: they fit the first-level cache.
PART = 1024
# The fewest distances that a band leaves out; with fewer it is not worth another kernel.
LEFT_OUT = 256


class Toeplitz(NamedTuple):
    """J, or its transpose, by distance. From row x in block b to column y in block c, counted from 0:

        M[x, y] = 2^(256 · scales[k]) · tables[k, start + y − x − (c − b) · width],   k = (K − 1) / 2 + c − b

    - `tables` (K, W) float64, linear: one tile a row, K odd;
    - `scales` (K) int64: the exponent of each tile;
    - `start`: the column of the tables for the jump from row 0 to column 0;
    - `width`: words of a block, except for the last;
    - `rows`, `columns` (B+1) int32: the bounds of the blocks; the rows of J are positions, its columns words.
    """

    tables: Floats
    scales: LongInts
    start: int
    width: int
    rows: Ints
    columns: Ints


def make_toeplitz(
    logs: Floats, span: float = 250.0, narrowest: int = 16, deepest: float = -500.0
) -> Toeplitz:
    """Return J for a document of n words.

    There is one block if a float64 spans the table, and otherwise blocks of the widest power of two that it
    spans.

    Args:
        logs: log J at distances −n … n+1, float64 (2n+2).
        span: how many powers of e a tile may span; a float64 holds the square of the default.
        narrowest: the smallest width of a block.
        deepest: the smallest logarithm in a tile, whose largest is about 0.
    """
    n = len(logs) // 2 - 1
    width = n
    if np.ptp(logs) > span:
        steepest = np.abs(np.diff(logs)).max()
        width = min(n, max(narrowest, 2 ** int(np.log2(max(span / (2 * steepest), 1.0)))))
    count = -(-n // width)
    # Tile k holds the distances from k·width − width to k·width + width + 1.
    places = (n + np.arange(-count, count - 1) * width)[:, None] + np.arange(2 * width + 2)
    chosen = np.where((places >= 0) & (places < len(logs)), logs.take(places, mode="clip"), -np.inf)
    scales = np.round(chosen.max(axis=1) / LOG_UNIT).astype(np.int64)
    tables = np.exp(np.maximum(chosen - scales[:, None] * LOG_UNIT, deepest))
    blocks = np.append(np.arange(0, n, width), n).astype(np.int32)
    return Toeplitz(tables, scales, width + 1, width, position_bounds(blocks), blocks)


def position_bounds(blocks: Ints) -> Ints:
    """Return the bounds of the positions of each block, int32 (B+1); `blocks`: the bounds of its words."""
    return np.append(0, blocks[1:] + 1).astype(np.int32)


def transpose(toeplitz: Toeplitz) -> Toeplitz:
    """Return the transpose of J."""
    tables, scales, start, width, rows, columns = toeplitz
    tables, scales = np.ascontiguousarray(tables[::-1, ::-1]), scales[::-1].copy()
    return Toeplitz(tables, scales, tables.shape[1] - 1 - start, width, columns, rows)


def add_counts_by_distance(
    counts: Floats, smallest: int, toeplitz: Toeplitz, transition_counts: Floats
) -> None:
    """Add the expected jumps of a pair to `counts` by distance, in place.

    `counts`: float64, from distance `smallest` on; distances outside it are ignored.
    `transition_counts`: of `vorlage.semihmm.kernels.forward_backward.Expected`, in the layout of
    `toeplitz.tables`.
    """
    middle, width = len(toeplitz.scales) // 2, toeplitz.width
    for k, row in enumerate(transition_counts.reshape(toeplitz.tables.shape)):
        first = (k - middle) * width - width - smallest
        a, b = max(first, 0), min(first + len(row), len(counts))
        if a < b:
            counts[a:b] += row[a - first : b - first]


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


@inner_kernel
def _tile(toeplitz: Toeplitz, b: int, c: int) -> int:
    """Return the row of `tables` for jumps from block b to block c."""
    return toeplitz.scales.shape[0] // 2 + c - b


@inner_kernel
def _shift(toeplitz: Toeplitz, b: int, c: int) -> int:
    """Return the column of the jump from the first row of block b to the first column of block c."""
    return toeplitz.start + toeplitz.columns[c] - toeplitz.rows[b] - (c - b) * toeplitz.width


@inner_kernel
def _end(toeplitz: Toeplitz, b: int) -> int:
    """Return the column of the jump from position 0 to the end, as if 0 were in block b."""
    c = toeplitz.columns.shape[0] - 2
    return toeplitz.start + toeplitz.columns[c + 1] - (c - b) * toeplitz.width


@inner_kernel
def toeplitz_product(
    toeplitz: Toeplitz, band: Band | None, spectra: Spectra | None, row: Scaled, out: Scaled
) -> None:
    """Multiply a row by J, `row` (n+1) and `out` (n), or by its transpose, the reverse.

    `band`, `spectra`: of the matrix, if it is multiplied by them.
    """
    if band is not None:
        out.scale[0] = row.scale[0] + toeplitz.scales[0]
        banded_product(band, row.values, out.values)
    elif spectra is not None:
        out.scale[0] = row.scale[0] + toeplitz.scales[0]
        _spectral_product(toeplitz, spectra, row.values, out.values)
    else:
        _direct_product(toeplitz, row, out)


@inner_kernel
def _direct_product(toeplitz: Toeplitz, row: Scaled, out: Scaled) -> None:
    """Multiply a row by J or its transpose, term by term."""
    rows, columns, scales = toeplitz.rows, toeplitz.columns, toeplitz.scales
    count = columns.shape[0] - 1
    for c in range(count):
        top = EMPTY
        for b in range(count):
            top = max(top, row.scale[b] + scales[_tile(toeplitz, b, c)])
        out.scale[c] = top
        part = out.values[columns[c] : columns[c + 1]]
        for y in range(part.shape[0]):
            part[y] = 0.0
        for b in range(count):
            k = _tile(toeplitz, b, c)
            factor = power(row.scale[b] + scales[k] - top)
            if factor != 0.0:
                weights = row.values[rows[b] : rows[b + 1]]
                add_toeplitz_product(weights, factor, toeplitz.tables[k], _shift(toeplitz, b, c), part)


@inner_kernel
def _spectral_product(toeplitz: Toeplitz, spectra: Spectra, row: Floats, out: Floats) -> None:
    """Multiply a row by J or its transpose: by spectra, and term by term where those lose digits."""
    with objmode(product="float64[::1]"):
        product = multiply(row, spectra, len(out))
    out[:] = product
    parts = spectra.parts
    for k in spectra.direct:
        for b in range(max(0, -k), min(parts, parts - k)):
            weights = row[b * WIDTH : (b + 1) * WIDTH]
            part = out[(b + k) * WIDTH : (b + k + 1) * WIDTH]
            add_toeplitz_product(weights, 1.0, toeplitz.tables[0], toeplitz.start + k * WIDTH, part)


@inner_kernel
def _pad(part: Floats, padded: Floats) -> Floats:
    """Write a part of a row to `padded` with five zeros on either side, and return a view of it."""
    size = part.shape[0]
    for i in range(5):
        padded[i] = padded[5 + size + i] = 0.0
    for i in range(size):
        padded[5 + i] = part[i]
    return padded[: size + 10]


class ToeplitzProducts(NamedTuple):
    """J and its transpose, and what products with them take.

    - `band`, `transposed_band`: of both, without counts, if they save some; otherwise None;
    - `spectra`, `transposed_spectra`: the same for other long documents, otherwise None;
    - `padded` (n+10) float64: space for `add_counts`.
    """

    matrix: Toeplitz
    transposed: Toeplitz
    band: Band | None
    transposed_band: Band | None
    spectra: Spectra | None
    transposed_spectra: Spectra | None
    padded: Floats


def make_products(matrix: Toeplitz, counted: bool) -> ToeplitzProducts:
    """Return the products of a pair; `counted`: whether transitions are counted."""
    n = int(matrix.columns[-1])
    band, transposed_band = (None, None) if counted else make_bands(matrix)
    spectra = (None, None) if band else make_spectra(matrix.tables, matrix.start, n)
    matrices = matrix, transpose(matrix)
    return ToeplitzProducts(*matrices, band, transposed_band, spectra[0], spectra[1], np.empty(n + 10))


# The functions of `vorlage.semihmm.kernels.transitions` for J by distance.


def forward_product(products: ToeplitzProducts, t: int, alpha: Scaled, out: Scaled) -> None:
    """Multiply a row by J."""
    toeplitz_product(products.matrix, products.band, products.spectra, alpha, out)


def backward_product(products: ToeplitzProducts, t: int, start: Scaled, out: Scaled) -> None:
    """Multiply a row by the transpose of J."""
    toeplitz_product(products.transposed, products.transposed_band, products.transposed_spectra, start, out)


def add_counts(products: ToeplitzProducts, alpha: Scaled, start: Scaled, unit: int, counts: Floats) -> None:
    """Add α(p) b(j) for every p and j to `counts`; spectra keep their share until `finish_counts`."""
    _add_counts(products.matrix, products.spectra, alpha, start, unit, products.padded, counts)


@inner_kernel
def _add_counts(
    toeplitz: Toeplitz,
    spectra: Spectra | None,
    alpha: Scaled,
    start: Scaled,
    unit: int,
    padded: Floats,
    counts: Floats,
) -> None:
    """Do what `add_counts` does."""
    rows, columns, width = toeplitz.rows, toeplitz.columns, toeplitz.tables.shape[1]
    count = columns.shape[0] - 1
    if spectra is not None:
        factor = power(alpha.scale[0] + start.scale[0] + toeplitz.scales[0] - unit)
        if factor == 0.0:
            return
        scaled, values = factor * alpha.values, start.values
        with objmode():
            correlate(scaled, values, spectra)
        for k in spectra.direct:
            for c in range(max(0, k), min(spectra.parts, spectra.parts + k)):
                part = _pad(values[c * WIDTH : (c + 1) * WIDTH], padded)
                weights = alpha.values[(c - k) * WIDTH : (c - k + 1) * WIDTH]
                add_diagonal_sums(weights, factor, part, toeplitz.start + k * WIDTH, counts)
        return
    for c in range(count):
        part = _pad(start.values[columns[c] : columns[c + 1]], padded)
        for b in range(count):
            k = _tile(toeplitz, b, c)
            factor = power(alpha.scale[b] + start.scale[c] + toeplitz.scales[k] - unit)
            if factor != 0.0:
                weights, of_tile = alpha.values[rows[b] : rows[b + 1]], counts[k * width : (k + 1) * width]
                add_diagonal_sums(weights, factor, part, _shift(toeplitz, b, c), of_tile)


def final_column(products: ToeplitzProducts, out: Scaled) -> None:
    """Take the last column of J."""
    toeplitz = products.matrix
    rows, count = toeplitz.rows, toeplitz.rows.shape[0] - 1
    for b in range(count):
        k = _tile(toeplitz, b, count - 1)
        at = _end(toeplitz, b)
        for p in range(rows[b], rows[b + 1]):
            out.values[p] = toeplitz.tables[k, at - p]
        out.scale[b] = toeplitz.scales[k]


def finish_counts(products: ToeplitzProducts, alpha: Scaled, unit: int, counts: Floats) -> None:
    """Add what the spectra have, and α_T(p) for the jump from every p to the end."""
    toeplitz = products.matrix
    _add_spectral_counts(products.spectra, toeplitz.start, counts)
    rows, count, width = toeplitz.rows, toeplitz.rows.shape[0] - 1, toeplitz.tables.shape[1]
    for b in range(count):
        k = _tile(toeplitz, b, count - 1)
        factor = power(alpha.scale[b] + toeplitz.scales[k] - unit)
        at = k * width + _end(toeplitz, b)
        for p in range(rows[b], rows[b + 1]):
            counts[at - p] += alpha.values[p] * factor
    counts *= toeplitz.tables.reshape(-1)


@inner_kernel
def _add_spectral_counts(spectra: Spectra | None, start: int, counts: Floats) -> None:
    """Add the sums that `add_counts` has kept with the spectra to `counts`."""
    if spectra is not None:
        with objmode():
            add_correlations(spectra, start, counts)


def log_row(matrix: Toeplitz, logs: Floats, b: int, p: int, row: Floats) -> None:
    """Compute log J(p→j); `logs`: logarithms of the tables, flat."""
    columns, count = matrix.columns, matrix.columns.shape[0] - 1
    by_tile = logs.reshape(matrix.tables.shape)
    for c in range(count):
        k = _tile(matrix, b, c)
        at = _shift(matrix, b, c) + matrix.rows[b] - p - columns[c]
        for y in range(columns[c], columns[c + 1] + (1 if c == count - 1 else 0)):
            row[y] = by_tile[k, at + y] + matrix.scales[k] * LOG_UNIT
