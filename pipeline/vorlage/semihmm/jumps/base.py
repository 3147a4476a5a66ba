"""The interface of the jump models, and what those by distance and those over trees share.

Each jump model is a class of its name, in a module of the first word of it, and only the module that is asked
for is imported.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Self, cast

import numpy as np

from vorlage.semihmm.kernels.forward_backward import Expected
from vorlage.semihmm.kernels.scaling import PADDED
from vorlage.semihmm.kernels.toeplitz import Toeplitz, add_counts_by_distance, make_toeplitz
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.pairs import OnePair
from vorlage.settings import SemiHmm, Training, validate
from vorlage.types import Floats, LongInts

KEPT = 64  # lengths of documents whose transitions are kept


@dataclass(frozen=True)
class JumpModel:
    """A jump model: the probabilities of the transitions from a position.

    `null`: the probability φ of a transition to the null state. The fields of a class are what a file holds:
    numbers, arrays, and tuples of texts.
    """

    TREES: ClassVar[bool] = False  # whether it needs the trees of the documents

    null: float

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return the model that EM starts from.

        Args:
            longest: words of the longest document.
            labels: those of the trees, empty without trees.
            settings: `null_start` and `jump_smoothing`.
        """
        raise NotImplementedError

    def transitions(self, pair: OnePair) -> Transitions:
        """Return the transitions of a pair."""
        raise NotImplementedError

    def zeros(self) -> Any:
        """Return expected counts of 0; those of several blocks are added by `+`."""
        raise NotImplementedError

    def add(self, counts: Any, pair: OnePair, transitions: Transitions, expected: Expected) -> None:
        """Add the expected jumps of a pair to `counts`, in place.

        Args:
            counts: as `zeros` returns them.
            pair: the pair.
            transitions: those of the pair.
            expected: of the pair; its `transition_counts` may be overwritten.
        """
        raise NotImplementedError

    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the model after an M-step.

        Args:
            counts: the expected jumps, as `add` counts them.
            nulls: the expected number of transitions to the null state.
            jumps: that of all other transitions.
        """
        raise NotImplementedError

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training, empty for a model by distance."""
        return ()

    def with_null(self, null: float) -> Self:
        """Return the model with another φ, the other probabilities scaled to it."""
        return replace(self, null=null)

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective, natural log; 0 without smoothing."""
        return 0.0

    def describe(self) -> dict[str, Any]:
        """Return the parameters as plain values for people and programs."""
        raise NotImplementedError


def jump_model(name: str) -> type[JumpModel]:
    """Return the class of the jump model `name` (`"syntax-counts"`); raise `InputError` for another name."""
    validate(SemiHmm, {"jumps": [name]})
    module = import_module(f"vorlage.semihmm.jumps.{name.partition('-')[0]}")
    return cast(type[JumpModel], getattr(module, name.title().replace("-", "")))


def null_start(settings: Training, others: int) -> float:
    """Return φ at the start: the setting `null_start`, or uniform with `others` other transitions."""
    null = settings.null_start
    return 1.0 / (others + 1) if null == "uniform" else null


@dataclass(frozen=True)
class ByDistance(JumpModel):
    """A jump model by the distance of a jump, j − p from position p to word j, and n + 1 − p to the end."""

    def distances(self) -> LongInts:
        """Return the distances in the documents of training, ascending; the first is 1 − the longest one."""
        raise NotImplementedError

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1 (2n+2), for a document of n words."""
        raise NotImplementedError

    def transitions(self, pair: OnePair) -> Transitions:
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
            self._made[n] = toeplitz_transitions(self.null, make_toeplitz(self.logarithms(n)))
        return self._made[n]

    @cached_property
    def _made(self) -> dict[int, Transitions]:
        return {}

    def zeros(self) -> Floats:
        """Return zeros for the expected jumps at each distance, from the smallest to the largest."""
        return np.zeros(len(self.distances()))

    def add(self, counts: Any, pair: OnePair, transitions: Transitions, expected: Expected) -> None:
        """Add the expected jumps of a pair to `counts`, in place."""
        assert isinstance(transitions.matrix, Toeplitz)
        smallest = int(self.distances()[0])
        add_counts_by_distance(counts, smallest, transitions.matrix, expected.transition_counts)


@dataclass(frozen=True)
class OverTrees(JumpModel):
    """A jump model by walks over the fewest constituents that a jump skips.

    `labels`: the L constituent labels and tags of training; `factors` (L, 2): of skipping each of them,
    forward and backward.
    """

    TREES: ClassVar[bool] = True
    NORMALISED: ClassVar[bool]  # whether walks are divided by the sum of all walks from their position

    labels: tuple[str, ...]
    factors: Floats

    def tree_labels(self) -> tuple[str, ...]:
        """Return the labels of the trees of training."""
        return self.labels

    def every_factor(self) -> Floats:
        """Return `factors`, those of labels not seen in training, and that of the next word (L+2, 2)."""
        raise NotImplementedError

    def transitions(self, pair: OnePair) -> Transitions:
        """Return the transitions of a pair."""
        assert pair.forest is not None
        bounds = np.append(0, pair.document_ends).astype(np.int32)
        return tree_walk_transitions(self.null, bounds, pair.forest, self.every_factor(), self.NORMALISED)

    def describe(self) -> dict[str, Any]:
        """Return φ, and label-direction → factor."""
        names = [f"{label}-{direction}" for label in self.labels for direction in ("f", "b")]
        return {"null": self.null, "labels": dict(zip(names, self.factors.ravel().tolist(), strict=True))}


@dataclass(frozen=True)
class ByFormula(ByDistance):
    """J(δ) = (1 − null) · exp(f(δ)) / Σ, a sum over the distances 1 − longest … longest + 1.

    `longest`: words of the longest document of training; a longer document has the same formula. With the
    defaults of its other fields, a class gives all distances the same probability.
    """

    longest: int

    @classmethod
    def start(cls, longest: int, labels: tuple[str, ...], settings: Training) -> Self:
        """Return a uniform distribution over the distances of the documents."""
        return cls(null_start(settings, 2 * longest + 1), longest)

    def exponents(self, distances: LongInts) -> Floats:
        """Return f at each distance."""
        raise NotImplementedError

    def distances(self) -> LongInts:
        """Return the distances in the documents of training, ascending."""
        return np.arange(1 - self.longest, self.longest + 2)

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1."""
        norm = np.logaddexp.reduce(self.exponents(self.distances()))
        logarithms: Floats = np.log1p(-self.null) + self.exponents(np.arange(-n, n + 2)) - norm
        return logarithms

    def describe(self) -> dict[str, Any]:
        """Return φ and the parameters of the formula, in words."""
        return {name: value for name, value in asdict(self).items() if name != "longest"}


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
