"""The parameters of a model, which EM learns and a model file holds."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from vorlage.semihmm import mixture
from vorlage.semihmm.jump_model import JumpModel
from vorlage.types import AnyArray, Floats

STEEPEST = 50.0  # η is searched between 0 and this


@dataclass(frozen=True)
class Parameters:
    """The parameters that EM learns.

    - `jumps`: the jump model;
    - `weights`: λ of each of the `vorlage.semihmm.mixture.PARTS`, which sum to 1;
    - `eta`: decay of the WordNet part;
    - `counts` (E): expected uses of each entry of the lexical table;
    - `totals` (V+P): Σ (count + fake) over all entries of a row, unlisted ones included;
    - `null`: r(s̄|∅) of each word (V), 0 for a word in no summary, or of each phrase (V+P);
    - `unseen`: r(s̄|∅) of a word in no summary;
    - `stem_counts`, `stem_totals`: of the table over stems, None without it.
    """

    jumps: JumpModel
    weights: Floats
    eta: float
    counts: Floats
    totals: Floats
    null: Floats
    unseen: float
    stem_counts: Floats | None = None
    stem_totals: Floats | None = None

    @property
    def stems(self) -> tuple[Floats, Floats] | None:
        """The counts and the totals of the table over stems."""
        if self.stem_counts is None or self.stem_totals is None:
            return None
        return self.stem_counts, self.stem_totals

    def weight(self, part: mixture.Part) -> float:
        """Return the weight of a part."""
        return float(self.weights[mixture.PARTS.index(part)])

    def by_part(self) -> dict[str, float]:
        """Return the weights by the names of the parts."""
        return dict(zip((part.name for part in mixture.PARTS), self.weights.tolist(), strict=True))

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file, without those of the jump model."""
        own = {name: value for name, value in vars(self).items() if name != "jumps" and value is not None}
        return {name: np.asarray(value) for name, value in own.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], jumps: JumpModel) -> "Parameters":
        """Return the parameters of arrays of `to_arrays`, with a jump model.

        Parts that the file does not know have the weight 0.
        """
        own = {field.name: arrays[field.name] for field in fields(cls) if field.name in arrays}
        own["weights"] = np.pad(own["weights"], (0, len(mixture.PARTS) - len(own["weights"])))
        values: dict[str, Any] = {name: array if array.ndim else array.item() for name, array in own.items()}
        return cls(jumps, **values)

    def alone(self, part: mixture.Part) -> "Parameters":
        """Return the parameters with the weight of one part alone."""
        weights = np.array([weight if other is part else 0.0 for other, weight in self._weighted()])
        return replace(self, weights=weights)

    def across_languages(self) -> "Parameters":
        """Return the parameters for words and their translations, of which only some parts know.

        The weights of the others go to the encoder.
        """
        weights = np.array([weight if part.bilingual else 0.0 for part, weight in self._weighted()])
        encoder = mixture.PARTS.index(mixture.ENCODER)
        weights[encoder] = 1.0 - np.delete(weights, encoder).sum()
        return replace(self, weights=weights)

    def _weighted(self) -> list[tuple[mixture.Part, float]]:
        return list(zip(mixture.PARTS, self.weights.tolist(), strict=True))
