"""Jump probabilities that depend on the distance alone: J is a Toeplitz matrix.

A row of probabilities over positions or words is cut into blocks, each with an exponent of its own
(`vorlage.semihmm.kernels.scaling`). Relative jumps need one block. A narrow Gaussian spans more orders
of magnitude than a float64 and is cut into blocks of `width` words, which gives each tile of the transition
matrix, from one block to another, an exponent of its own.

Block b has the words blocks[b] … blocks[b+1]−1, counted from 0, and the positions blocks[b]+1 … blocks[b+1];
the first block has position 0 as well, and the last one the end of the document. Everything is linear,
float64; rows are contiguous.

Over documents for which J is the same at all distances but some, J is a constant plus a band: a table of
relative jumps has its smallest value at every distance that no document of training had. So a product takes
L · n steps and not n², where L is the number of distances that training had.
"""

from typing import NamedTuple

import numpy as np

from vorlage.compiled import inlined, inner_kernel, kernel
from vorlage.semihmm.kernels.scaling import (
    EMPTY,
    LEFT,
    LOG_UNIT,
    PART,
    Scaled,
    add_rows,
    add_rows_of_four,
    factor_into,
    power,
    row_at,
    scale_block,
)
from vorlage.types import Floats, Ints, LongInts

SHORT = 256  # numbers of a row, up to which BLAS is faster than `add_rows_of_four`
LEFT_OUT = 256  # the fewest distances that a band leaves out


class Toeplitz(NamedTuple):
    """J, or its transpose, by distance. From row x in block b to column y in block c, counted from 0:

        M[x, y] = 2^(256 · scales[k]) · tables[k, start + y − x − (c − b) · width],   k = (K − 1) / 2 + c − b

    - `tables` (K, W) float64, linear: one tile a row, K odd;
    - `scales` (K) int64: the exponent of each tile;
    - `start`: the column of the tables for the jump from row 0 to column 0;
    - `width`: words of a block, except for the last;
    - `rows`, `columns` (B+1) int32: the bounds of the blocks; the rows of J are positions, its columns words
      and the end.
    """

    tables: Floats
    scales: LongInts
    start: int
    width: int
    rows: Ints
    columns: Ints


class Band(NamedTuple):
    """J, or its transpose: `floor` everywhere, and more at some distances, linear.

    - `above` (L) float64: what the distances in the band have above `floor`;
    - `start`: where the first of `above` is in the first column, for a row between L zeros on either side.
    """

    floor: float
    above: Floats
    start: int


NO_BAND = Band(0.0, np.empty(0), 0)


class Factor(NamedTuple):
    """J or its transpose, with its `band` and the matrix itself, `dense`, which may both be empty."""

    toeplitz: Toeplitz
    band: Band
    dense: Floats


def make_toeplitz(
    logs: Floats, span: float = 250.0, narrowest: int = 16, deepest: float = -500.0
) -> Toeplitz:
    """Return J for a document of n words.

    There is one block if a float64 spans the table, and otherwise blocks of the widest power of two, at least
    `narrowest`, that it spans. `logs` (2n+2): log J at distances −n … n+1; `span`: powers of e that a tile
    may span, of which a float64 holds the square; `deepest`: the smallest logarithm in a tile, whose largest
    is about 0.
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
    inner = np.arange(width, n, width)
    rows, columns = (np.array([0, *bounds, n + 1], dtype=np.int32) for bounds in (inner + 1, inner))
    return Toeplitz(tables, scales, width + 1, width, rows, columns)


NO_FACTOR = Factor(make_toeplitz(np.zeros(4)), NO_BAND, np.empty((0, 0)))


def transpose(toeplitz: Toeplitz) -> Toeplitz:
    """Return the transpose of J."""
    tables, scales, start, width, rows, columns = toeplitz
    tables, scales = np.ascontiguousarray(tables[::-1, ::-1]), scales[::-1].copy()
    return Toeplitz(tables, scales, tables.shape[1] - 1 - start, width, columns, rows)


def make_bands(toeplitz: Toeplitz) -> tuple[Band, Band]:
    """Return the bands of J and of its transpose, empty if they do not leave out `LEFT_OUT` distances."""
    n = toeplitz.columns[-1] - 1
    if len(toeplitz.tables) > 1 or n <= LEFT_OUT:
        return NO_BAND, NO_BAND
    table = toeplitz.tables[0]
    floor = float(table.min())
    found = np.flatnonzero(table > floor)  # the band has the distances 0 and 1, where rows and columns meet
    first, last = min(n, found.min(initial=n)), max(n + 1, found.max(initial=n + 1))
    size = int(last - first + 1)
    if size > n - LEFT_OUT:
        return NO_BAND, NO_BAND
    above, start = table[first : last + 1] - floor, size + toeplitz.start - int(first)
    return Band(floor, above, start), Band(floor, np.ascontiguousarray(above[::-1]), 3 * size - 1 - start)


def add_counts_by_distance(
    counts: Floats, smallest: int, toeplitz: Toeplitz, transition_counts: Floats
) -> None:
    """Add the expected jumps of a pair to `counts` by distance, in place.

    `counts`: float64, from distance `smallest` on; distances outside it are ignored.
    `transition_counts`: of `vorlage.semihmm.kernels.forward_backward.ExpectedCounts`, in the layout of
    `toeplitz.tables`.
    """
    middle, width = len(toeplitz.scales) // 2, toeplitz.width
    for k, row in enumerate(transition_counts.reshape(toeplitz.tables.shape)):
        first = (k - middle) * width - width - smallest
        a, b = max(first, 0), min(first + len(row), len(counts))
        if a < b:
            counts[a:b] += row[a - first : b - first]


@inlined
def _tile(toeplitz: Toeplitz, b: int, c: int) -> tuple[int, int]:
    """Return the tile for jumps from block b to block c, and its column for the first row and column."""
    step = c - b
    start = toeplitz.start + toeplitz.columns[c] - toeplitz.rows[b] - step * toeplitz.width
    return toeplitz.scales.shape[0] // 2 + step, start


@inlined
def multiply(factor: Factor, rows: Scaled, out: Scaled) -> None:
    """Multiply rows (B, n+1) by J or its transpose; several rows have one block.

    J may be that of a longer document.
    """
    (toeplitz, band, dense), values, together = factor, rows.values, 0
    if dense.shape[0] > 0:
        np.dot(values, dense, out.values)
        together = values.shape[0]
    elif toeplitz.scales.shape[0] == 1 and band.above.shape[0] == 0:
        together = values.shape[0] // 4 * 4
        for i in range(0, together, 4):
            add_rows_of_four(values[i : i + 4], toeplitz.tables[0], toeplitz.start, out.values[i : i + 4])
    for i in range(together):
        out.scale[i, 0] = rows.scale[i, 0] + toeplitz.scales[0]
    for i in range(together, values.shape[0]):
        _multiply_row(toeplitz, band, row_at(rows, i), row_at(out, i))


@inner_kernel
def _multiply_row(toeplitz: Toeplitz, band: Band, row: Scaled, out: Scaled) -> None:
    """Multiply a row by J or its transpose, tile by tile, or by a constant and the `band`."""
    rows, columns, size, total = toeplitz.rows, toeplitz.columns, band.above.shape[0], 0.0
    padded = np.zeros(row.values.shape[0] + 2 * size if size else 0)
    for x in range(row.values.shape[0] if size else 0):
        padded[size + x] = row.values[x]
        total += row.values[x]
    for c in range(columns.shape[0] - 1):
        out.scale[c], part = EMPTY, out.values[columns[c] : columns[c + 1]]
        part[:] = 0.0
        for b in range(rows.shape[0] - 1):
            k, start = _tile(toeplitz, b, c)
            factor = factor_into(row.scale[b] + toeplitz.scales[k], part, out.scale, c)
            weights, flat = row.values[rows[b] : rows[b + 1]], toeplitz.tables[k]
            if size:
                part[:] = band.floor * total
                weights, flat, start = band.above, padded, band.start
            if factor != 0.0:
                add_rows(weights, factor, flat, start, LEFT, part)


def make_factors(matrix: Toeplitz, width: int, counted: bool) -> tuple[Factor, Factor]:
    """Return J and its transpose for rows of some `width`; `counted`: whether jumps are counted.

    Short rows are multiplied by BLAS if jumps are counted, as in training, where a pair has the same
    neighbours each time: its last bits may depend on them.
    """
    factors, bands = (matrix, transpose(matrix)), (NO_BAND, NO_BAND) if counted else make_bands(matrix)
    size = width if counted and len(matrix.tables) == 1 and width <= SHORT else 0
    places = np.arange(size) - np.arange(size)[:, None]
    one, other = (factor.tables[0, factor.start + places] for factor in factors)
    return Factor(matrix, bands[0], one), Factor(factors[1], bands[1], other)


@kernel
def count_jumps(
    toeplitz: Toeplitz, alpha: Scaled, start: Scaled, likelihoods: Floats, units: LongInts, counts: Floats
) -> None:
    """Add α_t(p) b_t(j) for every t, p and j by distance: outer products, summed by diagonal.

    α is overwritten if there is one block; see `vorlage.semihmm.kernels.transitions.count_jumps`.
    """
    times, pairs, width = alpha.values.shape
    single, size = toeplitz.scales.shape[0] == 1, toeplitz.tables.shape[1]
    rows, columns = toeplitz.rows, toeplitz.columns
    every, starts = alpha.values.reshape((times * pairs, width)), start.values.reshape((times * pairs, width))
    for c in range(columns.shape[0] - 1):
        right = starts if single else starts[:, columns[c] : columns[c + 1]].copy()
        for b in range(rows.shape[0] - 1):
            left = every if single else every[:, rows[b] : rows[b + 1]].copy()
            k, column = _tile(toeplitz, b, c)
            for t in range(times):
                for i in range(pairs):
                    exponent = alpha.scale[t, i, b] + start.scale[t, i, c] + toeplitz.scales[k]
                    factor = power(exponent - units[i]) / likelihoods[i] if likelihoods[i] > 0.0 else 0.0
                    scale_block(left[t * pairs + i], factor)
            for first in range(0, left.shape[1], PART):
                some = left if left.shape[1] <= PART else left[:, first : first + PART].copy()
                used = np.dot(some.T, right)
                for x in range(used.shape[0]):
                    place = k * size + column - first - x
                    for y in range(used.shape[1]):
                        counts[place + y] += used[x, y]


@inner_kernel
def log_row(matrix: Toeplitz, logs: Floats, b: int, p: int, row: Floats) -> None:
    """Compute log J(p→j) in `row` (n+1); `logs`: of the entries; `b`: the block of p."""
    columns, size = matrix.columns, matrix.tables.shape[1]
    for c in range(columns.shape[0] - 1):
        k, start = _tile(matrix, b, c)
        first = k * size + start + matrix.rows[b] - p - columns[c]
        for y in range(columns[c], min(columns[c + 1], row.shape[0])):
            row[y] = logs[first + y] + matrix.scales[k] * LOG_UNIT
