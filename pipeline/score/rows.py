"""From counts of pairs to rows of tables: scores with their intervals, and differences of systems."""

import numpy as np

from pipeline.score.bootstrap import difference, soft_f_interval
from pipeline.score.counts import FIELDS, WORDS, count_links, everything
from pipeline.score.metrics import scores
from pipeline.settings import SEMIHMM

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
    found = scores(totals)
    measured = {name: found[name] for name in MEASURES}
    measured["low"], measured["high"] = soft_f_interval(counts, weights)
    links = totals[:, FIELDS.index("soft")]
    return rows_of_words(system, measured, pairs=len(counts), links=links, signature=signature)


def rows_of_words(system, measured, **others):
    """A dict for each of ``WORDS``: ``measured`` as floats, ``others`` as they are.

    Both have a value for each of ``WORDS`` in an array, or one for both.
    """
    for index, words in enumerate(WORDS):
        row = {"system": system, "words": words}
        row |= {name: float(values[index]) for name, values in measured.items()}
        row |= {name: v[index].item() if isinstance(v, np.ndarray) else v for name, v in others.items()}
        yield row


def soft_f(counts):
    """SoftF of summed counts."""
    return scores(counts)["soft_f"]


def difference_rows(counts, weights, f=soft_f):
    """Compare every system with the best baseline: dicts with the keys ``DIFFERENCES``.

    ``counts``: system → array (pairs, 2, …), over ``WORDS``; ``f`` makes scores of sums of them. A baseline
    is any system but the semi-HMMs; the best has the highest score over the same words. ``low`` and ``high``
    bound 95 % of the difference over the bootstrap samples, drawn once for both systems; ``p`` is the
    two-sided p-value of the paired bootstrap (Koehn 2004).
    """
    baselines = [system for system in counts if not system.startswith(SEMIHMM)]
    if not baselines:
        return
    scored = {system: f(found.sum(axis=0)) for system, found in counts.items()}
    for index, words in enumerate(WORDS):
        best = max(baselines, key=lambda system: scored[system][index])
        for system in counts:
            if system == best:
                continue
            low, high, p = difference(counts[system][:, index], counts[best][:, index], weights, f)
            yield {
                "system": system,
                "words": words,
                "against": best,
                "difference": float(scored[system][index] - scored[best][index]),
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
