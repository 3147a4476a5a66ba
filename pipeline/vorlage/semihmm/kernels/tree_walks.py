"""Jumps as walks over the constituents that they skip (Daumé & Marcu 2005, Section 4.1.3).

A jump forward from position p to word j skips the words p+1 … j−1, a jump backward the words j … p. The span
is cut into the fewest constituents, sentence by sentence, and the probability of the walk is the product of
their factors.

A sentence of m words has boundaries 0 … m. The walks inside it, from boundary x to boundary y, are a matrix
with m+1 rows and columns: above the diagonal forward over words x+1 … y, below it backward over words y+1 …
x. The blocks of `vorlage.semihmm.kernels.toeplitz` are the sentences: position p is boundary p − first of the
sentence that contains word p (counted from 1), position 0 is boundary 0 of the first sentence, and a phrase
that starts at word j is entered at boundary j − 1 − first. A jump to the next word of the sentence skips
nothing and stays at its boundary, so the factor of the next word is on the diagonal, except at the edges,
where it is 1.

A walk into another sentence consists of one to the edge of its own sentence (the last column of the matrix,
or the first), one over each whole sentence between, and one from the edge of the other sentence (the first
row, or the last). A walk that crosses edges is therefore a product, and the sums over all jumps cost Σ m²
instead of n²: mass that leaves a sentence is carried to the next.

Arrays with an entry for every boundary are *wide*: n + B long, sentence b starting at first + b. Everything
is linear, float64, with an exponent for each sentence (`vorlage.semihmm.kernels.scaling`).
"""

from typing import NamedTuple

import numpy as np

from vorlage.compiled import inner_kernel, kernel
from vorlage.semihmm.kernels.scaling import (
    BACK,
    EMPTY,
    FORWARD,
    ZERO,
    Scaled,
    add_rows,
    dot,
    factor_into,
    normalise,
    power,
    row_at,
)
from vorlage.types import Floats, Ints, LongInts

# A walk inside one sentence has at least this probability, to fit float64.
FLOOR = 1e-220


class Forest(NamedTuple):
    """The constituents of a pair's document, sorted by the word they start at, then by length; int32.

    - `rows` (n+1): the constituents that start at word j, counted from 0, are `rows[j] : rows[j+1]`;
    - `ends`: the word after the last one of each constituent, counted in the document;
    - `labels`: the number of the label of each constituent.
    """

    rows: Ints
    ends: Ints
    labels: Ints


class TreeWalks(NamedTuple):
    """The walks of a pair.

    - `matrices` float64: the matrices of its sentences, flat and concatenated;
    - `transposed` float64: each of these matrices transposed;
    - `offsets` (B+1) int64: where each matrix starts, and where the last one ends;
    - `jump` (n+1) float64: the factor of every jump from each position, which the matrices leave out;
    - `blocks` (B+1) int32: the bounds of the sentences.
    """

    matrices: Floats
    transposed: Floats
    offsets: LongInts
    jump: Floats
    blocks: Ints


_NONE = np.empty(0)
NO_WALKS = TreeWalks(_NONE, _NONE, np.empty(0, np.int64), _NONE, np.empty(0, np.int32))


@inner_kernel
def matrix_offsets(blocks: Ints) -> LongInts:
    """Return the bounds of the matrices of the sentences in a flat array, int64 (B+1)."""
    offsets = np.zeros(blocks.shape[0], dtype=np.int64)
    for b in range(blocks.shape[0] - 1):
        size = blocks[b + 1] - blocks[b] + 1
        offsets[b + 1] = offsets[b] + size * size
    return offsets


@inner_kernel
def sentence_matrix(flat: Floats, offsets: LongInts, blocks: Ints, b: int) -> Floats:
    """Return a view of the matrix of sentence b, float64 (m+1, m+1)."""
    size = blocks[b + 1] - blocks[b] + 1
    return flat[offsets[b] : offsets[b + 1]].reshape((size, size))


@kernel
def make_tree_walks(forest: Forest, blocks: Ints, factors: Floats) -> TreeWalks:
    """Return the `TreeWalks` of a pair, with a factor of 1 for every jump.

    `factors` (labels+1, 2): of skipping each label forward and backward; the last row begins with that of the
    next word. The fewest constituents are those that lie inside the span and in no other constituent that
    does; taking the longest that fits, from the left, finds them, because constituents are nested.
    """
    offsets = matrix_offsets(blocks)
    flat, flat_transposed, jump = np.empty(offsets[-1]), np.empty(offsets[-1]), np.empty(blocks[-1] + 1)
    jump[:] = 1.0
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix = sentence_matrix(flat, offsets, blocks, b)
        transposed = sentence_matrix(flat_transposed, offsets, blocks, b)
        for x in range(m, -1, -1):
            matrix[x, x] = transposed[x, x] = 1.0
            if x == m:
                continue
            node, stop = forest.rows[first + x], forest.rows[first + x + 1]
            for y in range(x + 1, m + 1):
                while node + 1 < stop and forest.ends[node + 1] <= first + y:
                    node += 1
                z, label = forest.ends[node] - first, forest.labels[node]
                matrix[x, y] = transposed[y, x] = max(factors[label, 0] * matrix[z, y], FLOOR)
                matrix[y, x] = transposed[x, y] = max(factors[label, 1] * matrix[y, z], FLOOR)
        for x in range(1, m):
            matrix[x, x] = transposed[x, x] = factors[-1, 0]
    return TreeWalks(flat, flat_transposed, offsets, jump, blocks)


@kernel
def count_labels(forest: Forest, blocks: Ints, transition_counts: Floats, counts: Floats) -> None:
    """Add the expected uses of each factor of `make_tree_walks` to `counts` (labels+1, 2).

    `transition_counts`: the expected walks, of `vorlage.semihmm.kernels.forward_backward.ExpectedCounts`, in
    the layout of the matrices; overwritten. This is the transpose of `make_tree_walks`: a walk from x to y
    counts its first constituent and continues where that one ends.
    """
    offsets = matrix_offsets(blocks)
    for b in range(blocks.shape[0] - 1):
        first, m = blocks[b], blocks[b + 1] - blocks[b]
        matrix = sentence_matrix(transition_counts, offsets, blocks, b)
        for x in range(m):
            if x > 0:
                counts[-1, 0] += matrix[x, x]
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


@inner_kernel
def _carry(walks: TreeWalks, flat: Floats, wide: Scaled, back: bool, whole: bool) -> None:
    """Add to each sentence the mass that walks carry to its edge from those before it, to `wide` (n+B).

    `flat`: the matrices or their transposes; `back`: whether mass is carried to earlier sentences, from
    boundary 0 of one to boundary m of another; `whole`: whether the edge by which it leaves a sentence is
    among its boundaries.
    """
    blocks, values, scale = walks.blocks, wide.values, wide.scale
    count = blocks.shape[0] - 1
    value, exponent = 0.0, EMPTY
    for i in range(count):
        b = count - 1 - i if back else i
        row = values[blocks[b] + b : blocks[b + 1] + b + 1]
        matrix, m = sentence_matrix(flat, walks.offsets, blocks, b), row.shape[0] - 1
        enter, leave = (m, 0) if back else (0, m)
        factor = factor_into(exponent, row, scale, b)  # may change the row
        row[enter] += value * factor
        if scale[b] == EMPTY:
            continue
        first, last = 0, m + 1
        if not whole:
            first, last = (1, m + 1) if back else (0, m)
        value, exponent = normalise(dot(row[first:last], matrix[leave, first:last]), scale[b])


@inner_kernel
def _bounds(blocks: Ints, b: int, positions: bool) -> tuple[int, int]:
    """Return the positions of a sentence, or its words, and the end with those of the last one."""
    first, last = blocks[b], blocks[b + 1]
    if positions:
        return first + min(b, 1), last + 1  # the position at the edge belongs to the sentence before
    return first, last + (1 if b == blocks.shape[0] - 2 else 0)


@inner_kernel
def spread(walks: TreeWalks, row: Scaled, back: bool, wide: Scaled) -> None:
    """Write a row to its boundaries, `wide` (n+B), and add the mass that walks carry over edges.

    Unless `back`, `row` (n+1) is α by position, and mass from earlier sentences arrives at boundary 0, mass
    from later ones at boundary m. Otherwise it is b by word, with the end at the last boundary, and mass
    leaves for later sentences at boundary m, for earlier ones at boundary 0.
    """
    blocks, flat = walks.blocks, walks.matrices if back else walks.transposed
    wide.values[:] = 0.0
    for b in range(blocks.shape[0] - 1):
        wide.scale[b] = row.scale[b]
        first, stop = _bounds(blocks, b, not back)
        for i in range(first, stop):
            wide.values[i + b] = row.values[i] if back else row.values[i] * walks.jump[i]
    for whole in (True, False):
        _carry(walks, flat, wide, back == whole, whole)


@inner_kernel
def multiply(walks: TreeWalks, row: Scaled, back: bool, wide: Scaled, out: Scaled) -> None:
    """Multiply a row by the walks to each word and the end, or from each position.

    `row`, `back`, `wide`: as for `spread`; `out` (n+1).
    """
    spread(walks, row, back, wide)
    blocks, flat = walks.blocks, walks.transposed if back else walks.matrices
    for b in range(blocks.shape[0] - 1):
        begin, (first, stop) = blocks[b], _bounds(blocks, b, back)
        part, of_sentence = out.values[first:stop], wide.values[begin + b : blocks[b + 1] + b + 1]
        part[:] = 0.0
        add_rows(of_sentence, 1.0, flat, walks.offsets[b] + first - begin, of_sentence.shape[0], part)
        out.scale[b] = wide.scale[b]
        if back:
            for i in range(first, stop):
                out.values[i] *= walks.jump[i]


@kernel
def count_jumps(walks: TreeWalks, gathered: Scaled, scattered: Scaled, unit: int, counts: Floats) -> None:
    """Add what goes from each boundary to each other, at all times, to `counts`.

    `counts` has the layout of the matrices. `gathered`, `scattered` (T+1, n+B). Multiplied by the matrices
    and divided by Pr(s|d), without its exponent `unit`, the sums are the expected numbers of walks, among
    them those over whole sentences, from edge to edge. Mass that only passes an edge is on the diagonal,
    where nothing is skipped.
    """
    right, width = scattered.values.reshape(-1), scattered.values.shape[1]
    factors, weights = np.empty(len(gathered.values)), np.empty(len(gathered.values))
    for b in range(walks.blocks.shape[0] - 1):
        first, matrix = walks.blocks[b] + b, sentence_matrix(counts, walks.offsets, walks.blocks, b)
        for t in range(len(factors)):
            factors[t] = power(gathered.scale[t, b] + scattered.scale[t, b] - unit)
        for x in range(matrix.shape[0]):
            for t in range(len(factors)):
                weights[t] = gathered.values[t, first + x] * factors[t]
            add_rows(weights, 1.0, right, first, width, matrix[x])


@kernel
def sums_of_walks(walks: TreeWalks) -> tuple[Floats, Scaled]:
    """Return Z_p, the sum of the walks from each position (n+1), and what `spread` writes.

    `walks`: with a factor of 1 for every jump. The row (1, n+B) is that of b = 1. No factor of a constituent
    may exceed 1, so no sum needs an exponent.
    """
    n, count = walks.blocks[-1], walks.blocks.shape[0] - 1
    out, none = Scaled(np.empty(n + 1), np.zeros(count, np.int64)), np.zeros(count, np.int64)
    rows = Scaled(np.empty((1, n + count)), np.zeros((1, count), np.int64))
    multiply(walks, Scaled(walks.jump, none), BACK, row_at(rows, 0), out)
    return out.values, rows


@kernel
def add_uses_of_departures(
    forest: Forest, blocks: Ints, factors: Floats, departures: Floats, uses: Floats
) -> float:
    """Return Σ_p departures[p] · log Z_p, and add the expected uses of each factor to `uses`.

    The uses are the derivatives of this sum by the logarithms of `factors`; both are those of
    `make_tree_walks`. `departures` (n+1): the number of jumps from each position.
    """
    walks, total, count = make_tree_walks(forest, blocks, factors), 0.0, blocks.shape[0] - 1
    sums, scattered = sums_of_walks(walks)
    gathered = Scaled(np.empty((1, scattered.values.shape[1])), np.zeros((1, count), np.int64))
    for p in range(sums.shape[0]):
        total += departures[p] * np.log(sums[p])
        sums[p] = departures[p] / sums[p]
    spread(walks, Scaled(sums, np.zeros(count, np.int64)), FORWARD, row_at(gathered, 0))
    walked = np.zeros(walks.matrices.shape[0])
    count_jumps(walks, gathered, scattered, ZERO, walked)
    for x in range(walked.shape[0]):
        walked[x] *= walks.matrices[x]
    count_labels(forest, blocks, walked, uses)
    return total


@inner_kernel
def log_row(matrix: TreeWalks, logs: Floats, b: int, p: int, row: Floats) -> None:
    """Compute log J(p→j) in `row` (n+1): inside the sentence, then over the others on either side.

    `logs`: of the matrices; `b`: the sentence of p.
    """
    blocks, offsets = matrix.blocks, matrix.offsets
    here, x, jump = sentence_matrix(logs, offsets, blocks, b), p - blocks[b], np.log(matrix.jump[p])
    for j in range(here.shape[0] - 1):
        row[blocks[b] + j] = here[x, j] + jump
    for back in (True, False):
        carried, c = jump + (here[x, 0] if back else here[x, -1]), b
        while (c > 0) if back else (c + 2 < blocks.shape[0]):
            c += -1 if back else 1
            other = sentence_matrix(logs, offsets, blocks, c)
            enter, leave = (-1, 0) if back else (0, -1)
            for j in range(other.shape[0] - 1):
                row[blocks[c] + j] = carried + other[enter, j]
            carried += other[enter, leave]
        row[blocks[-1]] = carried  # of the walks forward, which come last
