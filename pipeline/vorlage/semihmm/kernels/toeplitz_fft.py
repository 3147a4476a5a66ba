"""Toeplitz products over long documents by fast Fourier transforms of parts of `WIDTH` positions or words.

The transitions from part b to part c = b + k are a Toeplitz matrix, a *tile*; all tiles with the same k are
equal. The sum over b of rows times tiles is therefore, frequency by frequency, a product of small Toeplitz
matrices, and one transform a part replaces `WIDTH`² products a tile.

No significant digit is lost. The error of a transform is a share of the norms of its inputs, not of each
number it returns, and positions differ by hundreds of orders of magnitude. But every word of a part is
reached from every position of another part with at least the smallest J of the tile, so a sum over the part
is at least its largest term times that J, and the relative error of a tile is at most

    log2(2·WIDTH) · ε · ‖J‖₂ / min J

Tiles for which this bound exceeds `ERROR`, which are those of short jumps, are computed term by term, by
`vorlage.semihmm.kernels.toeplitz`.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.fft import irfft, rfft

from vorlage.types import AnyArray, Floats, LongInts

WIDTH = 256
SHORTEST = 2048  # words of a document; spectra do not speed up shorter ones
ERROR = 1e-11


class Spectra(NamedTuple):
    """The spectra of the K = 2·parts − 1 tiles of J, or of its transpose, from k = 1 − parts on.

    - `parts`: parts of the document;
    - `tiles` (K, WIDTH+1) complex128: zero for those in `direct`;
    - `direct` int64: k of the tiles that are computed term by term;
    - `counts` (K, WIDTH+1) complex128: sums of products of spectra, which `correlate` adds.
    """

    parts: int
    tiles: AnyArray
    direct: LongInts
    counts: AnyArray


def make_spectra(tables: Floats, start: int, n: int) -> tuple[Spectra, Spectra] | tuple[None, None]:
    """Return the `Spectra` of J and those of its transpose.

    They are None for a document of several blocks, or of fewer than `SHORTEST` words. `tables`, `start`: of
    `vorlage.semihmm.kernels.toeplitz.Toeplitz`; `n`: words of the document.
    """
    table = tables[0]
    if len(tables) > 1 or n < SHORTEST:
        return None, None
    parts = n // WIDTH + 1
    ks = np.arange(1 - parts, parts)
    # Tile k holds the distances from k·WIDTH + 1 − (WIDTH − 1) on; beyond the document any J will do.
    reach = np.clip(start + ks[:, None] * WIDTH + np.arange(1 - WIDTH, WIDTH), 0, len(table) - 1)
    tiles = table[reach]
    error = math.log2(2 * WIDTH) * np.finfo(float).eps * np.linalg.norm(tiles, axis=1) / tiles.min(axis=1)
    smooth = error <= ERROR
    padded = np.zeros((len(ks), 2 * WIDTH))
    padded[smooth, :WIDTH] = tiles[smooth, WIDTH - 1 :]
    padded[smooth, WIDTH + 1 :] = tiles[smooth, : WIDTH - 1]
    spectra, direct = rfft(padded), ks[~smooth]
    counts = np.zeros_like(spectra)
    transposed = np.ascontiguousarray(spectra[::-1].conj())
    return Spectra(parts, spectra, direct, counts), Spectra(parts, transposed, -direct, counts)


def multiply(row: Floats, spectra: Spectra, size: int) -> Floats:
    """Return a row times the tiles that are not in `direct`, float64 (size)."""
    left, parts = _transform(row, spectra.parts), spectra.parts
    product = np.zeros_like(left)
    for b in range(parts):
        product += left[b] * spectra.tiles[parts - 1 - b : 2 * parts - 1 - b]
    return np.ascontiguousarray(irfft(product)[:, :WIDTH]).reshape(-1)[:size]


def correlate(left: Floats, right: Floats, spectra: Spectra) -> None:
    """Add left[p] · right[j], by tile and distance, to `spectra.counts`."""
    parts = spectra.parts
    of_left, of_right = _transform(left, parts).conj(), _transform(right, parts)
    for b in range(parts):
        spectra.counts[parts - 1 - b : 2 * parts - 1 - b] += of_left[b] * of_right


def add_correlations(spectra: Spectra, start: int, counts: Floats) -> None:
    """Add the sums of `correlate` to `counts` (W) by distance, without tiles in `direct`.

    `start`: of the table.
    """
    sums, parts = np.maximum(irfft(spectra.counts), 0.0), spectra.parts
    for k in np.setdiff1d(np.arange(1 - parts, parts), spectra.direct):
        for first, values in ((k - 1, sums[k + parts - 1, WIDTH:]), (k, sums[k + parts - 1, :WIDTH])):
            at = start + first * WIDTH
            begin, end = max(at, 0), min(at + WIDTH, len(counts))
            counts[begin:end] += values[begin - at : end - at]


def _transform(row: Floats, parts: int) -> AnyArray:
    """Return the spectra of the parts of a row of positions or words, complex128 (parts, WIDTH+1)."""
    padded = np.zeros((parts, WIDTH))
    padded.reshape(-1)[: len(row)] = row
    return rfft(padded, 2 * WIDTH)
