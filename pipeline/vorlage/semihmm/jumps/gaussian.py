"""The Gaussian jump model (Daumé & Marcu 2005, Section 4.1.2): a normal distribution over distances."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vorlage.files.arrays import Form
from vorlage.semihmm.jump_model import ByFormula, minimise
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats, LongInts

# Words. If all jumps had one length, the standard deviation would be 0 and every other jump impossible.
NARROWEST = 0.3


@dataclass(frozen=True)
class Gaussian(ByFormula):
    """J(δ) = (1 − φ) · exp(−scale · (δ − mean)² / standard_deviation²) / Σ.

    `mean` and `standard_deviation` are in words; the latter is infinite at the start, where all distances
    are equally probable. `scale` is ½, that of a normal density, whose parameters are fitted; or 1, as in
    equation 1 of the paper, which lacks ½ and the minus sign, and whose parameters are the moments.
    """

    name: ClassVar[str] = "gaussian"

    mean: float = 1.0
    standard_deviation: float = np.inf
    scale: float = 0.5

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return a uniform distribution over the distances of the documents."""
        model = super().start(longest, labels, settings)
        return replace(model, scale=1.0 if settings.gaussian == "literal" else 0.5)

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays; the limits are those of the search, but for rounding."""
        yield from super().forms(arrays)
        longest = arrays["longest"].item()
        yield "mean", Form(float, (), -2 * longest, 2 * longest)
        yield "standard_deviation", Form(float, (), 0.29, 101 * longest)
        yield "scale", Form(float, (), 0.5, 1)

    @property
    def maximises(self) -> bool:
        """Whether an M-step maximises: not by the moments, of which the density has others."""
        return self.scale == 0.5

    def exponents(self, distances: LongInts) -> Floats:
        """Return −scale · (δ − mean)² / standard_deviation² at each distance."""
        scaled = (distances - self.mean) / self.standard_deviation
        return np.asarray(-self.scale * scaled**2, dtype=np.float64)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the model with the moments of the expected jumps, or under which they are most probable.

        The latter has other moments because the range of distances cuts off the ends of the distribution. Its
        search starts at the former; the likelihood is concave in mean/variance and 1/variance.
        """
        distances, longest = self.distances(), self.longest
        share = counts / counts.sum()
        mean = float(share @ distances)
        standard_deviation = max(float(np.sqrt(share @ (distances - mean) ** 2)), NARROWEST)
        null_probability = nulls / (nulls + jumps)
        if not self.maximises:
            return replace(
                self, null_probability=null_probability, mean=mean, standard_deviation=standard_deviation
            )

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
            null_probability=null_probability,
            mean=float(best[0]),
            standard_deviation=float(np.exp(best[1])),
        )
