"""The double-exponential jump model, which Daumé & Marcu (2005, Section 5.2) suggest for their Figure 2."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vorlage.files.arrays import Form
from vorlage.semihmm.jump_model import ByFormula, minimise
from vorlage.types import ArraySource, Floats, LongInts

NEXT = 1  # the distance of a jump to the next word, where the distribution has its peak
STEEPEST = 30.0  # a larger decay would make every other jump impossible


@dataclass(frozen=True)
class Exponential(ByFormula):
    """J(δ) = (1 − φ) · exp(−forward · (δ − 1)) / Σ for δ ≥ 1, and exp(−backward · (1 − δ)) / Σ for δ < 1.

    `forward` and `backward`: decays per word, at least 0; both are 0 at the start, where all distances are
    equally probable.
    """

    name: ClassVar[str] = "exponential"

    forward: float = 0.0
    backward: float = 0.0

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays."""
        yield from super().forms(arrays)
        yield "forward", Form(float, (), 0, STEEPEST)
        yield "backward", Form(float, (), 0, STEEPEST)

    def exponents(self, distances: LongInts) -> Floats:
        """Return −forward · (δ − 1) or −backward · (1 − δ) at each distance."""
        return -_steps(distances) @ np.array([self.forward, self.backward])

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the decays under which the expected jumps are most probable.

        Their log-likelihood, −forward · F − backward · B − log Σ with the mean steps F and B of the expected
        jumps, is concave, so that a search finds the maximum.
        """
        steps = _steps(self.distances())
        means = counts @ steps / counts.sum()

        def cost(decays: Floats) -> tuple[float, Floats]:
            exponents = -steps @ decays
            norm = float(np.logaddexp.reduce(exponents))
            return float(norm + means @ decays), means - np.exp(exponents - norm) @ steps

        now = np.array([self.forward, self.backward])
        forward, backward = minimise(cost, now, [(0.0, STEEPEST)] * 2).tolist()
        return replace(self, null_probability=nulls / (nulls + jumps), forward=forward, backward=backward)


def _steps(distances: LongInts) -> Floats:
    """Return the words forward and backward of the peak at each distance (…, 2)."""
    return np.stack([np.maximum(distances - NEXT, 0), np.maximum(NEXT - distances, 0)], axis=1).astype(float)
