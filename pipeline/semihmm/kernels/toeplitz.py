"""Moves whose probability is a function of their distance: the sums over them are convolutions.

A row of probabilities over positions or words is cut into blocks, each with an exponent of its own
(:mod:`pipeline.semihmm.kernels.scaling`). Relative moves want one block. A narrow Gaussian spans more orders of
magnitude than a float64, and is cut into blocks of ``width`` words, so that each tile of the matrix of moves,
from one block to another, can have its scale too.

Block b has the words blocks[b] … blocks[b+1]−1, counted from 0, and the positions blocks[b]+1 … blocks[b+1],
the first block position 0 as well. Linear space throughout, float64.
"""

from typing import NamedTuple

import numpy as np

from pipeline.semihmm.kernels.compile import kernel
from pipeline.semihmm.kernels.scaling import LOG_UNIT, NEVER, power
from pipeline.semihmm.kernels.toeplitz_fft import (
    NO_SPECTRA,
    WIDTH,
    Spectra,
    add_counts,
    add_products,
    analyse,
    make_spectra,
    multiply,
    synthesise,
)


class Distances(NamedTuple):
    """J by distance. From a position p in block b to word j (counted from 1) in block c, with k = c − b:

        J(p→j) = 2^(256 · scales[middle + k]) · tables[middle + k, origin + (j − p) − k · width]

    ``reverse``: each row of ``tables`` backwards. ``tables`` and ``reverse`` are (K, W), K odd, and
    ``middle`` is (K − 1) / 2. The move to the end is to j = ``end`` + 1, in the last block. ``places`` (B):
    where each block really begins; a document of which parts are left out has blocks of any width, one
    table (K = 1) and ``width`` 0. ``spectra``: of the table of a long document, where it is the only one.
    """

    tables: np.ndarray
    reverse: np.ndarray
    scales: np.ndarray
    origin: int
    width: int
    places: np.ndarray
    end: int
    spectra: Spectra


# So many powers of e may lie between the moves of a tile: a float64 holds the square.
RANGE = 250.0
NARROWEST_BLOCK = 16
# Numbers of a row worked on at once: what is read and written fits the first cache.
PART = 1024
DEEPEST = -500.0


def make_distances(logs):
    """``(Distances, blocks)`` for a document of n words.

    ``logs``: log J at distances −n … n+1, float64 (2n+2).

    One block where a float64 spans the table, blocks of the widest power of two that it spans else.
    """
    n = len(logs) // 2 - 1
    width = n
    if np.ptp(logs) > RANGE:
        steepest = np.abs(np.diff(logs)).max()
        width = min(n, max(NARROWEST_BLOCK, 2 ** int(np.log2(max(RANGE / (2 * steepest), 1.0)))))
    count = -(-n // width)
    padded = np.pad(logs, count * width, constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 2)
    # Tile k holds the distances from k·width − width to k·width + width + 1.
    chosen = windows[n + count * width + np.arange(-count, count - 1) * width]
    scales = np.round(chosen.max(axis=1) / LOG_UNIT).astype(np.int64)
    tables = np.exp(np.maximum(chosen - scales[:, None] * LOG_UNIT, DEEPEST))
    blocks = np.append(np.arange(0, n, width), n).astype(np.int32)
    reverse = np.ascontiguousarray(tables[:, ::-1])
    spectra = make_spectra(tables[0], width, n) if count == 1 else NO_SPECTRA
    return Distances(tables, reverse, scales, width, width, blocks[:-1].astype(np.int64), n, spectra), blocks


def make_pruned_distances(logs, spans):
    """The same for a document of which only the words in ``spans``, half-open and ascending, are left.

    The first starts at 0. What is less probable than e^−500 times the best move is taken to be that.
    """
    n = len(logs) // 2 - 1
    scales = np.round(logs.max(keepdims=True) / LOG_UNIT).astype(np.int64)
    tables = np.exp(np.maximum(logs - scales * LOG_UNIT, DEEPEST))[None, :]
    reverse = np.ascontiguousarray(tables[:, ::-1])
    blocks = np.cumsum([0, *(last - first for first, last in spans)]).astype(np.int32)
    places = np.array([first for first, _ in spans], dtype=np.int64)
    return Distances(tables, reverse, scales, n, 0, places, n, NO_SPECTRA), blocks


def add_jumps(counts, smallest, distances, tally):
    """Add the expected moves in ``tally``, multiplied by J, to ``counts`` in place.

    ``counts``: by distance, from ``smallest`` on; what no move of the pair can have is left out.
    """
    middle, width = len(distances.scales) // 2, distances.width
    for k, row in enumerate(tally.reshape(distances.tables.shape)):
        first = (k - middle) * width - distances.origin - smallest
        a, b = max(first, 0), min(first + len(row), len(counts))
        if a < b:
            counts[a:b] += row[a - first : b - first]


@kernel
def slide(weights, table, start, out):
    """out[i] += Σ_k weights[k] · table[start − k + i]: a row times a Toeplitz matrix.

    Eight rows of the matrix share one pass over ``out``, and ``out`` is done in parts that stay in the first
    cache, so that the sum is bound by arithmetic and not by memory.
    """
    for first in range(0, out.shape[0], PART):
        _slide_part(weights, table, start + first, out[first : first + PART])


@kernel
def _slide_part(weights, table, start, out):
    size, count = out.shape[0], weights.shape[0]
    k = 0
    while k + 8 <= count:
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        w4, w5, w6, w7 = weights[k + 4], weights[k + 5], weights[k + 6], weights[k + 7]
        row = table[start - k - 7 : start - k + size]
        for i in range(size):
            out[i] += (
                (w0 * row[i + 7] + w1 * row[i + 6])
                + (w2 * row[i + 5] + w3 * row[i + 4])
                + ((w4 * row[i + 3] + w5 * row[i + 2]) + (w6 * row[i + 1] + w7 * row[i]))
            )
        k += 8
    while k < count:
        w0 = weights[k]
        row = table[start - k : start - k + size]
        for i in range(size):
            out[i] += w0 * row[i]
        k += 1


@kernel
def correlate(weights, padded, at, out):
    """out[at + j − p] += weights[p] · b[j] for all p and j: the pair counts of every distance.

    ``padded`` holds b[0] … with seven zeros on either side; ``at`` is at least the last p, and ``out``
    reaches to ``at`` + the last j. In parts, as in :func:`slide`.
    """
    size, count = padded.shape[0] - 14, weights.shape[0]
    whole = count - count % 8
    for first in range(0, size + 7, PART):
        last = min(first + PART, size + 7)
        part = padded[first : last + 7]
        for p in range(0, whole, 8):
            w0, w1, w2, w3 = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
            w4, w5, w6, w7 = weights[p + 4], weights[p + 5], weights[p + 6], weights[p + 7]
            row = out[at - 7 - p + first : at - 7 - p + last]
            for i in range(last - first):
                row[i] += (
                    (w0 * part[i] + w1 * part[i + 1])
                    + (w2 * part[i + 2] + w3 * part[i + 3])
                    + ((w4 * part[i + 4] + w5 * part[i + 5]) + (w6 * part[i + 6] + w7 * part[i + 7]))
                )
    for p in range(whole, count):
        row = out[at - p : at + size - p]
        for i in range(size):
            row[i] += weights[p] * padded[i + 7]


@kernel
def _first(blocks, b):
    """The first position of a block."""
    return blocks[b] + 1 if b > 0 else 0


@kernel
def _tile(moves, b, c):
    """The row of ``tables`` for moves from block b to block c."""
    count = moves.scales.shape[0]
    return count // 2 + c - b if count > 1 else 0


@kernel
def _shift(moves, blocks, b, c):
    """Where in a tile from block b to block c the move from its first position to its first word stands."""
    position = moves.places[b] + 1 if b > 0 else 0
    return moves.origin + (moves.places[c] + 1 - position) - (c - b) * moves.width


@kernel
def enter(moves, blocks, room, here, scale, out, out_scale):
    """a(j) = Σ_p α(p) J(p→j): ``here`` (n+1) with ``scale`` (B) to ``out`` (n) with ``out_scale`` (B)."""
    if moves.spectra.count > 0:
        out_scale[0] = scale[0] + moves.scales[0]
        _pass(moves, room, here, moves.spectra.forward, moves.tables[0], moves.origin + 1, 1, out)
        return
    count = blocks.shape[0] - 1
    for c in range(count):
        top = NEVER
        for b in range(count):
            top = max(top, scale[b] + moves.scales[_tile(moves, b, c)])
        part = out[blocks[c] : blocks[c + 1]]
        part[:] = 0.0
        out_scale[c] = top
        for b in range(count):
            factor = power(scale[b] + moves.scales[_tile(moves, b, c)] - top)
            weights = here[_first(blocks, b) : blocks[b + 1] + 1]
            if factor == 0.0:
                continue
            if factor != 1.0:
                weights = weights * factor
            slide(weights, moves.tables[_tile(moves, b, c)], _shift(moves, blocks, b, c), part)


@kernel
def leave(moves, blocks, room, start, scale, out, out_scale):
    """Σ_j J(p→j) b(j): ``start`` (n) with ``scale`` (B) to ``out`` (n+1) with ``out_scale`` (B)."""
    last = moves.tables.shape[1] - 1
    if moves.spectra.count > 0:
        out_scale[0] = scale[0] + moves.scales[0]
        _pass(moves, room, start, moves.spectra.backward, moves.reverse[0], last - moves.origin - 1, -1, out)
        return
    count = blocks.shape[0] - 1
    for b in range(count):
        top = NEVER
        for c in range(count):
            top = max(top, scale[c] + moves.scales[_tile(moves, b, c)])
        part = out[_first(blocks, b) : blocks[b + 1] + 1]
        part[:] = 0.0
        out_scale[b] = top
        for c in range(count):
            factor = power(scale[c] + moves.scales[_tile(moves, b, c)] - top)
            weights = start[blocks[c] : blocks[c + 1]]
            if factor == 0.0:
                continue
            if factor != 1.0:
                weights = weights * factor
            slide(weights, moves.reverse[_tile(moves, b, c)], last - _shift(moves, blocks, b, c), part)


@kernel
def _pass(moves, room, given, tiles, table, start, sign, out):
    """A row times the matrix of moves, or its transpose: by spectra, by ``slide`` where those lose digits.

    ``start``: where a move of the first number to the first stands in ``table``; ``sign``: 1 or −1 as tile k
    leads k parts on or back.
    """
    spectra = moves.spectra
    analyse(given, 1.0, spectra, room, room.one)
    multiply(room.one, tiles, spectra.count, room.other)
    synthesise(room.other, spectra, room, out)
    for k in spectra.direct:
        for b in range(max(0, -sign * k), min(spectra.count, spectra.count - sign * k)):
            weights = given[b * WIDTH : (b + 1) * WIDTH]
            part = out[(b + sign * k) * WIDTH : (b + sign * k + 1) * WIDTH]
            slide(weights, table, start + sign * k * WIDTH, part)


@kernel
def finish(moves, blocks, out, out_scale):
    """J(p→n+1) for every position p: fills ``out`` (n+1) with ``out_scale`` (B)."""
    count = blocks.shape[0] - 1
    c = count - 1
    for b in range(count):
        first = _first(blocks, b)
        at = _shift(moves, blocks, b, c) + moves.end - moves.places[c]
        table = moves.tables[_tile(moves, b, c)]
        for p in range(first, blocks[b + 1] + 1):
            out[p] = table[at - (p - first)]
        out_scale[b] = moves.scales[_tile(moves, b, c)]


@kernel
def tally(moves, blocks, room, here, scale, start, start_scale, unit, padded, counts):
    """Add α(p) b(j) for every p and j to ``counts``, which has the shape of ``tables`` made flat.

    Multiplied by J and divided by Pr(s|d), without its exponent ``unit``, they are the expected moves.
    ``padded``: room for the words of a block and 14 more.
    """
    if moves.spectra.count > 0:
        factor = power(scale[0] + start_scale[0] + moves.scales[0] - unit)
        _tally_spectra(moves, room, here, factor, start, padded, counts)
        return
    count = blocks.shape[0] - 1
    width = moves.tables.shape[1]
    for c in range(count):
        size = blocks[c + 1] - blocks[c]
        padded[:7] = 0.0
        padded[7 : 7 + size] = start[blocks[c] : blocks[c + 1]]
        padded[7 + size : 14 + size] = 0.0
        for b in range(count):
            k = _tile(moves, b, c)
            factor = power(scale[b] + start_scale[c] + moves.scales[k] - unit)
            if factor == 0.0:
                continue
            weights = here[_first(blocks, b) : blocks[b + 1] + 1] * factor
            row = counts[k * width : (k + 1) * width]
            correlate(weights, padded[: size + 14], _shift(moves, blocks, b, c), row)


@kernel
def _tally_spectra(moves, room, here, factor, start, padded, counts):
    """:func:`tally` into ``room.total``, for :func:`expected`; into ``counts`` where spectra lose digits."""
    spectra = moves.spectra
    if factor == 0.0:
        return
    analyse(here, factor, spectra, room, room.one)
    analyse(start, 1.0, spectra, room, room.other)
    add_products(room.one, room.other, spectra.count, room.total)
    for k in spectra.direct:
        for c in range(max(0, k), min(spectra.count, spectra.count + k)):
            part = start[c * WIDTH : (c + 1) * WIDTH]
            size = part.shape[0]
            padded[:7] = 0.0
            padded[7 : 7 + size] = part
            padded[7 + size : 14 + size] = 0.0
            weights = here[(c - k) * WIDTH : (c - k + 1) * WIDTH] * factor
            correlate(weights, padded[: size + 14], moves.origin + k * WIDTH + 1, counts)


@kernel
def expected(moves, room, counts):
    """Add what :func:`tally` has kept in ``room`` to ``counts``."""
    if moves.spectra.count > 0:
        add_counts(moves.spectra, room, moves.origin, counts)


@kernel
def tally_finish(moves, blocks, here, scale, unit, counts):
    """Add α(p) for the move from every p to the end to ``counts``."""
    count = blocks.shape[0] - 1
    width, c = moves.tables.shape[1], count - 1
    for b in range(count):
        first, k = _first(blocks, b), _tile(moves, b, c)
        at = _shift(moves, blocks, b, c) + moves.end - moves.places[c]
        factor = power(scale[b] + moves.scales[k] - unit)
        for p in range(first, blocks[b + 1] + 1):
            counts[k * width + at - (p - first)] += here[p] * factor


@kernel
def log_row(logs, moves, blocks, b, p, row):
    """log J(p→j) for j = 1 … n+1 into ``row``; ``logs``: the logarithms of ``tables``; b: the block of p."""
    count = blocks.shape[0] - 1
    for c in range(count):
        k = _tile(moves, b, c)
        at = _shift(moves, blocks, b, c) - (p - _first(blocks, b))
        size = blocks[c + 1] - blocks[c] + (1 if c == count - 1 else 0)
        for i in range(size):
            row[blocks[c] + i] = logs[k, at + i] + moves.scales[k] * LOG_UNIT
