"""The relative jump model (Daumé & Marcu 2005, Section 4.1.1): a table of probabilities by distance."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vorlage.files.arrays import TINY, Form
from vorlage.semihmm.jump_model import LONGEST, MOST, ByDistance, first_null_probability
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats, LongInts


@dataclass(frozen=True)
class Relative(ByDistance):
    """J(δ) = `table[δ − smallest]`, with `φ + table.sum() = 1`.

    `smoothing`: fake counts of each distance (the Dirichlet prior).
    """

    name: ClassVar[str] = "relative"

    smallest: int
    table: Floats
    smoothing: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return a uniform table over the distances of the documents."""
        size = 2 * longest + 1
        null = first_null_probability(settings, size)
        return cls(null, 1 - longest, np.full(size, (1.0 - null) / size), settings.jump_smoothing)

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays."""
        yield from super().forms(arrays)
        yield "smoothing", Form(float, (), 0, MOST)
        yield "smallest", Form(np.int64, (), 1 - LONGEST, 0)
        distances, jumps = 3 - 2 * arrays["smallest"].item(), 1 - arrays["null"].item()
        yield "table", Form(float, (distances,), TINY, 1, total=jumps)

    def distances(self) -> LongInts:
        """Return the distances of the table."""
        return self.smallest + np.arange(len(self.table))

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1; a distance outside the table has its smallest value."""
        places = np.arange(-n, n + 2) - self.smallest
        inside = (places >= 0) & (places < len(self.table))
        return np.log(np.where(inside, self.table.take(places, mode="clip"), self.table.min()))

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log J(δ), natural log."""
        return self.smoothing * float(np.log(self.table).sum())

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        total = counts.sum() + nulls
        return replace(self, null_probability=nulls / total, table=counts / total)

    def with_null(self, null_probability: float) -> Self:
        """Return the model with another φ, the table scaled to it."""
        table = self.table * ((1.0 - null_probability) / self.table.sum())
        return replace(self, null_probability=null_probability, table=table)

    def describe(self) -> dict[str, Any]:
        """Return φ, and distance → probability."""
        distances = map(str, self.distances().tolist())
        return {
            "null": self.null_probability,
            "distances": dict(zip(distances, self.table.tolist(), strict=True)),
        }
