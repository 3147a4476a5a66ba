"""Spectra of the tiles of a long table of jump probabilities.

Positions and words are cut into parts of `WIDTH`. The transitions from part b to part c = b + k are a
Toeplitz matrix, a *tile*; all tiles with the same k are equal. The sum over b of rows times tiles is
therefore, frequency by frequency, a product of small Toeplitz matrices, and one transform a part replaces
`WIDTH`² products a tile (`vorlage.semihmm.kernels.toeplitz_fft`).

No significant digit is lost. The error of a transform is a share of the norms of its inputs, not of each
number it returns, and positions differ by hundreds of orders of magnitude. But every word of a part is
reached from every position of another part with at least the smallest J of the tile, so a sum over the part
is at least its largest term times that J, and the relative error of a tile is at most

    log2(2·WIDTH) · ε · ‖J‖₂ / min J

Tiles for which this bound exceeds `ERROR`, which are those of short jumps, are computed term by term.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.types import AnyArray, Floats, LongInts

WIDTH = 256
SHORTEST = 2048  # words of a document; spectra do not speed up shorter ones
ERROR = 1e-11


class Spectra(NamedTuple):
    """The spectra of the K = 2·parts − 1 tiles of a table, from k = 1 − parts on.

    - `parts`: parts of the document;
    - `tiles` (2, WIDTH+1, K) float64: real and imaginary parts of the spectra; zero for those in `direct`;
    - `direct` int64: k of the tiles that are computed term by term.
    """

    parts: int
    tiles: Floats
    direct: LongInts


@cache
def transform_tables() -> tuple[Floats, LongInts]:
    """Return `twiddles` and `bit_reversal` of `vorlage.semihmm.kernels.toeplitz_fft.FftWorkspace`."""
    size = 2 * WIDTH
    bits = size.bit_length() - 1
    bit_reversal = np.array([int(f"{f:0{bits}b}"[::-1], 2) for f in range(size)])
    angles = np.pi * np.arange(WIDTH) / WIDTH
    return np.stack([np.cos(angles), -np.sin(angles)]), bit_reversal


def make_spectra(toeplitz: Toeplitz) -> tuple[Spectra, Spectra] | tuple[None, None]:
    """Return the `Spectra` of J and those of its transpose.

    They are None for a document shorter than `SHORTEST` and for one of several blocks.
    """
    n, table = toeplitz.columns[-1], toeplitz.tables[0]
    if len(toeplitz.tables) > 1 or n < SHORTEST:
        return None, None
    parts = int(n) // WIDTH + 1
    ks = np.arange(1 - parts, parts)
    # Tile k holds the distances from k·WIDTH + 1 − (WIDTH − 1) on; beyond the document any J will do.
    reach = np.clip(toeplitz.start + ks[:, None] * WIDTH + np.arange(1 - WIDTH, WIDTH), 0, len(table) - 1)
    tiles = table[reach]
    error = math.log2(2 * WIDTH) * np.finfo(float).eps * np.linalg.norm(tiles, axis=1) / tiles.min(axis=1)
    smooth = error <= ERROR
    padded = np.zeros((len(ks), 2 * WIDTH))
    padded[smooth, :WIDTH] = tiles[smooth, WIDTH - 1 :]
    padded[smooth, WIDTH + 1 :] = tiles[smooth, : WIDTH - 1]
    spectra, direct = np.fft.rfft(padded, axis=1).T, ks[~smooth]
    return _spectra(parts, spectra, direct), _spectra(parts, spectra[:, ::-1].conj(), -direct)


def _spectra(parts: int, tiles: AnyArray, direct: LongInts) -> Spectra:
    return Spectra(parts, np.ascontiguousarray([tiles.real, tiles.imag]), direct)
