"""The Gaussian jump model (Daumé & Marcu 2005, Section 4.1.2): a normal distribution over distances."""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.semihmm.checks import check_distribution
from pipeline.semihmm.jumps.base import null_start
from pipeline.semihmm.jumps.by_distance import ByDistance
from pipeline.semihmm.kernels.toeplitz import add_counts_by_distance

# Words. All jumps of one length would make the deviation nothing, and every other jump impossible.
NARROWEST = 0.3
# Words of a document: what the norm sums over has to be held.
LONGEST = 10**7


@dataclass(frozen=True)
class Gaussian(ByDistance):
    """J(δ) = (1 − null) · exp(−(δ − mean)² / 2·deviation²) / Σ, over distances 1 − longest … longest + 1.

    ``mean`` and ``deviation`` are in words; the deviation is infinite at the start, where all distances are
    alike. ``longest``: words of the longest document of training; a longer one has the same formula. (The
    minus sign is missing in the paper's equation 1.)
    """

    null: float
    longest: int
    mean: float
    deviation: float

    @classmethod
    def start(cls, corpus, settings):
        """Uniform over the distances of the documents."""
        return cls(null_start(settings, 2 * corpus.longest + 1), corpus.longest, 1.0, np.inf)

    def logarithms(self, n):
        """log J at distances −n … n+1."""
        exponents = _exponents(np.arange(-n, n + 2), self.mean, self.deviation)
        return np.log1p(-self.null) + exponents - _log_norm(self.longest, self.mean, self.deviation)

    def log_prior(self):
        """The parameters have no prior: 0."""
        return 0.0

    def zeros(self):
        """Expected jumps at distances 1 − longest … longest + 1, float64."""
        return np.zeros(2 * self.longest + 1)

    def add(self, counts, instance, kept, moves, tally):
        """Add the expected jumps of a pair to ``counts``, in place."""
        add_counts_by_distance(counts, 1 - self.longest, moves.toeplitz, tally)

    def maximised(self, counts, nulls, jumps):
        """The M-step: the mean and deviation under which the expected jumps are most probable.

        They are the mean and deviation of the expected jumps but for the ends that the range of distances
        cuts off; with these as a start the likelihood, which is concave in mean/variance and 1/variance, is
        climbed to its top.
        """
        from scipy.optimize import minimize  # here alone: what takes an E-step has no use for it

        distances = np.arange(1 - self.longest, self.longest + 2)
        share = counts / counts.sum()
        mean = float(share @ distances)
        deviation = max(float(np.sqrt(share @ (distances - mean) ** 2)), NARROWEST)

        def cost(at):
            centre, width = at[0], np.exp(at[1])
            exponents = _exponents(distances, centre, width)
            norm = np.logaddexp.reduce(exponents)
            off, modelled = share - np.exp(exponents - norm), (distances - centre) / width
            slope = np.array([-(off @ modelled) / width, -(off @ modelled**2)])
            return norm - share @ exponents, slope

        bounds = [
            (-2.0 * self.longest, 2.0 * self.longest),
            (np.log(NARROWEST), np.log(100.0 * self.longest)),
        ]
        found = minimize(
            cost,
            (mean, np.log(deviation)),
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        best = min([(mean, np.log(deviation)), found.x], key=lambda at: cost(at)[0])
        return Gaussian(nulls / (nulls + jumps), self.longest, float(best[0]), float(np.exp(best[1])))

    def with_null(self, null):
        """The same with another probability of a move to the null state."""
        return replace(self, null=null)

    def check(self):
        """Raise ValueError for parameters that no training gives."""
        check_distribution("null probability and that of jumps", [self.null, 1.0 - self.null])
        if not 1 <= self.longest <= LONGEST:
            raise ValueError(f"the longest document has {self.longest} words")
        if not (np.isfinite(self.mean) and 0 < self.deviation < np.inf):
            raise ValueError(f"jumps have the mean {self.mean} and the deviation {self.deviation}")

    def to_arrays(self):
        """Arrays for the model file."""
        return {
            "jump_null": np.float64(self.null),
            "jump_longest": np.int64(self.longest),
            "jump_mean": np.float64(self.mean),
            "jump_deviation": np.float64(self.deviation),
        }

    @classmethod
    def from_arrays(cls, arrays):
        """The inverse of :meth:`to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            int(arrays["jump_longest"]),
            float(arrays["jump_mean"]),
            float(arrays["jump_deviation"]),
        )

    def describe(self):
        """The parameters for a person or a program, in words."""
        return {"null": self.null, "mean": self.mean, "deviation": self.deviation}


def _exponents(distances, mean, deviation):
    return -0.5 * ((distances - mean) / deviation) ** 2


def _log_norm(longest, mean, deviation):
    return np.logaddexp.reduce(_exponents(np.arange(1 - longest, longest + 2), mean, deviation))
