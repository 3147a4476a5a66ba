"""The syntax-aware jump model with the factors of the paper (Daumé & Marcu 2005, Section 4.1.3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.files.arrays import TINY, Form
from vorlage.semihmm.jump_model import MOST, OverTrees, first_null_probability
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.kernels.tree_walks import count_labels
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats


@dataclass(frozen=True)
class SyntaxCounts(OverTrees):
    """J(p→j) = (1 − φ) · Π q(label, direction) over the fewest constituents that the jump skips.

    The `factors` q sum to one. A jump to the next word skips nothing and has the empty product: as in the
    paper, J is a product of factors and not a distribution over j. A label not seen in training has the
    smallest factor. `smoothing`: fake counts of each label and direction.
    """

    name: ClassVar[str] = "syntax-counts"
    normalised: ClassVar[bool] = False

    smoothing: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return factors that are uniform over labels and directions."""
        size = 2 * len(labels)
        factors = np.full((len(labels), 2), 1.0 / size)
        return cls(first_null_probability(settings, size), labels, factors, settings.jump_smoothing)

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays."""
        yield from super().forms(arrays)
        yield "smoothing", Form(float, (), 0, MOST)
        yield "labels", Form(np.str_, (None,))
        yield "factors", Form(float, (len(arrays["labels"]), 2), TINY, 1, total=1)

    def every_factor(self) -> Floats:
        """Return `factors`, the smallest one for other labels, and 1 for the next word."""
        return np.vstack([self.factors, np.full((1, 2), self.factors.min()), np.ones((1, 2))])

    def zeros(self) -> Floats:
        """Return zeros for the expected uses of `every_factor` (L+2, 2)."""
        return np.zeros((len(self.labels) + 2, 2))

    def add(self, counts: Any, pair: PairArrays, transitions: Transitions, expected: ExpectedCounts) -> None:
        """Add the constituents that a pair is expected to skip to `counts`, in place."""
        assert pair.forest is not None
        count_labels(pair.forest, transitions.blocks, expected.transition_counts, counts)

    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts[: len(self.labels)] + self.smoothing
        return replace(self, null_probability=nulls / (nulls + jumps), factors=counts / counts.sum())

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log q, natural log."""
        return self.smoothing * float(np.log(self.factors).sum())
