"""Rows of tables from counts of pairs: scores with their intervals, and differences between systems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from vorlage.files.tables import Row
from vorlage.score.bootstrap import compare, interval
from vorlage.score.counts import FIELDS, WORDS, scores
from vorlage.score.ratios import ratio
from vorlage.settings import semihmm_system
from vorlage.types import AnyArray, Floats, LongInts

# The columns of scores.tsv between `system`, `words` and `low`, `high`.
MEASURES = ("soft_precision", "recall", "soft_f", "hard_precision", "hard_f")
SCORE_COLUMNS = ("system", "words", *MEASURES, "low", "high", "pairs", "links", "signature")
PAIRWISE_COLUMNS = ("system", "against", "words", "soft_f", "links")
DIFFERENCE_COLUMNS = ("system", "words", "against", "difference", "low", "high", "p")

# Returns the measures of summed counts by name: arrays without the last axis of the counts.
Scorer: TypeAlias = Callable[[AnyArray], Mapping[str, Floats]]


def score_rows(
    system: str,
    counts: AnyArray,
    weights: LongInts,
    signature: str,
    scorer: Scorer = scores,
    f: str = "soft_f",
    linked: tuple[str, int] = ("links", FIELDS.index("soft")),
) -> Iterator[Row]:
    """Yield the rows of a system, one for each of `WORDS`; by default those of `scores.tsv`.

    Args:
        system: its name.
        counts: of the pairs, (pairs, 2, fields), the second axis over `WORDS`.
        weights: the bootstrap samples, (samples, pairs).
        signature: that of the scores.
        scorer: computes the measures from sums of counts.
        f: the measure of which `low` and `high` bound 95 % over the samples.
        linked: the last column, and the field whose sum it shows.
    """
    totals = counts.sum(axis=0)
    measured = dict(scorer(totals))
    measured["low"], measured["high"] = interval(scorer(np.tensordot(weights, counts, axes=1))[f], weights)
    for index, words in enumerate(WORDS):
        row: Row = {"system": system, "words": words}
        row |= {name: float(values[index]) for name, values in measured.items()}
        name, field = linked
        yield row | {"pairs": len(counts), name: int(totals[index, field]), "signature": signature}


def difference_rows(
    counts: Mapping[str, AnyArray], weights: LongInts, scorer: Scorer = scores, f: str = "soft_f"
) -> Iterator[Row]:
    """Compare every system with the best baseline: yield rows with the keys `DIFFERENCE_COLUMNS`.

    Every system other than the semi-HMMs, which are known by their names, is a baseline; the best one has the
    highest F over the same words.
    `low` and `high` bound 95 % of the difference over the bootstrap samples, which are the same for both
    systems; `p` is the two-sided p-value of the paired bootstrap (Koehn 2004).

    Args:
        counts: of the pairs by system, (pairs, 2, fields), the second axis over `WORDS`.
        weights: the bootstrap samples, (samples, pairs).
        scorer: computes the measures from sums of counts.
        f: the measure to compare.
    """
    measured = {system: scorer(pair_counts.sum(axis=0))[f] for system, pair_counts in counts.items()}
    baselines = [system for system in counts if not semihmm_system(system.partition(" ")[0])]
    for index, words in enumerate(WORDS if baselines else ()):
        sampled = {system: scorer(weights @ counts[system][:, index])[f] for system in counts}
        best = max(baselines, key=lambda system: float(measured[system][index]))
        for system in (name for name in counts if name != best):
            gain = float(measured[system][index] - measured[best][index])
            bounds = compare(sampled[system], sampled[best], weights)
            yield dict(zip(DIFFERENCE_COLUMNS, (system, words, best, gain, *bounds), strict=True))


def pairwise_rows(systems: Sequence[str], shared: LongInts) -> Iterator[Row]:
    """Yield rows with the keys `PAIRWISE_COLUMNS`: SoftF between each two systems, and the links of both.

    Either is the gold: where two change roles, precision and recall exchange their values. `shared` are sums
    of `vorlage.score.counts.count_shared` over pairs.
    """
    sizes = np.diagonal(shared, axis1=1, axis2=2)
    soft_f = ratio(2 * shared, sizes[:, :, None] + sizes[:, None, :])
    for kind, i, j in np.ndindex(shared.shape):
        values = systems[i], systems[j], WORDS[kind], float(soft_f[kind, i, j]), int(shared[kind, i, j])
        yield dict(zip(PAIRWISE_COLUMNS, values, strict=True))
