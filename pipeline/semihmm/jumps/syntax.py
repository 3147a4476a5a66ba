"""The syntax-aware jump model (Daumé & Marcu 2005, Section 4.1.3): a walk over the constituents skipped."""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.semihmm.checks import check_counts, check_distribution, check_shape
from pipeline.semihmm.jumps.base import null_start
from pipeline.semihmm.jumps.pruning import skeleton
from pipeline.semihmm.kernels.transitions import tree_walk_transitions
from pipeline.semihmm.kernels.tree_walks import count_labels

DIRECTIONS = ("f", "b")


@dataclass(frozen=True)
class Syntax:
    """J(p→j) = (1 − null) · Π q(label, direction) over the fewest constituents that the jump skips.

    ``labels``: the constituent labels and tags of training (L); ``factors``: q, float64 (L, 2), forward and
    backward; they sum to one. A jump to the next word skips nothing and has the empty product: as in the
    paper, J is a product of factors and no distribution over j. A label not seen in training has the
    smallest factor. ``smoothing``: fake counts a label and direction.
    """

    null: float
    labels: tuple
    factors: np.ndarray
    smoothing: float

    TREES = True

    @classmethod
    def start(cls, corpus, settings):
        """Uniform over labels and directions."""
        size = 2 * len(corpus.labels)
        factors = np.full((len(corpus.labels), 2), 1.0 / size)
        return cls(null_start(settings, size), corpus.labels, factors, float(settings["jump_smoothing"]))

    def moves(self, instance):
        """The :class:`pipeline.semihmm.kernels.transitions.Transitions` of a pair."""
        return tree_walk_transitions(self.null, _blocks(instance), instance.forest, self._all_factors())

    def pruned(self, instance, kept, whole):
        """``(words, moves)`` of a pair of which only the document sentences ``kept`` are left."""
        words, blocks, forest = skeleton(instance, kept)
        return words, tree_walk_transitions(self.null, blocks, forest, self._all_factors())

    def _all_factors(self):
        """``factors``, and those of a label not seen in training, which is numbered L."""
        return np.concatenate([self.factors, np.full((1, 2), self.factors.min())])

    def log_prior(self):
        """The smoothing's share of the objective: smoothing · Σ log q, natural log."""
        return self.smoothing * float(np.log(self.factors).sum())

    def zeros(self):
        """Expected uses of each label in each direction, float64 (L, 2)."""
        return np.zeros_like(self.factors)

    def add(self, counts, instance, kept, moves, tally):
        """Add the constituents that a pair is expected to skip to ``counts``, in place."""
        forest = instance.forest if kept.all() else skeleton(instance, kept)[2]
        count_labels(forest, moves.blocks, tally, counts)

    def maximised(self, counts, nulls, jumps):
        """The M-step: relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        return Syntax(nulls / (nulls + jumps), self.labels, counts / counts.sum(), self.smoothing)

    def with_null(self, null):
        """The same with another probability of a move to the null state."""
        return replace(self, null=null)

    def check(self):
        """Raise ValueError for parameters that no training gives."""
        texts = all(isinstance(label, str) for label in self.labels)
        if not texts or len(set(self.labels)) < len(self.labels):
            raise ValueError("labels are no texts, or one comes twice")
        check_shape("factors of labels", self.factors, (len(self.labels), 2))
        check_distribution("factors of labels", self.factors)
        check_distribution("null probability and that of jumps", [self.null, 1.0 - self.null])
        check_counts("smoothing", [self.smoothing])

    def to_arrays(self):
        """Arrays for the model file."""
        return {
            "jump_null": np.float64(self.null),
            "jump_labels": np.array(self.labels, dtype=np.str_),
            "jump_factors": self.factors,
            "jump_smoothing": np.float64(self.smoothing),
        }

    @classmethod
    def from_arrays(cls, arrays):
        """The inverse of :meth:`to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            tuple(arrays["jump_labels"].tolist()),
            arrays["jump_factors"],
            float(arrays["jump_smoothing"]),
        )

    def describe(self):
        """The parameters for a person or a program: label-direction → factor, and the null move."""
        labels = {
            f"{label}-{direction}": float(factor)
            for label, row in zip(self.labels, self.factors, strict=True)
            for direction, factor in zip(DIRECTIONS, row, strict=True)
        }
        return {"null": self.null, "labels": labels}


def _blocks(instance):
    return np.array([0, *(last for _, last in instance.document_breaks)], dtype=np.int32)
