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

from vorlage.compiled import CONTRACT
from vorlage.semihmm.kernels import toeplitz, tree_walks
from vorlage.semihmm.kernels.toeplitz import Toeplitz, ToeplitzProducts
from vorlage.semihmm.kernels.tree_walks import Forest, TreeWalks, WalkProducts, make_tree_walks, sums_of_walks
from vorlage.types import Floats, Ints

Products: TypeAlias = ToeplitzProducts | WalkProducts
KINDS = {Toeplitz: toeplitz, ToeplitzProducts: toeplitz, TreeWalks: tree_walks, WalkProducts: tree_walks}


class Transitions(NamedTuple):
    """The transition probabilities of one pair.

    - `phi`: φ, the probability of the null state, linear;
    - `blocks` (B+1) int32: the document words that share an exponent, the sentences for tree walks;
    - `block_of` (n) int32: the block of each word;
    - `positions` (B+1) int32: the bounds of the positions of each block; the first one has position 0, too;
    - `matrix`: J.
    """

    phi: float
    blocks: Ints
    block_of: Ints
    positions: Ints
    matrix: Toeplitz | TreeWalks


def _transitions(phi: float, blocks: Ints, matrix: Toeplitz | TreeWalks) -> Transitions:
    block_of = np.repeat(np.arange(len(blocks) - 1, dtype=np.int32), np.diff(blocks))
    return Transitions(phi, blocks, block_of, np.append(0, blocks[1:] + 1).astype(np.int32), matrix)


def toeplitz_transitions(phi: float, matrix: Toeplitz) -> Transitions:
    """Return the transitions of a pair by J."""
    return _transitions(phi, np.append(matrix.columns[:-1], matrix.columns[-1] - 1), matrix)


def tree_walk_transitions(
    phi: float, blocks: Ints, forest: Forest, factors: Floats, normalised: bool = False
) -> Transitions:
    """Return the transitions of a pair by walks over its `forest`; see `make_tree_walks`.

    `normalised`: divide the walks from a position by their sum, so that J is a distribution.
    """
    walks = make_tree_walks(forest, blocks, factors)
    sums = sums_of_walks(walks)[0] if normalised else walks.jump
    return _transitions(phi, blocks, walks._replace(jump=(1.0 - phi) / sums))


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
# (matrix, times, whether transitions are counted): what products at so many times take, `Products`.
make_products = _of_kind("make_products")
# (products, t, alpha, out): a_t(j) = Σ_p α_t(p) J(p→j); `alpha` and `out` (n+1).
forward_product = _of_kind("forward_product")
# (products, t, start, out): Σ_j J(p→j) b_t(j); `start` and `out` (n+1), the last of `start` is the end.
backward_product = _of_kind("backward_product")
# (products, alpha, start, unit, counts): Σ_t α_t(p) b_t(j), with the exponent `unit`, in the layout of
# `entries`, by which it is to be multiplied; after the products at all times. `alpha`, `start` (T+1, n+1).
count_jumps = _of_kind("count_jumps")
# (matrix, logs, b, p, row): log J(p→j) in `row` (n+1). `logs`: of `entries`; `b`: the block of p.
log_row = _of_kind("log_row")
