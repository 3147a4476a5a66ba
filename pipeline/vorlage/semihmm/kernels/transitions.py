"""The transition matrix J of a pair, of either kind: Toeplitz, or walks over trees.

J has a row for every position p = 0 … n and a column for every word j = 1 … n, and one for the end, n + 1.
The functions below are compiled for the kind of their first argument, from those of the same name in
`vorlage.semihmm.kernels.toeplitz` and `vorlage.semihmm.kernels.tree_walks`, where blocks and exponents are
explained.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload

from vorlage.compiled import CONTRACT
from vorlage.semihmm.kernels import toeplitz, tree_walks
from vorlage.semihmm.kernels.scaling import Scaled
from vorlage.semihmm.kernels.toeplitz import Toeplitz, ToeplitzProducts, position_bounds
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
    return Transitions(phi, blocks, block_of, position_bounds(blocks), matrix)


def toeplitz_transitions(phi: float, matrix: Toeplitz) -> Transitions:
    """Return the transitions of a pair by J."""
    return _transitions(phi, matrix.columns, matrix)


def tree_walk_transitions(
    phi: float, blocks: Ints, forest: Forest, factors: Floats, normalised: bool = False
) -> Transitions:
    """Return the transitions of a pair by walks over its `forest`; see `make_tree_walks`.

    `normalised`: divide the walks from a position by their sum, so that J is a distribution.
    """
    walks = make_tree_walks(forest, blocks, factors)
    sums = sums_of_walks(walks)[0] if normalised else walks.jump
    return _transitions(phi, blocks, walks._replace(jump=(1.0 - phi) / sums))


def entries(transitions: Transitions) -> Floats:
    """Return the stored entries of J, flat; counts and logarithms have the same layout."""
    matrix = transitions.matrix
    return matrix.matrices if isinstance(matrix, TreeWalks) else matrix.tables.reshape(-1)


def make_products(transitions: Transitions, length: int, counted: bool = True) -> Products:
    """Return what products over a summary of `length` words take; `counted`: whether to count transitions."""
    if isinstance(transitions.matrix, TreeWalks):
        return tree_walks.make_products(transitions.matrix, length)
    return toeplitz.make_products(transitions.matrix, counted)


def _by_kind(function: Callable[..., None]) -> Callable[..., None]:
    """Let kernels call the function of this name of the module of the first argument's kind."""

    @wraps(function)
    def call(first: Any, *others: Any) -> None:  # where nothing is compiled
        getattr(KINDS[type(first)], function.__name__)(first, *others)

    def choose(first: types.Type, *others: Any) -> Any:
        return getattr(KINDS[first.instance_class], function.__name__)

    overload(call, strict=False, jit_options={"fastmath": CONTRACT})(choose)
    return call


@_by_kind
def forward_product(products: Products, t: int, alpha: Scaled, out: Scaled) -> None:
    """Compute a_t(j) = Σ_p α_t(p) J(p→j): `alpha` (n+1), `out` (n)."""


@_by_kind
def backward_product(products: Products, t: int, start: Scaled, out: Scaled) -> None:
    """Compute Σ_j J(p→j) b_t(j): `start` (n), which is b_t, and `out` (n+1)."""


@_by_kind
def add_counts(products: Products, alpha: Scaled, start: Scaled, unit: int, counts: Floats) -> None:
    """Add the transitions at one time to `counts`, in the layout of `entries`, after `backward_product`.

    `alpha` (n+1), `start` (n): α_t and b_t. `unit`: the exponent of Pr(s|d).
    """


@_by_kind
def final_column(products: Products, out: Scaled) -> None:
    """Write J(p→n+1) for every position p to `out` (n+1)."""


@_by_kind
def finish_counts(products: Products, alpha: Scaled, unit: int, counts: Floats) -> None:
    """Turn `counts` into the expected transitions times Pr(s|d), without its exponent `unit`, in place.

    Call it after `add_counts` at every time and `final_column`. `alpha` (n+1): α_T.
    """


@_by_kind
def log_row(matrix: Toeplitz | TreeWalks, logs: Floats, b: int, p: int, row: Floats) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row` (n+1).

    `logs`: natural logarithms of `entries`; `b`: the block of position p.
    """
