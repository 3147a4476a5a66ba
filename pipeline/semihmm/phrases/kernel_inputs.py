"""The pairs of a shard, numbered by themselves and in an index, as the E-step wants them."""

import numpy as np

from pipeline.semihmm.kernels.arguments import KernelInputs

EMPTY = np.empty(0, dtype=np.int32)


def make_inputs(instance, support, index, values, null, moves, context=None):
    """The :class:`~pipeline.semihmm.kernels.arguments.KernelInputs` of an instance, the ``index``-th of a support.

    Where the texts around words matter, see :mod:`pipeline.semihmm.phrases.affinity`, ``words`` are not over distinct
    words but over all. ``values``: r of every entry; ``null`` (T); ``context``: the encoder's part, weighted.
    """
    places = support.places[index]
    phrase_r = values[support.place_entries[index]]
    affinity = instance.affinity
    if affinity is None:
        (_, summary), (_, document) = instance.summary_types, instance.document_types
        words = values[support.cells[index]]
    else:
        summary = np.arange(len(instance.summary), dtype=np.int32)
        document = np.arange(len(instance.document), dtype=np.int32)
        words = word_values(instance, support, index, values)
        words = (words if context is None else words + context) * affinity.of_words()
        phrase_r = phrase_r * affinity.of_phrases(places)
    return KernelInputs(document, summary, words, null, places, support.by_end[index], phrase_r, moves)


def word_values(instance, support, index, values):
    """r of every pair of words by the table, float64 (T, n)."""
    found = values[support.cells[index]]
    return found[instance.summary_types[1]][:, instance.document_types[1]]
