"""Training that was interrupted: its state after the last whole iteration, to go on from there."""

import glob
import zipfile
from dataclasses import astuple
from pathlib import Path

import numpy as np

from pipeline.io import checksums
from pipeline.io.outputs import leftovers, replacing
from pipeline.run.errors import InputError
from pipeline.run.progress import log
from pipeline.train.em import Iteration, Parameters


class Checkpoint:
    """The file ``path``, which holds what a training had come to after an iteration.

    ``key`` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is not taken up.
    """

    def __init__(self, path, key):
        self.path, self.key = Path(path), key

    def save(self, parameters, iterations, kept):
        """Keep the parameters after the ``iterations`` so far, a list of :class:`em.Iteration`.

        ``kept``: whether pruning has left each document sentence.
        """
        with replacing(self.path) as temporary, open(temporary, "wb") as out:
            np.savez(
                out,
                key=np.array(self.key),
                iterations=iterations_to_array(iterations),
                kept=kept,
                **parameters.to_arrays(),
            )

    def load(self, jumps):
        """``(parameters, iterations, kept)`` of this training, or None where it has not begun.

        ``jumps``: the class of the jump model.
        """
        try:
            with checksums.open_checked(self.path) as opened, np.load(opened, allow_pickle=False) as file:
                if str(file["key"]) != self.key:
                    log.info(f"{self.path}: of another training; starting anew")
                    return None
                arrays = dict(file)
            parameters = Parameters.from_arrays(arrays, jumps)
            iterations = iterations_from_array(arrays["iterations"])
            kept = arrays["kept"]
        except FileNotFoundError:
            return None
        except (InputError, OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            log.warning(f"{self.path}: cannot be used ({error!r:.100}); starting anew")
            return None
        log.info(f"going on after iteration {iterations[-1].iteration}, from {self.path}")
        return parameters, iterations, kept

    def remove(self):
        """Forget the state, and what processes that were killed had written of it: the training has ended."""
        self.path.unlink(missing_ok=True)
        checksums.beside(self.path).unlink(missing_ok=True)
        for leftover in leftovers(self.path.parent, f".{glob.escape(self.path.name)}.*.part"):
            leftover.unlink(missing_ok=True)


def iterations_to_array(iterations):
    """A list of :class:`em.Iteration` as a float64 array, a row each."""
    rows = [[*astuple(i)[:4], *i.weights, i.eta, i.seconds] for i in iterations]
    return np.array(rows, dtype=float).reshape(-1, 11)


def iterations_from_array(array):
    """The inverse of :func:`iterations_to_array`."""
    return [Iteration(int(row[0]), *row[1:4].tolist(), row[4:9], *row[9:].tolist()) for row in array]
