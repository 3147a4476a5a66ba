"""What must hold of the numbers: of a model file that is read, and of the expectations of a pair."""

import numpy as np

from pipeline.run.errors import InputError
from pipeline.semihmm.phrases.table import PADDING

ROUNDING = 1e-9  # of a sum of probabilities
# What the summary words of a pair may lose of their probability 1, each, to the limits of float64.
LOST = 1e-6


def check_distribution(what, probabilities, others=0.0):
    """Raise ValueError unless ``probabilities`` are none below 0 and, with ``others``, sum to 1."""
    check_counts(what, probabilities)
    total = float(np.sum(probabilities)) + others
    if abs(total - 1.0) > ROUNDING:
        raise ValueError(f"{what} sum to {total!r} and not to 1")


def check_counts(what, values):
    """Raise ValueError unless ``values`` are finite floating-point numbers, none below 0."""
    if (
        np.asarray(values).dtype.kind != "f"
        or not np.all(np.isfinite(values))
        or np.any(np.asarray(values) < 0)
    ):
        raise ValueError(f"{what} are not all numbers from 0 on")


def check_shape(what, array, shape):
    """Raise ValueError unless ``array`` has the ``shape``, in which None is any size."""
    if array.ndim != len(shape) or any(
        wanted not in (None, size) for size, wanted in zip(array.shape, shape, strict=True)
    ):
        raise ValueError(f"{what} have the shape {array.shape}")


def check_lexicon(lexicon, words):
    """Raise ValueError unless a :class:`pipeline.semihmm.model.Lexicon` is one over so many ``words``.

    A row may have a larger total than its counts, never a smaller one: pairs that are not listed have fake
    counts.
    """
    check_shape("rows of the lexicon", lexicon.rows, (words + 1,))
    check_shape("summary words", lexicon.summary, (None,))
    check_shape("phrases", lexicon.phrases, (None, 2, None))
    listed, phrases = len(lexicon.summary), len(lexicon.phrases)
    for what, array, size in (
        ("counts", lexicon.counts, listed),
        ("totals", lexicon.totals, words),
        ("phrase counts", lexicon.phrase_counts, phrases),
        ("phrase totals", lexicon.phrase_totals, phrases),
    ):
        check_shape(what, array, (size,))
        check_counts(what, array)
    check_shape("frequencies of words", lexicon.frequency, (words,))
    rows, summary, numbers = lexicon.rows, lexicon.summary, (lexicon.phrases, lexicon.frequency)
    if {array.dtype.kind for array in (rows, summary, *numbers)} != {"i"}:
        raise ValueError("numbers of words are not whole")
    if rows[0] != 0 or rows[-1] != listed or np.any(np.diff(rows) < 0):
        raise ValueError("the rows of the lexicon are out of order")
    if lexicon.frequency.min(initial=0) < 0 or lexicon.frequency.sum(dtype=float) >= 2.0**53:
        raise ValueError("frequencies of words are below 0, or more than can be added up")
    check_numbers("summary words", summary, 0, words)
    check_numbers("words of phrases", lexicon.phrases, PADDING, words)
    ascending = np.diff(summary) > 0
    ascending[rows[1:-1][(rows[1:-1] > 0) & (rows[1:-1] < listed)] - 1] = True
    if not ascending.all():
        raise ValueError("the summary words of a row of the lexicon are out of order")
    sums = np.bincount(np.repeat(np.arange(words), np.diff(rows)), lexicon.counts, minlength=words)
    if np.any(sums > lexicon.totals * (1 + ROUNDING)):
        raise ValueError("counts of the lexicon are above their totals")


def check_numbers(what, numbers, least, end):
    """Raise ValueError unless the ``numbers`` are from ``least`` to below ``end``."""
    if numbers.size and not least <= numbers.min() <= numbers.max() < end:
        raise ValueError(
            f"{what} have numbers from {numbers.min()} to {numbers.max()}; there are {end} words"
        )


def check_covered(pair, inputs, expected):
    """Raise :class:`InputError` unless the expected counts of a pair are of use.

    Every alignment of it may have the probability 0; and where two differ by more than a float64 spans, words
    may lose their posteriors. So the posteriors of each summary word have to sum to 1. ``inputs``,
    ``expected``: the records of :mod:`pipeline.semihmm.kernels.arguments`.
    """
    length = len(inputs.summary)
    if not np.isfinite(expected.log_likelihood):
        raise InputError(
            f"pair {pair}: no alignment has a probability above 0; raise `semihmm.fake_counts.word` or "
            "`semihmm.beam`, or leave the pair out"
        )
    covered = expected.word_uses.sum() + expected.null_posteriors.sum()
    covered += expected.phrase_posteriors @ inputs.phrases[:, 1]
    if not abs(covered - length) <= LOST * length:
        raise InputError(
            f"pair {pair}: the probabilities of its alignments span more than numbers can hold, and "
            f"{length - covered:.3g} of {length} summary words are lost; leave the pair out, or take another "
            "jump model"
        )
