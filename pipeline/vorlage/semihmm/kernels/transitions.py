"""The transition matrix J of a pair, of either kind: Toeplitz, or walks over trees.

J has a row for every position p = 0 … n and a column for every word j = 1 … n, and one for the end, n + 1.
Rows are cut into the blocks of a pair, see `vorlage.semihmm.kernels.toeplitz` and
`vorlage.semihmm.kernels.tree_walks`.
"""

from typing import NamedTuple

import numpy as np

from vorlage.compiled import inlined, inner_kernel
from vorlage.semihmm.kernels import toeplitz, tree_walks
from vorlage.semihmm.kernels.scaling import Scaled, make_rows, row_at
from vorlage.semihmm.kernels.toeplitz import NO_FACTOR, Factor, Toeplitz, make_factors
from vorlage.semihmm.kernels.tree_walks import NO_WALKS, Forest, TreeWalks, make_tree_walks, sums_of_walks
from vorlage.types import Floats, Ints, LongInts


class Transitions(NamedTuple):
    """The transition probabilities of one pair, or of pairs whose documents are at most as long.

    - `null_probability`: φ, that of a transition to the null state, linear;
    - `blocks` (K+1) int32: the document words that share an exponent, the sentences for tree walks;
    - `matrix`: J.
    """

    null_probability: float
    blocks: Ints
    matrix: Toeplitz | TreeWalks


def toeplitz_transitions(null_probability: float, matrix: Toeplitz) -> Transitions:
    """Return the transitions of a pair by J."""
    return Transitions(null_probability, np.append(matrix.columns[:-1], matrix.columns[-1] - 1), matrix)


def tree_walk_transitions(
    null_probability: float, blocks: Ints, forest: Forest, factors: Floats, normalised: bool = False
) -> Transitions:
    """Return the transitions of a pair by walks over its `forest`; see `make_tree_walks`.

    `normalised`: divide the walks from a position by their sum, so that J is a distribution.
    """
    walks = make_tree_walks(forest, blocks, factors)
    sums = sums_of_walks(walks)[0] if normalised else walks.jump
    return Transitions(null_probability, blocks, walks._replace(jump=(1.0 - null_probability) / sums))


@inner_kernel
def block_of(blocks: Ints, j: int) -> int:
    """Return the block of document word j, counted from 0: the last one that does not begin after it."""
    first, last = 0, blocks.shape[0] - 1
    while last - first > 1:
        middle = (first + last) // 2
        if blocks[middle] <= j:
            first = middle
        else:
            last = middle
    return first


class Products(NamedTuple):
    """J and its transpose, or the `walks` of a pair; what there is not is empty: kernels take one type.

    `gathered`, `scattered`: the boundaries of the walks at each time (T+1, n+B), kept for the counts.
    """

    matrix: Factor
    transposed: Factor
    walks: TreeWalks
    gathered: Scaled
    scattered: Scaled


def entries(matrix: Toeplitz | TreeWalks) -> Floats:
    """Return the stored numbers of J, flat; counts and logarithms have the same layout."""
    return matrix.tables.reshape(-1) if isinstance(matrix, Toeplitz) else matrix.matrices


def make_products(matrix: Toeplitz | TreeWalks, times: int, width: int, counted: bool) -> Products:
    """Return what products with J take at so many times; `width`: of rows; `counted`: whether jumps are."""
    if isinstance(matrix, Toeplitz):
        nothing = make_rows(0, 0, 0)
        return Products(*make_factors(matrix, width, counted), NO_WALKS, nothing, nothing)
    count = len(matrix.blocks) - 1
    shape = times, int(matrix.blocks[-1]) + count, count
    return Products(NO_FACTOR, NO_FACTOR, matrix, make_rows(*shape), make_rows(*shape))


@inlined
def multiply(products: Products, t: int, rows: Scaled, back: bool, out: Scaled) -> None:
    """Compute a_t(j) = Σ_p α_t(p) J(p→j) of some pairs, or, if `back`, Σ_j J(p→j) b_t(j).

    `rows` and `out` (B, n+1), b with the end.
    """
    walks = products.walks
    if walks.blocks.shape[0] == 0:
        toeplitz.multiply(products.transposed if back else products.matrix, rows, out)
    else:
        wide = row_at(products.scattered if back else products.gathered, t)
        tree_walks.multiply(walks, row_at(rows, 0), back, wide, row_at(out, 0))


def count_jumps(
    products: Products, alpha: Scaled, start: Scaled, probabilities: tuple[Floats, LongInts], counts: Floats
) -> None:
    """Add Σ_t α_t(p) b_t(j) / Pr(s|d) of all pairs to `counts`, after the products at all times.

    The counts are to be multiplied by the `entries`. `alpha`, `start` (T+1, B, n+1); alpha is overwritten.
    """
    likelihoods, units = probabilities
    if len(products.walks.blocks) == 0:
        toeplitz.count_jumps(products.matrix.toeplitz, alpha, start, likelihoods, units, counts)
    elif likelihoods[0] > 0.0:
        tree_walks.count_jumps(*products[2:], int(units[0]), counts)
        counts /= likelihoods[0]
