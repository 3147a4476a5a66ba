"""The syntax-aware jump model: a walk over the constituents skipped (Daumé & Marcu 2005, Section 4.1.3).

The paper takes the relative frequencies of the labels skipped as the factors of a walk, see
`vorlage.semihmm.jumps.syntax_counts`, but the walks from a position do not sum to 1. Here they are a
distribution, with its own M-step.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.files.arrays import Form
from vorlage.semihmm.jump_model import MOST, OverTrees, first_null_probability, minimise
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.kernels.tree_walks import add_uses_of_departures, count_labels
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats

STEEPEST = 50.0  # factors are between e^−50 and 1, that of the next word between e^−50 and e^50
FACTOR_PRECISION = 50.0  # of the logarithm of a factor, around its mean
STEPS = 25  # of the search in each M-step


@dataclass(frozen=True)
class Syntax(OverTrees):
    """J(p→j) = (1 − φ) · Π q(label, direction) / Z_p over the fewest constituents that the jump skips.

    Z_p is the sum of the products over all words and the end. The `factors` q are at most 1; a label that
    training has not seen has their geometric mean. `next_word`: the factor of a jump to the next word of the
    sentence, which skips nothing. `precision`: that of log q, which is normal around its mean in a direction.
    """

    name: ClassVar[str] = "syntax"
    normalised: ClassVar[bool] = True

    next_word: float
    precision: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return factors of 1, with which all words are equally probable."""
        null = first_null_probability(settings, longest + 1)
        return cls(null, labels, np.ones((len(labels), 2)), 1.0, FACTOR_PRECISION)

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays; the limits are those of the search, but for rounding."""
        yield from super().forms(arrays)
        yield "labels", Form(np.str_, (None,))
        yield "factors", Form(float, (len(arrays["labels"]), 2), 1e-22, 1)
        yield "next_word", Form(float, (), 1e-22, 1e22)
        yield "precision", Form(float, (), 0, MOST)

    def every_factor(self) -> Floats:
        """Return `factors`, their mean for other labels, and that of the next word."""
        mean = np.exp(np.log(self.factors).mean(axis=0))
        return np.vstack([self.factors, mean, [self.next_word, 1.0]])

    def zeros(self) -> list[Any]:
        """Return a list for each pair's uses of `every_factor` (L+2, 2), trees and departures (n+1)."""
        return []

    def add(self, counts: Any, pair: PairArrays, transitions: Transitions, expected: ExpectedCounts) -> None:
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
        return replace(self, null_probability=null, factors=best[:size], next_word=float(best[-1, 0]))

    def log_prior(self) -> float:
        """Return the share of the prior of the factors in the objective, natural log."""
        logs = np.log(self.factors)
        return -self.precision / 2 * float(((logs - logs.mean(axis=0)) ** 2).sum())

    def describe(self) -> dict[str, Any]:
        """Return φ, the factor of the next word, and label-direction → factor."""
        return {"next_word": self.next_word} | super().describe()
