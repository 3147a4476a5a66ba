"""What jump models have in common in which a jump's probability depends on its distance."""

from pipeline.semihmm.distances import make_distances, make_pruned_distances
from pipeline.semihmm.moves import by_distance
from pipeline.semihmm.pruning import kept_spans, words_of


class ByDistance:
    """The part of a jump model that follows from ``null`` and ``logarithms(n)``, log J at −n … n+1."""

    TREES = False

    def moves(self, instance):
        """The :class:`pipeline.semihmm.moves.Moves` of a pair."""
        return by_distance(self.null, *make_distances(self.logarithms(len(instance.document))))

    def pruned(self, instance, kept):
        """``(words, moves)`` of a pair of which only the document sentences ``kept`` are left."""
        spans = kept_spans(instance, kept)
        logs = self.logarithms(len(instance.document))
        return words_of(spans), by_distance(self.null, *make_pruned_distances(logs, spans))
