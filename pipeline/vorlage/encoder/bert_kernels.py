"""The steps of a BERT layer that are not products of matrices, compiled.

Sums may be taken in any order (`fastmath`), which lets the compiler use vector instructions. The
exponential is a polynomial, because that of the C library takes one number at a time: e^x = 2^n · e^r with
|r| ≤ ln 2 / 2, where 2^n is made from its bits. Its coefficients are those of Cephes' `expf`. Those of erf
are formula 7.1.26 of Abramowitz & Stegun 1964, whose error is below 1.5e-7.
"""

import math
from functools import partial
from typing import Any

import numpy as np

from vorlage.compiled import compiled
from vorlage.types import AnyArray

F = np.float32
LEAST = F(-87.0)

# No error for a division by zero, whose test would keep loops from vector instructions.
vectorized = partial(compiled, fastmath=True, error_model="numpy")


@partial(vectorized, no_cpython_wrapper=True)
def _exponential(x: Any) -> tuple[Any, Any]:
    """Return p and the bits of q, for which e^x = p · q; `x` is at most 0, and taken for at least −87."""
    x = max(x, LEAST)
    n = np.floor(x * F(1.44269504) + F(0.5))
    r = x - n * F(0.693359375) + n * F(2.12194440e-4)
    p = F(1.98756915e-4)
    p = p * r + F(1.39819995e-3)
    p = p * r + F(8.33345191e-3)
    p = p * r + F(4.16657959e-2)
    p = p * r + F(0.166666655)
    p = p * r + F(0.5)
    return p * r * r + r + F(1.0), (np.int32(n) + np.int32(127)) << np.int32(23)


@vectorized
def add_gelu(x: AnyArray, bias: AnyArray) -> None:
    """Replace each row of `x` (n, size) by GELU(x + bias), x · (1 + erf(x / √2)) / 2 (Hendrycks & Gimpel
    2016).
    """
    rows, size = x.shape
    p, bits = np.empty(size, np.float32), np.empty(size, np.int32)
    q = bits.view(np.float32)
    for i in range(rows):
        for j in range(size):
            x[i, j] += bias[j]
            p[j], bits[j] = _exponential(F(-0.5) * x[i, j] * x[i, j])
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
    bits = np.empty(size, np.int32)
    q = bits.view(np.float32)
    for i in range(rows):
        top = x[i, 0]
        for j in range(1, size):
            top = max(top, x[i, j])
        for j in range(size):
            x[i, j], bits[j] = _exponential(x[i, j] - top)
        total = F(0.0)
        for j in range(size):
            x[i, j] *= q[j]
            total += x[i, j]
        factor = F(1.0) / total
        for j in range(size):
            x[i, j] *= factor


@vectorized
def word_means(states: AnyArray, words: AnyArray, means: AnyArray) -> None:
    """Write the means of the pieces of words.

    Args:
        states: vectors of pieces (layers, pieces, size).
        words: the word of each piece, −1 for none.
        means: zeros, to write to (layers, words, size).
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
