"""Numbers beyond the range of float64: a block of float64 values and an integer exponent.

A block with exponent k represents its values times 2^(256 k). Products with powers of two are exact, so
exponents change no digit. A block of zeros has the exponent `EMPTY`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from vorlage.compiled import any_order_kernel, inner_kernel
from vorlage.types import Floats, LongInts

LOG_UNIT = 256 * np.log(2.0)
# Those of NumPy are no literals, for which kernels are compiled again.
ZERO: Any = np.int64(0)
EMPTY: Any = np.int64(-(10**9))
LEFT: Any = np.int64(-1)  # the step of `add_rows` over a matrix by distance
FORWARD: Any = np.bool_(False)  # from positions to words
BACK: Any = np.bool_(True)
SMALL, LARGE = 2.0**-128, 2.0**128
PART = 1024  # numbers of a row that are processed at once: they fit the first-level cache
SIX = 6  # rows of a matrix
PADDED = 8  # numbers of a row that one instruction processes


class Scaled(NamedTuple):
    """Numbers in B blocks, one row or several: float64 `values`, int64 exponents `scale` (…, B)."""

    values: Floats
    scale: LongInts


@inner_kernel
def row_at(rows: Scaled, t: int) -> Scaled:
    """Return row t as a view."""
    return Scaled(rows.values[t], rows.scale[t])


def make_rows(*shape: int) -> Scaled:
    """Return uninitialised rows; the last two numbers are those of the values and of the blocks of a row."""
    *rows, size, blocks = shape
    return Scaled(np.empty((*rows, size)), np.empty((*rows, blocks), dtype=np.int64))


@inner_kernel
def scale_block(block: Floats, factor: float) -> None:
    """Multiply a block by a factor, in place."""
    for i in range(block.shape[0]):
        block[i] *= factor


@inner_kernel
def power(k: int) -> float:
    """Return 2^(256 k), limited to the range of float64: 0 for k < −3, and at most 2^768."""
    if k == 0:
        return 1.0
    if k < -3:
        return 0.0
    return 2.0 ** (256.0 * min(k, 3))


@any_order_kernel
def sum_of(block: Floats) -> float:
    """Return the sum of a block."""
    total = 0.0
    for i in range(block.shape[0]):
        total += block[i]
    return total


@any_order_kernel
def dot(left: Floats, right: Floats) -> float:
    """Return the inner product of two rows."""
    total = 0.0
    for i in range(left.shape[0]):
        total += left[i] * right[i]
    return total


@inner_kernel
def add_rows(weights: Floats, factor: float, flat: Floats, start: int, step: int, out: Floats) -> None:
    """Add out[i] += Σ_k factor · weights[k] · flat[start + k · step + i]: a row times a matrix.

    Six rows of the matrix share one pass over a part of `out`, each added by one fused instruction, which
    makes arithmetic the bottleneck and not memory.
    """
    for first in range(0, out.shape[0], PART):
        part, place = out[first : first + PART], start + first
        k = 0
        while k + SIX <= weights.shape[0]:
            w0, w1, w2 = factor * weights[k], factor * weights[k + 1], factor * weights[k + 2]
            w3, w4, w5 = factor * weights[k + 3], factor * weights[k + 4], factor * weights[k + 5]
            r0, r1, r2 = flat[place:], flat[place + step :], flat[place + 2 * step :]
            r3, r4, r5 = flat[place + 3 * step :], flat[place + 4 * step :], flat[place + 5 * step :]
            for i in range(part.shape[0]):
                total = part[i] + w0 * r0[i] + w1 * r1[i] + w2 * r2[i]
                part[i] = total + w3 * r3[i] + w4 * r4[i] + w5 * r5[i]
            k, place = k + SIX, place + SIX * step
        while k < weights.shape[0]:
            weight, row = factor * weights[k], flat[place:]
            for i in range(part.shape[0]):
                part[i] += weight * row[i]
            k, place = k + 1, place + step


@inner_kernel
def add_rows_of_four(weights: Floats, flat: Floats, start: int, out: Floats) -> None:
    """Do for four rows, (4, K) and (4, n), from 0 on, what `add_rows` does for one with step −1.

    They share what is read of the matrix, which saves a third of the time.
    """
    width, k = out.shape[1], 0
    every = out.reshape(-1)
    every[:] = 0.0
    while k + SIX <= weights.shape[1]:
        one = to_fixed_tuple(weights[0, k : k + SIX], SIX)
        two = to_fixed_tuple(weights[1, k : k + SIX], SIX)
        three = to_fixed_tuple(weights[2, k : k + SIX], SIX)
        four = to_fixed_tuple(weights[3, k : k + SIX], SIX)
        part = flat[start - k - SIX + 1 :]
        for i in range(width):
            a, b, c, d = every[i], every[width + i], every[2 * width + i], every[3 * width + i]
            for x in range(SIX):
                value = part[i + SIX - 1 - x]
                a, b, c, d = a + one[x] * value, b + two[x] * value, c + three[x] * value, d + four[x] * value
            every[i], every[width + i], every[2 * width + i], every[3 * width + i] = a, b, c, d
        k += SIX
    for row in range(4):
        add_rows(weights[row, k:], 1.0, flat, start - k, LEFT, out[row])


@inner_kernel
def rescale(block: Floats, scale: LongInts, b: int) -> None:
    """Bring the sum of a block between 2^−128 and 2^128, in place; `scale[b]` is its exponent.

    A sum that is infinite, negative or no number stays as it is.
    """
    before = scale[b]
    _, scale[b] = normalise(sum_of(block), before)
    if scale[b] != EMPTY:
        for _ in range(abs(before - scale[b])):
            scale_block(block, 2.0**256 if scale[b] < before else 2.0**-256)


@inner_kernel
def factor_into(exponent: int, block: Floats, scale: LongInts, b: int) -> float:
    """Return the factor that converts a value with `exponent` to the exponent of a block, `scale[b]`.

    If the exponent of the block is the smaller one, it is set to `exponent` first, and the block scaled to
    match, in place.
    """
    if exponent == EMPTY:
        return 0.0
    if exponent > scale[b]:
        scale_block(block, power(scale[b] - exponent))
        scale[b] = exponent
    return power(exponent - scale[b])


@inner_kernel
def normalise(value: float, exponent: int) -> tuple[float, int]:
    """Return a value between 2^−128 and 2^128, and its exponent; 0 has the exponent `EMPTY`."""
    if value == 0.0:
        return 0.0, EMPTY
    while 0.0 < value < SMALL:
        value *= 2.0**256
        exponent -= 1
    while LARGE < value < np.inf:
        value *= 2.0**-256
        exponent += 1
    return value, exponent
