"""Moves that walk over the constituents they skip (Daumé & Marcu 2005, Section 4.1.3).

A jump forward from position p to word j skips the words p+1 … j−1, one backward the words j … p. The span is
cut into the fewest constituents, in each sentence its own, and the walk has the product of their factors.

A sentence of m words has boundaries 0 … m. Inside it the walks from boundary x to boundary y are an (m+1) ×
(m+1) matrix: above the diagonal over words x+1 … y forward, below it over words y+1 … x backward, 1 on it. A
walk into another sentence is one to the edge of its own (the last column, or the first), one over each whole
sentence between, and one from the edge of the other (the first row, or the last). So a walk that crosses
edges is a product, and the sums over all moves cost Σ m² instead of n²: mass that leaves a sentence is
carried to the next.

The blocks of :mod:`pipeline.semihmm.distances` are the sentences: position p is boundary p − first of the
sentence whose last word it is the end of, position 0 boundary 0 of the first; a phrase that starts at word j
(counted from 1) is entered at boundary j − 1 − first. Rows with a place for every boundary are ``wide``: n +
B long, sentence b beginning at first + b. Linear space, float64, with a scale for each block.
"""

from typing import NamedTuple

import numpy as np

from pipeline.semihmm.compiled import kernel

# A walk inside one sentence is taken to be at least this probable, so that float64 can hold it.
FLOOR = 1e-250


class Forest(NamedTuple):
    """The constituents of a pair's document, by the word they start at, the smaller first.

    ``rows`` (n+1): those that start at word j, counted from 0, are ``rows[j] : rows[j+1]``. ``ends``: the
    word after the last, in the document; ``labels``: numbers of labels. int32.
    """

    rows: np.ndarray
    ends: np.ndarray
    labels: np.ndarray


class Walks(NamedTuple):
    """The walks of a pair: the matrices of its sentences, flat, one after another from ``at`` on.

    Each walk has the factor exp(scale) besides: 1 − φ, which is no part of the matrices.
    """

    matrices: np.ndarray
    at: np.ndarray
    scale: float


@kernel
def offsets(blocks):
    """Where the matrix of each sentence begins in a flat array, and where the last ends: int64 (B+1)."""
    at = np.zeros(blocks.shape[0], dtype=np.int64)
    for b in range(blocks.shape[0] - 1):
        size = blocks[b + 1] - blocks[b] + 1
        at[b + 1] = at[b] + size * size
    return at


@kernel
def _matrix(flat, at, blocks, b):
    size = blocks[b + 1] - blocks[b] + 1
    return flat[at[b] : at[b + 1]].reshape(size, size)


@kernel
def make_walks(forest, blocks, factors):
    """The matrices of every sentence, flat; ``factors`` (labels, 2): of skipping it forward and backward.

    Fewest constituents: those that lie inside the span and in no other that does, found by taking from the
    left the longest that fits; constituents are nested, so this is the same.
    """
    at = offsets(blocks)
    flat = np.empty(at[-1])
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix = _matrix(flat, at, blocks, b)
        for x in range(m, -1, -1):
            matrix[x, x] = 1.0
            if x == m:
                continue
            node, stop = forest.rows[first + x], forest.rows[first + x + 1]
            for y in range(x + 1, m + 1):
                while node + 1 < stop and forest.ends[node + 1] <= first + y:
                    node += 1
                z, label = forest.ends[node] - first, forest.labels[node]
                matrix[x, y] = max(factors[label, 0] * matrix[z, y], FLOOR)
                matrix[y, x] = max(factors[label, 1] * matrix[y, z], FLOOR)
    return flat


@kernel
def count_labels(forest, blocks, tally, counts):
    """Add to ``counts`` (labels, 2) the constituents skipped by the walks in ``tally``, which is overwritten.

    ``tally``: expected walks, in the layout of the matrices. The transpose of :func:`make_walks`: a walk
    from x to y counts its first constituent and goes on from where that ends.
    """
    at = offsets(blocks)
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix = _matrix(tally, at, blocks, b)
        for x in range(m):
            node, stop = forest.rows[first + x], forest.rows[first + x + 1]
            for y in range(x + 1, m + 1):
                while node + 1 < stop and forest.ends[node + 1] <= first + y:
                    node += 1
                z, label = forest.ends[node] - first, forest.labels[node]
                counts[label, 0] += matrix[x, y]
                counts[label, 1] += matrix[y, x]
                if z < y:
                    matrix[z, y] += matrix[x, y]
                    matrix[y, z] += matrix[y, x]


@kernel
def gather(walks, blocks, here, scale, wide, wide_scale):
    """``wide``: at each boundary the α of the position there and what arrives at the sentence's edges.

    ``here`` (n+1) with ``scale`` (B) to ``wide`` (n+B) with ``wide_scale`` (B). What comes from earlier
    sentences stands at boundary 0, what comes from later ones at boundary m.
    """
    count = blocks.shape[0] - 1
    carry, carry_scale = 0.0, -np.inf
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == -np.inf:
            row[:] = 0.0
            continue
        own = np.exp(scale[b] - top)
        row[0] = carry * np.exp(carry_scale - top)
        if b == 0:
            row[0] += here[0] * own
        total = row[0] * matrix[0, m]
        for x in range(1, m + 1):
            row[x] = here[first + x] * own
            total += row[x] * matrix[x, m]
        carry, carry_scale = _normal(total, top)
    carry, carry_scale = 0.0, -np.inf
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        if carry_scale > wide_scale[b]:
            row *= np.exp(wide_scale[b] - carry_scale)
            wide_scale[b] = carry_scale
        if wide_scale[b] == -np.inf:
            continue
        row[m] += carry * np.exp(carry_scale - wide_scale[b])
        total = 0.0
        for x in range(1, m + 1):
            total += row[x] * matrix[x, 0]
        carry, carry_scale = _normal(total, wide_scale[b])


@kernel
def scatter(walks, blocks, start, scale, end, wide, wide_scale):
    """``wide``: at each boundary the β of what starts there and of leaving the sentence by its edges.

    ``start`` (n) with ``scale`` (B) to ``wide`` (n+B) with ``wide_scale`` (B). Leaving for later sentences
    stands at boundary m, for earlier ones at boundary 0. ``end``: the β of the document's end, 0 or 1.
    """
    count = blocks.shape[0] - 1
    carry, carry_scale = _normal(end, 0.0)
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == -np.inf:
            row[:] = 0.0
            continue
        own = np.exp(scale[b] - top)
        row[m] = carry * np.exp(carry_scale - top)
        total = row[m] * matrix[0, m]
        for y in range(m):
            row[y] = start[first + y] * own
            total += row[y] * matrix[0, y]
        carry, carry_scale = _normal(total, top)
    carry, carry_scale = 0.0, -np.inf
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        if carry_scale > wide_scale[b]:
            row *= np.exp(wide_scale[b] - carry_scale)
            wide_scale[b] = carry_scale
        if wide_scale[b] == -np.inf:
            continue
        row[0] += carry * np.exp(carry_scale - wide_scale[b])
        total = 0.0
        for y in range(m):
            total += row[y] * matrix[m, y]
        carry, carry_scale = _normal(total, wide_scale[b])


@kernel
def _normal(value, scale):
    """A value and its scale as 1 and a scale; nothing stays nothing."""
    if value > 0.0:
        return 1.0, scale + np.log(value)
    return 0.0, -np.inf


@kernel
def enter(walks, blocks, wide, out):
    """The sums over the walks to each word, from and with the scale of :func:`gather`; ``out`` (n)."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix, part = _matrix(walks.matrices, walks.at, blocks, b), out[first : first + m]
        part[:] = 0.0
        for x in range(m + 1):
            weight, row = wide[first + b + x], matrix[x]
            for y in range(m):
                part[y] += weight * row[y]


@kernel
def leave(walks, blocks, wide, out):
    """The sums over the walks from each position to the ``wide`` of :func:`scatter`; ``out`` (n+1)."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix, part = _matrix(walks.matrices, walks.at, blocks, b), wide[first + b : first + b + m + 1]
        for x in range(0 if b == 0 else 1, m + 1):
            row, total = matrix[x], 0.0
            for y in range(m + 1):
                total += row[y] * part[y]
            out[first + x] = total


@kernel
def tally(walks, blocks, gathered, gathered_scale, scattered, scattered_scale, log_likelihood, counts):
    """Add to ``counts`` what goes from each boundary to each other, divided by Pr.

    Times the matrices that is the expected number of walks, whole sentences that are skipped among them: they
    go from edge to edge. What only passes an edge stands on the diagonal, and skips nothing.
    """
    for b in range(blocks.shape[0] - 1):
        scale = gathered_scale[b] + scattered_scale[b] + walks.scale
        factor = np.exp(min(scale - log_likelihood, 700.0))
        if factor == 0.0:
            continue
        first, size = blocks[b] + b, blocks[b + 1] - blocks[b] + 1
        matrix, part = _matrix(counts, walks.at, blocks, b), scattered[first : first + size]
        for x in range(size):
            weight, row = gathered[first + x] * factor, matrix[x]
            for y in range(size):
                row[y] += weight * part[y]


@kernel
def log_row(logs, walks, blocks, b, p, row):
    """log J(p→j) for j = 1 … n+1 into ``row``; ``logs``: of the matrices; b: the block of p."""
    count, first = blocks.shape[0] - 1, blocks[b]
    m, x = blocks[b + 1] - first, p - first
    matrix = _matrix(logs, walks.at, blocks, b)
    row[first : first + m] = matrix[x, :m] + walks.scale
    carry = matrix[x, m] + walks.scale
    for c in range(b + 1, count):
        size, other = blocks[c + 1] - blocks[c], _matrix(logs, walks.at, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[0, :size]
        carry += other[0, size]
    row[blocks[count]] = carry
    carry = matrix[x, 0] + walks.scale
    for c in range(b - 1, -1, -1):
        size, other = blocks[c + 1] - blocks[c], _matrix(logs, walks.at, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[size, :size]
        carry += other[size, 0]
