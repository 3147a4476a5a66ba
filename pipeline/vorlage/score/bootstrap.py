"""Bootstrap intervals of corpus scores (Efron & Tibshirani 1993; for F-like scores Koehn 2004)."""

import numpy as np

from vorlage.types import Floats, LongInts

COVERAGE = 0.95


def resample(pairs: int, samples: int, seed: int) -> LongInts:
    """Draw bootstrap samples of `pairs` pairs with replacement.

    Return weights of shape (samples, pairs): how often each sample contains each pair. Every system is
    scored on the same samples, so they serve for differences between systems as well.
    """
    generator = np.random.default_rng(seed)
    return np.stack(
        [np.bincount(generator.integers(0, pairs, pairs), minlength=pairs) for _ in range(samples)]
    )


def interval(sampled: Floats, weights: LongInts) -> Floats:
    """Return the percentile interval `low, high` that covers `COVERAGE` of the samples (the first axis).

    `weights` are the samples, shape (samples, pairs). All samples of a single pair are equal, so its
    interval is NaN.
    """
    if weights.shape[1] < 2:
        return np.full((2, *sampled.shape[1:]), np.nan)
    tail = (1 - COVERAGE) / 2
    return np.quantile(sampled, [tail, 1 - tail], axis=0)


def compare(sampled: Floats, other: Floats, weights: LongInts) -> tuple[float, float, float]:
    """Compare the scores of two systems on the same bootstrap samples, shape (samples) each.

    Return the percentile interval of the difference and p: twice the smaller of two shares of samples, those
    in which the difference is at most 0 and those in which it is at least 0, each with one sample added, and
    at most 1 (Koehn 2004). `weights`: the samples, (samples, pairs). For a single pair all three are NaN.
    """
    gain = sampled - other
    low, high = map(float, interval(gain, weights))
    if weights.shape[1] < 2:
        return low, high, float("nan")
    worse, better = ((gain <= 0).sum() + 1) / (len(gain) + 1), ((gain >= 0).sum() + 1) / (len(gain) + 1)
    return low, high, float(min(1.0, 2 * min(worse, better)))
