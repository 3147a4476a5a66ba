"""How well scores rank what is true above what is not: AUROC, average precision, calibration.

Every function takes weights of shape (samples, n), one row for each bootstrap sample, and returns one value
for each row; a row of ones gives the value of the data.
"""

from collections.abc import Callable

import numpy as np

from vorlage.score.calibration import BINS
from vorlage.score.ratios import ratio
from vorlage.types import Bools, Floats, LongInts

CHANCE = 0.5


def auroc(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return the probability that a true item scores above a false one, ties counting half.

    `scores`, `labels`: (n); `weights`: (samples, n). The value is `CHANCE` without true
    or without false items.
    """

    def area(true: Floats, false: Floats) -> Floats:
        above = np.cumsum(true, axis=1) - true / 2
        pairs = true.sum(axis=1) * false.sum(axis=1)
        return np.where(pairs > 0, ratio((false * above).sum(axis=1), pairs), CHANCE)

    return _over_thresholds(scores, labels, weights, area)


def average_precision(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from the highest.

    The arguments are as in `auroc`. The value is 0 without true items.
    """

    def precision(true: Floats, false: Floats) -> Floats:
        hits = np.cumsum(true, axis=1)
        precisions = ratio(hits, hits + np.cumsum(false, axis=1))
        return ratio((true * precisions).sum(axis=1), true.sum(axis=1))

    return _over_thresholds(scores, labels, weights, precision)


def calibration_error(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return the expected calibration error of probabilities over `BINS` equal bins of [0, 1].

    It is the mean of |share true − mean score| over the bins, weighted by their items (Naeini, Cooper &
    Hauskrecht 2015). The arguments are as in `auroc`.
    """
    bins = np.minimum((scores * BINS).astype(int), BINS - 1)
    gaps = np.zeros((len(scores), BINS))
    gaps[np.arange(len(scores)), bins] = labels - scores
    return ratio(np.abs(weights @ gaps).sum(axis=1), weights.sum(axis=1))


def _over_thresholds(
    scores: Floats, labels: Bools, weights: LongInts, measure: Callable[[Floats, Floats], Floats]
) -> Floats:
    """Return `measure` of the weights of true and of false items at each score, from the highest."""
    order = np.argsort(-scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    true, weights = labels[order].astype(float), weights[:, order]
    return measure(
        np.add.reduceat(weights * true, starts, axis=1),
        np.add.reduceat(weights * (1 - true), starts, axis=1),
    )
