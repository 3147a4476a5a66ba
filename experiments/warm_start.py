"""Training of syntax jumps that starts from the rewrite model of relative jumps, for paper_variants.py."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from unittest import mock

from vorlage.semihmm.jumps.base import JumpModel, Shape
from vorlage.semihmm.train import stage as train
from vorlage.semihmm.train.checkpoint import Checkpoint
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.parameters import Parameters
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Bools


def train_warm(
    relative: Sequence[str], syntax: Sequence[str], trees: str, settings: Mapping[str, Any]
) -> None:
    """Train relative jumps, and then syntax jumps whose rewrite model starts as that one ended.

    `relative`, `syntax`: the options of `vorlage train` for each; `trees`: the trees of
    the corpus; `settings`: those of training.
    """
    saved: list[tuple[Parameters, Bools]] = []
    labels = Trees.load(trees).labels

    class Start(Checkpoint):
        """Keeps the state of the first training, and gives it to the second one."""

        def save(self, parameters: Parameters, iterations: Sequence[Iteration], kept: Bools) -> None:
            if not parameters.jumps.TREES:
                saved[:] = [(parameters, kept)]

        def load(self, jumps: type[JumpModel]) -> tuple[Parameters, list[Iteration], Bools] | None:
            if not saved:
                return None
            parameters, kept = saved[0]
            longest = 1 - parameters.jumps.smallest  # type: ignore[attr-defined]
            return replace(parameters, jumps=jumps.start(Shape(longest, labels), settings)), [], kept

    with mock.patch.object(train, "Checkpoint", Start):
        train.main(list(relative))
        train.main(list(syntax))
