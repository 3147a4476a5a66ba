"""Toeplitz products over long documents by fast Fourier transforms of parts of `WIDTH` positions or words.

`vorlage.semihmm.kernels.toeplitz_spectra` explains why no significant digit is lost. To keep the errors
of one part out of another, each is brought to the same order of magnitude, by a power of two, before two of
them share a complex transform.

Arrays of the workspace have frequencies or positions in rows and parts in columns, which takes all parts
through a transform together. A transform leaves frequency f in row `bit_reversal[f]`; spectra have
rows f = 0 … WIDTH. Everything is linear, float64; axis 0 of an array of spectra is (real, imaginary).
"""

import math
from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.semihmm.kernels.toeplitz_spectra import WIDTH, Spectra, make_spectra, transform_tables
from vorlage.types import Floats, LongInts


class FftWorkspace(NamedTuple):
    """The spectra of J or of its transpose, and arrays that the functions below overwrite, float64.

    - `spectra`: the `Spectra` of the matrix;
    - `twiddles` (2, WIDTH): cosine and minus sine of k/(2·WIDTH) turns;
    - `bit_reversal` (2·WIDTH) int64: each index with its bits reversed, the row in which a transform leaves
      that frequency;
    - `transform` (2, 2·WIDTH, columns / 2): two parts in each complex column;
    - `left`, `right` (2, WIDTH+1, columns): spectra of parts;
    - `counts` (2, WIDTH+1, K): sums of products of spectra, by tile; zero at the start.
    """

    spectra: Spectra
    twiddles: Floats
    bit_reversal: LongInts
    transform: Floats
    left: Floats
    right: Floats
    counts: Floats


def make_fft_workspaces(toeplitz: Toeplitz) -> tuple[FftWorkspace, FftWorkspace] | tuple[None, None]:
    """Return the workspaces for J and for its transpose, which share arrays; None if J has no spectra."""
    spectra, transposed = make_spectra(toeplitz)
    if spectra is None or transposed is None:
        return None, None
    parts, columns = spectra.parts, (spectra.parts + 15) // 16 * 16
    arrays = (
        *transform_tables(),
        np.empty((2, 2 * WIDTH, columns // 2)),
        np.empty((2, WIDTH + 1, columns)),
        np.empty((2, WIDTH + 1, columns)),
        np.zeros((2, WIDTH + 1, 2 * parts - 1)),
    )
    return FftWorkspace(spectra, *arrays), FftWorkspace(transposed, *arrays)


@inner_kernel
def _fft(real: Floats, imag: Floats, twiddles: Floats) -> None:
    """Transform every column in place; frequency f ends up in row `bit_reversal[f]`."""
    half = WIDTH
    while half >= 1:
        for first in range(0, 2 * WIDTH, 2 * half):
            for i in range(half):
                c, s = twiddles[0, i * (WIDTH // half)], twiddles[1, i * (WIDTH // half)]
                ar, ai = real[first + i], imag[first + i]
                br, bi = real[first + i + half], imag[first + i + half]
                for k in range(ar.shape[0]):
                    dr, di = ar[k] - br[k], ai[k] - bi[k]
                    ar[k] += br[k]
                    ai[k] += bi[k]
                    br[k] = dr * c - di * s
                    bi[k] = dr * s + di * c
        half //= 2


@inner_kernel
def _inverse_fft(real: Floats, imag: Floats, twiddles: Floats) -> None:
    """Apply 2·WIDTH times the inverse of `_fft` to every column in place."""
    half = 1
    while half <= WIDTH:
        for first in range(0, 2 * WIDTH, 2 * half):
            for i in range(half):
                c, s = twiddles[0, i * (WIDTH // half)], -twiddles[1, i * (WIDTH // half)]
                ar, ai = real[first + i], imag[first + i]
                br, bi = real[first + i + half], imag[first + i + half]
                for k in range(ar.shape[0]):
                    dr, di = br[k] * c - bi[k] * s, br[k] * s + bi[k] * c
                    br[k] = ar[k] - dr
                    bi[k] = ai[k] - di
                    ar[k] += dr
                    ai[k] += di
        half *= 2


@inner_kernel
def _magnitude(value: float) -> float:
    """Return the power of two just above a number, and 2^−1000 for smaller ones."""
    return math.ldexp(1.0, max(math.frexp(value)[1], -1000))


@inner_kernel
def _column(transform: Floats, part: int) -> Floats:
    """Return the column of a part, a view: the first half of the parts are real, the others imaginary."""
    half = transform.shape[2]
    return transform[part // half, :, part % half]


@inner_kernel
def transform_parts(values: Floats, factor: float, workspace: FftWorkspace, out: Floats) -> None:
    """Write the spectra of `factor` times the parts of a row of positions or words to `out`.

    `values`: float64 (n or n+1); `out`: `left` or `right` of the workspace.
    """
    real, imag = workspace.transform[0], workspace.transform[1]
    half = real.shape[1]
    sizes = np.zeros(2 * half)  # a part of zeros stays zero, whatever the rounding errors of its partner
    real[:] = 0.0
    imag[:] = 0.0
    for part in range(workspace.spectra.parts):
        block = values[part * WIDTH : (part + 1) * WIDTH]
        if block.shape[0] == 0 or block.max() == 0.0:
            continue
        sizes[part] = _magnitude(block.max())
        column = _column(workspace.transform, part)
        for i in range(block.shape[0]):
            column[i] = block[i] / sizes[part]
    _fft(real, imag, workspace.twiddles)
    sizes *= 0.5 * factor
    for f in range(WIDTH + 1):
        a, b = workspace.bit_reversal[f], workspace.bit_reversal[2 * WIDTH - f if f > 0 else 0]
        ar, ai, br, bi = real[a], imag[a], real[b], imag[b]
        re, im = out[0, f], out[1, f]
        for k in range(half):
            re[k] = (ar[k] + br[k]) * sizes[k]
            im[k] = (ai[k] - bi[k]) * sizes[k]
            re[half + k] = (ai[k] + bi[k]) * sizes[half + k]
            im[half + k] = (br[k] - ar[k]) * sizes[half + k]


@inner_kernel
def _invert(given: Floats, first: int, count: int, workspace: FftWorkspace, sizes: Floats) -> None:
    """Write the `count` parts with the spectra `given[:, :, first:]` to `workspace.transform`.

    Each part has to be multiplied by its entry of `sizes` (columns), which is filled.
    """
    real, imag = workspace.transform[0], workspace.transform[1]
    half = real.shape[1]
    inverse = np.zeros(2 * half)
    for k in range(count):
        whole = given[0, 0, first + k]  # the sum of the part, in which no number is negative
        sizes[k] = _magnitude(whole) if whole > 0.0 else 0.0
        inverse[k] = 0.5 / WIDTH / sizes[k] if whole > 0.0 else 0.0
    padded = np.zeros((4, half))
    for f in range(WIDTH + 1):
        for k in range(count):
            side = 0 if k < half else 2
            column = k if k < half else k - half
            padded[side, column] = given[0, f, first + k] * inverse[k]
            padded[side + 1, column] = given[1, f, first + k] * inverse[k]
        a, b = workspace.bit_reversal[f], workspace.bit_reversal[2 * WIDTH - f if f > 0 else 0]
        for k in range(half):
            real[b, k], imag[b, k] = padded[0, k] + padded[3, k], padded[2, k] - padded[1, k]
            real[a, k], imag[a, k] = padded[0, k] - padded[3, k], padded[2, k] + padded[1, k]
    _inverse_fft(real, imag, workspace.twiddles)


@inner_kernel
def invert_parts(given: Floats, workspace: FftWorkspace, out: Floats) -> None:
    """Write the row whose parts have the spectra `given` to `out`, float64 (n or n+1)."""
    sizes, parts = np.empty(2 * workspace.transform.shape[2]), workspace.spectra.parts
    _invert(given, 0, parts, workspace, sizes)
    for part in range(parts):
        block = out[part * WIDTH : (part + 1) * WIDTH]
        column = _column(workspace.transform, part)
        for i in range(block.shape[0]):
            block[i] = column[i] * sizes[part]


@inner_kernel
def multiply_spectra(given: Floats, tiles: Floats, parts: int, out: Floats) -> None:
    """Compute out[f, c] = Σ_b given[f, b] · tiles[f, parts − 1 + c − b] at every frequency."""
    out[:] = 0.0
    for f in range(WIDTH + 1):
        re, im = out[0, f, :parts], out[1, f, :parts]
        for b in range(parts):
            xr, xi = given[0, f, b], given[1, f, b]
            hr, hi = tiles[0, f, parts - 1 - b :], tiles[1, f, parts - 1 - b :]
            for c in range(parts):
                re[c] += xr * hr[c] - xi * hi[c]
                im[c] += xr * hi[c] + xi * hr[c]


@inner_kernel
def correlate_spectra(left: Floats, right: Floats, parts: int, counts: Floats) -> None:
    """Add counts[f, parts − 1 + c − b] += conj(left[f, b]) · right[f, c] at every frequency."""
    for f in range(WIDTH + 1):
        yr, yi = right[0, f], right[1, f]
        for b in range(parts):
            xr, xi = left[0, f, b], left[1, f, b]
            re, im = counts[0, f, parts - 1 - b :], counts[1, f, parts - 1 - b :]
            for c in range(parts):
                re[c] += xr * yr[c] + xi * yi[c]
                im[c] += xr * yi[c] - xi * yr[c]


@inner_kernel
def add_correlations(workspace: FftWorkspace, start: int, counts: Floats) -> None:
    """Add the sums of `correlate_spectra` to `counts` (W) by distance, the factor J still missing.

    `start`: of the table.
    """
    spectra, columns, tiles = workspace.spectra, 2 * workspace.transform.shape[2], workspace.counts.shape[2]
    direct = np.zeros(tiles, dtype=np.bool_)
    for k in spectra.direct:
        direct[k + spectra.parts - 1] = True
    sizes = np.empty(columns)
    for first in range(0, tiles, columns):
        chosen = min(columns, tiles - first)
        _invert(workspace.counts, first, chosen, workspace, sizes)
        for k in range(chosen):
            if direct[first + k]:
                continue
            column = _column(workspace.transform, k)
            middle = start + (first + k - spectra.parts + 1) * WIDTH
            for m in range(1 - WIDTH, WIDTH):
                if 0 <= middle + m < counts.shape[0]:
                    value = column[m if m >= 0 else m + 2 * WIDTH] * sizes[k]
                    counts[middle + m] += max(value, 0.0)
