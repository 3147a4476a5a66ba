"""The syntax-aware jump model (Daumé & Marcu 2005, Section 4.1.3): a walk over the constituents skipped."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.semihmm.checks import check_counts, check_distribution, check_shape
from vorlage.semihmm.jumps.base import Shape, null_start
from vorlage.semihmm.jumps.pruning import prune_forest
from vorlage.semihmm.kernels.transitions import Transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest, count_labels
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import AnyArray, ArraySource, Bools, Floats, Ints, LongInts

DIRECTIONS = ("f", "b")


@dataclass(frozen=True)
class Syntax:
    """J(p→j) = (1 − null) · Π q(label, direction) over the fewest constituents that the jump skips.

    `labels`: the L constituent labels and tags of training; `factors` (L, 2): q, forward and backward,
    which sum to one. A jump to the next word skips nothing and has the empty product: as in the paper, J is a
    product of factors and not a distribution over j. A label not seen in training has the smallest factor.
    `smoothing`: fake counts of each label and direction.
    """

    null: float
    labels: tuple[str, ...]
    factors: Floats
    smoothing: float

    TREES: ClassVar[bool] = True

    @classmethod
    def start(cls, corpus: Shape, settings: Mapping[str, Any]) -> Self:
        """Return factors that are uniform over labels and directions."""
        size = 2 * len(corpus.labels)
        factors = np.full((len(corpus.labels), 2), 1.0 / size)
        return cls(null_start(settings, size), corpus.labels, factors, float(settings["jump_smoothing"]))

    def transitions(self, instance: Instance) -> Transitions:
        """Return the transitions of a pair."""
        return tree_walk_transitions(
            self.null, _blocks(instance), _forest(instance), self._factors_with_unseen()
        )

    def pruned_transitions(
        self, instance: Instance, kept: Bools, whole: Transitions
    ) -> tuple[LongInts, Transitions]:
        """Return the words and the transitions of a pair that is reduced to the sentences `kept`."""
        words, blocks, forest = prune_forest(instance, _forest(instance), kept)
        return words, tree_walk_transitions(self.null, blocks, forest, self._factors_with_unseen())

    def _factors_with_unseen(self) -> Floats:
        """Return `factors` with a last row for labels that training has not seen, whose number is L."""
        return np.concatenate([self.factors, np.full((1, 2), self.factors.min())])

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log q, natural log."""
        return self.smoothing * float(np.log(self.factors).sum())

    def zeros(self) -> Floats:
        """Return zeros for the expected uses of each label in each direction (L, 2)."""
        return np.zeros_like(self.factors)

    def add(
        self, counts: Floats, instance: Instance, kept: Bools, transitions: Transitions, pair_counts: Floats
    ) -> None:
        """Add the constituents that a pair is expected to skip to `counts`, in place."""
        forest = _forest(instance)
        if not kept.all():
            forest = prune_forest(instance, forest, kept)[2]
        count_labels(forest, transitions.blocks, pair_counts, counts)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        return type(self)(nulls / (nulls + jumps), self.labels, counts / counts.sum(), self.smoothing)

    def with_null(self, null: float) -> Self:
        """Return the model with another φ."""
        return replace(self, null=null)

    def check(self) -> None:
        """Raise ValueError for parameters that no training gives."""
        texts = all(isinstance(label, str) for label in self.labels)
        if not texts or len(set(self.labels)) < len(self.labels):
            raise ValueError("its labels are not distinct texts")
        check_shape("factors of labels", self.factors, (len(self.labels), 2))
        check_distribution("factors of labels", self.factors)
        check_distribution("null probability and that of jumps", np.array([self.null, 1.0 - self.null]))
        check_counts("smoothing", [self.smoothing])

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""
        return {
            "jump_null": np.asarray(self.null),
            "jump_labels": np.array(self.labels, dtype=np.str_),
            "jump_factors": self.factors,
            "jump_smoothing": np.asarray(self.smoothing),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> Self:
        """Do the inverse of `to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            tuple(arrays["jump_labels"].tolist()),
            arrays["jump_factors"],
            float(arrays["jump_smoothing"]),
        )

    def describe(self) -> dict[str, Any]:
        """Return φ, and label-direction → factor."""
        labels = {
            f"{label}-{direction}": float(factor)
            for label, row in zip(self.labels, self.factors, strict=True)
            for direction, factor in zip(DIRECTIONS, row, strict=True)
        }
        return {"null": self.null, "labels": labels}


def _forest(instance: Instance) -> Forest:
    if instance.forest is None:
        raise ValueError(f"pair {instance.id} has no trees")
    return instance.forest


def _blocks(instance: Instance) -> Ints:
    return np.array([0, *(last for _, last in instance.document_breaks)], dtype=np.int32)
