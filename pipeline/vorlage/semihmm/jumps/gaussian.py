"""The Gaussian jump model (Daumé & Marcu 2005, Section 4.1.2): a normal distribution over distances."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vorlage.files.arrays import Form
from vorlage.semihmm.jump_model import ByFormula, minimise
from vorlage.types import ArraySource, Floats, LongInts

# Words. If all jumps had one length, the standard deviation would be 0 and every other jump impossible.
NARROWEST = 0.3


@dataclass(frozen=True)
class Gaussian(ByFormula):
    """J(δ) = (1 − φ) · exp(−(δ − mean)² / 2·standard_deviation²) / Σ.

    `mean` and `standard_deviation` are in words; the latter is infinite at the start, where all distances
    are equally probable. (The paper's equation 1 lacks the minus sign.)
    """

    name: ClassVar[str] = "gaussian"

    mean: float = 1.0
    standard_deviation: float = np.inf

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays; the limits are those of the search, but for rounding."""
        yield from super().forms(arrays)
        longest = arrays["longest"].item()
        yield "mean", Form(float, (), -2 * longest, 2 * longest)
        yield "standard_deviation", Form(float, (), 0.29, 101 * longest)

    def exponents(self, distances: LongInts) -> Floats:
        """Return −(δ − mean)² / 2·standard_deviation² at each distance."""
        return np.asarray(-0.5 * ((distances - self.mean) / self.standard_deviation) ** 2, dtype=np.float64)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the mean and standard deviation under which the expected jumps are most probable.

        They differ from those of the expected jumps because the range of distances cuts off the ends of the
        distribution. The search starts there; the likelihood is concave in mean/variance and 1/variance.
        """
        distances, longest = self.distances(), self.longest
        share = counts / counts.sum()
        mean = float(share @ distances)
        standard_deviation = max(float(np.sqrt(share @ (distances - mean) ** 2)), NARROWEST)

        def cost(point: Floats) -> tuple[float, Floats]:
            centre, width = point[0], np.exp(point[1])
            scaled = (distances - centre) / width
            exponents = -0.5 * scaled**2
            norm = np.logaddexp.reduce(exponents)
            off = share - np.exp(exponents - norm)
            slope = np.array([-(off @ scaled) / width, -(off @ scaled**2)])
            return norm - share @ exponents, slope

        start = np.array([mean, np.log(standard_deviation)])
        bounds = [(-2.0 * longest, 2.0 * longest), (np.log(NARROWEST), np.log(100.0 * longest))]
        best = minimise(cost, start, bounds)
        return replace(
            self,
            null_probability=nulls / (nulls + jumps),
            mean=float(best[0]),
            standard_deviation=float(np.exp(best[1])),
        )
