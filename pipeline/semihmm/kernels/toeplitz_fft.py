"""Long tables of distances: most tiles of the matrix of moves as products of spectra.

Positions and words are cut into parts of ``WIDTH``. Moves from part b to part c = b + k are a Toeplitz
matrix, a tile, of which all with the same k are equal, so the sum over b of rows times tiles is, frequency
by frequency, a product of small Toeplitz matrices, and one transform a part takes the place of ``WIDTH``²
products a tile.

No digit that counts is lost. A transform errs by a share of the norms of what goes in, not of each number
that comes out, and positions differ by hundreds of orders of magnitude. But from one part every word of
another is reached with at least the smallest J of the tile, so a sum over the part is at least its largest
term times that, and the relative error of a tile is at most

    log2(2·WIDTH) · ε · ‖J‖₂ / min J

Tiles for which this bound exceeds ``ERROR``, those of short moves, are worked out term by term. So that
parts do not lend each other their errors, each is brought to the same order of magnitude, by a power of
two, before two of them share a complex transform.

Work arrays have frequencies or positions in rows and parts in columns, so that all parts go through a
transform together. Frequency f is in row ``place[f]`` of a transform, as decimation leaves it; spectra have
rows f = 0 … WIDTH.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from pipeline.semihmm.kernels.compile import kernel

WIDTH = 256
SHORTEST = 2048  # words of a document; shorter ones gain nothing
ERROR = 1e-11


class Spectra(NamedTuple):
    """The tiles of a table: K = 2·count − 1 of them for ``count`` parts, the first for k = 1 − count.

    ``forward`` and ``backward`` (2, WIDTH+1, K): real and imaginary parts of the spectra of the tiles, and of
    their transposes with the last tile first; zero for the tiles that ``direct`` lists by k. ``count`` is 0
    where no spectra are used. ``waves`` (2, WIDTH): cosine and minus sine of k/(2·WIDTH) turns; ``place``
    (2·WIDTH): the index with its bits reversed.
    """

    count: int
    forward: np.ndarray
    backward: np.ndarray
    direct: np.ndarray
    waves: np.ndarray
    place: np.ndarray


class SpectralRoom(NamedTuple):
    """Arrays to work in: ``work`` (2, 2·WIDTH, columns / 2) for transforms, ``one`` and ``other``
    (2, WIDTH+1, columns) for the spectra of the parts, ``total`` (2, WIDTH+1, K) for the counts.
    """

    work: np.ndarray
    one: np.ndarray
    other: np.ndarray
    total: np.ndarray


NO_SPECTRA = Spectra(
    0,
    np.empty((2, 0, 0)),
    np.empty((2, 0, 0)),
    np.empty(0, dtype=np.int64),
    np.empty((2, 0)),
    np.empty(0, dtype=np.int64),
)


@cache
def _transform_tables():
    size = 2 * WIDTH
    bits = size.bit_length() - 1
    place = np.array([int(f"{f:0{bits}b}"[::-1], 2) for f in range(size)])
    angles = np.pi * np.arange(WIDTH) / WIDTH
    return np.stack([np.cos(angles), -np.sin(angles)]), place


def make_spectra(table, origin, n):
    """The :class:`Spectra` of J by distance d, ``table[origin + d]``; n: words of the document."""
    if n < SHORTEST:
        return NO_SPECTRA
    count = n // WIDTH + 1
    ks = np.arange(1 - count, count)
    # Tile k holds the distances from k·WIDTH + 1 − (WIDTH − 1) on; beyond the document any J will do.
    reach = np.clip(origin + ks[:, None] * WIDTH + 1 + np.arange(1 - WIDTH, WIDTH), 0, len(table) - 1)
    tiles = table[reach]
    error = math.log2(2 * WIDTH) * np.finfo(float).eps * np.linalg.norm(tiles, axis=1) / tiles.min(axis=1)
    smooth = error <= ERROR
    padded = np.zeros((len(ks), 2 * WIDTH))
    padded[smooth, :WIDTH] = tiles[smooth, WIDTH - 1 :]
    padded[smooth, WIDTH + 1 :] = tiles[smooth, : WIDTH - 1]
    spectra = np.fft.rfft(padded, axis=1).T
    back = spectra[:, ::-1].conj()
    waves, place = _transform_tables()
    return Spectra(
        count,
        np.ascontiguousarray([spectra.real, spectra.imag]),
        np.ascontiguousarray([back.real, back.imag]),
        ks[~smooth],
        waves,
        place,
    )


@kernel
def make_spectral_room(spectra):
    """Room for the functions below; empty where there are no spectra."""
    count = spectra.count
    columns = (count + 15) // 16 * 16
    rows = WIDTH + 1 if count > 0 else 0
    return SpectralRoom(
        np.empty((2, 2 * WIDTH if count > 0 else 0, columns // 2)),
        np.empty((2, rows, columns)),
        np.empty((2, rows, columns)),
        np.zeros((2, rows, max(2 * count - 1, 0))),
    )


@kernel
def _transform(real, imag, waves):
    """Fourier transform of every column in place; frequency f lands in row ``place[f]``."""
    half = WIDTH
    while half >= 1:
        for first in range(0, 2 * WIDTH, 2 * half):
            for i in range(half):
                c, s = waves[0, i * (WIDTH // half)], waves[1, i * (WIDTH // half)]
                ar, ai, br, bi = (
                    real[first + i],
                    imag[first + i],
                    real[first + i + half],
                    imag[first + i + half],
                )
                for k in range(ar.shape[0]):
                    dr, di = ar[k] - br[k], ai[k] - bi[k]
                    ar[k] += br[k]
                    ai[k] += bi[k]
                    br[k] = dr * c - di * s
                    bi[k] = dr * s + di * c
        half //= 2


@kernel
def _transform_back(real, imag, waves):
    """2·WIDTH times the inverse of :func:`_transform`, in place."""
    half = 1
    while half <= WIDTH:
        for first in range(0, 2 * WIDTH, 2 * half):
            for i in range(half):
                c, s = waves[0, i * (WIDTH // half)], -waves[1, i * (WIDTH // half)]
                ar, ai, br, bi = (
                    real[first + i],
                    imag[first + i],
                    real[first + i + half],
                    imag[first + i + half],
                )
                for k in range(ar.shape[0]):
                    dr, di = br[k] * c - bi[k] * s, br[k] * s + bi[k] * c
                    br[k] = ar[k] - dr
                    bi[k] = ai[k] - di
                    ar[k] += dr
                    ai[k] += di
        half *= 2


@kernel
def _magnitude(value):
    """The power of two just above a number, 2^−1000 for smaller ones."""
    return math.ldexp(1.0, max(math.frexp(value)[1], -1000))


@kernel
def analyse(values, factor, spectra, room, out):
    """Spectra of ``factor`` times the parts of a row of positions or words, into ``out``."""
    real, imag = room.work[0], room.work[1]
    half = real.shape[1]
    sizes = np.zeros(2 * half)  # a part that is zero stays so, whatever its partner's errors are
    real[:] = 0.0
    imag[:] = 0.0
    for part in range(spectra.count):
        block = values[part * WIDTH : (part + 1) * WIDTH]
        if block.shape[0] == 0 or block.max() == 0.0:
            continue
        sizes[part] = _magnitude(block.max())
        side = real if part < half else imag
        column = part if part < half else part - half
        for i in range(block.shape[0]):
            side[i, column] = block[i] / sizes[part]
    _transform(real, imag, spectra.waves)
    sizes *= 0.5 * factor
    for f in range(WIDTH + 1):
        a, b = spectra.place[f], spectra.place[2 * WIDTH - f if f > 0 else 0]
        ar, ai, br, bi = real[a], imag[a], real[b], imag[b]
        re, im = out[0, f], out[1, f]
        for k in range(half):
            re[k] = (ar[k] + br[k]) * sizes[k]
            im[k] = (ai[k] - bi[k]) * sizes[k]
            re[half + k] = (ai[k] + bi[k]) * sizes[half + k]
            im[half + k] = (br[k] - ar[k]) * sizes[half + k]


@kernel
def _synthesise(given, first, count, spectra, room, sizes):
    """The ``count`` parts with spectra ``given[:, :, first:]`` into ``room.work``, but for ``sizes``."""
    real, imag = room.work[0], room.work[1]
    half = real.shape[1]
    inverse = np.zeros(2 * half)
    for k in range(count):
        whole = given[0, 0, first + k]  # the sum of all that comes out, of which nothing is negative
        sizes[k] = _magnitude(whole) if whole > 0.0 else 0.0
        inverse[k] = 0.5 / WIDTH / sizes[k] if whole > 0.0 else 0.0
    padded = np.zeros((4, half))
    for f in range(WIDTH + 1):
        for k in range(count):
            side = 0 if k < half else 2
            column = k if k < half else k - half
            padded[side, column] = given[0, f, first + k] * inverse[k]
            padded[side + 1, column] = given[1, f, first + k] * inverse[k]
        a, b = spectra.place[f], spectra.place[2 * WIDTH - f if f > 0 else 0]
        for k in range(half):
            real[b, k], imag[b, k] = padded[0, k] + padded[3, k], padded[2, k] - padded[1, k]
            real[a, k], imag[a, k] = padded[0, k] - padded[3, k], padded[2, k] + padded[1, k]
    _transform_back(real, imag, spectra.waves)


@kernel
def synthesise(given, spectra, room, out):
    """The parts with the spectra ``given``, put together into ``out``."""
    real, imag = room.work[0], room.work[1]
    half = real.shape[1]
    sizes = np.empty(2 * half)
    _synthesise(given, 0, spectra.count, spectra, room, sizes)
    for part in range(spectra.count):
        block = out[part * WIDTH : (part + 1) * WIDTH]
        side = real if part < half else imag
        column = part if part < half else part - half
        for i in range(block.shape[0]):
            block[i] = side[i, column] * sizes[part]


@kernel
def multiply(given, tiles, count, out):
    """out[f, c] = Σ_b given[f, b] · tiles[f, count − 1 + c − b] for every frequency."""
    out[:] = 0.0
    for f in range(WIDTH + 1):
        re, im = out[0, f, :count], out[1, f, :count]
        for b in range(count):
            xr, xi = given[0, f, b], given[1, f, b]
            hr, hi = tiles[0, f, count - 1 - b :], tiles[1, f, count - 1 - b :]
            for c in range(count):
                re[c] += xr * hr[c] - xi * hi[c]
                im[c] += xr * hi[c] + xi * hr[c]


@kernel
def add_products(one, other, count, total):
    """total[f, count − 1 + c − b] += conj(one[f, b]) · other[f, c] for every frequency."""
    for f in range(WIDTH + 1):
        yr, yi = other[0, f], other[1, f]
        for b in range(count):
            xr, xi = one[0, f, b], one[1, f, b]
            re, im = total[0, f, count - 1 - b :], total[1, f, count - 1 - b :]
            for c in range(count):
                re[c] += xr * yr[c] + xi * yi[c]
                im[c] += xr * yi[c] - xi * yr[c]


@kernel
def add_counts(spectra, room, origin, counts):
    """Add what :func:`add_products` has gathered to ``counts``, by distance; J is not yet in it."""
    real, imag = room.work[0], room.work[1]
    half, tiles = real.shape[1], room.total.shape[2]
    direct = np.zeros(tiles, dtype=np.bool_)
    for k in spectra.direct:
        direct[k + spectra.count - 1] = True
    sizes = np.empty(2 * half)
    for first in range(0, tiles, 2 * half):
        chosen = min(2 * half, tiles - first)
        _synthesise(room.total, first, chosen, spectra, room, sizes)
        for k in range(chosen):
            if direct[first + k]:
                continue
            side = real if k < half else imag
            column = k if k < half else k - half
            middle = origin + (first + k - spectra.count + 1) * WIDTH + 1
            for m in range(1 - WIDTH, WIDTH):
                if 0 <= middle + m < counts.shape[0]:
                    value = side[m if m >= 0 else m + 2 * WIDTH, column] * sizes[k]
                    counts[middle + m] += max(value, 0.0)
