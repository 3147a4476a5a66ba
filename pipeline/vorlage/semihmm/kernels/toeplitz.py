"""Tables of jump probabilities that depend on the distance alone: J is a Toeplitz matrix.

A row of probabilities over positions or words is cut into blocks, each with an exponent of its own
(`vorlage.semihmm.kernels.scaling`). Relative jumps need one block. A narrow Gaussian spans more orders
of magnitude than a float64 and is cut into blocks of `width` words, which gives each tile of the transition
matrix, from one block to another, an exponent of its own.

Block b has the words blocks[b] … blocks[b+1]−1, counted from 0, and the positions blocks[b]+1 … blocks[b+1];
the first block has position 0 as well. The tables are built here, in Python;
`vorlage.semihmm.kernels.toeplitz_products` multiplies by them.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.scaling import LOG_UNIT
from vorlage.types import Floats, Ints, LongInts


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
    `transition_counts`: of `vorlage.semihmm.kernels.arguments.Expected`, in the layout of
    `toeplitz.tables`.
    """
    middle, width = len(toeplitz.scales) // 2, toeplitz.width
    for k, row in enumerate(transition_counts.reshape(toeplitz.tables.shape)):
        first = (k - middle) * width - width - smallest
        a, b = max(first, 0), min(first + len(row), len(counts))
        if a < b:
            counts[a:b] += row[a - first : b - first]
