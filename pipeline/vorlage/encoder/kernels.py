"""The compiled steps of a BERT layer: products of matrices in bytes, and what is done between them.

In products, a weight takes 8 bits, and sums are integers. Each row of the left matrix and each column of the
right one has its own scale, so a row's product is the same bytes whatever the other rows are, and on every
machine. Processors with AVX-512 VNNI add four products of bytes to an integer, for 16 integers in one
instruction; on others, pairs of 16-bit numbers are multiplied.

The sums of the other steps may be taken in any order (`fastmath`), which lets the compiler use vector
instructions. The exponential is a polynomial, because that of the C library takes one number at a time:
e^x = 2^n · e^r with |r| ≤ ln 2 / 2, where 2^n is made from its bits. Its coefficients are those of Cephes'
`expf`. Those of erf are formula 7.1.26 of Abramowitz & Stegun 1964, whose error is below 1.5e-7.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

from vorlage.compiled import compiled, exact_kernel, inlined
from vorlage.types import AnyArray, Vectors

FEATURES = get_host_cpu_features() if numba.config.CPU_FEATURES is None else numba.config.CPU_FEATURES
HAS_DOT = "+avx512vnni" in FEATURES
# DEPTH values are multiplied at once, of 8 or 16 bits; weights are unsigned where MIDDLE is added to them.
DEPTH, VALUE, WEIGHT, MIDDLE = (4, np.int8, np.uint8, 128) if HAS_DOT else (2, np.int16, np.int16, 0)
LANES = 16  # integers of a vector
ROWS, VECTORS = (6, 4) if HAS_DOT else (4, 1)  # of a tile, whose sums fill the registers
COLUMNS = VECTORS * LANES
MOST = np.float32(127)

INT, ADDRESS = ir.IntType(32), ir.IntType(64)
INTS, PAIRS = ir.VectorType(INT, LANES), ir.VectorType(INT, 2 * LANES)
SHORTS = ir.VectorType(ir.IntType(16), 2 * LANES)

F = np.float32
LEAST = F(-87.0)  # of an exponent


class ByteMatrix(NamedTuple):
    """A matrix (in, out) as `multiply` takes it.

    - `weights`: integers (⌈out / COLUMNS⌉, ⌈in / DEPTH⌉, COLUMNS, DEPTH), so that a tile reads them in order.
    - `scales`: float32 of each column (out).
    """

    weights: AnyArray
    scales: Vectors

    @classmethod
    def from_floats(cls, matrix: Vectors) -> "ByteMatrix":
        """Round a matrix of floats, given as its transpose (out, in)."""
        columns, size = matrix.shape
        largest = np.maximum(matrix.max(axis=1), -matrix.min(axis=1))
        scales = np.maximum(largest, np.finfo(F).tiny) / MOST
        padded = np.zeros((-(-columns // COLUMNS) * COLUMNS, -(-size // DEPTH) * DEPTH), WEIGHT)
        scaled = matrix / scales[:, None]
        np.rint(scaled, out=scaled)
        scaled += MIDDLE
        padded[:columns, :size] = scaled
        depths = padded.view(np.int32)  # of DEPTH weights each
        parts = np.ascontiguousarray(depths.reshape(-1, COLUMNS, depths.shape[1]).swapaxes(1, 2))
        return cls(parts[..., None].view(WEIGHT), scales.astype(F))


def _tile(context: Any, rows: Any, size: Any, weights: Any, sums: Any) -> Any:
    """Write sums of products (ROWS, COLUMNS) of `size` bytes of rows; arrays are given by their addresses."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> None:
        rows, size, weights, sums = arguments

        def pointer(start: Any, offset: Any, kind: Any) -> Any:
            return builder.inttoptr(builder.add(start, offset), kind.as_pointer())

        before = builder.block
        loop, after = builder.append_basic_block("loop"), builder.append_basic_block("after")
        builder.branch(loop)
        builder.position_at_end(loop)
        k = builder.phi(ADDRESS)
        totals = [[builder.phi(INTS) for _ in range(VECTORS)] for _ in range(ROWS)]
        first = builder.mul(k, ADDRESS(COLUMNS))
        places = [ADDRESS(4 * LANES * v) for v in range(ROWS * VECTORS)]
        columns = [
            builder.load(pointer(weights, builder.add(first, place), INTS), align=1)
            for place in places[:VECTORS]
        ]
        added = []
        for row, of_row in enumerate(totals):
            value = builder.load(pointer(rows, builder.add(k, builder.mul(size, ADDRESS(row))), INT), align=1)
            value = builder.insert_element(ir.Constant(INTS, ir.Undefined), value, INT(0))
            value = builder.shuffle_vector(value, value, ir.Constant(INTS, [0] * LANES))
            added.append([_add_products(builder, *one, value) for one in zip(of_row, columns, strict=True)])
        following = builder.add(k, ADDRESS(4))
        k.add_incoming(ADDRESS(0), before)
        k.add_incoming(following, loop)
        for total, new in zip(sum(totals, []), sum(added, []), strict=True):
            total.add_incoming(ir.Constant(INTS, [0] * LANES), before)
            total.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", following, size), loop, after)
        builder.position_at_end(after)
        for place, new in zip(places, sum(added, []), strict=True):
            builder.store(new, pointer(sums, place, INTS), align=4)

    return types.void(*[types.intp] * 4), generate


_multiply_tile = intrinsic(_tile)


def _add_products(builder: Any, total: Any, weights: Any, values: Any) -> Any:
    """Return total + Σ of DEPTH weights times DEPTH values, in each lane."""
    if HAS_DOT:
        kind = ir.FunctionType(INTS, [INTS] * 3)
        dot = builder.module.declare_intrinsic("llvm.x86.avx512.vpdpbusd.512", (), kind)
        return builder.call(dot, [total, weights, values])
    weights, values = (builder.sext(builder.bitcast(side, SHORTS), PAIRS) for side in (weights, values))
    products = builder.mul(weights, values)
    for odd in (0, 1):
        places = ir.Constant(INTS, [2 * lane + odd for lane in range(LANES)])
        total = builder.add(total, builder.shuffle_vector(products, products, places))
    return total


def _same_bits(taken: Any, given: Any, kind: Any) -> Any:
    """Return a function of kernels that takes the bits of a number for those of another type."""

    def declare(context: Any, number: Any) -> Any:
        return given(taken), lambda _, builder, __, numbers: builder.bitcast(*numbers, kind)

    return intrinsic(declare)


_bits_of_float = _same_bits(types.float32, types.int32, INT)
_float_of_bits = _same_bits(types.int32, types.float32, ir.FloatType())


@exact_kernel
def multiply(x: Vectors, weights: AnyArray, scales: Vectors) -> Vectors:
    """Return the product of the rows of `x` (n, in), rounded to bytes, and a `ByteMatrix`, (n, out)."""
    (count, size), columns = x.shape, len(scales)
    out = np.empty((count, columns), F)
    rows = np.zeros((-(-count // ROWS) * ROWS, DEPTH * weights.shape[1]), VALUE)
    factors, shifts = np.empty(count, F), np.empty(count, np.int32)
    for i in range(count):
        largest = np.int32(0)
        for j in range(size):  # the order of positive floats is that of their bits, which is found faster
            largest = max(largest, _bits_of_float(x[i, j]) & np.int32(0x7FFFFFFF))
        factors[i] = _float_of_bits(largest) / MOST
        inverse = F(1) / factors[i] if largest else F(0)
        shift = np.int32(0)
        for j in range(size):
            rows[i, j] = VALUE(np.floor(x[i, j] * inverse + F(0.5)))
            shift += np.int32(rows[i, j])
        shifts[i] = shift * MIDDLE
    sums = np.empty((ROWS, COLUMNS), np.int32)
    for panel in range(len(weights)):
        first = panel * COLUMNS
        width = min(COLUMNS, columns - first)
        for start in range(0, count, ROWS):
            _multiply_tile(
                rows[start:].ctypes.data,
                rows.shape[1] * rows.itemsize,
                weights[panel:].ctypes.data,
                sums.ctypes.data,
            )
            for i in range(start, min(start + ROWS, count)):
                shift, factor, of_row = np.int32(shifts[i]), factors[i], sums[i - start]
                for j in range(width):
                    total = F(np.int32(of_row[j] - shift))
                    out[i, first + j] = total * (factor * scales[first + j])
    return out


# No error for a division by zero, whose test would keep loops from vector instructions.
vectorized = partial(compiled, fastmath=True, error_model="numpy")


@inlined
def _exponential(x: Any) -> tuple[Any, Any]:
    """Return p and q, for which e^x = p · q; `x` is at most 0, and taken for at least −87."""
    x = max(x, LEAST)
    n = np.floor(x * F(1.44269504) + F(0.5))
    r = x - n * F(0.693359375) + n * F(2.12194440e-4)
    p = F(1.98756915e-4)
    p = p * r + F(1.39819995e-3)
    p = p * r + F(8.33345191e-3)
    p = p * r + F(4.16657959e-2)
    p = p * r + F(0.166666655)
    p = p * r + F(0.5)
    return p * r * r + r + F(1.0), _float_of_bits((np.int32(n) + np.int32(127)) << np.int32(23))


@vectorized
def add_gelu(x: AnyArray, bias: AnyArray) -> None:
    """Replace each row of `x` (n, size) by GELU(x + bias), x · (1 + erf(x / √2)) / 2 (Hendrycks & Gimpel
    2016).
    """
    rows, size = x.shape
    p, q = np.empty(size, np.float32), np.empty(size, np.float32)
    for i in range(rows):
        for j in range(size):
            x[i, j] += bias[j]
            p[j], q[j] = _exponential(F(-0.5) * x[i, j] * x[i, j])
        for j in range(size):
            half = F(0.5) * x[i, j]
            t = F(1.0) / (F(1.0) + F(0.3275911 / math.sqrt(0.5)) * np.abs(half))
            s = F(1.061405429)
            s = s * t + F(-1.453152027)
            s = s * t + F(1.421413741)
            s = s * t + F(-0.284496736)
            s = s * t + F(0.254829592)
            x[i, j] = half + np.abs(half) * (F(1.0) - s * t * p[j] * q[j])


@vectorized
def add_normalize(
    x: AnyArray, bias: AnyArray, residual: AnyArray, scale: AnyArray, shift: AnyArray, epsilon: float
) -> None:
    """Replace each row of `x` (n, size) by the layer norm of x + bias + residual (Ba, Kiros & Hinton
    2016).
    """
    rows, size = x.shape
    for i in range(rows):
        total = F(0.0)
        for j in range(size):
            x[i, j] += bias[j] + residual[i, j]
            total += x[i, j]
        mean = total / F(size)
        total = F(0.0)
        for j in range(size):
            total += (x[i, j] - mean) * (x[i, j] - mean)
        factor = F(1.0) / np.sqrt(total / F(size) + F(epsilon))
        for j in range(size):
            x[i, j] = (x[i, j] - mean) * factor * scale[j] + shift[j]


@vectorized
def take_softmax(x: AnyArray) -> None:
    """Replace each row of `x` (n, size) by its softmax."""
    rows, size = x.shape
    for i in range(rows):
        top = x[i, 0]
        for j in range(1, size):
            top = max(top, x[i, j])
        total = F(0.0)
        for j in range(size):
            p, q = _exponential(x[i, j] - top)
            x[i, j] = p * q
            total += x[i, j]
        factor = F(1.0) / total
        for j in range(size):
            x[i, j] *= factor


@vectorized
def word_means(states: AnyArray, words: AnyArray, means: AnyArray) -> None:
    """Add vectors of pieces, `states` (layers, pieces, size), to the `means` of words (layers, words, size).

    `words`: the word of each piece, −1 for none.
    """
    counts = np.zeros(means.shape[1], np.float32)
    for word in words:
        if word >= 0:
            counts[word] += F(1.0)
    for layer in range(len(states)):
        for piece, word in enumerate(words):
            if word >= 0:
                share = F(1.0) / counts[word]
                for j in range(states.shape[2]):
                    means[layer, word, j] += share * states[layer, piece, j]
