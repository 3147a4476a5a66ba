"""The transition matrix J of a pair, of either kind: Toeplitz, or walks over trees.

J has a row for every position p = 0 … n and a column for every word j = 1 … n, and one for the end, n + 1.
The functions below call those of `vorlage.semihmm.kernels.toeplitz_products` or of
`vorlage.semihmm.kernels.tree_walk_products`; blocks and exponents are explained there.

They take both kinds as arguments, of which one is None: Numba compiles for the types of arguments and leaves
out the branches of an argument that is None. So a pair compiles the kind that it has.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels import toeplitz_products, tree_walk_products
from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.scaling import EMPTY, Scaled, make_rows, row_at
from vorlage.semihmm.kernels.toeplitz import Toeplitz, position_bounds, transpose
from vorlage.semihmm.kernels.toeplitz_fft import Spectra, make_spectra
from vorlage.semihmm.kernels.toeplitz_products import toeplitz_product
from vorlage.semihmm.kernels.toeplitz_rows import Band, make_bands
from vorlage.semihmm.kernels.tree_walks import Forest, TreeWalks, make_tree_walks
from vorlage.types import Floats, Ints


class Transitions(NamedTuple):
    """The transition probabilities of one pair.

    - `phi`: φ, the probability of the null state, linear;
    - `blocks` (B+1) int32: the document words that share an exponent, the sentences for tree walks;
    - `block_of` (n) int32: the block of each word;
    - `positions` (B+1) int32: the bounds of the positions of each block; the first one has position 0, too;
    - `toeplitz`, `transposed`: the matrix J and its transpose, or None;
    - `tree_walks`: the matrix J otherwise, or None.
    """

    phi: float
    blocks: Ints
    block_of: Ints
    positions: Ints
    toeplitz: Toeplitz | None
    transposed: Toeplitz | None
    tree_walks: TreeWalks | None


class Workspace(NamedTuple):
    """Arrays that the functions below overwrite, and what speeds up Toeplitz products over long documents.

    - `gathered`, `scattered` (T+1, n+B), for tree walks: what `forward_product` and
      `backward_product` compute at each time, and at the end, kept for the counts;
    - `padded` (n+10) float64: for `vorlage.semihmm.kernels.toeplitz_products.add_counts`;
    - `band`, `transposed_band`: of J and its transpose, without counts, if they save some; otherwise None;
    - `spectra`, `transposed_spectra`: the same for other long documents, otherwise None.
    """

    gathered: Scaled
    scattered: Scaled
    padded: Floats
    band: Band | None
    transposed_band: Band | None
    spectra: Spectra | None
    transposed_spectra: Spectra | None


def toeplitz_transitions(phi: float, toeplitz: Toeplitz) -> Transitions:
    """Return the transitions of a pair by J."""
    rows, columns = toeplitz.rows, toeplitz.columns
    return Transitions(phi, columns, _block_of(columns), rows, toeplitz, transpose(toeplitz), None)


def tree_walk_transitions(
    phi: float, blocks: Ints, forest: Forest, factors: Floats, normalised: bool = False
) -> Transitions:
    """Return the transitions of a pair by walks over its `forest`; see `make_tree_walks`.

    `normalised`: divide the walks from a position by their sum, so that J is a distribution.
    """
    walks = make_tree_walks(forest, blocks, factors)
    sums = tree_walk_products.sums_of_walks(walks, blocks)[0] if normalised else walks.jump
    walks = walks._replace(jump=(1.0 - phi) / sums)
    return Transitions(phi, blocks, _block_of(blocks), position_bounds(blocks), None, None, walks)


def _block_of(blocks: Ints) -> Ints:
    """Return the block of each word, int32 (n)."""
    return np.repeat(np.arange(len(blocks) - 1, dtype=np.int32), np.diff(blocks))


def entries(transitions: Transitions) -> Floats:
    """Return the stored entries of J, flat; counts and logarithms have the same layout."""
    toeplitz, walks = transitions.toeplitz, transitions.tree_walks
    if toeplitz is not None:
        return toeplitz.tables.reshape(-1)
    assert walks is not None
    return walks.matrices


def make_workspace(transitions: Transitions, length: int, counted: bool = True) -> Workspace:
    """Return the `Workspace` for a summary of `length` words; `counted`: whether transitions are counted."""
    toeplitz, count = transitions.toeplitz, len(transitions.blocks) - 1
    n = len(transitions.block_of)
    wide = (0, 0, 0) if toeplitz else (length + 1, n + count, count)
    bands = make_bands(toeplitz) if toeplitz and not counted else (None, None)
    spectra = make_spectra(toeplitz) if toeplitz and not bands[0] else (None, None)
    return Workspace(make_rows(*wide), make_rows(*wide), np.empty(n + 10), *bands, *spectra)


@inner_kernel
def forward_product(
    toeplitz: Toeplitz | None,
    walks: TreeWalks | None,
    blocks: Ints,
    workspace: Workspace,
    t: int,
    alpha: Scaled,
    out: Scaled,
) -> None:
    """Compute a_t(j) = Σ_p α_t(p) J(p→j): `alpha` (n+1), `out` (n)."""
    if toeplitz is not None:
        toeplitz_product(toeplitz, workspace.band, workspace.spectra, alpha, out)
    if walks is not None:
        wide = row_at(workspace.gathered, t)
        tree_walk_products.gather(walks, blocks, alpha, wide)
        tree_walk_products.forward_product(walks, blocks, wide, out)


@inner_kernel
def backward_product(
    transposed: Toeplitz | None,
    walks: TreeWalks | None,
    blocks: Ints,
    workspace: Workspace,
    t: int,
    start: Scaled,
    out: Scaled,
) -> None:
    """Compute Σ_j J(p→j) b_t(j): `start` (n), which is b_t, and `out` (n+1)."""
    if transposed is not None:
        toeplitz_product(transposed, workspace.transposed_band, workspace.transposed_spectra, start, out)
    if walks is not None:
        wide = row_at(workspace.scattered, t)
        tree_walk_products.scatter(walks, blocks, start, 0.0, wide)
        tree_walk_products.backward_product(walks, blocks, wide, out)


@inner_kernel
def add_counts(
    toeplitz: Toeplitz | None,
    workspace: Workspace,
    alpha: Scaled,
    start: Scaled,
    unit: int,
    counts: Floats | None,
) -> None:
    """Add the transitions at one time to `counts`; those of tree walks come from the workspace at the end.

    `alpha` (n+1), `start` (n): α_t and b_t, after `backward_product`. `unit`: the exponent of
    Pr(s|d). `counts`: in the layout of `entries`; None: nothing is counted.
    """
    if counts is None:
        return
    if toeplitz is not None:
        spectra, padded = workspace.spectra, workspace.padded
        toeplitz_products.add_counts(toeplitz, spectra, alpha, start, unit, padded, counts)


@inner_kernel
def final_column(
    toeplitz: Toeplitz | None, walks: TreeWalks | None, blocks: Ints, workspace: Workspace, out: Scaled
) -> None:
    """Write J(p→n+1) for every position p to `out` (n+1)."""
    if toeplitz is not None:
        toeplitz_products.final_column(toeplitz, out)
    if walks is not None:
        empty = np.full(out.scale.shape[0], EMPTY, dtype=np.int64)
        nothing = Scaled(np.zeros(blocks[-1]), empty)
        wide = row_at(workspace.scattered, -1)
        tree_walk_products.scatter(walks, blocks, nothing, 1.0, wide)
        tree_walk_products.backward_product(walks, blocks, wide, out)


@inner_kernel
def finish_counts(
    toeplitz: Toeplitz | None,
    walks: TreeWalks | None,
    blocks: Ints,
    workspace: Workspace,
    alpha: Scaled,
    probability: tuple[float, int],
    counts: Floats | None,
) -> None:
    """Turn `counts` into the expected transitions, in place.

    Call it after `add_counts` at every time and `final_column`. `alpha` (n+1): α_T.
    `probability`: Pr(s|d) and its exponent.
    """
    likelihood, unit = probability
    if counts is not None:
        if toeplitz is not None:
            toeplitz_products.add_spectral_counts(toeplitz, workspace.spectra, counts)
            toeplitz_products.add_final_counts(toeplitz, alpha, unit, counts)
            counts *= toeplitz.tables.reshape(-1)
        if walks is not None:
            gathered = workspace.gathered
            tree_walk_products.gather(walks, blocks, alpha, row_at(gathered, -1))
            tree_walk_products.add_counts(walks, blocks, gathered, workspace.scattered, unit, counts)
            counts *= walks.matrices
        counts /= likelihood


@inner_kernel
def log_row(
    toeplitz: Toeplitz | None,
    walks: TreeWalks | None,
    blocks: Ints,
    block_of: Ints,
    logs: Floats,
    p: int,
    row: Floats,
) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row` (n+1); `logs`: natural logarithms of `entries`."""
    b = block_of[max(p - 1, 0)]
    if toeplitz is not None:
        logs_by_tile = logs.reshape(toeplitz.tables.shape)
        toeplitz_products.log_row(logs_by_tile, toeplitz, b, p, row)
    if walks is not None:
        tree_walk_products.log_row(logs, walks, blocks, b, p, row)
