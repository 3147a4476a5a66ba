"""The rewrite model (Daumé & Marcu 2005, Section 4.2): a mixture of identity, stem, WordNet and lexical
parts.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: `word` for a word pair, `identical` and `stem`
more for phrases that are equal, or equal up to stem; `unigram` are spread over the summary words by their
frequency. The encoder's part e depends on the positions of the words and is not in the table, see
`vorlage.semihmm.rewrite.affinity`.
"""

from dataclasses import dataclass

import numpy as np

from vorlage.semihmm.kernels.phrase_table import Factors, TableLayout, rewrite_values, row_totals, split
from vorlage.semihmm.rewrite.wordnet_distance import FAR
from vorlage.settings import FakeCounts
from vorlage.types import AnyArray, ArraySource, Bytes, Floats

PARTS = ("id", "stem", "wn", "rw", "encoder")


@dataclass(frozen=True)
class Mixture:
    """`weights` (5): λ over PARTS, which sum to 1; `eta`: decay of the WordNet part."""

    weights: Floats
    eta: float

    @classmethod
    def start(cls, wordnet: bool, encoder: bool = False) -> "Mixture":
        """Return equal weights over the enabled parts, and η = 1."""
        weights = np.array([1.0, 1.0, float(wordnet), 1.0, float(encoder)])
        return cls(weights / weights.sum(), 1.0)

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file."""
        return {"mixture_weights": self.weights, "mixture_eta": np.asarray(self.eta)}

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> "Mixture":
        """Return the mixture of arrays of `to_arrays`."""
        return cls(arrays["mixture_weights"], float(arrays["mixture_eta"]))


class Rewrite:
    """Evaluates the rewrite model over a phrase table and counts how often each part is used.

    `distance` (E): WordNet distances; `row_chance`: see `vorlage.semihmm.rewrite.table.row_chances`; `fake`:
    see `fake_table`. Counts are by entry; totals and norms by row: total(d̄), and Z_d̄, 0 without WordNet.
    """

    def __init__(self, layout: TableLayout, distance: Bytes, row_chance: Floats, fake: Floats) -> None:
        self.layout, self.distance, self.row_chance, self.fake = layout, distance, row_chance, fake

    def totals(self, counts: Floats) -> Floats:
        """Return the sum of the counts and fake counts of each row of the table."""
        return row_totals(self.layout, self.fake, counts)

    def rewrites(self, mixture: Mixture, counts: Floats, totals: Floats, norms: Floats) -> Floats:
        """Return r(s̄|d̄) of every entry (E)."""
        factors = self._factors(mixture, totals, norms)
        return rewrite_values(self.layout, self.distance, self.fake, factors, counts)

    def split(
        self,
        mixture: Mixture,
        counts: Floats,
        totals: Floats,
        norms: Floats,
        rewrites: Floats,
        expected: Floats,
    ) -> tuple[Floats, Floats, float]:
        """Split the expected uses of every entry (E) among the parts; see the `split` of the kernels."""
        factors = self._factors(mixture, totals, norms)
        return split(self.layout, self.distance, self.fake, factors, counts, rewrites, expected)

    def _factors(self, mixture: Mixture, totals: Floats, norms: Floats) -> Factors:
        identical, stem, related, lexical, _ = mixture.weights
        return Factors(
            identical,
            stem * self.row_chance,
            np.divide(related, norms, out=np.zeros_like(norms), where=norms > 0),
            np.divide(lexical, totals, out=np.zeros_like(totals), where=totals > 0),
            decays(mixture.eta),
        )


def decays(eta: float) -> Floats:
    """Return e^(−η·distance) by distance, 0 for FAR."""
    decay = np.exp(-eta * np.arange(FAR + 1.0))
    decay[FAR] = 0.0
    return decay


def fake_table(fake_counts: FakeCounts) -> Floats:
    """Return the fake counts (2, 3) by block, words and phrases, and by kind of entry."""
    longer = np.array([0.0, fake_counts.stem, fake_counts.stem + fake_counts.identical])
    return np.stack([fake_counts.word + longer, longer])
