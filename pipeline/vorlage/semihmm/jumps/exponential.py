"""The double-exponential jump model, which Daumé & Marcu (2005, Section 5.2) suggest for their Figure 2."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from vorlage.semihmm.checks import check_distribution
from vorlage.semihmm.jumps.base import ByDistance, Shape, null_start
from vorlage.semihmm.kernels.toeplitz import add_counts_by_distance
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import AnyArray, ArraySource, Bools, Floats

NEXT = 1  # the distance of a jump to the next word, where the distribution has its peak
STEEPEST = 30.0  # a larger decay would make every other jump impossible
# Words of a document, because the norm is a sum over an array of that size.
LONGEST = 10**7


@dataclass(frozen=True)
class Exponential(ByDistance):
    """J(δ) = (1 − null) · exp(−forward · (δ − 1)) / Z for δ ≥ 1, and exp(−backward · (1 − δ)) / Z for δ < 1.

    Z is the sum over distances 1 − longest … longest + 1. `forward` and `backward`: decays per word, at
    least 0; both are 0 at the start, where all distances are equally probable. `longest`: words of the
    longest document of training; a longer document has the same formula.
    """

    null: float
    longest: int
    forward: float
    backward: float

    @classmethod
    def start(cls, corpus: Shape, settings: Mapping[str, Any]) -> Self:
        """Return a uniform distribution over the distances of the documents."""
        return cls(null_start(settings, 2 * corpus.longest + 1), corpus.longest, 0.0, 0.0)

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1."""
        decays = np.array([self.forward, self.backward])
        norm = np.logaddexp.reduce(-_steps(1 - self.longest, self.longest + 1) @ decays)
        exponents: Floats = np.log1p(-self.null) - _steps(-n, n + 1) @ decays - norm
        return exponents

    def log_prior(self) -> float:
        """Return 0: the parameters have no prior."""
        return 0.0

    def zeros(self) -> Floats:
        """Return zeros for the expected jumps at distances 1 − longest … longest + 1."""
        return np.zeros(2 * self.longest + 1)

    def add(
        self, counts: Floats, instance: Instance, kept: Bools, transitions: Transitions, pair_counts: Floats
    ) -> None:
        """Add the expected jumps of a pair to `counts`, in place."""
        add_counts_by_distance(counts, 1 - self.longest, transitions.toeplitz, pair_counts)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the decays under which the expected jumps are most probable.

        Their log-likelihood, −forward · F − backward · B − log Z with the mean steps F and B of the expected
        jumps, is concave, so that a search finds the maximum.
        """
        # Imported here because an E-step does not need it.
        from scipy.optimize import minimize

        steps = _steps(1 - self.longest, self.longest + 1)
        means = counts @ steps / counts.sum()

        def cost(decays: Floats) -> tuple[float, Floats]:
            exponents = -steps @ decays
            norm = float(np.logaddexp.reduce(exponents))
            return float(norm + means @ decays), means - np.exp(exponents - norm) @ steps

        start = np.minimum(1.0 / (means + 1e-9), 1.0)
        options = {"ftol": 1e-15, "gtol": 1e-10}
        bounds = [(0.0, STEEPEST)] * 2
        optimum = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        # Where the search gains nothing in the last digits, EM must still not lose.
        now = np.array([self.forward, self.backward])
        forward, backward = min([now, optimum.x], key=lambda at: cost(at)[0]).tolist()
        return type(self)(nulls / (nulls + jumps), self.longest, forward, backward)

    def with_null(self, null: float) -> Self:
        """Return the model with another φ."""
        return replace(self, null=null)

    def check(self) -> None:
        """Raise ValueError for parameters that no training gives."""
        check_distribution("null probability and that of jumps", np.array([self.null, 1.0 - self.null]))
        if not 1 <= self.longest <= LONGEST:
            raise ValueError(f"the longest document has {self.longest} words")
        if not all(0 <= decay <= STEEPEST for decay in (self.forward, self.backward)):
            raise ValueError(f"jumps have the decays {self.forward} and {self.backward}")

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""
        return {
            "jump_null": np.asarray(self.null),
            "jump_longest": np.asarray(self.longest),
            "jump_forward": np.asarray(self.forward),
            "jump_backward": np.asarray(self.backward),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> Self:
        """Do the inverse of `to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            int(arrays["jump_longest"]),
            float(arrays["jump_forward"]),
            float(arrays["jump_backward"]),
        )

    def describe(self) -> dict[str, Any]:
        """Return φ and the decays per word."""
        return {"null": self.null, "forward": self.forward, "backward": self.backward}


def _steps(least: int, most: int) -> Floats:
    """Return the words forward and backward of the peak, at distances `least` … `most` (…, 2)."""
    distances = np.arange(least, most + 1, dtype=np.float64)
    return np.stack([np.maximum(distances - NEXT, 0), np.maximum(NEXT - distances, 0)], axis=1)
