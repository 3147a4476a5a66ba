"""The interface of the jump models, each of which is a class in a module of `vorlage.semihmm.jumps`.

Only the module that is asked for is imported.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, cast

from vorlage.command.errors import InputError
from vorlage.extensions import JUMPS
from vorlage.files.arrays import Form
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import ArraySource, Floats

MOST, LONGEST = 10**15, 10**7  # above all counts, and the words of all documents, of training


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

        Args:
            longest: words of the longest document.
            labels: those of the trees, empty without trees.
            settings: `null_start` and `jump_smoothing`.
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

        Args:
            counts: as `zeros` returns them.
            pair: the pair.
            transitions: those of the pair.
            expected: of the pair; its `transition_counts` may be overwritten.
        """

    @abstractmethod
    def maximised(self, counts: Any, nulls: float, jumps: float) -> Self:
        """Return the model after an M-step.

        Args:
            counts: the expected jumps, as `add` counts them.
            nulls: the expected number of transitions to the null state.
            jumps: that of all other transitions.
        """

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


def jump_model(name: str) -> type[JumpModel]:
    """Return the class of the jump model `name` (`"syntax-counts"`); raise `InputError` for another name."""
    try:
        JUMPS.check(name)
    except ValueError as error:
        raise InputError(f"the jump model is {name}; {error}") from None
    return cast(type[JumpModel], JUMPS.load(name))


def first_null_probability(settings: Training, others: int) -> float:
    """Return φ at the start: the setting `null_start`, or uniform with `others` other transitions."""
    return 1.0 / (others + 1) if settings.null_start == "uniform" else settings.null_start


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
