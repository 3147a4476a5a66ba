"""A measure of a system on a set, its bootstrap interval, and its difference from another system.

A measure is a function of weights: how often each of some samples contains each pair. So every measure, a
ratio of sums or a ranking of words, is resampled in the same way. `auroc`, `average_precision` and
`calibration_error` tell how well `scores` (n) rank the items that are true (`labels`, (n)) above the others:
they take the weights of the items, (samples, n), and return a value for each sample.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np
from vorlage.types import AnyArray, Bools, Floats, LongInts
from vorlage.workflow.score.calibration import BINS
from vorlage.workflow.score.counts import f_score, ratio
from vorlage.workflow.score.rows import compare_samples, interval
from vorlage.workflow.tables import Row

# From weights, (samples, pairs), to the value of the measure on each sample, (samples).
Measure: TypeAlias = Callable[[LongInts], Floats]
# The measures of a system, by their names.
Measures: TypeAlias = dict[str, Measure]

COLUMNS = (
    *("system", "measure", "value", "low", "high"),
    *("difference", "difference_low", "difference_high", "p", "pairs"),
)
CHANCE = 0.5  # AUROC without true or without false items


def mean_of(values: AnyArray) -> Measure:
    """Return the measure that is the mean of a value of each pair."""
    return share_of(values, np.ones(len(values)))


def share_of(parts: AnyArray, wholes: AnyArray) -> Measure:
    """Return the measure Σ `parts` / Σ `wholes`, each with a value for each pair; 0 for a sum of 0."""
    return lambda weights: ratio(weights @ parts, weights @ wholes)


def f_measure(precision: Measure, recall: Measure) -> Measure:
    """Return the measure F = 2PR / (P + R)."""
    return lambda weights: f_score(precision(weights), recall(weights))


def measure_rows(systems: Mapping[str, Measures], weights: LongInts) -> Iterator[Row]:
    """Yield a row with the keys `COLUMNS` for each measure of each system.

    `weights`: the bootstrap samples, (samples, pairs). `low` and `high` bound 95 % of the values over
    the samples. The difference is that from the first system, over the same samples, with the p-value of the
    paired bootstrap (`vorlage.workflow.score.rows.compare_samples`); it is NaN for the first system itself
    and for a measure that this lacks.
    """
    whole = np.ones((1, weights.shape[1]), dtype=np.int64)
    first: dict[str, tuple[float, Floats]] = {}
    for number, (system, measures) in enumerate(systems.items()):
        for name, measure in measures.items():
            value, sampled = float(measure(whole)[0]), measure(weights)
            low, high = interval(sampled, weights)
            difference: tuple[float, ...] = (float("nan"),) * 4
            if number and name in first:
                base, others = first[name]
                difference = (value - base, *compare_samples(sampled, others, weights))
            elif not number:
                first[name] = value, sampled
            numbers = (value, float(low), float(high), *difference)
            yield dict(zip(COLUMNS, (system, name, *numbers, weights.shape[1]), strict=True))


def auroc(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return the probability that a true item scores above a false one, ties counting half."""

    def area(true: Floats, false: Floats) -> Floats:
        above = np.cumsum(true, axis=1) - true / 2
        pairs = true.sum(axis=1) * false.sum(axis=1)
        return np.where(pairs > 0, ratio((false * above).sum(axis=1), pairs), CHANCE)

    return _over_thresholds(scores, labels, weights, area)


def average_precision(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from the highest, 0 without true items."""

    def precision(true: Floats, false: Floats) -> Floats:
        hits = np.cumsum(true, axis=1)
        precisions = ratio(hits, hits + np.cumsum(false, axis=1))
        return ratio((true * precisions).sum(axis=1), true.sum(axis=1))

    return _over_thresholds(scores, labels, weights, precision)


def calibration_error(scores: Floats, labels: Bools, weights: LongInts) -> Floats:
    """Return the expected calibration error of probabilities over `BINS` equal bins of [0, 1].

    It is the mean of |share true − mean score| over the bins, weighted by their items (Naeini, Cooper &
    Hauskrecht 2015).
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
