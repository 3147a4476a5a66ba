"""The jump models by walks over trees."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from vorlage.semihmm.jump_model import JumpModel
from vorlage.semihmm.kernels.transitions import Transitions, tree_walk_transitions
from vorlage.semihmm.pairs import PairArrays
from vorlage.types import Floats


@dataclass(frozen=True)
class OverTrees(JumpModel):
    """A jump model by walks over the fewest constituents that a jump skips.

    `labels`: the L constituent labels and tags of training; `factors` (L, 2): of skipping each of them,
    forward and backward.
    """

    needs_trees: ClassVar[bool] = True
    normalised: ClassVar[bool]  # whether walks are divided by the sum of all walks from their position

    labels: tuple[str, ...]
    factors: Floats

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training."""
        return self.labels

    @abstractmethod
    def every_factor(self) -> Floats:
        """Return `factors`, those of labels not seen in training, and that of the next word (L+2, 2)."""

    def transitions(self, pair: PairArrays) -> Transitions:
        """Return the transitions of a pair."""
        assert pair.forest is not None
        bounds = np.append(0, pair.document_ends).astype(np.int32)
        return tree_walk_transitions(
            self.null_probability, bounds, pair.forest, self.every_factor(), self.normalised
        )

    def describe(self) -> dict[str, Any]:
        """Return φ, and label-direction → factor."""
        names = [f"{label}-{direction}" for label in self.labels for direction in ("f", "b")]
        return {
            "null": self.null_probability,
            "labels": dict(zip(names, self.factors.ravel().tolist(), strict=True)),
        }
