"""The state of a training after its last whole iteration: an interrupted training continues from it."""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np

from vorlage.command.progress import log
from vorlage.files.outputs import replacing_folder
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.expectation import Parameters
from vorlage.semihmm.train.store import ArrayStore
from vorlage.types import Floats

STATE = "iteration-"


class Checkpoint:
    """A folder with the state of a training, in a subfolder that is named after the last iteration.

    `key` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is ignored.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self.folder, self.key = folder, key

    def save(self, parameters: Parameters, iterations: Sequence[Iteration]) -> None:
        """Write the parameters after some iterations, and remove the state before."""
        old = self._states()
        rows = [[*astuple(i)[:4], *i.weights, i.eta, i.seconds] for i in iterations]
        table = np.array(rows, dtype=float).reshape(len(rows), 6 + len(parameters.mixture.weights))
        arrays = {"key": np.array(self.key), "iterations": table, **parameters.to_arrays()}
        with replacing_folder(self.folder / f"{STATE}{len(iterations)}") as temporary:
            for name, array in arrays.items():
                np.save(temporary / f"{name}.npy", array, allow_pickle=False)
        for number, path in old.items():
            if number != len(iterations):
                shutil.rmtree(path)

    def load(self, jumps: type[JumpModel]) -> tuple[Parameters, list[Iteration]] | None:
        """Return parameters and iterations; None for a training that has not begun, or for a damaged state.

        `jumps`: the class of the jump model.
        """
        states = self._states()
        if not states:
            return None
        with suppress(EOFError, OSError, ValueError):  # of files that a crash has left empty or cut
            state = ArrayStore(states[max(states)])
            if str(state["key"]) == self.key:
                return Parameters.from_arrays(state, jumps), list(map(_iteration, state["iterations"]))
        log.info(f"{self.folder}: is of another training, or damaged; starting from the beginning")
        shutil.rmtree(self.folder)
        return None

    def _states(self) -> dict[int, Path]:
        """Return the folders of states by their iterations."""
        return {int(p.name.removeprefix(STATE)): p for p in self.folder.glob(f"{STATE}*")}


def _iteration(row: Floats) -> Iteration:
    number, likelihood, posterior, null, *_, eta, seconds = row.tolist()
    return Iteration(int(number), likelihood, posterior, null, row[4:-2], eta, seconds)
