"""The transition matrix J of a pair, of either kind: Toeplitz, or walks over trees.

J has a row for every position p = 0 … n and a column for every word j = 1 … n, and one for the end, n + 1.
Rows are cut into the blocks of a pair, see `vorlage.semihmm.kernels.toeplitz` and
`vorlage.semihmm.kernels.tree_walks`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload

from vorlage.compiled import CONTRACT, inner_kernel
from vorlage.semihmm.kernels import toeplitz, tree_walks
from vorlage.semihmm.kernels.toeplitz import Toeplitz, ToeplitzProducts
from vorlage.semihmm.kernels.tree_walks import Forest, TreeWalks, WalkProducts, make_tree_walks, sums_of_walks
from vorlage.types import Floats, Ints

Products: TypeAlias = ToeplitzProducts | WalkProducts
KINDS = {Toeplitz: toeplitz, ToeplitzProducts: toeplitz, TreeWalks: tree_walks, WalkProducts: tree_walks}


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
    """Return the block of document word j, counted from 0."""
    return int(np.searchsorted(blocks[1:-1], j, side="right")) if blocks.shape[0] > 2 else 0


def _of_kind(name: str) -> Callable[..., Any]:
    """Return the function of this name of the module of its first argument, for kernels and for others."""

    def call(first: Any, *others: Any) -> Any:
        return getattr(KINDS[type(first)], name)(first, *others)

    def choose(first: types.Type, *others: Any) -> Any:
        return getattr(KINDS[first.instance_class], name)

    overload(call, strict=False, jit_options={"fastmath": CONTRACT})(choose)
    return call


# (matrix): its stored numbers, flat. Counts and logarithms have the same layout.
entries = _of_kind("entries")
# (matrix, times, whether jumps are counted): what products at so many times take, `Products`.
make_products = _of_kind("make_products")
# (products, t, alpha, out): a_t(j) = Σ_p α_t(p) J(p→j) of some pairs; `alpha` and `out` (B, n+1).
forward_product = _of_kind("forward_product")
# (products, t, start, out): Σ_j J(p→j) b_t(j); `start` and `out` (B, n+1), in `start` with the end.
backward_product = _of_kind("backward_product")
# (products, alpha, start, probabilities, counts): Σ_t α_t(p) b_t(j) / Pr(s|d) of all pairs, in the layout of
# `entries`, by which it is to be multiplied; after the products at all times. `alpha`, `start` (T+1, B, n+1);
# `probabilities`: Pr(s|d), with exponents (B).
count_jumps = _of_kind("count_jumps")
# (matrix, logs, b, p, row): log J(p→j) in `row` (n+1). `logs`: of `entries`; `b`: the block of p.
log_row = _of_kind("log_row")
