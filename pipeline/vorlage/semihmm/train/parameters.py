"""The parameters during training, in the numbers of the index."""

from dataclasses import dataclass

import numpy as np

from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.rewrite.mixture import Mixture
from vorlage.types import AnyArray, ArraySource, Floats

ARRAYS = ("counts", "totals", "norms", "null")
NUMBERS = ("log_prior", "unseen")


@dataclass(frozen=True)
class Parameters:
    """The parameters of a training.

    `jumps`; `mixture`; lexical `counts` (E), with the `totals` of the rows (V+P) and the
    `log_prior` that follow from them; `norms` (H), which follow from the mixture; `null` (V),
    r(word | ∅), and `unseen`, that of a word in no summary.
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
        return {name: np.asarray(getattr(self, name)) for name in (*ARRAYS, *NUMBERS)} | {
            **self.mixture.to_arrays(),
            **self.jumps.to_arrays(),
        }

    @classmethod
    def from_arrays(cls, arrays: ArraySource, jumps: type[JumpModel]) -> "Parameters":
        """Return the parameters of arrays of `to_arrays`, with a jump model of the class `jumps`."""
        counts, totals, norms, null = (arrays[name] for name in ARRAYS)
        log_prior, unseen = (float(arrays[name]) for name in NUMBERS)
        mixture = Mixture.from_arrays(arrays)
        return cls(jumps.from_arrays(arrays), mixture, counts, totals, log_prior, norms, null, unseen)
