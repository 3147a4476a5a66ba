"""The state of an interrupted training after its last whole iteration, from which it continues."""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.files.arrays import load_arrays
from vorlage.files.outputs import replacing
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.parameters import Parameters
from vorlage.types import Bools, Floats, StrPath


class Checkpoint:
    """The file `path`, which holds the state of a training after an iteration.

    `key` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is ignored.
    """

    def __init__(self, path: StrPath, key: str) -> None:
        self.path, self.key = Path(path), key

    def save(self, parameters: Parameters, iterations: Sequence[Iteration], kept: Bools) -> None:
        """Write the parameters after `iterations`; `kept`: the sentences that pruning has kept."""
        with replacing(self.path) as temporary, open(temporary, "wb") as out:
            arrays = {"iterations": iterations_to_array(iterations), "kept": kept, **parameters.to_arrays()}
            np.savez(out, allow_pickle=False, key=np.array(self.key), **arrays)

    def load(self, jumps: type[JumpModel]) -> tuple[Parameters, list[Iteration], Bools] | None:
        """Return parameters, iterations and kept sentences, or None for a training that has not begun.

        `jumps`: the class of the jump model.
        """
        try:
            if not self.path.exists():
                return None
            arrays = load_arrays(self.path, "a checkpoint", "vorlage train")
            if str(arrays["key"]) != self.key:
                log.info(f"{self.path}: is of another training; starting from the beginning")
                return None
            parameters = Parameters.from_arrays(arrays, jumps)
            iterations = iterations_from_array(arrays["iterations"])
            kept = arrays["kept"]
        except (InputError, OSError, ValueError, KeyError, TypeError, IndexError) as error:
            log.warning(f"{self.path}: cannot be used ({error!r:.100}); starting from the beginning")
            return None
        log.info(f"continuing after iteration {iterations[-1].iteration}, from {self.path}")
        return parameters, iterations, kept

    def remove(self) -> None:
        """Remove the file of a finished training."""
        self.path.unlink(missing_ok=True)


def iterations_to_array(iterations: Sequence[Iteration]) -> Floats:
    """Return iterations as an array with a row for each (11 columns)."""
    rows = [[*astuple(i)[:4], *i.weights, i.eta, i.seconds] for i in iterations]
    return np.array(rows, dtype=float).reshape(-1, 11)


def iterations_from_array(array: Floats) -> list[Iteration]:
    """Do the inverse of `iterations_to_array`."""
    return [
        Iteration(
            int(row[0]), row[1].item(), row[2].item(), row[3].item(), row[4:9], row[9].item(), row[10].item()
        )
        for row in array
    ]
