"""Products of rows of probabilities with the Toeplitz transition matrix J, and the counts of its entries.

Blocks, tiles and exponents are those of `vorlage.semihmm.kernels.toeplitz`. Everything is linear,
float64. Long documents of one block take `vorlage.semihmm.kernels.toeplitz_rows` or
`vorlage.semihmm.kernels.toeplitz_fft`; all others are summed term by term.
"""

from numba import objmode

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.scaling import EMPTY, LOG_UNIT, Scaled, power
from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.semihmm.kernels.toeplitz_fft import WIDTH, Spectra, add_correlations, correlate, multiply
from vorlage.semihmm.kernels.toeplitz_rows import (
    Band,
    add_diagonal_sums,
    add_toeplitz_product,
    banded_product,
)
from vorlage.types import Floats


@inner_kernel
def _tile(toeplitz: Toeplitz, b: int, c: int) -> int:
    """Return the row of `tables` for jumps from block b to block c."""
    return toeplitz.scales.shape[0] // 2 + c - b


@inner_kernel
def _shift(toeplitz: Toeplitz, b: int, c: int) -> int:
    """Return the column of the jump from the first row of block b to the first column of block c."""
    return toeplitz.start + toeplitz.columns[c] - toeplitz.rows[b] - (c - b) * toeplitz.width


@inner_kernel
def toeplitz_product(
    toeplitz: Toeplitz,
    band: Band | None,
    spectra: Spectra | None,
    row: Scaled,
    out: Scaled,
) -> None:
    """Multiply a row by J, `row` (n+1) and `out` (n), or by its transpose, the reverse.

    `band`, `spectra`: of the matrix, if it is multiplied by them.
    """
    if band is not None:
        out.scale[0] = row.scale[0] + toeplitz.scales[0]
        banded_product(band, row.values, out.values)
    elif spectra is not None:
        out.scale[0] = row.scale[0] + toeplitz.scales[0]
        _spectral_product(toeplitz, spectra, row.values, out.values)
    else:
        _direct_product(toeplitz, row, out)


@inner_kernel
def _direct_product(toeplitz: Toeplitz, row: Scaled, out: Scaled) -> None:
    """Multiply a row by J or its transpose, term by term."""
    rows, columns, scales = toeplitz.rows, toeplitz.columns, toeplitz.scales
    count = columns.shape[0] - 1
    for c in range(count):
        top = EMPTY
        for b in range(count):
            top = max(top, row.scale[b] + scales[_tile(toeplitz, b, c)])
        out.scale[c] = top
        part = out.values[columns[c] : columns[c + 1]]
        for y in range(part.shape[0]):
            part[y] = 0.0
        for b in range(count):
            k = _tile(toeplitz, b, c)
            factor = power(row.scale[b] + scales[k] - top)
            if factor != 0.0:
                weights = row.values[rows[b] : rows[b + 1]]
                add_toeplitz_product(weights, factor, toeplitz.tables[k], _shift(toeplitz, b, c), part)


@inner_kernel
def _spectral_product(toeplitz: Toeplitz, spectra: Spectra, row: Floats, out: Floats) -> None:
    """Multiply a row by J or its transpose: by spectra, and term by term where those lose digits."""
    with objmode(product="float64[::1]"):
        product = multiply(row, spectra, len(out))
    out[:] = product
    parts = spectra.parts
    for k in spectra.direct:
        for b in range(max(0, -k), min(parts, parts - k)):
            weights = row[b * WIDTH : (b + 1) * WIDTH]
            part = out[(b + k) * WIDTH : (b + k + 1) * WIDTH]
            add_toeplitz_product(weights, 1.0, toeplitz.tables[0], toeplitz.start + k * WIDTH, part)


@inner_kernel
def final_column(toeplitz: Toeplitz, out: Scaled) -> None:
    """Write J(p→n+1) for every position p to `out` (n+1)."""
    rows, count = toeplitz.rows, toeplitz.rows.shape[0] - 1
    for b in range(count):
        k = _tile(toeplitz, b, count - 1)
        at = _end(toeplitz, b)
        for p in range(rows[b], rows[b + 1]):
            out.values[p] = toeplitz.tables[k, at - p]
        out.scale[b] = toeplitz.scales[k]


@inner_kernel
def _end(toeplitz: Toeplitz, b: int) -> int:
    """Return the column of the jump from position 0 to the end, as if 0 were in block b."""
    c = toeplitz.columns.shape[0] - 2
    return toeplitz.start + toeplitz.columns[c + 1] - (c - b) * toeplitz.width


@inner_kernel
def add_counts(
    toeplitz: Toeplitz,
    spectra: Spectra | None,
    alpha: Scaled,
    start: Scaled,
    unit: int,
    padded: Floats,
    counts: Floats,
) -> None:
    """Add α(p) b(j) for every p and j to `counts`, which has the layout of `tables`, flat.

    Multiplied by J and divided by Pr(s|d), without its exponent `unit`, the sums are the expected
    transitions. `padded`: space for the words of a block and 10 more. With spectra the sums are kept there
    until `add_spectral_counts`.
    """
    if spectra is None:
        _add_counts_directly(toeplitz, alpha, start, unit, padded, counts)
    else:
        factor = power(alpha.scale[0] + start.scale[0] + toeplitz.scales[0] - unit)
        _add_counts_by_spectra(toeplitz, spectra, alpha.values, factor, start.values, padded, counts)


@inner_kernel
def _add_counts_directly(
    toeplitz: Toeplitz, alpha: Scaled, start: Scaled, unit: int, padded: Floats, counts: Floats
) -> None:
    """Do what `add_counts` does, term by term."""
    rows, columns, width = toeplitz.rows, toeplitz.columns, toeplitz.tables.shape[1]
    count = columns.shape[0] - 1
    for c in range(count):
        part = _pad(start.values[columns[c] : columns[c + 1]], padded)
        for b in range(count):
            k = _tile(toeplitz, b, c)
            factor = power(alpha.scale[b] + start.scale[c] + toeplitz.scales[k] - unit)
            if factor != 0.0:
                weights, of_tile = alpha.values[rows[b] : rows[b + 1]], counts[k * width : (k + 1) * width]
                add_diagonal_sums(weights, factor, part, _shift(toeplitz, b, c), of_tile)


@inner_kernel
def _pad(part: Floats, padded: Floats) -> Floats:
    """Write a part of a row to `padded` with five zeros on either side, and return a view of it."""
    size = part.shape[0]
    for i in range(5):
        padded[i] = padded[5 + size + i] = 0.0
    for i in range(size):
        padded[5 + i] = part[i]
    return padded[: size + 10]


@inner_kernel
def _add_counts_by_spectra(
    toeplitz: Toeplitz,
    spectra: Spectra,
    alpha: Floats,
    factor: float,
    start: Floats,
    padded: Floats,
    counts: Floats,
) -> None:
    """Add the counts of smooth tiles to those of the spectra, those of the other tiles to `counts`."""
    if factor == 0.0:
        return
    scaled = factor * alpha
    with objmode():
        correlate(scaled, start, spectra)
    parts = spectra.parts
    for k in spectra.direct:
        for c in range(max(0, k), min(parts, parts + k)):
            part = _pad(start[c * WIDTH : (c + 1) * WIDTH], padded)
            weights = alpha[(c - k) * WIDTH : (c - k + 1) * WIDTH]
            add_diagonal_sums(weights, factor, part, toeplitz.start + k * WIDTH, counts)


@inner_kernel
def add_spectral_counts(toeplitz: Toeplitz, spectra: Spectra | None, counts: Floats) -> None:
    """Add the sums that `add_counts` has kept with the spectra to `counts`."""
    if spectra is not None:
        start = toeplitz.start
        with objmode():
            add_correlations(spectra, start, counts)


@inner_kernel
def add_final_counts(toeplitz: Toeplitz, alpha: Scaled, unit: int, counts: Floats) -> None:
    """Add α_T(p) for the jump from every p to the end to `counts`; arguments as in `add_counts`."""
    rows, count, width = toeplitz.rows, toeplitz.rows.shape[0] - 1, toeplitz.tables.shape[1]
    for b in range(count):
        k = _tile(toeplitz, b, count - 1)
        factor = power(alpha.scale[b] + toeplitz.scales[k] - unit)
        at = k * width + _end(toeplitz, b)
        for p in range(rows[b], rows[b + 1]):
            counts[at - p] += alpha.values[p] * factor


@inner_kernel
def log_row(logs: Floats, toeplitz: Toeplitz, b: int, p: int, row: Floats) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row`, natural logarithm.

    `logs` (K, W): logarithms of `tables`; b: the block of p.
    """
    columns, count = toeplitz.columns, toeplitz.columns.shape[0] - 1
    for c in range(count):
        k = _tile(toeplitz, b, c)
        at = _shift(toeplitz, b, c) + toeplitz.rows[b] - p - columns[c]
        for y in range(columns[c], columns[c + 1] + (1 if c == count - 1 else 0)):
            row[y] = logs[k, at + y] + toeplitz.scales[k] * LOG_UNIT
