"""The Gaussian jump model (Daumé & Marcu 2005, Section 4.1.2): a normal distribution over distances."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from vorlage.semihmm.checks import check_distribution
from vorlage.semihmm.jumps.base import ByDistance, Shape, null_start
from vorlage.semihmm.kernels.toeplitz import add_counts_by_distance
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import AnyArray, ArraySource, Bools, Floats, LongInts

# Words. If all jumps had one length, the standard deviation would be 0 and every other jump impossible.
NARROWEST = 0.3
# Words of a document, because the norm is a sum over an array of that size.
LONGEST = 10**7


@dataclass(frozen=True)
class Gaussian(ByDistance):
    """J(δ) = (1 − null) · exp(−(δ − mean)² / 2·standard_deviation²) / Σ, over distances 1 − longest … longest
    + 1.

    `mean` and `standard_deviation` are in words; the latter is infinite at the start, where all distances
    are equally probable. `longest`: words of the longest document of training; a longer document has the
    same formula. (The paper's equation 1 lacks the minus sign.)
    """

    null: float
    longest: int
    mean: float
    standard_deviation: float

    @classmethod
    def start(cls, corpus: Shape, settings: Mapping[str, Any]) -> Self:
        """Return a uniform distribution over the distances of the documents."""
        return cls(null_start(settings, 2 * corpus.longest + 1), corpus.longest, 1.0, np.inf)

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1."""
        exponents = _exponents(np.arange(-n, n + 2), self.mean, self.standard_deviation)
        return np.log1p(-self.null) + exponents - _log_norm(self.longest, self.mean, self.standard_deviation)

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
        """Return the mean and standard deviation under which the expected jumps are most probable.

        They differ from those of the expected jumps because the range of distances cuts off the ends of the
        distribution. The search starts there; the likelihood is concave in mean/variance and 1/variance.
        """
        # Imported here because an E-step does not need it.
        from scipy.optimize import minimize

        distances = np.arange(1 - self.longest, self.longest + 2)
        share = counts / counts.sum()
        mean = float(share @ distances)
        standard_deviation = max(float(np.sqrt(share @ (distances - mean) ** 2)), NARROWEST)

        def cost(at: Floats) -> tuple[float, Floats]:
            centre, width = at[0], np.exp(at[1])
            exponents = _exponents(distances, centre, width)
            norm = np.logaddexp.reduce(exponents)
            off, scaled = share - np.exp(exponents - norm), (distances - centre) / width
            slope = np.array([-(off @ scaled) / width, -(off @ scaled**2)])
            return norm - share @ exponents, slope

        start = np.array([mean, np.log(standard_deviation)])
        bounds = [
            (-2.0 * self.longest, 2.0 * self.longest),
            (np.log(NARROWEST), np.log(100.0 * self.longest)),
        ]
        options = {"ftol": 1e-15, "gtol": 1e-10}
        optimum = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        best = min([start, optimum.x], key=lambda at: cost(at)[0])
        return type(self)(nulls / (nulls + jumps), self.longest, float(best[0]), float(np.exp(best[1])))

    def with_null(self, null: float) -> Self:
        """Return the model with another φ."""
        return replace(self, null=null)

    def check(self) -> None:
        """Raise ValueError for parameters that no training gives."""
        check_distribution("null probability and that of jumps", np.array([self.null, 1.0 - self.null]))
        if not 1 <= self.longest <= LONGEST:
            raise ValueError(f"the longest document has {self.longest} words")
        if not (np.isfinite(self.mean) and 0 < self.standard_deviation < np.inf):
            raise ValueError(
                f"jumps have the mean {self.mean} and the standard deviation {self.standard_deviation}"
            )

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""
        return {
            "jump_null": np.asarray(self.null),
            "jump_longest": np.asarray(self.longest),
            "jump_mean": np.asarray(self.mean),
            "jump_standard_deviation": np.asarray(self.standard_deviation),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> Self:
        """Do the inverse of `to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            int(arrays["jump_longest"]),
            float(arrays["jump_mean"]),
            float(arrays["jump_standard_deviation"]),
        )

    def describe(self) -> dict[str, Any]:
        """Return the parameters, in words."""
        return {"null": self.null, "mean": self.mean, "standard_deviation": self.standard_deviation}


def _exponents(distances: LongInts, mean: float, standard_deviation: float) -> Floats:
    return np.asarray(-0.5 * ((distances - mean) / standard_deviation) ** 2, dtype=np.float64)


def _log_norm(longest: int, mean: float, standard_deviation: float) -> float:
    return float(
        np.logaddexp.reduce(_exponents(np.arange(1 - longest, longest + 2), mean, standard_deviation))
    )
