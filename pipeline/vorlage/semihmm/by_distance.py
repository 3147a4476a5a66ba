"""The jump models by the distance of a jump."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from vorlage.files.arrays import Form
from vorlage.semihmm.jump_model import LONGEST, JumpModel, first_null_probability
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts
from vorlage.semihmm.kernels.scaling import PADDED
from vorlage.semihmm.kernels.toeplitz import Toeplitz, add_counts_by_distance, make_toeplitz
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats, LongInts

KEPT = 64  # lengths of documents whose transitions are kept


@dataclass(frozen=True)
class ByDistance(JumpModel):
    """A jump model by the distance of a jump, j − p from position p to word j, and n + 1 − p to the end."""

    @abstractmethod
    def distances(self) -> LongInts:
        """Return the distances in the documents of training, ascending; the first is 1 − the longest one."""

    @abstractmethod
    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1 (2n+2), for a document of n words."""

    def transitions(self, pair: PairArrays) -> Transitions:
        """Return the transitions of a pair, which other documents share.

        J of one block serves all documents up to a power of two, with the padding of their rows.
        """
        n = len(pair.document)
        shared = self._of_length(1 << (n + PADDED).bit_length())
        return shared if len(shared.blocks) == 2 else self._of_length(n)

    def _of_length(self, n: int) -> Transitions:
        """Return the transitions of documents of n words."""
        if n not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[n] = toeplitz_transitions(self.null_probability, make_toeplitz(self.logarithms(n)))
        return self._made[n]

    @cached_property
    def _made(self) -> dict[int, Transitions]:
        return {}

    def zeros(self) -> Floats:
        """Return zeros for the expected jumps at each distance, from the smallest to the largest."""
        return np.zeros(len(self.distances()))

    def add(self, counts: Any, pair: PairArrays, transitions: Transitions, expected: ExpectedCounts) -> None:
        """Add the expected jumps of a pair to `counts`, in place."""
        assert isinstance(transitions.matrix, Toeplitz)
        smallest = int(self.distances()[0])
        add_counts_by_distance(counts, smallest, transitions.matrix, expected.transition_counts)


@dataclass(frozen=True)
class ByFormula(ByDistance):
    """J(δ) = (1 − φ) · exp(f(δ)) / Σ, a sum over the distances 1 − longest … longest + 1.

    `longest`: words of the longest document of training; a longer document has the same formula. With the
    defaults of its other fields, a class gives all distances the same probability.
    """

    longest: int

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return a uniform distribution over the distances of the documents."""
        return cls(first_null_probability(settings, 2 * longest + 1), longest)

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield its arrays; those of the formula follow."""
        yield from super().forms(arrays)
        yield "longest", Form(np.int64, (), 1, LONGEST)

    @abstractmethod
    def exponents(self, distances: LongInts) -> Floats:
        """Return f at each distance."""

    def distances(self) -> LongInts:
        """Return the distances in the documents of training, ascending."""
        return np.arange(1 - self.longest, self.longest + 2)

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1."""
        norm = np.logaddexp.reduce(self.exponents(self.distances()))
        logarithms: Floats = np.log1p(-self.null_probability) + self.exponents(np.arange(-n, n + 2)) - norm
        return logarithms

    def describe(self) -> dict[str, Any]:
        """Return φ and the parameters of the formula, in words."""
        values = {name: value for name, value in asdict(self).items() if name != "longest"}
        return {"null": values.pop("null_probability")} | values
