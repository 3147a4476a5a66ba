"""Moves of either kind behind one set of functions: by distance, or by a walk over a tree."""

from typing import NamedTuple

import numpy as np

from pipeline.semihmm import distances, walks
from pipeline.semihmm.compiled import kernel
from pipeline.semihmm.distances import Distances
from pipeline.semihmm.walks import Walks

NO_DISTANCES = Distances(np.empty((0, 0)), np.empty((0, 0)), np.empty(0), 0, 0)
NO_WALKS = Walks(np.empty(0), np.empty(0, dtype=np.int64), 0.0)


class Moves(NamedTuple):
    """The moves of one pair: ``phi`` to the null state, the others by ``distances`` or by ``walks``.

    ``blocks`` (B+1) int32: the document words that share a scale; with walks, the sentences. ``of`` (n)
    int32: the block of each word. Of ``distances`` and ``walks`` one is empty.
    """

    phi: float
    blocks: np.ndarray
    of: np.ndarray
    distances: Distances
    walks: Walks


class Room(NamedTuple):
    """Arrays that the functions below work in: ``wide`` and ``far`` (n+B) with a scale for each block (B)."""

    wide: np.ndarray
    wide_scale: np.ndarray
    far: np.ndarray
    far_scale: np.ndarray
    padded: np.ndarray


def by_distance(phi, table, blocks):
    """The moves of a pair by a :class:`Distances` table, with its blocks."""
    return Moves(phi, blocks, _block_of(blocks), table, NO_WALKS)


def by_walk(phi, blocks, matrices):
    """The moves of a pair by the matrices of its sentences (:func:`pipeline.semihmm.walks.make_walks`)."""
    chosen = Walks(matrices, walks.offsets(blocks), float(np.log1p(-phi)))
    return Moves(phi, blocks, _block_of(blocks), NO_DISTANCES, chosen)


def _block_of(blocks):
    return np.repeat(np.arange(len(blocks) - 1, dtype=np.int32), np.diff(blocks))


@kernel
def tally_size(moves):
    """How long the array is that :func:`tally` adds to."""
    return moves.distances.tables.size + moves.walks.matrices.size


@kernel
def make_room(moves):
    """Room for the functions below."""
    count = moves.blocks.shape[0] - 1
    n = moves.blocks[count]
    return Room(np.empty(n + count), np.empty(count), np.empty(n + count), np.empty(count), np.empty(n + 14))


@kernel
def enter(moves, room, here, scale, out, out_scale):
    """a(j) = Σ_p α(p) J(p→j): ``here`` (n+1) with ``scale`` (B) to ``out`` (n) with ``out_scale`` (B)."""
    if moves.walks.matrices.shape[0] == 0:
        distances.enter(moves.distances, moves.blocks, here, scale, out, out_scale)
    else:
        walks.gather(moves.walks, moves.blocks, here, scale, room.wide, out_scale)
        walks.enter(moves.walks, moves.blocks, room.wide, out)
        out_scale += moves.walks.scale


@kernel
def leave(moves, room, here, scale, start, start_scale, log_likelihood, out, out_scale, counts):
    """Σ_j J(p→j) b(j): ``start`` (n) with ``start_scale`` (B) to ``out`` (n+1) with ``out_scale`` (B).

    Adds the moves from ``here`` (n+1) with ``scale`` (B), the α of the same time, to ``counts``, over Pr.
    """
    if moves.walks.matrices.shape[0] == 0:
        distances.leave(moves.distances, moves.blocks, start, start_scale, out, out_scale)
        distances.tally(
            moves.distances,
            moves.blocks,
            here,
            scale,
            start,
            start_scale,
            log_likelihood,
            room.padded,
            counts,
        )
    else:
        walks.scatter(moves.walks, moves.blocks, start, start_scale, 0.0, room.far, out_scale)
        walks.leave(moves.walks, moves.blocks, room.far, out)
        _tally_walks(moves, room, here, scale, out_scale, log_likelihood, counts)
        out_scale += moves.walks.scale


@kernel
def finish(moves, room, out, out_scale):
    """J(p→n+1) for every position p: fills ``out`` (n+1) with ``out_scale`` (B)."""
    if moves.walks.matrices.shape[0] == 0:
        distances.finish(moves.distances, moves.blocks, out, out_scale)
    else:
        _scatter_end(moves, room, out_scale)
        walks.leave(moves.walks, moves.blocks, room.far, out)
        out_scale += moves.walks.scale


@kernel
def tally_finish(moves, room, here, scale, log_likelihood, counts):
    """Add the moves from ``here`` (n+1) with ``scale`` (B) to the end to ``counts``, over Pr."""
    if moves.walks.matrices.shape[0] == 0:
        distances.tally_finish(moves.distances, moves.blocks, here, scale, log_likelihood, counts)
    else:
        _scatter_end(moves, room, room.far_scale)
        _tally_walks(moves, room, here, scale, room.far_scale, log_likelihood, counts)


@kernel
def times_probability(moves, counts):
    """Make ``counts`` expected moves: multiply each by its probability, in place."""
    if moves.walks.matrices.shape[0] == 0:
        counts *= moves.distances.tables.reshape(-1)
    else:
        counts *= moves.walks.matrices


@kernel
def _scatter_end(moves, room, scale):
    nothing, never = np.zeros(moves.of.shape[0]), np.full(scale.shape[0], -np.inf)
    walks.scatter(moves.walks, moves.blocks, nothing, never, 1.0, room.far, scale)


@kernel
def _tally_walks(moves, room, here, scale, far_scale, log_likelihood, counts):
    walks.gather(moves.walks, moves.blocks, here, scale, room.wide, room.wide_scale)
    walks.tally(
        moves.walks, moves.blocks, room.wide, room.wide_scale, room.far, far_scale, log_likelihood, counts
    )


@kernel
def logarithms(moves):
    """The logarithms that :func:`log_row` wants: of the tables, or of the matrices, flat."""
    if moves.walks.matrices.shape[0] == 0:
        return np.log(moves.distances.tables.reshape(-1))
    return np.log(moves.walks.matrices)


@kernel
def log_row(moves, logs, p, row):
    """log J(p→j) for j = 1 … n+1 into ``row`` (n+1)."""
    b = moves.of[max(p - 1, 0)]
    if moves.walks.matrices.shape[0] == 0:
        distances.log_row(
            logs.reshape(moves.distances.tables.shape), moves.distances, moves.blocks, b, p, row
        )
    else:
        walks.log_row(logs, moves.walks, moves.blocks, b, p, row)
