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

The matrices are built here; `vorlage.semihmm.kernels.tree_walk_products` multiplies by them. Everything
is linear, float64.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import kernel
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
    - `jump` (n+1) float64: the factor of every jump from each position, which the matrices leave out.
    """

    matrices: Floats
    transposed: Floats
    offsets: LongInts
    jump: Floats


@kernel
def matrix_offsets(blocks: Ints) -> LongInts:
    """Return the bounds of the matrices of the sentences in a flat array, int64 (B+1)."""
    offsets = np.zeros(blocks.shape[0], dtype=np.int64)
    for b in range(blocks.shape[0] - 1):
        size = blocks[b + 1] - blocks[b] + 1
        offsets[b + 1] = offsets[b] + size * size
    return offsets


@kernel
def sentence_matrix(flat: Floats, offsets: LongInts, blocks: Ints, b: int) -> Floats:
    """Return a view of the matrix of sentence b, float64 (m+1, m+1)."""
    size = blocks[b + 1] - blocks[b] + 1
    return flat[offsets[b] : offsets[b + 1]].reshape(size, size)


@kernel
def make_tree_walks(forest: Forest, blocks: Ints, factors: Floats) -> TreeWalks:
    """Return the `TreeWalks` of a pair, with a factor of 1 for every jump.

    `factors` (labels+1, 2): of skipping each label forward and backward; the last row begins with that of the
    next word. The fewest constituents are those that lie inside the span and in no other constituent that
    does; taking the longest that fits, from the left, finds them, because constituents are nested.
    """
    offsets = matrix_offsets(blocks)
    flat, flat_transposed = np.empty(offsets[-1]), np.empty(offsets[-1])
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
    return TreeWalks(flat, flat_transposed, offsets, np.ones(blocks[-1] + 1))


@kernel
def count_labels(forest: Forest, blocks: Ints, transition_counts: Floats, counts: Floats) -> None:
    """Add the expected uses of each factor of `make_tree_walks` to `counts` (labels+1, 2).

    `transition_counts`: the expected walks of `vorlage.semihmm.kernels.arguments.Expected`, in the
    layout of the matrices; overwritten. This is the transpose of `make_tree_walks`: a walk from x to y
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
