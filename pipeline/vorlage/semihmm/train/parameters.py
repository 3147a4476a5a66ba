"""The parameters during training, in the numbers of the index."""

from dataclasses import dataclass

import numpy as np

from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.rewrite.mixture import Mixture
from vorlage.types import AnyArray, ArraySource, Floats

PLAIN = ("counts", "totals", "norms", "null")
NUMBERS = ("log_prior", "unseen")


@dataclass(frozen=True)
class Parameters:
    """The parameters of a training.

    `jumps`; `mixture`; lexical `counts` (E), with the `totals` of the rows (V+P) and the
    `log_prior` that follow from them; `norms` (H), which follow from the mixture; `null` (V),
    r(word | ∅), and `unseen`, that of a word in no summary. In a training by shards, counts and totals are
    in files of their own, and empty here.
    """

    jumps: JumpModel
    mixture: Mixture
    counts: Floats
    totals: Floats
    log_prior: float
    norms: Floats
    null: Floats
    unseen: float

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file."""
        return {name: np.asarray(getattr(self, name)) for name in (*PLAIN, *NUMBERS)} | {
            "mixture_weights": self.mixture.weights,
            "mixture_eta": np.asarray(self.mixture.eta),
            **self.jumps.to_arrays(),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource, jumps: type[JumpModel]) -> "Parameters":
        """Do the inverse of `to_arrays`; `jumps`: the class of the jump model."""
        mixture = Mixture(arrays["mixture_weights"], float(arrays["mixture_eta"]))
        counts, totals, norms, null = (arrays[name] for name in PLAIN)
        log_prior, unseen = (float(arrays[name]) for name in NUMBERS)
        return cls(jumps.from_arrays(arrays), mixture, counts, totals, log_prior, norms, null, unseen)
