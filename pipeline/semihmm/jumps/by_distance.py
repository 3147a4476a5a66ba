"""What jump models have in common in which a jump's probability depends on its distance."""

import numpy as np

from pipeline.semihmm.jumps.pruning import kept_spans, words_of
from pipeline.semihmm.kernels.toeplitz import make_pruned_toeplitz_tables, make_toeplitz_tables
from pipeline.semihmm.kernels.transitions import toeplitz_transitions

# Of a document; term by term so much takes about as long as the whole by spectra.
LITTLE = 1 / 3


class ByDistance:
    """The part of a jump model that follows from ``null`` and ``logarithms(n)``, log J at −n … n+1."""

    TREES = False

    def moves(self, instance):
        """The :class:`pipeline.semihmm.kernels.transitions.Transitions` of a pair."""
        return toeplitz_transitions(self.null, *make_toeplitz_tables(self.logarithms(len(instance.document))))

    def pruned(self, instance, kept, whole):
        """``(words, moves)`` of a pair of which only the document sentences ``kept`` are left.

        A document that can be moved over by spectra stays ``whole`` unless little of it is left.
        """
        spans, n = kept_spans(instance, kept), len(instance.document)
        words = words_of(spans)
        if whole.toeplitz.spectra.parts > 0 and len(words) > LITTLE * n:
            return np.arange(n), whole
        return words, toeplitz_transitions(self.null, *make_pruned_toeplitz_tables(self.logarithms(n), spans))
