"""The inputs of the kernels for one pair, and a check of what the kernels return.

The encoder's part of the rewrite model tells by contexts which word of a summary a document word became:

    e(i|j) = u_i exp((cos(i, j) − c) / τ) / Z_j · exp((cos(i, j) − max_j' cos(i, j')) / 2τ)

The first factor is a distribution over the vocabulary. A word takes part by its frequency u, raised or
lowered by the cosine of its vector: c, the `encoder_baseline`, is the cosine of words that have nothing to
do with each other, and τ the `encoder_temperature`. Words of the vocabulary that are not in the summary
count as such words, so that Z_j = 1 − Σ u_w + Σ u_w · (mean over the places of w), both sums over the
distinct words of the summary, and a document word that is near to none of them leaves its probability to the
rest of the vocabulary. The second factor reduces the first where another document word is nearer to the
summary word. Daumé & Marcu (2005, Section 6) name such a part as future work.
"""

import numpy as np

from vorlage.command.errors import InputError
from vorlage.semihmm.constants import LEAST_REST
from vorlage.semihmm.kernels.arguments import Expected, KernelInputs
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.affinity import Affinity, pick
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.support import Occurrences
from vorlage.settings import Training
from vorlage.types import Floats

# How much of its probability 1 each summary word of a pair may lose to the limits of float64.
LOST = 1e-6
LEAST = 1e-12
# Pairs of words that are in memory at once, in several arrays. A long pair is cut into parts of this size.
CELLS = 400_000
ALL = slice(None)


class Context:
    """The encoder's part e of a pair, weighted, computed for some words at a time."""

    def __init__(
        self, instance: Instance, affinity: Affinity, frequency: Floats, settings: Training, weight: float
    ) -> None:
        """Sum over the words of the summary; the arguments are those of `make_context`."""
        assert affinity.contexts is not None
        types, index = instance.summary_types
        shares, (length, n) = frequency[types], affinity.contexts.shape
        self._cosines, self._shares, self._weight = affinity.contexts, shares[index, None], weight
        self._temperature, self._baseline = settings.encoder_temperature, settings.encoder_baseline
        self._nearest, self._top, self._norm = np.full((length, 1), -np.inf), np.empty(n), np.empty(n)
        rest, counts = max(1.0 - float(shares.sum()), LEAST_REST), np.bincount(index)[index, None]
        width = max(CELLS // length, 1)
        for columns in (slice(first, first + width) for first in range(0, n, width)):
            cosines = self._cosines[:, columns].astype(float)
            np.maximum(self._nearest, cosines.max(axis=1, keepdims=True), out=self._nearest)
            top = np.maximum((cosines.max(axis=0) - self._baseline) / self._temperature, 0.0)
            self._top[columns] = top
            weighed = self._weighed(cosines, ALL, columns)
            self._norm[columns] = rest * np.exp(-top) + (weighed / counts).sum(axis=0)

    def part(self, rows: slice = ALL, columns: slice = ALL) -> Floats:
        """Return the part of some summary words and some document words."""
        cosines = self._cosines[rows, columns].astype(float)
        nearness = np.exp((cosines - self._nearest[rows]) / (2.0 * self._temperature))
        part: Floats = self._weighed(cosines, rows, columns) / self._norm[columns] * nearness
        return self._weight * np.maximum(part, LEAST)

    def _weighed(self, cosines: Floats, rows: slice, columns: slice) -> Floats:
        scaled = (cosines - self._baseline) / self._temperature
        weighed: Floats = self._shares[rows] * np.exp(scaled - self._top[columns])
        return weighed


def make_context(instance: Instance, frequency: Floats, settings: Training, weight: float) -> Context | None:
    """Return the encoder's part of a pair with a weight, None without an encoder.

    `frequency`: the share of each of its words among the words of the summaries of training, by number.
    """
    affinity = instance.affinity
    if not weight or affinity is None or affinity.contexts is None:
        return None
    return Context(instance, affinity, frequency, settings, weight)


def word_rewrites(
    instance: Instance, by_types: Floats, context: Context | None, rows: slice = ALL, columns: slice = ALL
) -> Floats:
    """Return r of some summary words and some document words, without the factors of an affinity.

    `by_types` (U, V): that of the phrase table, for pairs of distinct words.
    """
    words = pick(by_types, instance.summary_types[1][rows], instance.document_types[1][columns])
    if context is not None:
        words += context.part(rows, columns)
    return words


def make_inputs(
    instance: Instance,
    occurrences: Occurrences,
    rewrites: Floats,
    words: Floats | None,
    null_rewrites: Floats,
    transitions: Transitions,
) -> KernelInputs:
    """Return the kernel inputs of an instance.

    `rewrites` (E): r of every entry of the phrase table; `null_rewrites` (T); `words` (T, n): r of all word
    pairs, None if that of distinct words is enough, as it is without an affinity.
    """
    phrase_rewrites = rewrites[occurrences.entries]
    if words is None:
        (_, summary), (_, document) = instance.summary_types, instance.document_types
        words = rewrites.take(occurrences.cells)
    else:
        summary = np.arange(len(instance.summary), dtype=np.int32)
        document = np.arange(len(instance.document), dtype=np.int32)
    if instance.affinity is not None:
        phrase_rewrites = phrase_rewrites * instance.affinity.of_phrases(occurrences.places)
    return KernelInputs(
        document,
        summary,
        words,
        null_rewrites,
        occurrences.places,
        occurrences.by_end,
        phrase_rewrites,
        transitions,
    )


def check_expected(
    pair: str, inputs: KernelInputs, words: float, expected: Expected, longer: Floats | float = 0.0
) -> None:
    """Raise `InputError` unless the posteriors of each summary word of a pair sum to 1.

    `words`: the sum of those of one-word phrases. `longer`: what the null state has of the posteriors of the
    longer phrase pairs, see `vorlage.semihmm.rewrite.null_jumps`.

    They do not if every alignment has probability 0, or if the probabilities of two alignments differ by more
    than float64 can hold.
    """
    length = len(inputs.summary)
    if not np.isfinite(expected.log_likelihood):
        raise InputError(
            f"pair {pair}: no alignment has a probability above 0; raise `semihmm.fake_counts.word` or "
            "`semihmm.beam`, or leave the pair out"
        )
    covered = words + expected.null_posteriors.sum()
    covered += (expected.phrase_posteriors + longer) @ inputs.phrases[:, 1]
    if not abs(covered - length) <= LOST * length:
        raise InputError(
            f"pair {pair}: the probabilities of its alignments differ by more than numbers can hold, and "
            f"{length - covered:.3g} of {length} summary words are lost; leave the pair out, or use another "
            "jump model"
        )
