"""The relative jump model (Daumé & Marcu 2005, Section 4.1.1): one table over all distances."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from vorlage.semihmm.checks import check_counts, check_distribution, check_shape
from vorlage.semihmm.jumps.base import ByDistance, Shape, null_start
from vorlage.semihmm.kernels.toeplitz import add_counts_by_distance
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import AnyArray, ArraySource, Bools, Floats


@dataclass(frozen=True)
class Relative(ByDistance):
    """Transition probabilities: to the null state `null`, by distance δ `table[δ − smallest]`.

    A jump from position p to a phrase that starts at j has distance δ = j − p, a jump to the end n + 1 − p.
    `null + table.sum() = 1`. `smoothing`: fake counts of each distance (the Dirichlet prior).
    """

    null: float
    smallest: int
    table: Floats
    smoothing: float

    @classmethod
    def start(cls, corpus: Shape, settings: Mapping[str, Any]) -> Self:
        """Return a uniform table over the distances of the documents, `1 − longest` … `longest + 1`."""
        size = 2 * corpus.longest + 1
        null = null_start(settings, size)
        table = np.full(size, (1.0 - null) / size)
        return cls(null, 1 - corpus.longest, table, float(settings["jump_smoothing"]))

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1; a distance outside the table has its smallest value."""
        places = np.arange(-n, n + 2) - self.smallest
        inside = (places >= 0) & (places < len(self.table))
        return np.log(np.where(inside, self.table.take(places, mode="clip"), self.table.min()))

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective: smoothing · Σ log jump(δ), natural log."""
        return self.smoothing * float(np.log(self.table).sum())

    def zeros(self) -> Floats:
        """Return zeros for the expected jumps at distances `smallest` …, of the shape of `table`."""
        return np.zeros_like(self.table)

    def add(
        self, counts: Floats, instance: Instance, kept: Bools, transitions: Transitions, pair_counts: Floats
    ) -> None:
        """Add the expected jumps of a pair to `counts`, in place."""
        add_counts_by_distance(counts, self.smallest, transitions.toeplitz, pair_counts)

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        total = counts.sum() + nulls
        return type(self)(nulls / total, self.smallest, counts / total, self.smoothing)

    def with_null(self, null: float) -> Self:
        """Return the model with another φ, the table scaled to it."""
        table = self.table * ((1.0 - null) / self.table.sum())
        return type(self)(null, self.smallest, table, self.smoothing)

    def check(self) -> None:
        """Raise ValueError for parameters that no training gives."""
        check_shape("jump probabilities", self.table, (3 - 2 * self.smallest,))
        check_distribution("jump probabilities", self.table, self.null)
        check_counts("null probability and smoothing", [self.null, self.smoothing])

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""
        return {
            "jump_null": np.asarray(self.null),
            "jump_smallest": np.asarray(self.smallest),
            "jump_table": self.table,
            "jump_smoothing": np.asarray(self.smoothing),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> Self:
        """Do the inverse of `to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            int(arrays["jump_smallest"]),
            arrays["jump_table"],
            float(arrays["jump_smoothing"]),
        )

    def describe(self) -> dict[str, Any]:
        """Return φ, and distance → probability."""
        return {
            "null": self.null,
            "distances": {str(self.smallest + i): float(x) for i, x in enumerate(self.table)},
        }
