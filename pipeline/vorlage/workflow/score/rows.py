"""Rows of tables from counts of pairs: scores with their intervals, and differences between systems.

Intervals are by bootstrap (Efron & Tibshirani 1993; for F-like scores Koehn 2004). The signature of a score
lists every choice that could change it, as in sacreBLEU (Post 2018).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TypeAlias

import numpy as np

from vorlage.files.digests import digest
from vorlage.text.words import stop_words
from vorlage.types import AnyArray, Floats, LongInts
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.counts import FIELDS, WORDS, compute_scores, ratio
from vorlage.workflow.score.reference import UNNAMED, AnnotatedPairs
from vorlage.workflow.settings import semihmm_system
from vorlage.workflow.tables import Row

COVERAGE = 0.95
# The columns of scores.tsv between `system`, `words` and `low`, `high`.
MEASURES = ("soft_precision", "recall", "soft_f", "hard_precision", "hard_f")
SCORE_COLUMNS = ("system", "words", *MEASURES, "low", "high", "pairs", "links", "signature")
PAIRWISE_COLUMNS = ("system", "against", "words", "soft_f", "links")
DIFFERENCE_COLUMNS = ("system", "words", "against", "difference", "low", "high", "p")
# Returns the measures of summed counts by name: arrays without the last axis of the counts.
Scorer: TypeAlias = Callable[[AnyArray], Mapping[str, Floats]]


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


def compare_samples(sampled: Floats, baseline: Floats, weights: LongInts) -> tuple[float, float, float]:
    """Compare the scores of two systems on the same bootstrap samples, shape (samples) each.

    Return the percentile interval of the difference and p: twice the smaller of two shares of samples, those
    in which the difference is at most 0 and those in which it is at least 0, each with one sample added, and
    at most 1 (Koehn 2004). `weights`: the samples, (samples, pairs). For a single pair all three are NaN.
    """
    gain = sampled - baseline
    low, high = map(float, interval(gain, weights))
    if weights.shape[1] < 2:
        return low, high, float("nan")
    worse, better = ((gain <= 0).sum() + 1) / (len(gain) + 1), ((gain >= 0).sum() + 1) / (len(gain) + 1)
    return low, high, float(min(1.0, 2 * min(worse, better)))


def signature(annotated: AnnotatedPairs, samples: int, seed: int) -> str:
    """Return the signature of scores on the `annotated` pairs.

    Scores with equal signatures can be compared: `gold` is a digest of the links that each annotator marked
    in each pair, `stop` gives the number of stop words and a digest of them.
    """
    golds = [gold for _, golds_of_pair in annotated.values() for gold in golds_of_pair]
    annotators = sorted({gold.annotator or UNNAMED for gold in golds})
    links = sorted((gold.id, gold.annotator, _marked_links(gold)) for gold in golds)
    languages = sorted({pair.summary.language for pair, _ in annotated.values()})
    ignored = sorted(frozenset[str]().union(*map(stop_words, languages)))
    choices = {
        "annotators": "+".join(annotators),
        "gold": digest(links),
        "case": "lower",
        "stop": f"{len(ignored)}.{digest(ignored)}",
        "soft": "diagonal",
        "bootstrap": samples,
        "seed": seed,
        "interval": f"{COVERAGE:.0%} percentile",
        "version": version("vorlage"),
    }
    return "|".join(f"{name}:{value}" for name, value in choices.items())


def _marked_links(gold: Gold) -> list[tuple[object, object, bool]]:
    """Return the links of an annotator as (summary, document, sure), sorted."""
    if gold.unit == "char":
        return sorted((link.summary, link.document, link.sure) for link in gold.links)
    sure = gold.cells(sure_only=True)
    return sorted((i, j, (i, j) in sure) for i, j in gold.cells(sure_only=False))


def score_rows(
    system: str,
    counts: AnyArray,
    weights: LongInts,
    signature: str,
    scorer: Scorer = compute_scores,
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
    counts: Mapping[str, AnyArray], weights: LongInts, scorer: Scorer = compute_scores, f: str = "soft_f"
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
            bounds = compare_samples(sampled[system], sampled[best], weights)
            yield dict(zip(DIFFERENCE_COLUMNS, (system, words, best, gain, *bounds), strict=True))


def pairwise_rows(systems: Sequence[str], shared: LongInts) -> Iterator[Row]:
    """Yield rows with the keys `PAIRWISE_COLUMNS`: SoftF between each two systems, and the links of both.

    Either is the gold: where two change roles, precision and recall exchange their values. `shared` are sums
    of `vorlage.workflow.score.counts.count_shared_links` over pairs.
    """
    sizes = np.diagonal(shared, axis1=1, axis2=2)
    soft_f = ratio(2 * shared, sizes[:, :, None] + sizes[:, None, :])
    for kind, i, j in np.ndindex(shared.shape):
        values = systems[i], systems[j], WORDS[kind], float(soft_f[kind, i, j]), int(shared[kind, i, j])
        yield dict(zip(PAIRWISE_COLUMNS, values, strict=True))
