"""The transition matrix J of a pair, of either kind: Toeplitz, or walks over trees.

J has a row for every position p = 0 … n and a column for every word j = 1 … n, and one for the end, n + 1.
The functions below call those of `vorlage.semihmm.kernels.toeplitz_products` or of
`vorlage.semihmm.kernels.tree_walk_products`; blocks and exponents are explained there.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels import toeplitz_products, tree_walk_products
from vorlage.semihmm.kernels.compile import kernel
from vorlage.semihmm.kernels.scaling import EMPTY, Scaled, make_rows, row_at
from vorlage.semihmm.kernels.toeplitz import ToeplitzTables
from vorlage.semihmm.kernels.toeplitz_fft import FftWorkspace, make_fft_workspace
from vorlage.semihmm.kernels.toeplitz_spectra import NO_SPECTRA
from vorlage.semihmm.kernels.tree_walks import Forest, TreeWalks, make_tree_walks
from vorlage.types import Floats, Ints

NO_NUMBERS = np.empty(0, dtype=np.int64)
NO_TABLES = ToeplitzTables(np.empty((0, 0)), np.empty((0, 0)), NO_NUMBERS, 0, NO_SPECTRA)
NO_WALKS = TreeWalks(np.empty(0), np.empty(0), NO_NUMBERS, 0.0)


class Transitions(NamedTuple):
    """The transition probabilities of one pair.

    - `phi`: φ, the probability of the null state, linear;
    - `blocks` (B+1) int32: the document words that share an exponent, the sentences for tree walks;
    - `block_of` (n) int32: the block of each word;
    - `toeplitz`, `tree_walks`: the matrix J; one of the two is empty.
    """

    phi: float
    blocks: Ints
    block_of: Ints
    toeplitz: ToeplitzTables
    tree_walks: TreeWalks


class Workspace(NamedTuple):
    """Arrays that the functions below overwrite.

    - `gathered`, `scattered` (T+1, n+B), for tree walks: what `forward_product` and
      `backward_product` compute at each time, and at the end, kept for the counts;
    - `padded` (n+14) float64: for `vorlage.semihmm.kernels.toeplitz_products.add_counts`;
    - `fft`: for Toeplitz products over long documents.
    """

    gathered: Scaled
    scattered: Scaled
    padded: Floats
    fft: FftWorkspace


def toeplitz_transitions(phi: float, toeplitz: ToeplitzTables, blocks: Ints) -> Transitions:
    """Return the transitions of a pair by `ToeplitzTables` and their blocks."""
    return Transitions(phi, blocks, _block_of(blocks), toeplitz, NO_WALKS)


def tree_walk_transitions(phi: float, blocks: Ints, forest: Forest, factors: Floats) -> Transitions:
    """Return the transitions of a pair by walks over its `forest`; see `make_tree_walks`."""
    walks = make_tree_walks(forest, blocks, factors, 1.0 - phi)
    return Transitions(phi, blocks, _block_of(blocks), NO_TABLES, walks)


def _block_of(blocks: Ints) -> Ints:
    """Return the block of each word, int32 (n)."""
    return np.repeat(np.arange(len(blocks) - 1, dtype=np.int32), np.diff(blocks))


@kernel
def are_tree_walks(transitions: Transitions) -> bool:
    """Return whether the transitions are tree walks."""
    return transitions.tree_walks.matrices.shape[0] > 0


@kernel
def counts_size(transitions: Transitions) -> int:
    """Return the length of the array that `add_counts` adds counts to."""
    return transitions.toeplitz.tables.size + transitions.tree_walks.matrices.size


@kernel
def make_workspace(transitions: Transitions, length: int) -> Workspace:
    """Return the `Workspace` for a summary of `length` words."""
    count = transitions.blocks.shape[0] - 1
    n = transitions.blocks[count]
    size = n + count if are_tree_walks(transitions) else 0
    rows = length + 1 if are_tree_walks(transitions) else 0
    return Workspace(
        make_rows(rows, size, count),
        make_rows(rows, size, count),
        np.empty(n + 14),
        make_fft_workspace(transitions.toeplitz.spectra),
    )


@kernel
def forward_product(
    transitions: Transitions, workspace: Workspace, t: int, alpha: Scaled, out: Scaled
) -> None:
    """Compute a_t(j) = Σ_p α_t(p) J(p→j): `alpha` (n+1), `out` (n)."""
    blocks = transitions.blocks
    if are_tree_walks(transitions):
        walks, wide = transitions.tree_walks, row_at(workspace.gathered, t)
        tree_walk_products.gather(walks, blocks, alpha, wide)
        tree_walk_products.forward_product(walks, blocks, wide, out)
    else:
        toeplitz_products.forward_product(transitions.toeplitz, blocks, workspace.fft, alpha, out)


@kernel
def backward_product(
    transitions: Transitions, workspace: Workspace, t: int, start: Scaled, out: Scaled
) -> None:
    """Compute Σ_j J(p→j) b_t(j): `start` (n), which is b_t, and `out` (n+1)."""
    blocks = transitions.blocks
    if are_tree_walks(transitions):
        walks, wide = transitions.tree_walks, row_at(workspace.scattered, t)
        tree_walk_products.scatter(walks, blocks, start, 0.0, wide)
        tree_walk_products.backward_product(walks, blocks, wide, out)
    else:
        toeplitz_products.backward_product(transitions.toeplitz, blocks, workspace.fft, start, out)


@kernel
def add_counts(
    transitions: Transitions, workspace: Workspace, alpha: Scaled, start: Scaled, unit: int, counts: Floats
) -> None:
    """Add the transitions at one time to `counts`; those of tree walks come from the workspace at the end.

    `alpha` (n+1), `start` (n): α_t and b_t, after `backward_product`. `unit`: the exponent of
    Pr(s|d).
    """
    if not are_tree_walks(transitions):
        toeplitz, blocks, fft = transitions.toeplitz, transitions.blocks, workspace.fft
        toeplitz_products.add_counts(toeplitz, blocks, fft, alpha, start, unit, workspace.padded, counts)


@kernel
def final_column(transitions: Transitions, workspace: Workspace, out: Scaled) -> None:
    """Write J(p→n+1) for every position p to `out` (n+1)."""
    blocks = transitions.blocks
    if are_tree_walks(transitions):
        empty = np.full(out.scale.shape[0], EMPTY, dtype=np.int64)
        nothing = Scaled(np.zeros(transitions.block_of.shape[0]), empty)
        walks, wide = transitions.tree_walks, row_at(workspace.scattered, -1)
        tree_walk_products.scatter(walks, blocks, nothing, 1.0, wide)
        tree_walk_products.backward_product(walks, blocks, wide, out)
    else:
        toeplitz_products.final_column(transitions.toeplitz, blocks, out)


@kernel
def finish_counts(
    transitions: Transitions,
    workspace: Workspace,
    alpha: Scaled,
    unit: int,
    probability: float,
    counts: Floats,
) -> None:
    """Turn `counts` into the expected transitions, in place.

    Call it after `add_counts` at every time and `final_column`. `alpha` (n+1): α_T.
    `probability`: Pr(s|d), with the exponent `unit`.
    """
    blocks = transitions.blocks
    if are_tree_walks(transitions):
        walks, gathered = transitions.tree_walks, workspace.gathered
        tree_walk_products.gather(walks, blocks, alpha, row_at(gathered, -1))
        tree_walk_products.add_counts(walks, blocks, gathered, workspace.scattered, unit, counts)
        counts *= walks.matrices
    else:
        toeplitz = transitions.toeplitz
        toeplitz_products.add_spectral_counts(toeplitz, workspace.fft, counts)
        toeplitz_products.add_final_counts(toeplitz, blocks, alpha, unit, counts)
        counts *= toeplitz.tables.reshape(-1)
    counts /= probability


@kernel
def logarithms(transitions: Transitions) -> Floats:
    """Return the natural logarithms that `log_row` needs: of the tables or matrices, flat."""
    if are_tree_walks(transitions):
        return np.log(transitions.tree_walks.matrices)
    return np.log(transitions.toeplitz.tables.reshape(-1))


@kernel
def log_row(transitions: Transitions, logs: Floats, p: int, row: Floats) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row` (n+1); `logs`: `logarithms`."""
    b = transitions.block_of[max(p - 1, 0)]
    if are_tree_walks(transitions):
        tree_walk_products.log_row(logs, transitions.tree_walks, transitions.blocks, b, p, row)
    else:
        toeplitz = transitions.toeplitz
        logs_by_tile = logs.reshape(toeplitz.tables.shape)
        toeplitz_products.log_row(logs_by_tile, toeplitz, transitions.blocks, b, p, row)
