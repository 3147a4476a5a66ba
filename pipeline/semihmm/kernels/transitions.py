"""Moves of either kind behind one set of functions: by distance, or by a walk over a tree."""

from typing import NamedTuple

import numpy as np

from pipeline.semihmm.kernels import toeplitz as distances
from pipeline.semihmm.kernels import tree_walks as walks
from pipeline.semihmm.kernels.compile import kernel
from pipeline.semihmm.kernels.scaling import NEVER
from pipeline.semihmm.kernels.toeplitz import Distances
from pipeline.semihmm.kernels.toeplitz_fft import NO_SPECTRA, SpectralRoom, make_spectral_room
from pipeline.semihmm.kernels.tree_walks import Walks

NOTHING = np.empty(0, dtype=np.int64)
NO_DISTANCES = Distances(np.empty((0, 0)), np.empty((0, 0)), NOTHING, 0, 0, NOTHING, 0, NO_SPECTRA)
NO_WALKS = Walks(np.empty(0), np.empty(0), NOTHING, 0.0)


class Moves(NamedTuple):
    """The moves of one pair: ``phi`` to the null state, the others by ``distances`` or by ``walks``.

    ``blocks`` (B+1) int32: the document words that share an exponent; with walks, the sentences. ``of`` (n)
    int32: the block of each word. Of ``distances`` and ``walks`` one is empty.
    """

    phi: float
    blocks: np.ndarray
    of: np.ndarray
    distances: Distances
    walks: Walks


class Room(NamedTuple):
    """Arrays that the functions below work in, where moves are walks.

    ``gathered`` and ``scattered`` (T+1, n+B) with their exponents (T+1, B): what :func:`enter` and
    :func:`leave` find at each time, and at the end, kept for the counts. ``padded``: room for
    :func:`distances.tally`, and ``spectral`` for moves by distance over long documents.
    """

    gathered: np.ndarray
    gathered_scale: np.ndarray
    scattered: np.ndarray
    scattered_scale: np.ndarray
    padded: np.ndarray
    spectral: SpectralRoom


def by_distance(phi, table, blocks):
    """The moves of a pair by a :class:`Distances` table, with its blocks."""
    return Moves(phi, blocks, _block_of(blocks), table, NO_WALKS)


def by_walk(phi, blocks, forest, factors):
    """The moves of a pair by walks over its ``forest``, see :func:`pipeline.semihmm.kernels.tree_walks.make_walks`."""
    made = walks.make_walks(forest, blocks, factors, 1.0 - phi)
    return Moves(phi, blocks, _block_of(blocks), NO_DISTANCES, Walks(*made))


def _block_of(blocks):
    return np.repeat(np.arange(len(blocks) - 1, dtype=np.int32), np.diff(blocks))


@kernel
def are_walks(moves):
    """Whether the moves are walks."""
    return moves.walks.matrices.shape[0] > 0


@kernel
def tally_size(moves):
    """How long the array is that :func:`leave` adds to."""
    return moves.distances.tables.size + moves.walks.matrices.size


@kernel
def make_room(moves, length):
    """Room for the functions below, for a summary of ``length`` words."""
    count = moves.blocks.shape[0] - 1
    n = moves.blocks[count]
    size = n + count if are_walks(moves) else 0
    rows = length + 1 if are_walks(moves) else 0
    return Room(
        np.empty((rows, size)),
        np.empty((rows, count), dtype=np.int64),
        np.empty((rows, size)),
        np.empty((rows, count), dtype=np.int64),
        np.empty(n + 14),
        make_spectral_room(moves.distances.spectra),
    )


@kernel
def enter(moves, room, t, here, scale, out, out_scale):
    """a_t(j) = Σ_p α_t(p) J(p→j): ``here`` (n+1) with ``scale`` (B) to ``out`` (n) with ``out_scale`` (B)."""
    if are_walks(moves):
        walks.gather(moves.walks, moves.blocks, here, scale, room.gathered[t], room.gathered_scale[t])
        walks.enter(moves.walks, moves.blocks, room.gathered[t], out)
        out_scale[:] = room.gathered_scale[t]
    else:
        distances.enter(moves.distances, moves.blocks, room.spectral, here, scale, out, out_scale)


@kernel
def leave(moves, room, t, here, scale, start, start_scale, unit, out, out_scale, counts):
    """Σ_j J(p→j) b(j): ``start`` (n) with ``start_scale`` (B) to ``out`` (n+1) with ``out_scale`` (B).

    Moves by distance from ``here`` (n+1) with ``scale`` (B), which is α_t, are added to ``counts``; ``unit``:
    the exponent of Pr(s|d).
    """
    if are_walks(moves):
        far = room.scattered[t]
        walks.scatter(moves.walks, moves.blocks, start, start_scale, 0.0, far, out_scale)
        walks.leave(moves.walks, moves.blocks, far, out)
        room.scattered_scale[t] = out_scale
    else:
        table, blocks, far = moves.distances, moves.blocks, room.spectral
        distances.leave(table, blocks, far, start, start_scale, out, out_scale)
        distances.tally(table, blocks, far, here, scale, start, start_scale, unit, room.padded, counts)


@kernel
def finish(moves, room, out, out_scale):
    """J(p→n+1) for every position p: fills ``out`` (n+1) with ``out_scale`` (B)."""
    if are_walks(moves):
        nothing = np.zeros(moves.of.shape[0])
        never = np.full(out_scale.shape[0], NEVER, dtype=np.int64)
        last = room.scattered[-1]
        walks.scatter(moves.walks, moves.blocks, nothing, never, 1.0, last, out_scale)
        walks.leave(moves.walks, moves.blocks, last, out)
        room.scattered_scale[-1] = out_scale
    else:
        distances.finish(moves.distances, moves.blocks, out, out_scale)


@kernel
def expected(moves, room, last, last_scale, unit, probability, counts):
    """Make ``counts`` the expected moves, in place, after :func:`leave` at every time and :func:`finish`.

    ``last`` (n+1) with ``last_scale`` (B): α_T. ``probability``: Pr(s|d), and ``unit`` its exponent.
    """
    blocks = moves.blocks
    if are_walks(moves):
        gathered, scale = room.gathered, room.gathered_scale
        walks.gather(moves.walks, blocks, last, last_scale, gathered[-1], scale[-1])
        scattered = room.scattered, room.scattered_scale
        walks.tally(moves.walks, blocks, gathered, scale, *scattered, unit, counts)
        counts *= moves.walks.matrices
    else:
        distances.expected(moves.distances, room.spectral, counts)
        distances.tally_finish(moves.distances, blocks, last, last_scale, unit, counts)
        counts *= moves.distances.tables.reshape(-1)
    counts /= probability


@kernel
def logarithms(moves):
    """The logarithms that :func:`log_row` wants: of the tables, or of the matrices, flat."""
    if are_walks(moves):
        return np.log(moves.walks.matrices)
    return np.log(moves.distances.tables.reshape(-1))


@kernel
def log_row(moves, logs, p, row):
    """log J(p→j) for j = 1 … n+1 into ``row`` (n+1)."""
    b = moves.of[max(p - 1, 0)]
    if are_walks(moves):
        walks.log_row(logs, moves.walks, moves.blocks, b, p, row)
    else:
        table = moves.distances
        distances.log_row(logs.reshape(table.tables.shape), table, moves.blocks, b, p, row)
