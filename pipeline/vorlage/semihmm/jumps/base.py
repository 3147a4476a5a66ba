"""The interface of the jump models, and what those by distance share.

Each jump model is a module with one class of its name, and only the module that is asked for is imported.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, Protocol, Self, cast

import numpy as np

from vorlage.semihmm.jumps.pruning import kept_spans, words_in
from vorlage.semihmm.kernels.toeplitz import make_pruned_toeplitz_tables, make_toeplitz_tables
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import AnyArray, ArraySource, Bools, Floats, LongInts

# Share of a document whose Toeplitz products term by term take as long as those of the whole by spectra.
SMALL_SHARE = 1 / 3


class Shape(NamedTuple):
    """What a jump model needs to know of a corpus: words of the longest document, labels of its trees."""

    longest: int
    labels: tuple[str, ...]


class JumpModel(Protocol):
    """A jump model, a frozen dataclass."""

    TREES: ClassVar[bool]  # whether it needs the trees of the documents

    @property
    def null(self) -> float:
        """The probability φ of a transition to the null state."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the trees of training, empty for a jump model by distance."""

    @classmethod
    def start(cls, corpus: Shape, settings: Mapping[str, Any]) -> Self:
        """Return the model that EM starts from."""

    def transitions(self, instance: Instance) -> Transitions:
        """Return the transitions of a pair."""

    def pruned_transitions(
        self, instance: Instance, kept: Bools, whole: Transitions
    ) -> tuple[LongInts, Transitions]:
        """Return the words and the transitions of a pair that is reduced to the sentences `kept`.

        `whole`: the transitions of the whole pair.
        """

    def zeros(self) -> Floats:
        """Return an array of zeros for expected counts."""

    def add(
        self, counts: Floats, instance: Instance, kept: Bools, transitions: Transitions, pair_counts: Floats
    ) -> None:
        """Add the expected jumps of a pair to `counts`, in place.

        `pair_counts`: the `transition_counts` of `vorlage.semihmm.kernels.arguments.Expected`.
        """

    def maximised(self, counts: Floats, nulls: float, jumps: float) -> Self:
        """Return the model after an M-step; `nulls`, `jumps`: the expected transitions of each kind."""

    def with_null(self, null: float) -> Self:
        """Return the model with another φ, the other probabilities scaled to it."""

    def log_prior(self) -> float:
        """Return the share of the smoothing in the objective, natural log."""

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> Self:
        """Do the inverse of `to_arrays`."""

    def check(self) -> None:
        """Raise ValueError for parameters that no training gives."""

    def describe(self) -> dict[str, Any]:
        """Return the parameters as plain values for people and programs."""


def jump_model(name: str) -> type[JumpModel]:
    """Return the class of the jump model `name` (`"relative"`)."""
    module = import_module(f"vorlage.semihmm.jumps.{name}")
    return cast(type[JumpModel], getattr(module, name.capitalize()))


def null_start(settings: Mapping[str, Any], others: int) -> float:
    """Return φ at the start: `settings["null_start"]`, or uniform with `others` other transitions."""
    null = settings["null_start"]
    return 1.0 / (others + 1) if null == "uniform" else float(null)


class ByDistance:
    """The part of a jump model that follows from `null` and `logarithms(n)`, log J at −n … n+1."""

    TREES: ClassVar[bool] = False
    labels: ClassVar[tuple[str, ...]] = ()
    null: float

    def logarithms(self, n: int) -> Floats:
        """Return log J at distances −n … n+1 (2n+2), for a document of n words."""
        raise NotImplementedError

    def transitions(self, instance: Instance) -> Transitions:
        """Return the transitions of a pair."""
        return toeplitz_transitions(self.null, *make_toeplitz_tables(self.logarithms(len(instance.document))))

    def pruned_transitions(
        self, instance: Instance, kept: Bools, whole: Transitions
    ) -> tuple[LongInts, Transitions]:
        """Return the words and the transitions of a pair that is reduced to the sentences `kept`.

        A document whose products are taken by spectra stays `whole` unless a small share of it remains.
        """
        spans, n = kept_spans(instance, kept), len(instance.document)
        words = words_in(spans)
        if whole.toeplitz.spectra.parts > 0 and len(words) > SMALL_SHARE * n:
            return np.arange(n), whole
        tables = make_pruned_toeplitz_tables(self.logarithms(n), spans)
        return words, toeplitz_transitions(self.null, *tables)
