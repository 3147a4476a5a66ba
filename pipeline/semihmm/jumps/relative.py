"""The relative jump model (Daumé & Marcu 2005, Section 4.1.1): one table over all distances."""

from dataclasses import dataclass

import numpy as np

from pipeline.semihmm.checks import check_counts, check_distribution, check_shape
from pipeline.semihmm.jumps.base import null_start
from pipeline.semihmm.jumps.by_distance import ByDistance
from pipeline.semihmm.kernels.toeplitz import add_counts_by_distance


@dataclass(frozen=True)
class Relative(ByDistance):
    """Probabilities of moves: to the null state with ``null``, by distance δ with ``table[δ − smallest]``.

    A jump from position p to a phrase that starts at j has distance δ = j − p, to the end n + 1 − p.
    ``null + table.sum() = 1``. ``smoothing``: fake counts a distance (the Dirichlet prior).
    """

    null: float
    smallest: int
    table: np.ndarray
    smoothing: float

    @classmethod
    def start(cls, corpus, settings):
        """Uniform over the distances of the documents, ``1 − longest`` … ``longest + 1``."""
        size = 2 * corpus.longest + 1
        null = null_start(settings, size)
        table = np.full(size, (1.0 - null) / size)
        return cls(null, 1 - corpus.longest, table, float(settings["jump_smoothing"]))

    def logarithms(self, n):
        """log J at distances −n … n+1; outside the table that of its smallest value."""
        wanted = np.arange(-n, n + 2) - self.smallest
        inside = (wanted >= 0) & (wanted < len(self.table))
        return np.log(np.where(inside, self.table.take(wanted, mode="clip"), self.table.min()))

    def log_prior(self):
        """The smoothing's share of the objective: smoothing · Σ log jump(δ), natural log."""
        return self.smoothing * float(np.log(self.table).sum())

    def zeros(self):
        """Expected jumps at distances ``smallest`` …, float64, the shape of ``table``."""
        return np.zeros_like(self.table)

    def add(self, counts, instance, kept, moves, tally):
        """Add the expected jumps of a pair to ``counts``, in place."""
        add_counts_by_distance(counts, self.smallest, moves.toeplitz, tally)

    def maximised(self, counts, nulls, jumps):
        """The M-step: relative frequencies of the expected counts plus the fake counts."""
        counts = counts + self.smoothing
        total = counts.sum() + nulls
        return Relative(nulls / total, self.smallest, counts / total, self.smoothing)

    def with_null(self, null):
        """The same with another probability of a move to the null state."""
        table = self.table * ((1.0 - null) / self.table.sum())
        return Relative(null, self.smallest, table, self.smoothing)

    def check(self):
        """Raise ValueError for parameters that no training gives."""
        check_shape("jump probabilities", self.table, (3 - 2 * self.smallest,))
        check_distribution("jump probabilities", self.table, self.null)
        check_counts("null probability and smoothing", [self.null, self.smoothing])

    def to_arrays(self):
        """Arrays for the model file."""
        return {
            "jump_null": np.float64(self.null),
            "jump_smallest": np.int64(self.smallest),
            "jump_table": self.table,
            "jump_smoothing": np.float64(self.smoothing),
        }

    @classmethod
    def from_arrays(cls, arrays):
        """The inverse of :meth:`to_arrays`."""
        return cls(
            float(arrays["jump_null"]),
            int(arrays["jump_smallest"]),
            arrays["jump_table"],
            float(arrays["jump_smoothing"]),
        )

    def describe(self):
        """The parameters for a person or a program: distance → probability, and the null move."""
        return {
            "null": self.null,
            "distances": {str(self.smallest + i): float(x) for i, x in enumerate(self.table)},
        }
