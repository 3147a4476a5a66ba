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

from vorlage.types import Floats, LongInts

WIDTH = 256
SHORTEST = 2048  # words of a document; spectra do not speed up shorter ones
ERROR = 1e-11


class Spectra(NamedTuple):
    """The spectra of the K = 2·parts − 1 tiles of a table, from k = 1 − parts on.

    - `parts`: parts of the document;
    - `forward`, `backward` (2, WIDTH+1, K) float64: real and imaginary parts of the spectra of the tiles,
      and of their transposes with the last tile first; zero for the tiles in `direct`;
    - `direct` int64: k of the tiles that are computed term by term;
    - `twiddles` (2, WIDTH) float64: cosine and minus sine of k/(2·WIDTH) turns;
    - `bit_reversal` (2·WIDTH) int64: each index with its bits reversed, the row in which a transform leaves
      that frequency.
    """

    parts: int
    forward: Floats
    backward: Floats
    direct: LongInts
    twiddles: Floats
    bit_reversal: LongInts


@cache
def _transform_tables() -> tuple[Floats, LongInts]:
    """Return `twiddles` and `bit_reversal` of `Spectra`."""
    size = 2 * WIDTH
    bits = size.bit_length() - 1
    bit_reversal = np.array([int(f"{f:0{bits}b}"[::-1], 2) for f in range(size)])
    angles = np.pi * np.arange(WIDTH) / WIDTH
    return np.stack([np.cos(angles), -np.sin(angles)]), bit_reversal


def make_spectra(table: Floats, origin: int, n: int) -> Spectra | None:
    """Return the `Spectra` of J by distance d, `table[origin + d]`, for a document of n words.

    `table`: float64 (W), linear. The result is None for a document shorter than `SHORTEST`.
    """
    if n < SHORTEST:
        return None
    parts = n // WIDTH + 1
    ks = np.arange(1 - parts, parts)
    # Tile k holds the distances from k·WIDTH + 1 − (WIDTH − 1) on; beyond the document any J will do.
    reach = np.clip(origin + ks[:, None] * WIDTH + 1 + np.arange(1 - WIDTH, WIDTH), 0, len(table) - 1)
    tiles = table[reach]
    error = math.log2(2 * WIDTH) * np.finfo(float).eps * np.linalg.norm(tiles, axis=1) / tiles.min(axis=1)
    smooth = error <= ERROR
    padded = np.zeros((len(ks), 2 * WIDTH))
    padded[smooth, :WIDTH] = tiles[smooth, WIDTH - 1 :]
    padded[smooth, WIDTH + 1 :] = tiles[smooth, : WIDTH - 1]
    spectra = np.fft.rfft(padded, axis=1).T
    transposed = spectra[:, ::-1].conj()
    twiddles, bit_reversal = _transform_tables()
    return Spectra(
        parts,
        np.ascontiguousarray([spectra.real, spectra.imag]),
        np.ascontiguousarray([transposed.real, transposed.imag]),
        ks[~smooth],
        twiddles,
        bit_reversal,
    )
