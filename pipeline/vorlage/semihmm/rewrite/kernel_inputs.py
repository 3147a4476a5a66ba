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
from vorlage.semihmm.kernels.arguments import Expected, KernelInputs
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.support import Occurrences
from vorlage.settings import SemiHmm
from vorlage.types import Floats

# How much of its probability 1 each summary word of a pair may lose to the limits of float64.
LOST = 1e-6
LEAST = 1e-12
# The least share of the vocabulary that is not in a summary.
LEAST_REST = 0.01


def context_part(instance: Instance, frequency: Floats, settings: SemiHmm) -> Floats | None:
    """Return the encoder's part e of a pair (T, n), or None without an encoder.

    `frequency`: the share of each of its words among the words of the summaries of training, by number.
    """
    if instance.affinity is None or instance.affinity.contexts is None:
        return None
    temperature, baseline = settings.encoder_temperature, settings.encoder_baseline
    cosines = instance.affinity.contexts.astype(float)
    types, index = instance.summary_types
    shares = frequency[types]
    rest = max(1.0 - float(shares.sum()), LEAST_REST)
    scaled = (cosines - baseline) / temperature
    top = np.maximum(scaled.max(axis=0, keepdims=True), 0.0)
    weighed = shares[index, None] * np.exp(scaled - top)
    norm = rest * np.exp(-top) + (weighed / np.bincount(index)[index, None]).sum(axis=0, keepdims=True)
    nearest = cosines.max(axis=1, keepdims=True)
    part: Floats = weighed / norm * np.exp((cosines - nearest) / (2.0 * temperature))
    return np.maximum(part, LEAST)


def make_inputs(
    instance: Instance,
    occurrences: Occurrences,
    rewrites: Floats,
    words: Floats | None,
    null_rewrites: Floats,
    transitions: Transitions,
) -> KernelInputs:
    """Return the kernel inputs of an instance.

    `rewrites` (E): r of every entry of the phrase table; `null_rewrites` (T). With an affinity, see
    `vorlage.semihmm.rewrite.affinity`, word rewrites are not over distinct words but over all words: `words`
    (T, n), see `word_rewrites`, into which the factors of the affinity are multiplied.
    """
    phrase_rewrites = rewrites[occurrences.entries]
    affinity = instance.affinity
    if affinity is None or words is None:
        (_, summary), (_, document) = instance.summary_types, instance.document_types
        words = rewrites.take(occurrences.cells)
    else:
        summary = np.arange(len(instance.summary), dtype=np.int32)
        document = np.arange(len(instance.document), dtype=np.int32)
        words *= affinity.factors.take(affinity.document_sentence, axis=1).take(
            affinity.summary_sentence, axis=0
        )
        phrase_rewrites = phrase_rewrites * affinity.of_phrases(occurrences.places)
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


def word_rewrites(
    instance: Instance, occurrences: Occurrences, rewrites: Floats, context: Floats | None = None
) -> Floats:
    """Return r of every pair of words (T, n), without the factors of an affinity.

    `rewrites` (E): r of the entries of the phrase table; `context` (T, n): the encoder's part, weighted.
    """
    rows, columns = instance.summary_types[1], instance.document_types[1]
    words: Floats = rewrites.take(occurrences.cells).take(columns, axis=1).take(rows, axis=0)
    if context is not None:
        words += context
    return words


def check_expected(pair: str, inputs: KernelInputs, expected: Expected, longer: Floats | float = 0.0) -> None:
    """Raise `InputError` unless the posteriors of each summary word of a pair sum to 1.

    `longer`: what the null state has of the posteriors of the longer phrase pairs, see
    `vorlage.semihmm.rewrite.null_jumps`.

    They do not if every alignment has probability 0, or if the probabilities of two alignments differ by more
    than float64 can hold.
    """
    length = len(inputs.summary)
    if not np.isfinite(expected.log_likelihood):
        raise InputError(
            f"pair {pair}: no alignment has a probability above 0; raise `semihmm.fake_counts.word` or "
            "`semihmm.beam`, or leave the pair out"
        )
    covered = expected.word_uses.sum() + expected.null_posteriors.sum()
    covered += (expected.phrase_posteriors + longer) @ inputs.phrases[:, 1]
    if not abs(covered - length) <= LOST * length:
        raise InputError(
            f"pair {pair}: the probabilities of its alignments differ by more than numbers can hold, and "
            f"{length - covered:.3g} of {length} summary words are lost; leave the pair out, or use another "
            "jump model"
        )
