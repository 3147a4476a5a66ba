"""Rows of tables from counts of pairs: scores with their intervals, and differences between systems."""

from collections.abc import Iterator, Mapping

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.score.bootstrap import ScoreFunction, difference, soft_f_interval
from vorlage.score.counts import FIELDS, WORDS, Selection, count_links, everything
from vorlage.score.metrics import scores
from vorlage.score.reference import Reference
from vorlage.score.tsv import Row, Value
from vorlage.settings import SEMIHMM
from vorlage.types import AnyArray, Floats, LongInts

# The columns of scores.tsv between `system`, `words` and `low`, `high`.
MEASURES = ("soft_precision", "recall", "soft_f", "hard_precision", "hard_f")
SCORE_COLUMNS = ("system", "words", *MEASURES, "low", "high", "pairs", "links", "signature")
DIFFERENCE_COLUMNS = ("system", "words", "against", "difference", "low", "high", "p")


def score_rows(system: str, counts: LongInts, weights: LongInts, signature: str) -> Iterator[Row]:
    """Yield the rows of a system in `scores.tsv`, one for each of `WORDS`, with keys `SCORE_COLUMNS`.

    `counts` has the shape (pairs, 2, 7), `vorlage.score.counts.count_links` of each pair;
    `weights` are the bootstrap samples, (samples, pairs). `low` and `high` bound 95 % of SoftF over the
    samples.
    """
    totals = counts.sum(axis=0)
    soft, hard = scores(totals)
    measured = dict(zip(MEASURES, (*soft, hard.precision, hard.f), strict=True))
    measured["low"], measured["high"] = soft_f_interval(counts, weights)
    links = totals[:, FIELDS.index("soft")]
    return rows_of_words(system, measured, pairs=len(counts), links=links, signature=signature)


def rows_of_words(system: str, measured: Mapping[str, Floats], **others: AnyArray | Value) -> Iterator[Row]:
    """Yield a row for each of `WORDS`: `measured` as floats, `others` unchanged.

    Arrays hold a value for each of `WORDS`; other values go to both rows.
    """
    for index, words in enumerate(WORDS):
        row: Row = {"system": system, "words": words}
        row |= {name: float(values[index]) for name, values in measured.items()}
        row |= {
            name: value[index].item() if isinstance(value, np.ndarray) else value
            for name, value in others.items()
        }
        yield row


def soft_f(counts: LongInts) -> Floats:
    """Return SoftF of summed counts."""
    return scores(counts).soft.f


def difference_rows(
    counts: Mapping[str, AnyArray], weights: LongInts, score: ScoreFunction = soft_f
) -> Iterator[Row]:
    """Compare every system with the best baseline: yield rows with the keys `DIFFERENCE_COLUMNS`.

    `counts` maps each system to an array (pairs, 2, …), the second axis over `WORDS`; `score` returns
    the scores of sums of them. Every system other than the semi-HMMs is a baseline; the best one has the
    highest score over the same words. `low` and `high` bound 95 % of the difference over the bootstrap
    samples, which are the same for both systems; `p` is the two-sided p-value of the paired bootstrap
    (Koehn 2004).
    """
    measured = {system: score(pair_counts.sum(axis=0)) for system, pair_counts in counts.items()}
    baselines = [system for system in counts if not system.startswith(SEMIHMM)]
    for index, words in enumerate(WORDS if baselines else ()):
        best = max(baselines, key=lambda system: float(measured[system][index]))
        for system in (name for name in counts if name != best):
            gain = float(measured[system][index] - measured[best][index])
            interval = difference(counts[system][:, index], counts[best][:, index], weights, score)
            values = (system, words, best, gain, *interval)
            yield dict(zip(DIFFERENCE_COLUMNS, values, strict=True))


def stack(
    alignments: Mapping[str, Alignment],
    references: Mapping[str, Reference],
    select: Selection = everything,
) -> LongInts:
    """Return the counts of all pairs, shape (pairs, 2, 7), for the links that `select` chooses.

    `alignments` and `references` are keyed by pair id.
    """
    return np.stack(
        [count_links(alignments[key].links, reference, select) for key, reference in references.items()]
    )
