"""Numbers beyond the range of float64: a block of float64 and an exponent.

A block with exponent k stands for its values times 2^(256 k). Products with powers of two are exact, so
exponents change no digit. A block that holds nothing has the exponent ``NEVER``.
"""

import numpy as np

from pipeline.semihmm.kernels.compile import kernel

LOG_UNIT = 256 * np.log(2.0)
NEVER = -(10**9)
SMALL, LARGE = 2.0**-128, 2.0**128


@kernel
def power(k):
    """2^(256 k), 0 and at most 2^768 where float64 has no such number."""
    if k == 0:
        return 1.0
    if k < -3:
        return 0.0
    return 2.0 ** (256.0 * min(k, 3))


@kernel
def fit(block, scale, b):
    """Bring the sum of a block between 2^−128 and 2^128, in place, its exponent being ``scale[b]``."""
    total = block.sum()
    if total == 0.0:
        scale[b] = NEVER
        return
    while total < SMALL:
        block *= 2.0**256
        total *= 2.0**256
        scale[b] -= 1
    while total > LARGE:
        block *= 2.0**-256
        total *= 2.0**-256
        scale[b] += 1


@kernel
def fitted(value_scale, block, scale, b):
    """The factor from the exponent ``value_scale`` to that of a block, which is raised if need be."""
    if value_scale == NEVER:
        return 0.0
    if value_scale > scale[b]:
        block *= power(scale[b] - value_scale)
        scale[b] = value_scale
    return power(value_scale - scale[b])
