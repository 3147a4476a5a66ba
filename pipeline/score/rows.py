"""From counts of pairs to rows of tables: scores with their intervals, and differences of systems."""

import numpy as np

from pipeline.score.bootstrap import difference, soft_f_interval
from pipeline.score.counts import FIELDS, WORDS, count_links, everything
from pipeline.score.metrics import scores

# The columns of scores.tsv between `system`, `words` and `low`, `high`.
MEASURES = ("soft_precision", "recall", "soft_f", "hard_precision", "hard_f")
COLUMNS = ("system", "words", *MEASURES, "low", "high", "pairs", "links", "signature")
DIFFERENCES = ("system", "words", "against", "difference", "low", "high", "p")


def score_rows(system, counts, weights, signature):
    """The rows of a system in ``scores.tsv``: dicts with the keys ``COLUMNS``, one for each of ``WORDS``.

    ``counts``: shape (pairs, 2, 7), :func:`pipeline.score.counts.count_links` of each pair; ``weights``: the
    bootstrap samples, (samples, pairs). ``low`` and ``high`` bound 95 % of SoftF over the samples.
    """
    totals = counts.sum(axis=0)
    measured = scores(totals)
    low, high = soft_f_interval(counts, weights)
    for index, words in enumerate(WORDS):
        yield {
            "system": system,
            "words": words,
            **{name: float(measured[name][index]) for name in MEASURES},
            "low": float(low[index]),
            "high": float(high[index]),
            "pairs": len(counts),
            "links": int(totals[index, FIELDS.index("soft")]),
            "signature": signature,
        }


def difference_rows(counts, weights, baselines):
    """Compare every system with the best of ``baselines``: dicts with the keys ``DIFFERENCES``.

    ``counts``: system → array (pairs, 2, 7). The best baseline is the one with the highest SoftF over the
    same words. ``low`` and ``high`` bound 95 % of the difference of SoftF over the bootstrap samples,
    drawn once for both systems; ``p`` is the two-sided p-value of the paired bootstrap (Koehn 2004).
    """
    soft_f = {system: scores(found.sum(axis=0))["soft_f"] for system, found in counts.items()}
    for index, words in enumerate(WORDS):
        ranked = [system for system in counts if system in baselines]
        if not ranked:
            return
        best = max(ranked, key=lambda system: soft_f[system][index])
        for system in counts:
            if system == best:
                continue
            low, high, p = difference(counts[system][:, index], counts[best][:, index], weights)
            yield {
                "system": system,
                "words": words,
                "against": best,
                "difference": float(soft_f[system][index] - soft_f[best][index]),
                "low": low,
                "high": high,
                "p": p,
            }


def stack(alignments, references, taken=everything):
    """The counts of all pairs, shape (pairs, 2, 7), of the links that are ``taken``.

    ``alignments`` and ``references``: by pair id.
    """
    return np.stack(
        [count_links(alignments[key].links, reference, taken) for key, reference in references.items()]
    )
