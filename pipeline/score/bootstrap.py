"""Bootstrap intervals of corpus scores (Efron & Tibshirani 1993; for F-like scores Koehn 2004)."""

import numpy as np

from pipeline.score.metrics import scores

COVERAGE = 0.95


def resample(pairs, samples, seed):
    """Draw bootstrap samples of ``pairs`` pairs with replacement.

    Returns int64 weights of shape (samples, pairs): how often each pair is in each sample. Every system
    is scored on the same samples, so differences between systems can be read off them as well.
    """
    generator = np.random.default_rng(seed)
    return np.stack(
        [np.bincount(generator.integers(0, pairs, pairs), minlength=pairs) for _ in range(samples)]
    )


def soft_f_interval(counts, weights):
    """The percentile interval of SoftF: arrays ``low`` and ``high`` of the shape of the middle axes.

    ``counts``: shape (pairs, …, 7), one row of :func:`pipeline.score.counts.count_links` a pair;
    ``weights``: shape (samples, pairs).
    """
    return interval(scores(np.tensordot(weights, counts, axes=1))["soft_f"], weights)


def interval(sampled, weights):
    """The percentile interval ``low, high`` that holds ``COVERAGE`` of the samples along the first axis.

    ``weights``: the samples, shape (samples, pairs). Of a single pair there is only one sample, and no
    interval: not numbers.
    """
    if weights.shape[1] < 2:
        return np.full((2, *sampled.shape[1:]), np.nan)
    tail = (1 - COVERAGE) / 2
    return np.quantile(sampled, [tail, 1 - tail], axis=0)


def difference(counts, other, weights, f):
    """``(low, high, p)`` of the difference of two systems' scores over the same bootstrap samples.

    ``counts`` and ``other``: shape (pairs, …), of the same pairs, of whose sums ``f`` makes scores;
    ``weights``: (samples, pairs). The interval is that of the percentiles; ``p`` is twice the smaller of the
    shares of samples in which the difference is at most and at least 0, each with one sample added, and at
    most 1 (Koehn 2004). Of a single pair all three are not numbers.
    """
    sampled = [f(weights @ one) for one in (counts, other)]
    gain = sampled[0] - sampled[1]
    low, high = interval(gain, weights)
    if weights.shape[1] < 2:
        return float(low), float(high), float("nan")
    worse, better = ((gain <= 0).sum() + 1) / (len(gain) + 1), ((gain >= 0).sum() + 1) / (len(gain) + 1)
    return float(low), float(high), float(min(1.0, 2 * min(worse, better)))
