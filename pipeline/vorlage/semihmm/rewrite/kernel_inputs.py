"""The inputs of the kernels for one pair, and a check of what the kernels return."""

import numpy as np

from vorlage.command.errors import InputError
from vorlage.semihmm.kernels.arguments import Expected, KernelInputs
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.support import Occurrences
from vorlage.types import Floats

# How much of its probability 1 each summary word of a pair may lose to the limits of float64.
LOST = 1e-6


def make_inputs(
    instance: Instance,
    occurrences: Occurrences,
    rewrites: Floats,
    null_rewrites: Floats,
    transitions: Transitions,
    context: Floats | None = None,
) -> KernelInputs:
    """Return the kernel inputs of an instance.

    `rewrites` (E): r of every entry of the phrase table; `null_rewrites` (T); `context` (T, n): the
    encoder's part, weighted. With an affinity, see `vorlage.semihmm.rewrite.affinity`, word rewrites
    are not over distinct words but over all words.
    """
    phrase_rewrites = rewrites[occurrences.entries]
    affinity = instance.affinity
    if affinity is None:
        (_, summary), (_, document) = instance.summary_types, instance.document_types
        words = rewrites[occurrences.cells]
    else:
        summary = np.arange(len(instance.summary), dtype=np.int32)
        document = np.arange(len(instance.document), dtype=np.int32)
        words = word_rewrites(instance, occurrences, rewrites)
        words = (words if context is None else words + context) * affinity.of_words()
        phrase_rewrites = phrase_rewrites * affinity.of_phrases(occurrences.places)
    return KernelInputs(
        document,
        summary,
        np.ascontiguousarray(words),  # indexing may put columns first, for which kernels are compiled again
        null_rewrites,
        occurrences.places,
        occurrences.by_end,
        phrase_rewrites,
        transitions,
    )


def word_rewrites(instance: Instance, occurrences: Occurrences, rewrites: Floats) -> Floats:
    """Return r of every pair of words by the phrase table (T, n); `rewrites` (E): r of its entries."""
    by_type = rewrites[occurrences.cells]
    return by_type[instance.summary_types[1]][:, instance.document_types[1]]


def check_expected(pair: str, inputs: KernelInputs, expected: Expected) -> None:
    """Raise `InputError` unless the posteriors of each summary word of a pair sum to 1.

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
    covered += expected.phrase_posteriors @ inputs.phrases[:, 1]
    if not abs(covered - length) <= LOST * length:
        raise InputError(
            f"pair {pair}: the probabilities of its alignments differ by more than numbers can hold, and "
            f"{length - covered:.3g} of {length} summary words are lost; leave the pair out, or use another "
            "jump model"
        )
