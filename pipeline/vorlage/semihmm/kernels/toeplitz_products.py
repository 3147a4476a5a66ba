"""Products of rows of probabilities with the Toeplitz transition matrix J, and the counts of its entries.

Blocks, tiles and exponents are those of `vorlage.semihmm.kernels.toeplitz`. Everything is linear,
float64. Long documents of one block take `vorlage.semihmm.kernels.toeplitz_band` or
`vorlage.semihmm.kernels.toeplitz_fft`; all others are summed term by term.
"""

from vorlage.semihmm.kernels.compile import inner_kernel
from vorlage.semihmm.kernels.scaling import EMPTY, LOG_UNIT, Scaled, positions, power
from vorlage.semihmm.kernels.toeplitz import ToeplitzTables
from vorlage.semihmm.kernels.toeplitz_band import Band, banded_product
from vorlage.semihmm.kernels.toeplitz_fft import (
    FftWorkspace,
    add_correlations,
    correlate_spectra,
    invert_parts,
    multiply_spectra,
    transform_parts,
)
from vorlage.semihmm.kernels.toeplitz_rows import add_diagonal_sums, add_toeplitz_product
from vorlage.semihmm.kernels.toeplitz_spectra import WIDTH
from vorlage.types import Floats, Ints


@inner_kernel
def _tile(toeplitz: ToeplitzTables, b: int, c: int) -> int:
    """Return the row of `tables` for jumps from block b to block c."""
    count = toeplitz.scales.shape[0]
    return count // 2 + c - b if count > 1 else 0


@inner_kernel
def _shift(toeplitz: ToeplitzTables, blocks: Ints, b: int, c: int) -> int:
    """Return the column of the jump from the first position of block b to the first word of block c."""
    position = blocks[b] + 1 if b > 0 else 0
    return (blocks[c] + 1 - position) - (c - b - 1) * toeplitz.width


@inner_kernel
def forward_product(
    toeplitz: ToeplitzTables,
    blocks: Ints,
    band: Band | None,
    workspace: FftWorkspace | None,
    alpha: Scaled,
    out: Scaled,
) -> None:
    """Compute a(j) = Σ_p α(p) J(p→j): `alpha` (n+1), `out` (n)."""
    if band is not None:
        out.scale[0] = alpha.scale[0] + toeplitz.scales[0]
        banded_product(band, alpha.values, False, out.values)
    elif workspace is None:
        _direct_product(toeplitz, blocks, alpha, False, out)
    else:
        spectra, table, first = workspace.spectra, toeplitz.tables[0], toeplitz.width + 1
        out.scale[0] = alpha.scale[0] + toeplitz.scales[0]
        _spectral_product(workspace, alpha.values, spectra.forward, table, first, 1, out.values)


@inner_kernel
def backward_product(
    toeplitz: ToeplitzTables,
    blocks: Ints,
    band: Band | None,
    workspace: FftWorkspace | None,
    start: Scaled,
    out: Scaled,
) -> None:
    """Compute Σ_j J(p→j) b(j): `start` (n), which is b, and `out` (n+1)."""
    if band is not None:
        out.scale[0] = start.scale[0] + toeplitz.scales[0]
        banded_product(band, start.values, True, out.values)
    elif workspace is None:
        _direct_product(toeplitz, blocks, start, True, out)
    else:
        spectra, table = workspace.spectra, toeplitz.reversed_tables[0]
        out.scale[0] = start.scale[0] + toeplitz.scales[0]
        first = toeplitz.tables.shape[1] - 2 - toeplitz.width
        _spectral_product(workspace, start.values, spectra.backward, table, first, -1, out.values)


@inner_kernel
def _direct_product(toeplitz: ToeplitzTables, blocks: Ints, row: Scaled, backward: bool, out: Scaled) -> None:
    """Multiply a row by J, or by its transpose if `backward`, term by term."""
    count, last = blocks.shape[0] - 1, toeplitz.tables.shape[1] - 1
    for i in range(count):
        top = EMPTY
        for k in range(count):
            tile = _tile(toeplitz, i, k) if backward else _tile(toeplitz, k, i)
            top = max(top, row.scale[k] + toeplitz.scales[tile])
        words = out.values[blocks[i] : blocks[i + 1]]
        part = positions(out.values, blocks, i) if backward else words
        part[:] = 0.0
        out.scale[i] = top
        for k in range(count):
            tile = _tile(toeplitz, i, k) if backward else _tile(toeplitz, k, i)
            factor = power(row.scale[k] + toeplitz.scales[tile] - top)
            words = row.values[blocks[k] : blocks[k + 1]]
            weights = words if backward else positions(row.values, blocks, k)
            if factor == 0.0:
                continue
            if factor != 1.0:
                weights = weights * factor
            if backward:
                shift = last - _shift(toeplitz, blocks, i, k)
                add_toeplitz_product(weights, toeplitz.reversed_tables[tile], shift, part)
            else:
                add_toeplitz_product(weights, toeplitz.tables[tile], _shift(toeplitz, blocks, k, i), part)


@inner_kernel
def _spectral_product(
    workspace: FftWorkspace,
    values: Floats,
    tiles: Floats,
    table: Floats,
    start: int,
    sign: int,
    out: Floats,
) -> None:
    """Multiply a row by J or its transpose: by spectra, and term by term where those lose digits.

    `tiles`: spectra of the tiles; `table`: the same numbers by distance, in which the jump from the first
    number to the first is at `start`; `sign`: 1 if tile k leads k parts ahead, −1 if it leads k parts
    back.
    """
    spectra = workspace.spectra
    transform_parts(values, 1.0, spectra, workspace, workspace.left)
    multiply_spectra(workspace.left, tiles, spectra.parts, workspace.right)
    invert_parts(workspace.right, spectra, workspace, out)
    for k in spectra.direct:
        for b in range(max(0, -sign * k), min(spectra.parts, spectra.parts - sign * k)):
            weights = values[b * WIDTH : (b + 1) * WIDTH]
            part = out[(b + sign * k) * WIDTH : (b + sign * k + 1) * WIDTH]
            add_toeplitz_product(weights, table, start + sign * k * WIDTH, part)


@inner_kernel
def final_column(toeplitz: ToeplitzTables, blocks: Ints, out: Scaled) -> None:
    """Write J(p→n+1) for every position p to `out` (n+1)."""
    count = blocks.shape[0] - 1
    c = count - 1
    for b in range(count):
        part = positions(out.values, blocks, b)
        at = _shift(toeplitz, blocks, b, c) + blocks[count] - blocks[c]
        table = toeplitz.tables[_tile(toeplitz, b, c)]
        for p in range(part.shape[0]):
            part[p] = table[at - p]
        out.scale[b] = toeplitz.scales[_tile(toeplitz, b, c)]


@inner_kernel
def add_counts(
    toeplitz: ToeplitzTables,
    blocks: Ints,
    workspace: FftWorkspace | None,
    alpha: Scaled,
    start: Scaled,
    unit: int,
    padded: Floats,
    counts: Floats,
) -> None:
    """Add α(p) b(j) for every p and j to `counts`, which has the layout of `tables`, flat.

    Multiplied by J and divided by Pr(s|d), without its exponent `unit`, the sums are the expected
    transitions. `padded`: space for the words of a block and 14 more. With spectra the sums are kept in
    `workspace.counts` until `add_spectral_counts`.
    """
    if workspace is None:
        _add_counts_directly(toeplitz, blocks, alpha, start, unit, padded, counts)
    else:
        factor = power(alpha.scale[0] + start.scale[0] + toeplitz.scales[0] - unit)
        _add_counts_by_spectra(toeplitz, workspace, alpha.values, factor, start.values, padded, counts)


@inner_kernel
def _add_counts_directly(
    toeplitz: ToeplitzTables,
    blocks: Ints,
    alpha: Scaled,
    start: Scaled,
    unit: int,
    padded: Floats,
    counts: Floats,
) -> None:
    """Do what `add_counts` does, term by term."""
    count = blocks.shape[0] - 1
    width = toeplitz.tables.shape[1]
    for c in range(count):
        part = _pad(start.values[blocks[c] : blocks[c + 1]], padded)
        for b in range(count):
            k = _tile(toeplitz, b, c)
            factor = power(alpha.scale[b] + start.scale[c] + toeplitz.scales[k] - unit)
            if factor == 0.0:
                continue
            row = counts[k * width : (k + 1) * width]
            weights = positions(alpha.values, blocks, b) * factor
            add_diagonal_sums(weights, part, _shift(toeplitz, blocks, b, c), row)


@inner_kernel
def _pad(part: Floats, padded: Floats) -> Floats:
    """Write a part of a row to `padded` with seven zeros on either side, and return a view of it."""
    size = part.shape[0]
    padded[:7] = 0.0
    padded[7 : 7 + size] = part
    padded[7 + size : 14 + size] = 0.0
    return padded[: size + 14]


@inner_kernel
def _add_counts_by_spectra(
    toeplitz: ToeplitzTables,
    workspace: FftWorkspace,
    alpha: Floats,
    factor: float,
    start: Floats,
    padded: Floats,
    counts: Floats,
) -> None:
    """Add the counts of smooth tiles to `workspace.counts`, those of the other tiles to `counts`."""
    spectra = workspace.spectra
    if factor == 0.0:
        return
    transform_parts(alpha, factor, spectra, workspace, workspace.left)
    transform_parts(start, 1.0, spectra, workspace, workspace.right)
    correlate_spectra(workspace.left, workspace.right, spectra.parts, workspace.counts)
    for k in spectra.direct:
        for c in range(max(0, k), min(spectra.parts, spectra.parts + k)):
            part = _pad(start[c * WIDTH : (c + 1) * WIDTH], padded)
            weights = alpha[(c - k) * WIDTH : (c - k + 1) * WIDTH] * factor
            add_diagonal_sums(weights, part, toeplitz.width + k * WIDTH + 1, counts)


@inner_kernel
def add_spectral_counts(toeplitz: ToeplitzTables, workspace: FftWorkspace | None, counts: Floats) -> None:
    """Add the sums that `add_counts` has kept in the workspace to `counts`."""
    if workspace is not None:
        add_correlations(workspace.spectra, workspace, toeplitz.width, counts)


@inner_kernel
def add_final_counts(
    toeplitz: ToeplitzTables, blocks: Ints, alpha: Scaled, unit: int, counts: Floats
) -> None:
    """Add α_T(p) for the jump from every p to the end to `counts`; arguments as in `add_counts`."""
    count = blocks.shape[0] - 1
    width, c = toeplitz.tables.shape[1], count - 1
    for b in range(count):
        part, k = positions(alpha.values, blocks, b), _tile(toeplitz, b, c)
        at = _shift(toeplitz, blocks, b, c) + blocks[count] - blocks[c]
        factor = power(alpha.scale[b] + toeplitz.scales[k] - unit)
        for p in range(part.shape[0]):
            counts[k * width + at - p] += part[p] * factor


@inner_kernel
def log_row(logs: Floats, toeplitz: ToeplitzTables, blocks: Ints, b: int, p: int, row: Floats) -> None:
    """Write log J(p→j) for j = 1 … n+1 to `row`, natural logarithm.

    `logs` (K, W): logarithms of `tables`; b: the block of p.
    """
    count = blocks.shape[0] - 1
    for c in range(count):
        k = _tile(toeplitz, b, c)
        at = _shift(toeplitz, blocks, b, c) - (p - (blocks[b] + 1 if b > 0 else 0))
        size = blocks[c + 1] - blocks[c] + (1 if c == count - 1 else 0)
        for i in range(size):
            row[blocks[c] + i] = logs[k, at + i] + toeplitz.scales[k] * LOG_UNIT
