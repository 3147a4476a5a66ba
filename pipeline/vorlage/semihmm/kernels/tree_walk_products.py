"""Products of rows of probabilities with the matrix of all walks of a document, and the counts of the walks.

A walk into another sentence consists of one to the edge of its own sentence (the last column of the matrix,
or the first), one over each whole sentence between, and one from the edge of the other sentence (the first
row, or the last). A walk that crosses edges is therefore a product, and the sums over all jumps cost Σ m²
instead of n²: mass that leaves a sentence is carried to the next.

Arrays with an entry for every boundary are *wide*: n + B long, sentence b starting at first + b. Everything
is linear, float64, with an exponent for each sentence (`vorlage.semihmm.kernels.scaling`);
`vorlage.semihmm.kernels.tree_walks` defines matrices and boundaries.
"""

import numpy as np

from vorlage.semihmm.kernels.compile import inner_kernel, kernel
from vorlage.semihmm.kernels.scaling import EMPTY, Scaled, factor_into, normalise, power, row_at
from vorlage.semihmm.kernels.tree_walks import (
    Forest,
    TreeWalks,
    count_labels,
    make_tree_walks,
    sentence_matrix,
)
from vorlage.types import Floats, Ints


@inner_kernel
def _dot(weights: Floats, row: Floats) -> float:
    """Return Σ weights · row, in four independent sums that a processor can overlap."""
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


@inner_kernel
def _add_rows(weights: Floats, matrix: Floats, size: int, out: Floats) -> None:
    """Add out[y] += Σ_x weights[x] · matrix[x, y] for y < size, four rows at a time."""
    x, count = 0, weights.shape[0]
    while x + 4 <= count:
        w0, w1, w2, w3 = weights[x], weights[x + 1], weights[x + 2], weights[x + 3]
        r0, r1, r2, r3 = matrix[x], matrix[x + 1], matrix[x + 2], matrix[x + 3]
        for y in range(size):
            out[y] = out[y] + w0 * r0[y] + w1 * r1[y] + w2 * r2[y] + w3 * r3[y]
        x += 4
    while x < count:
        w0, r0 = weights[x], matrix[x]
        for y in range(size):
            out[y] += w0 * r0[y]
        x += 1


@inner_kernel
def gather(walks: TreeWalks, blocks: Ints, alpha: Scaled, wide: Scaled) -> None:
    """Write the α of each boundary, times `walks.jump`, and the mass that arrives at edges to `wide`.

    `alpha` (n+1), `wide` (n+B). Mass from earlier sentences arrives at boundary 0, mass from later ones
    at boundary m.
    """
    count = blocks.shape[0] - 1
    scale, wide_scale = alpha.scale, wide.scale
    carry, carry_scale = 0.0, EMPTY
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row = wide.values[first + b : first + b + m + 1]
        transposed = sentence_matrix(walks.transposed, walks.offsets, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == EMPTY:
            row[:] = 0.0
            continue
        factor = power(scale[b] - top)
        row[0] = carry * power(carry_scale - top)
        if b == 0:
            row[0] += alpha.values[0] * walks.jump[0] * factor
        for x in range(1, m + 1):
            row[x] = alpha.values[first + x] * walks.jump[first + x] * factor
        carry, carry_scale = normalise(_dot(row, transposed[m]), top)
    carry, carry_scale = 0.0, EMPTY
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row = wide.values[first + b : first + b + m + 1]
        transposed = sentence_matrix(walks.transposed, walks.offsets, blocks, b)
        factor = factor_into(carry_scale, row, wide_scale, b)  # may change the row
        row[m] += carry * factor
        if wide_scale[b] == EMPTY:
            continue
        carry, carry_scale = normalise(_dot(row[1:], transposed[0, 1:]), wide_scale[b])


@inner_kernel
def scatter(walks: TreeWalks, blocks: Ints, start: Scaled, end: float, wide: Scaled) -> None:
    """Write the b of each boundary and the mass that leaves each sentence by its edges to `wide`.

    `start` (n), which is b, `wide` (n+B). Mass leaves for later sentences at boundary m, for earlier ones
    at boundary 0. `end`: β of the end of the document, 0 or 1.
    """
    count = blocks.shape[0] - 1
    scale, wide_scale = start.scale, wide.scale
    carry, carry_scale = normalise(end, 0)
    for b in range(count - 1, -1, -1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row = wide.values[first + b : first + b + m + 1]
        matrix = sentence_matrix(walks.matrices, walks.offsets, blocks, b)
        top = max(scale[b], carry_scale)
        wide_scale[b] = top
        if top == EMPTY:
            row[:] = 0.0
            continue
        factor = power(scale[b] - top)
        row[m] = carry * power(carry_scale - top)
        for y in range(m):
            row[y] = start.values[first + y] * factor
        carry, carry_scale = normalise(_dot(row, matrix[0]), top)
    carry, carry_scale = 0.0, EMPTY
    for b in range(count):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        row = wide.values[first + b : first + b + m + 1]
        matrix = sentence_matrix(walks.matrices, walks.offsets, blocks, b)
        factor = factor_into(carry_scale, row, wide_scale, b)  # may change the row
        row[0] += carry * factor
        if wide_scale[b] == EMPTY:
            continue
        carry, carry_scale = normalise(_dot(row[:m], matrix[m, :m]), wide_scale[b])


@inner_kernel
def forward_product(walks: TreeWalks, blocks: Ints, wide: Scaled, out: Scaled) -> None:
    """Write the sums over the walks to each word to `out` (n); `wide`: of `gather`."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        part = out.values[first : first + m]
        part[:] = 0.0
        weights = wide.values[first + b : first + b + m + 1]
        _add_rows(weights, sentence_matrix(walks.matrices, walks.offsets, blocks, b), m, part)
    out.scale[:] = wide.scale


@inner_kernel
def backward_product(walks: TreeWalks, blocks: Ints, wide: Scaled, out: Scaled) -> None:
    """Write the sums over the walks from each position to `out` (n+1); `wide`: of `scatter`."""
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        kept = out.values[first]  # the position at the edge belongs to the sentence before
        part = out.values[first : first + m + 1]
        part[:] = 0.0
        weights = wide.values[first + b : first + b + m + 1]
        _add_rows(weights, sentence_matrix(walks.transposed, walks.offsets, blocks, b), m + 1, part)
        part *= walks.jump[first : first + m + 1]
        if b > 0:
            out.values[first] = kept
    out.scale[:] = wide.scale


@inner_kernel
def add_counts(
    walks: TreeWalks, blocks: Ints, gathered: Scaled, scattered: Scaled, unit: int, counts: Floats
) -> None:
    """Add what goes from each boundary to each other, at all times, to `counts`.

    `counts` has the layout of the matrices. `gathered`, `scattered` (T, n+B); the first is overwritten.
    Multiplied by the matrices and divided by Pr(s|d), without its exponent `unit`, the sums are the
    expected numbers of walks, among them those over whole sentences, from edge to edge. Mass that only passes
    an edge is on the diagonal, where nothing is skipped.
    """
    left, right = gathered.values, scattered.values
    for b in range(blocks.shape[0] - 1):
        first, size = blocks[b] + b, blocks[b + 1] - blocks[b] + 1
        matrix = sentence_matrix(counts, walks.offsets, blocks, b)
        for t in range(left.shape[0]):
            factor = power(gathered.scale[t, b] + scattered.scale[t, b] - unit)
            left[t, first : first + size] *= factor
        t = 0
        while t + 4 <= left.shape[0]:
            s0, s1 = right[t, first : first + size], right[t + 1, first : first + size]
            s2, s3 = right[t + 2, first : first + size], right[t + 3, first : first + size]
            for x in range(size):
                row, at = matrix[x], first + x
                w0, w1, w2, w3 = left[t, at], left[t + 1, at], left[t + 2, at], left[t + 3, at]
                for y in range(size):
                    row[y] = row[y] + w0 * s0[y] + w1 * s1[y] + w2 * s2[y] + w3 * s3[y]
            t += 4
        while t < left.shape[0]:
            s0 = right[t, first : first + size]
            for x in range(size):
                row, w0 = matrix[x], left[t, first + x]
                for y in range(size):
                    row[y] += w0 * s0[y]
            t += 1


@inner_kernel
def log_row(logs: Floats, walks: TreeWalks, blocks: Ints, b: int, p: int, row: Floats) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row`, natural logarithm.

    `logs`: logarithms of the matrices, flat; b: the sentence of p.
    """
    count, first = blocks.shape[0] - 1, blocks[b]
    m, x = blocks[b + 1] - first, p - first
    jump, matrix = np.log(walks.jump[p]), sentence_matrix(logs, walks.offsets, blocks, b)
    row[first : first + m] = matrix[x, :m] + jump
    carry = matrix[x, m] + jump
    for c in range(b + 1, count):
        size, other = blocks[c + 1] - blocks[c], sentence_matrix(logs, walks.offsets, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[0, :size]
        carry += other[0, size]
    row[blocks[count]] = carry
    carry = matrix[x, 0] + jump
    for c in range(b - 1, -1, -1):
        size, other = blocks[c + 1] - blocks[c], sentence_matrix(logs, walks.offsets, blocks, c)
        row[blocks[c] : blocks[c + 1]] = carry + other[size, :size]
        carry += other[size, 0]


@kernel
def sums_of_walks(walks: TreeWalks, blocks: Ints) -> tuple[Floats, Scaled]:
    """Return Z_p, the sum of the walks from each position (n+1), and what `scatter` writes.

    The row (1, n+B) is that of b = 1. No factor of a constituent may exceed 1, so no sum needs an exponent.
    """
    n, none = blocks[-1], np.zeros(blocks.shape[0] - 1, dtype=np.int64)
    out, wide = Scaled(np.empty(n + 1), none.copy()), np.empty((1, n + none.shape[0]))
    rows = Scaled(wide, none.copy().reshape((1, -1)))
    scatter(walks, blocks, Scaled(np.ones(n), none), 1.0, row_at(rows, 0))
    backward_product(walks, blocks, row_at(rows, 0), out)
    return out.values, rows


@kernel
def add_uses_of_departures(
    forest: Forest, blocks: Ints, factors: Floats, departures: Floats, uses: Floats
) -> float:
    """Return Σ_p departures[p] · log Z_p, and add the expected uses of each factor to `uses`.

    The uses are the derivatives of this sum by the logarithms of `factors`; both are those of
    `make_tree_walks`. `departures` (n+1): the number of jumps from each position.
    """
    walks = make_tree_walks(forest, blocks, factors)
    sums, scattered = sums_of_walks(walks, blocks)
    gathered = Scaled(np.empty_like(scattered.values), np.zeros_like(scattered.scale))
    gather(walks, blocks, Scaled(departures / sums, np.zeros_like(scattered.scale[0])), row_at(gathered, 0))
    walked = np.zeros(walks.matrices.shape[0])
    add_counts(walks, blocks, gathered, scattered, 0, walked)
    count_labels(forest, blocks, walked * walks.matrices, uses)
    total = 0.0
    for p in range(departures.shape[0]):
        total += departures[p] * np.log(sums[p])
    return total
