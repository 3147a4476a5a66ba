"""The syntax-aware jump model (Daumé & Marcu 2005, Section 4.1.3): a walk over the constituents skipped."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.semihmm.jumps.base import JumpModel, null_start
from vorlage.semihmm.kernels.transitions import Transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest, count_labels
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.settings import SemiHmm
from vorlage.types import Floats

DIRECTIONS = ("f", "b")


@dataclass(frozen=True)
class Syntax(JumpModel):
    """J(p→j) = (1 − null) · Π q(label, direction) over the fewest constituents that the jump skips.

    `labels`: the L constituent labels and tags of training; `factors` (L, 2): q, forward and backward,
    which sum to one. A jump to the next word skips nothing and has the empty product: as in the paper, J is a
    product of factors and not a distribution over j. A label not seen in training has the smallest factor.
    `smoothing`: fake counts of each label and direction.
    """

    TREES: ClassVar[bool] = True

    labels: tuple[str, ...]
    factors: Floats
    smoothing: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: SemiHmm) -> Self:
        """Return factors that are uniform over labels and directions."""
        size = 2 * len(labels)
        factors = np.full((len(labels), 2), 1.0 / size)
        return cls(null_start(settings, size), labels, factors, settings.jump_smoothing)

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training."""
        return self.labels

    def transitions(self, instance: Instance) -> Transitions:
        """Return the transitions of a pair."""
        sentences = np.array([0, *(last for _, last in instance.document_breaks)], dtype=np.int32)
        # The number of a label that training has not seen is L.
        factors = np.concatenate([self.factors, np.full((1, 2), self.factors.min())])
        return tree_walk_transitions(self.null, sentences, _forest(instance), factors)

    def zeros(self) -> Floats:
        """Return zeros for the expected uses of each label in each direction (L, 2)."""
        return np.zeros_like(self.factors)

    def add(
        self, counts: Floats, instance: Instance, transitions: Transitions, transition_counts: Floats
    ) -> None:
        """Add the constituents that a pair is expected to skip to `counts`, in place."""
        count_labels(_forest(instance), transitions.blocks, transition_counts, counts)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        return replace(self, null=nulls / (nulls + jumps), factors=counts / counts.sum())

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log q, natural log."""
        return self.smoothing * float(np.log(self.factors).sum())

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
