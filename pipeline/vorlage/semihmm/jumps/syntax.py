"""The syntax-aware jump models: a walk over the constituents skipped (Daumé & Marcu 2005, Section 4.1.3).

The paper takes the relative frequencies of the labels skipped as the factors of a walk (`SyntaxCounts`), but
the walks from a position do not sum to 1. `Syntax` makes them a distribution, with its own M-step.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.semihmm.constants import FACTOR_PRECISION
from vorlage.semihmm.jumps.base import OverTrees, minimise, null_start
from vorlage.semihmm.kernels.forward_backward import Expected
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.kernels.tree_walks import add_uses_of_departures, count_labels
from vorlage.semihmm.pairs import OnePair
from vorlage.settings import Training
from vorlage.types import Floats

STEEPEST = 50.0  # factors are between e^−50 and 1, that of the next word between e^−50 and e^50
STEPS = 25  # of the search in each M-step


@dataclass(frozen=True)
class Syntax(OverTrees):
    """J(p→j) = (1 − null) · Π q(label, direction) / Z_p over the fewest constituents that the jump skips.

    Z_p is the sum of the products over all words and the end. The `factors` q are at most 1; a label that
    training has not seen has their geometric mean. `next_word`: the factor of a jump to the next word of the
    sentence, which skips nothing. `precision`: that of log q, which is normal around its mean in a direction.
    """

    NORMALISED: ClassVar[bool] = True

    next_word: float
    precision: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return factors of 1, with which all words are equally probable."""
        null = null_start(settings, longest + 1)
        return cls(null, labels, np.ones((len(labels), 2)), 1.0, FACTOR_PRECISION)

    def every_factor(self) -> Floats:
        """Return `factors`, their mean for other labels, and that of the next word."""
        mean = np.exp(np.log(self.factors).mean(axis=0))
        return np.vstack([self.factors, mean, [self.next_word, 1.0]])

    def zeros(self) -> list[Any]:
        """Return a list for each pair's uses of `every_factor` (L+2, 2), trees and departures (n+1)."""
        return []

    def add(self, counts: Any, pair: OnePair, transitions: Transitions, expected: Expected) -> None:
        """Append the expected jumps of a pair to `counts`."""
        assert pair.forest is not None
        trees, uses = (pair.forest, transitions.blocks), np.zeros((len(self.labels) + 2, 2))
        count_labels(*trees, expected.transition_counts, uses)
        counts.append((uses, trees, expected.departures))

    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the factors under which the expected jumps and the prior are most probable, or nearly so.

        They maximise Σ uses · θ − Σ departures · log Z − precision · Σ (θ − mean)² / 2, which is concave in
        their logarithms θ.
        """
        size, uses = len(self.labels), np.sum([uses for uses, *_ in counts], axis=0)

        def cost(point: Floats) -> tuple[float, Floats]:
            logs, slopes = point.reshape(-1, 2), -uses
            off = logs[:size] - logs[:size].mean(axis=0)
            slopes[:size] += self.precision * off
            value = self.precision / 2 * float((off**2).sum()) - float((uses * logs).sum())
            factors = np.exp(logs)
            for _, (forest, blocks), departures in counts:
                value += add_uses_of_departures(forest, blocks, factors, departures, slopes)
            return value, slopes.ravel()

        now = np.log(self.every_factor()).ravel()
        bounds = [(-STEEPEST, 0.0)] * (len(now) - 2) + [(-STEEPEST, STEEPEST)] * 2
        best = np.exp(minimise(cost, now, bounds, STEPS)).reshape(-1, 2)
        null = nulls / (nulls + jumps)
        return replace(self, null=null, factors=best[:size], next_word=float(best[-1, 0]))

    def log_prior(self) -> float:
        """Return the share of the prior of the factors in the objective, natural log."""
        logs = np.log(self.factors)
        return -self.precision / 2 * float(((logs - logs.mean(axis=0)) ** 2).sum())

    def describe(self) -> dict[str, Any]:
        """Return φ, the factor of the next word, and label-direction → factor."""
        return {"next_word": self.next_word} | super().describe()


@dataclass(frozen=True)
class SyntaxCounts(OverTrees):
    """J(p→j) = (1 − null) · Π q(label, direction) over the fewest constituents that the jump skips.

    The `factors` q sum to one. A jump to the next word skips nothing and has the empty product: as in the
    paper, J is a product of factors and not a distribution over j. A label not seen in training has the
    smallest factor. `smoothing`: fake counts of each label and direction.
    """

    NORMALISED: ClassVar[bool] = False

    smoothing: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return factors that are uniform over labels and directions."""
        size = 2 * len(labels)
        factors = np.full((len(labels), 2), 1.0 / size)
        return cls(null_start(settings, size), labels, factors, settings.jump_smoothing)

    def every_factor(self) -> Floats:
        """Return `factors`, the smallest one for other labels, and 1 for the next word."""
        return np.vstack([self.factors, np.full((1, 2), self.factors.min()), np.ones((1, 2))])

    def zeros(self) -> Floats:
        """Return zeros for the expected uses of `every_factor` (L+2, 2)."""
        return np.zeros((len(self.labels) + 2, 2))

    def add(self, counts: Any, pair: OnePair, transitions: Transitions, expected: Expected) -> None:
        """Add the constituents that a pair is expected to skip to `counts`, in place."""
        assert pair.forest is not None
        count_labels(pair.forest, transitions.blocks, expected.transition_counts, counts)

    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts[: len(self.labels)] + self.smoothing
        return replace(self, null=nulls / (nulls + jumps), factors=counts / counts.sum())

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log q, natural log."""
        return self.smoothing * float(np.log(self.factors).sum())
