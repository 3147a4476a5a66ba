"""The jump models: their interface, and what those by distance and those over trees have in common.

Each model is a class in a module of `vorlage.semihmm.jumps`; only the module that is asked for is imported.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np

from vorlage.command.errors import InputError
from vorlage.extensions import JUMPS
from vorlage.files.arrays import Form
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts
from vorlage.semihmm.kernels.scaling import PADDED
from vorlage.semihmm.kernels.toeplitz import Toeplitz, add_counts_by_distance, make_toeplitz
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats, LongInts

MOST, LONGEST = 10**15, 10**7  # above all counts, and the words of all documents, of training
KEPT = 64  # lengths of documents whose transitions are kept


@dataclass(frozen=True)
class JumpModel(ABC):
    """A jump model: the probabilities of the transitions from a position.

    `null_probability`: φ, that of a transition to the null state. The fields of a class are what a file
    holds: numbers, arrays, and tuples of texts.
    """

    name: ClassVar[str]  # in settings, files and the names of systems
    needs_trees: ClassVar[bool] = False  # whether it needs the trees of the documents

    null_probability: float = field(metadata={"array": "null"})

    @classmethod
    @abstractmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return the model that EM starts from.

        `longest`: words of the longest document; `labels`: those of the trees, empty without trees.
        """

    @classmethod
    def forms(cls, arrays: ArraySource) -> Iterator[tuple[str, Form]]:
        """Yield the arrays that a file holds, by field, and what they hold.

        `arrays`: those of the file; sizes are those of arrays yielded before.
        """
        yield "null", Form(float, (), 0, 1)

    @abstractmethod
    def transitions(self, pair: PairArrays) -> Transitions:
        """Return the transitions of a pair."""

    @abstractmethod
    def zeros(self) -> Any:
        """Return expected counts of 0; those of several blocks are added by `+`."""

    @abstractmethod
    def add(self, counts: Any, pair: PairArrays, transitions: Transitions, expected: ExpectedCounts) -> None:
        """Add the expected jumps of a pair to `counts`, in place.

        `counts`: as `zeros` returns them. The `transition_counts` of `expected` may be overwritten.
        """

    @abstractmethod
    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the model after an M-step.

        `counts`: the expected jumps, as `add` counts them; `nulls`, `jumps`: the expected numbers of
        transitions to the null state, and of all others.
        """

    @property
    def maximises(self) -> bool:
        """Whether `maximised` maximises, so that exact EM never loses."""
        return True

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training, empty for a model by distance."""
        return ()

    def with_null(self, null_probability: float) -> Self:
        """Return the model with another φ, the other probabilities scaled to it."""
        return replace(self, null_probability=null_probability)

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective, natural log; 0 without smoothing."""
        return 0.0

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the parameters as plain values for people and programs."""


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
        """Return the transitions of a pair, which are kept and shared: leave them as they are.

        Those of the next power of two serve all shorter documents, if they fit into one block of the kernel.
        """
        n = len(pair.document.words)
        shared = self._of_length(1 << (n + PADDED).bit_length())
        return shared if len(shared.blocks) == 2 else self._of_length(n)

    def _of_length(self, n: int) -> Transitions:
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
        """Return f, the exponent of the formula, at each distance."""

    def distances(self) -> LongInts:
        """Return all distances in documents up to the longest one."""
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


@dataclass(frozen=True)
class OverTrees(JumpModel):
    """A jump model by walks over the fewest constituents that a jump skips.

    `labels`: the L constituent labels and tags of training; `factors` (L, 2): of skipping each of them,
    forward and backward.
    """

    needs_trees: ClassVar[bool] = True
    normalised: ClassVar[bool]  # whether walks are divided by the sum of all walks from their position

    labels: tuple[str, ...]
    factors: Floats

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training."""
        return self.labels

    @abstractmethod
    def every_factor(self) -> Floats:
        """Return `factors`, those of labels not seen in training, and that of the next word (L+2, 2)."""

    def transitions(self, pair: PairArrays) -> Transitions:
        """Return the transitions of a pair."""
        assert pair.forest is not None
        bounds = np.append(0, pair.document.sentence_ends).astype(np.int32)
        return tree_walk_transitions(
            self.null_probability, bounds, pair.forest, self.every_factor(), self.normalised
        )

    def describe(self) -> dict[str, Any]:
        """Return φ, and label-direction → factor."""
        names = [f"{label}-{direction}" for label in self.labels for direction in ("f", "b")]
        return {
            "null": self.null_probability,
            "labels": dict(zip(names, self.factors.ravel().tolist(), strict=True)),
        }


def jump_model(name: str) -> type[JumpModel]:
    """Return the class of the jump model `name` (`"syntax-counts"`); raise `InputError` for another name."""
    try:
        JUMPS.check(name)
    except ValueError as error:
        raise InputError(f"the jump model is {name}; {error}") from None
    return cast(type[JumpModel], JUMPS.load(name))


def first_null_probability(settings: Training, others: int) -> float:
    """Return φ at the start: the setting `null_probability`, or uniform with `others` other transitions."""
    return 1.0 / (others + 1) if settings.null_probability == "uniform" else settings.null_probability


def minimise(
    cost: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    bounds: Sequence[tuple[float, float]],
    steps: int = 15_000,
) -> Floats:
    """Return where a function is smallest, as far as `steps` lead; `cost(point)`: its value and gradient."""
    from scipy.optimize import minimize

    options = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": steps}
    optimum: Floats = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    # Where the search gains nothing in the last digits, EM must still not lose.
    return min([start, optimum], key=lambda point: cost(point)[0])
