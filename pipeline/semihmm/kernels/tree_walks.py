"""Moves that walk over the constituents they skip (Daumé & Marcu 2005, Section 4.1.3).

A jump forward from position p to word j skips the words p+1 … j−1, one backward the words j … p. The span is
cut into the fewest constituents, in each sentence its own, and the walk has the product of their factors.

A sentence of m words has boundaries 0 … m. Inside it the walks from boundary x to boundary y are an
(m+1) × (m+1) matrix: above the diagonal over words x+1 … y forward, below it over words y+1 … x backward, 1
on it. A walk into another sentence is one to the edge of its own (the last column, or the first), one over
each whole sentence between, and one from the edge of the other (the first row, or the last). So a walk that
crosses edges is a product, and the sums over all moves cost Σ m² instead of n²: mass that leaves a sentence
is carried to the next.

The blocks of :mod:`pipeline.semihmm.kernels.toeplitz` are the sentences: position p is boundary p − first of the
sentence whose last word it is the end of, position 0 boundary 0 of the first; a phrase that starts at word j
(counted from 1) is entered at boundary j − 1 − first. Rows with a place for every boundary are ``wide``: n +
B long, sentence b beginning at first + b. Linear space, float64, with an exponent for each block
(:mod:`pipeline.semihmm.kernels.scaling`). Walks have the factor 1 − φ besides, ``jump``, which is no part of the
matrices.
"""

from typing import NamedTuple

import numpy as np

from pipeline.semihmm.kernels.compile import kernel
from pipeline.semihmm.kernels.scaling import LARGE, NEVER, SMALL, power

# A walk inside one sentence is taken to be at least this probable, so that float64 can hold it.
FLOOR = 1e-220


class Forest(NamedTuple):
    """The constituents of a pair's document, by the word they start at, the smaller first.

    ``rows`` (n+1): those that start at word j, counted from 0, are ``rows[j] : rows[j+1]``. ``ends``: the
    word after the last, in the document; ``labels``: numbers of labels. int32.
    """

    rows: np.ndarray
    ends: np.ndarray
    labels: np.ndarray


class Walks(NamedTuple):
    """The walks of a pair: the matrices of its sentences, flat, one after another from ``at`` (B+1) on.

    ``transposed``: the same matrices, each transposed.
    """

    matrices: np.ndarray
    transposed: np.ndarray
    at: np.ndarray
    jump: float


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
def make_walks(forest, blocks, factors, jump):
    """The :class:`Walks` of a pair; ``factors`` (labels, 2): of skipping each label forward and backward.

    Fewest constituents: those that lie inside the span and in no other that does, found by taking from the
    left the longest that fits; constituents are nested, so this is the same.
    """
    at = offsets(blocks)
    flat, turned = np.empty(at[-1]), np.empty(at[-1])
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix, back = _matrix(flat, at, blocks, b), _matrix(turned, at, blocks, b)
        for x in range(m, -1, -1):
            matrix[x, x] = back[x, x] = 1.0
            if x == m:
                continue
            node, stop = forest.rows[first + x], forest.rows[first + x + 1]
            for y in range(x + 1, m + 1):
                while node + 1 < stop and forest.ends[node + 1] <= first + y:
                    node += 1
                z, label = forest.ends[node] - first, forest.labels[node]
                matrix[x, y] = back[y, x] = max(factors[label, 0] * matrix[z, y], FLOOR)
                matrix[y, x] = back[x, y] = max(factors[label, 1] * matrix[y, z], FLOOR)
    return Walks(flat, turned, at, jump)


@kernel
def count_labels(forest, blocks, tally, counts):
    """Add to ``counts`` (labels, 2) the constituents skipped by the walks in ``tally``, which is overwritten.

    ``tally``: expected walks, in the layout of the matrices. The transpose of :func:`make_walks`: a walk from
    x to y counts its first constituent and goes on from where that ends.
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
def _carried(value, scale):
    """A value and its exponent with the value in range; nothing stays nothing."""
    if value == 0.0:
        return 0.0, NEVER
    while value < SMALL:
        value *= 2.0**256
        scale -= 1
    while value > LARGE:
        value *= 2.0**-256
        scale += 1
    return value, scale


@kernel
def _dot(weights, row):
    """Σ weights · row, in four sums so that the processor need not wait for one."""
    size = row.shape[0]
    a = b = c = d = 0.0
    i = 0
    while i + 4 <= size:
        a += weights[i] * row[i]
        b += weights[i + 1] * row[i + 1]
        c += weights[i + 2] * row[i + 2]
        d += weights[i + 3] * row[i + 3]
        i += 4
    while i < size:
        a += weights[i] * row[i]
        i += 1
    return (a + b) + (c + d)


@kernel
def _add_rows(weights, matrix, size, out):
    """out[y] += Σ_x weights[x] · matrix[x, y] for y < size, four rows at a time."""
    x, count = 0, weights.shape[0]
    while x + 4 <= count:
        w0, w1, w2, w3 = weights[x], weights[x + 1], weights[x + 2], weights[x + 3]
        r0, r1, r2, r3 = matrix[x], matrix[x + 1], matrix[x + 2], matrix[x + 3]
        for y in range(size):
            out[y] += (w0 * r0[y] + w1 * r1[y]) + (w2 * r2[y] + w3 * r3[y])
        x += 4
    while x < count:
        w0, r0 = weights[x], matrix[x]
        for y in range(size):
            out[y] += w0 * r0[y]
        x += 1


@kernel
def gather(walks, blocks, here, scale, wide, wide_scale):
    """``wide``: at each boundary the α of the position there and what arrives at the sentence's edges.

    ``here`` (n+1) with ``scale`` (B) to ``wide`` (n+B) with ``wide_scale`` (B). What comes from earlier
    sentences stands at boundary 0, what comes from later ones at boundary m.
    """
    count = blocks.shape[0] - 1
    carry, carry_scale = 0.0, NEVER
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, turned = wide[first + b : first + b + m + 1], _matrix(walks.transposed, walks.at, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == NEVER:
            row[:] = 0.0
            continue
        own = power(scale[b] - top)
        row[0] = carry * power(carry_scale - top)
        if b == 0:
            row[0] += here[0] * own
        for x in range(1, m + 1):
            row[x] = here[first + x] * own
        carry, carry_scale = _carried(_dot(row, turned[m]), top)
    carry, carry_scale = 0.0, NEVER
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, turned = wide[first + b : first + b + m + 1], _matrix(walks.transposed, walks.at, blocks, b)
        if carry_scale > wide_scale[b]:
            row *= power(wide_scale[b] - carry_scale)
            wide_scale[b] = carry_scale
        if wide_scale[b] == NEVER:
            continue
        row[m] += carry * power(carry_scale - wide_scale[b])
        carry, carry_scale = _carried(_dot(row[1:], turned[0, 1:]), wide_scale[b])


@kernel
def scatter(walks, blocks, start, scale, end, wide, wide_scale):
    """``wide``: at each boundary the β of what starts there and of leaving the sentence by its edges.

    ``start`` (n) with ``scale`` (B) to ``wide`` (n+B) with ``wide_scale`` (B). Leaving for later sentences
    stands at boundary m, for earlier ones at boundary 0. ``end``: the β of the document's end, 0 or 1.
    """
    count = blocks.shape[0] - 1
    carry, carry_scale = _carried(end, 0)
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == NEVER:
            row[:] = 0.0
            continue
        own = power(scale[b] - top)
        row[m] = carry * power(carry_scale - top)
        for y in range(m):
            row[y] = start[first + y] * own
        carry, carry_scale = _carried(_dot(row, matrix[0]), top)
    carry, carry_scale = 0.0, NEVER
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row, matrix = wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b)
        if carry_scale > wide_scale[b]:
            row *= power(wide_scale[b] - carry_scale)
            wide_scale[b] = carry_scale
        if wide_scale[b] == NEVER:
            continue
        row[0] += carry * power(carry_scale - wide_scale[b])
        carry, carry_scale = _carried(_dot(row[:m], matrix[m, :m]), wide_scale[b])


@kernel
def enter(walks, blocks, wide, out):
    """The sums over the walks to each word, from and with the exponents of :func:`gather`; ``out`` (n)."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        part = out[first : first + m]
        part[:] = 0.0
        _add_rows(wide[first + b : first + b + m + 1], _matrix(walks.matrices, walks.at, blocks, b), m, part)
        part *= walks.jump


@kernel
def leave(walks, blocks, wide, out):
    """The sums over the walks from each position to the ``wide`` of :func:`scatter`; ``out`` (n+1)."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        kept = out[first]  # the position at the edge belongs to the sentence before
        part = out[first : first + m + 1]
        part[:] = 0.0
        weights = wide[first + b : first + b + m + 1]
        _add_rows(weights, _matrix(walks.transposed, walks.at, blocks, b), m + 1, part)
        part *= walks.jump
        if b > 0:
            out[first] = kept


@kernel
def tally(walks, blocks, gathered, gathered_scale, scattered, scattered_scale, unit, counts):
    """Add to ``counts`` what goes from each boundary to each other, at all times.

    ``gathered`` and ``scattered`` (T, n+B) with their exponents (T, B); the first is overwritten. Times the
    matrices and divided by Pr(s|d), without its exponent ``unit``, that is the expected number of walks,
    whole sentences that are skipped among them: they go from edge to edge. What only passes an edge stands
    on the diagonal, and skips nothing.
    """
    for b in range(blocks.shape[0] - 1):
        first, size = blocks[b] + b, blocks[b + 1] - blocks[b] + 1
        matrix = _matrix(counts, walks.at, blocks, b)
        for t in range(gathered.shape[0]):
            factor = power(gathered_scale[t, b] + scattered_scale[t, b] - unit) * walks.jump
            gathered[t, first : first + size] *= factor
        t = 0
        while t + 4 <= gathered.shape[0]:
            s0, s1 = scattered[t, first : first + size], scattered[t + 1, first : first + size]
            s2, s3 = scattered[t + 2, first : first + size], scattered[t + 3, first : first + size]
            for x in range(size):
                row, at = matrix[x], first + x
                w0, w1, w2, w3 = (
                    gathered[t, at],
                    gathered[t + 1, at],
                    gathered[t + 2, at],
                    gathered[t + 3, at],
                )
                for y in range(size):
                    row[y] += (w0 * s0[y] + w1 * s1[y]) + (w2 * s2[y] + w3 * s3[y])
            t += 4
        while t < gathered.shape[0]:
            s0 = scattered[t, first : first + size]
            for x in range(size):
                row, w0 = matrix[x], gathered[t, first + x]
                for y in range(size):
                    row[y] += w0 * s0[y]
            t += 1


@kernel
def log_row(logs, walks, blocks, b, p, row):
    """log J(p→j) for j = 1 … n+1 into ``row``; ``logs``: of the matrices; b: the block of p."""
    count, first = blocks.shape[0] - 1, blocks[b]
    m, x = blocks[b + 1] - first, p - first
    jump, matrix = np.log(walks.jump), _matrix(logs, walks.at, blocks, b)
    row[first : first + m] = matrix[x, :m] + jump
    carry = matrix[x, m] + jump
    for c in range(b + 1, count):
        size, other = blocks[c + 1] - blocks[c], _matrix(logs, walks.at, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[0, :size]
        carry += other[0, size]
    row[blocks[count]] = carry
    carry = matrix[x, 0] + jump
    for c in range(b - 1, -1, -1):
        size, other = blocks[c + 1] - blocks[c], _matrix(logs, walks.at, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[size, :size]
        carry += other[size, 0]
