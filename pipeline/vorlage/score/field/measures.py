"""A measure of a system on a set, its bootstrap interval, and its difference from another system.

A measure is a function of weights: how often each of some samples contains each pair. So every measure, a
ratio of sums or a ranking of words, is resampled in the same way.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np

from vorlage.score.bootstrap import compare, interval
from vorlage.score.ratios import f_of, ratio
from vorlage.score.tsv import Row
from vorlage.types import AnyArray, Floats, LongInts

# From weights, (samples, pairs), to the value of the measure on each sample, (samples).
Measure: TypeAlias = Callable[[LongInts], Floats]
# The measures of a system, by their names.
Measures: TypeAlias = dict[str, Measure]

COLUMNS = (
    *("system", "measure", "value", "low", "high"),
    *("difference", "difference_low", "difference_high", "p", "pairs"),
)


def mean_of(values: AnyArray) -> Measure:
    """Return the measure that is the mean of a value of each pair."""
    return share_of(values, np.ones(len(values)))


def share_of(parts: AnyArray, wholes: AnyArray) -> Measure:
    """Return the measure Σ `parts` / Σ `wholes`, each with a value for each pair; 0 for a sum of 0."""
    return lambda weights: ratio(weights @ parts, weights @ wholes)


def f_measure(precision: Measure, recall: Measure) -> Measure:
    """Return the measure F = 2PR / (P + R)."""
    return lambda weights: f_of(precision(weights), recall(weights))


def measure_rows(systems: Mapping[str, Measures], weights: LongInts) -> Iterator[Row]:
    """Yield a row with the keys `COLUMNS` for each measure of each system.

    `weights`: the bootstrap samples, (samples, pairs). `low` and `high` bound 95 % of the values over
    the samples. The difference is that from the first system, over the same samples, with the p-value of the
    paired bootstrap (`vorlage.score.bootstrap.compare`); it is NaN for the first system itself and for
    a measure that this lacks.
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
                difference = (value - base, *compare(sampled, others, weights))
            elif not number:
                first[name] = value, sampled
            numbers = (value, float(low), float(high), *difference)
            yield dict(zip(COLUMNS, (system, name, *numbers, weights.shape[1]), strict=True))
