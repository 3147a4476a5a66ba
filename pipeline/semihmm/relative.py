"""The relative jump model (Daumé & Marcu 2005, Section 4.1.1): one table over all distances."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Relative:
    """Probabilities of moves: to the null state with ``null``, by distance δ with ``table[δ − smallest]``.

    A jump from position p to a phrase that starts at j has distance δ = j − p, to the end n + 1 − p.
    ``null + table.sum() = 1``. ``smoothing``: fake counts a distance (the Dirichlet prior).
    """

    null: float
    smallest: int
    table: np.ndarray
    smoothing: float

    @classmethod
    def start(cls, longest, settings):
        """Uniform over the distances of documents of up to ``longest`` words.

        ``settings["null_start"]`` is the probability of the null state, or ``"uniform"`` to make it as
        likely as any distance; ``settings["jump_smoothing"]`` is the fake count.
        """
        size = 2 * longest + 1
        null = settings["null_start"]
        null = 1.0 / (size + 1) if null == "uniform" else float(null)
        return cls(null, 1 - longest, np.full(size, (1.0 - null) / size), float(settings["jump_smoothing"]))

    def distances(self, longest):
        """``(table, origin)`` for the kernels: J at distances −longest … longest+1, J(δ) = table[origin+δ].

        A distance outside the model's table has the table's smallest value.
        """
        low, high = -longest, longest + 1
        wanted = np.full(high - low + 1, self.table.min())
        last = self.smallest + len(self.table) - 1
        a, b = max(low, self.smallest), min(high, last)
        wanted[a - low : b - low + 1] = self.table[a - self.smallest : b - self.smallest + 1]
        return wanted, longest

    def log_prior(self):
        """The smoothing's share of the objective: smoothing · Σ log jump(δ), natural log."""
        return self.smoothing * float(np.log(self.table).sum())

    def maximised(self, jumps, nulls):
        """The M-step: relative frequencies of the expected counts plus the fake counts.

        ``jumps``: expected jumps at distances ``smallest`` …, float64, the shape of ``table``; ``nulls``:
        expected moves to the null state.
        """
        counts = jumps + self.smoothing
        total = counts.sum() + nulls
        return Relative(nulls / total, self.smallest, counts / total, self.smoothing)

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
