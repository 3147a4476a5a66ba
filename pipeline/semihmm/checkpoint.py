"""Training that was interrupted: its state after the last whole iteration, to go on from there."""

import zipfile
from dataclasses import astuple
from pathlib import Path

import numpy as np

from pipeline.files import leftovers, replacing
from pipeline.progress import log
from pipeline.semihmm.em import Iteration, Parameters
from pipeline.semihmm.rewrite import Mixture


class Checkpoint:
    """The file ``path``, which holds what a training had come to after an iteration.

    ``key`` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is not taken up.
    """

    def __init__(self, path, key):
        self.path, self.key = Path(path), key

    def save(self, parameters, iterations):
        """Keep the parameters after the ``iterations`` so far, a list of :class:`em.Iteration`."""
        rows = [[*astuple(i)[:4], *i.weights, i.eta, i.seconds] for i in iterations]
        with replacing(self.path) as temporary, open(temporary, "wb") as out:
            np.savez(
                out,
                key=np.array(self.key),
                rows=np.array(rows, dtype=float),
                counts=parameters.counts,
                null=parameters.null,
                unseen=np.float64(parameters.unseen),
                kept=parameters.kept,
                mixture_weights=parameters.mixture.weights,
                mixture_eta=np.float64(parameters.mixture.eta),
                **parameters.jumps.to_arrays(),
            )

    def load(self, jumps):
        """``(parameters, iterations)`` of this training, or None where it has not begun.

        ``jumps``: the class of the jump model.
        """
        try:
            with np.load(self.path, allow_pickle=False) as file:
                if str(file["key"]) != self.key:
                    log.info(f"{self.path}: of another training; starting anew")
                    return None
                arrays = dict(file)
            parameters = Parameters(
                jumps.from_arrays(arrays),
                Mixture(arrays["mixture_weights"], float(arrays["mixture_eta"])),
                arrays["counts"],
                arrays["null"],
                float(arrays["unseen"]),
                arrays["kept"],
            )
            iterations = [
                Iteration(int(row[0]), *row[1:4].tolist(), row[4:8], *row[8:].tolist())
                for row in arrays["rows"]
            ]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            log.warning(f"{self.path}: cannot be used ({error!r:.100}); starting anew")
            return None
        log.info(f"going on after iteration {iterations[-1].iteration}, from {self.path}")
        return parameters, iterations

    def remove(self):
        """Forget the state, and what a process that was killed had written of it: the training has ended."""
        self.path.unlink(missing_ok=True)
        for leftover in leftovers(self.path):
            leftover.unlink(missing_ok=True)
