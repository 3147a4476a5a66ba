"""What jump models have in common in which a jump's probability depends on its distance."""

import numpy as np

from pipeline.semihmm.distances import make_distances, make_pruned_distances
from pipeline.semihmm.moves import by_distance
from pipeline.semihmm.pruning import kept_spans, words_of

WORTH = 1 / 3


class ByDistance:
    """The part of a jump model that follows from ``null`` and ``logarithms(n)``, log J at −n … n+1."""

    TREES = False

    def moves(self, instance):
        """The :class:`pipeline.semihmm.moves.Moves` of a pair."""
        return by_distance(self.null, *make_distances(self.logarithms(len(instance.document))))

    def pruned(self, instance, kept):
        """``(words, moves)`` of a pair of which only the document sentences ``kept`` are left.

        A long document of which more than ``WORTH`` is left stays whole where spectra make that faster.
        """
        spans = kept_spans(instance, kept)
        whole = self.moves(instance)
        left, n = sum(last - first for first, last in spans), len(instance.document)
        if whole.distances.spectra.count > 0 and left > WORTH * n:
            return np.arange(n), whole
        logs = self.logarithms(len(instance.document))
        return words_of(spans), by_distance(self.null, *make_pruned_distances(logs, spans))
