"""Ratios and F."""

import math
from fractions import Fraction
from typing import TypeVar

import numpy as np

from vorlage.types import AnyArray, Floats

Number = TypeVar("Number", int, float, Fraction)


def share(part: Number, whole: Number) -> float:
    """Return `part / whole`, or NaN where `whole` is 0."""
    return float(part / whole) if whole else math.nan


def ratio(numerator: AnyArray, denominator: AnyArray) -> Floats:
    """Return `numerator / denominator` for arrays of one shape, 0 where the denominator is 0."""
    zero = np.zeros(np.shape(denominator))
    return np.divide(numerator, denominator, out=zero, where=np.asarray(denominator) > 0)


def f_of(precision: Floats, recall: Floats) -> Floats:
    """Return F = 2PR / (P + R) for arrays of one shape."""
    return ratio(2 * precision * recall, precision + recall)
