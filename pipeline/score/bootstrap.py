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
    sampled = scores(np.tensordot(weights, counts, axes=1))["soft_f"]
    tail = (1 - COVERAGE) / 2
    return np.quantile(sampled, [tail, 1 - tail], axis=0)
