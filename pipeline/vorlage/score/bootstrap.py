"""Bootstrap intervals of corpus scores (Efron & Tibshirani 1993; for F-like scores Koehn 2004)."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.score.metrics import scores
from vorlage.types import AnyArray, Floats, LongInts

COVERAGE = 0.95

# Returns the scores of summed counts, an array without their last axis.
ScoreFunction: TypeAlias = Callable[[AnyArray], Floats]


class PairedBootstrap(NamedTuple):
    """The interval of a difference between two systems, and the p-value of the paired bootstrap."""

    low: float
    high: float
    p: float


def resample(pairs: int, samples: int, seed: int) -> LongInts:
    """Draw bootstrap samples of `pairs` pairs with replacement.

    Return weights of shape (samples, pairs): how often each sample contains each pair. Every system is
    scored on the same samples, so they serve for differences between systems as well.
    """
    generator = np.random.default_rng(seed)
    return np.stack(
        [np.bincount(generator.integers(0, pairs, pairs), minlength=pairs) for _ in range(samples)]
    )


def soft_f_interval(counts: LongInts, weights: LongInts) -> Floats:
    """Return the percentile interval of SoftF: `low` and `high`, each of the shape of the middle axes.

    `counts` has the shape (pairs, …, 7), with `vorlage.score.counts.count_links` of each pair;
    `weights` has the shape (samples, pairs).
    """
    return interval(scores(np.tensordot(weights, counts, axes=1)).soft.f, weights)


def interval(sampled: Floats, weights: LongInts) -> Floats:
    """Return the percentile interval `low, high` that covers `COVERAGE` of the samples (the first axis).

    `weights` are the samples, shape (samples, pairs). All samples of a single pair are equal, so its
    interval is NaN.
    """
    if weights.shape[1] < 2:
        return np.full((2, *sampled.shape[1:]), np.nan)
    tail = (1 - COVERAGE) / 2
    return np.quantile(sampled, [tail, 1 - tail], axis=0)


def difference(counts: AnyArray, other: AnyArray, weights: LongInts, score: ScoreFunction) -> PairedBootstrap:
    """Compare the scores of two systems over the same bootstrap samples.

    `counts` and `other` have the shape (pairs, …) over the same pairs, and `score` returns the scores
    of sums of them; `weights` has the shape (samples, pairs). The result is that of `compare`.
    """
    return compare(score(weights @ counts), score(weights @ other), weights)


def compare(sampled: Floats, other: Floats, weights: LongInts) -> PairedBootstrap:
    """Compare the scores of two systems on the same bootstrap samples, shape (samples) each.

    The interval is the percentile interval. `p` is twice the smaller of two shares of samples, those in
    which the difference is at most 0 and those in which it is at least 0, each with one sample added, and at
    most 1 (Koehn 2004). `weights`: the samples, (samples, pairs). For a single pair all three are NaN.
    """
    gain = sampled - other
    low, high = interval(gain, weights)
    if weights.shape[1] < 2:
        return PairedBootstrap(float(low), float(high), float("nan"))
    worse, better = ((gain <= 0).sum() + 1) / (len(gain) + 1), ((gain >= 0).sum() + 1) / (len(gain) + 1)
    return PairedBootstrap(float(low), float(high), float(min(1.0, 2 * min(worse, better))))
