"""The rewrite model (Daumé & Marcu 2005, Section 4.2): a mixture of identity, stem, WordNet and lexical
parts.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e] [+ λ_stems·u]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: `word` for a word pair, `phrase` for a longer phrase
pair, `identical` and `stem` more for phrases that are equal, or equal up to stem; `unigram` are spread over
the summary words by their frequency. The encoder's part e depends on the positions of the words and is not in
the table, see `vorlage.semihmm.rewrite.affinity`. The part u is in the 2004 paper alone, see
`vorlage.semihmm.rewrite.stems`.
"""

from dataclasses import dataclass

import numpy as np

from vorlage.semihmm.kernels.phrase_table import Factors
from vorlage.semihmm.rewrite.wordnet_distance import FAR
from vorlage.settings import FakeCounts
from vorlage.types import Floats

PARTS = ("id", "stem", "wn", "rw", "encoder", "stems")
STEEPEST = 50.0  # η is searched between 0 and this


@dataclass(frozen=True)
class Mixture:
    """`weights`: λ over PARTS, which sum to 1; `eta`: decay of the WordNet part.

    Only the mixture of the 2004 paper has the last part, the table over stems; it has no part `id`.
    """

    weights: Floats
    eta: float

    @classmethod
    def start(cls, wordnet: bool, encoder: bool = False, stems: bool = False) -> "Mixture":
        """Return equal weights over the enabled parts, and η = 1."""
        enabled = [not stems, True, wordnet, True, encoder, stems]
        weights = np.array(enabled if stems else enabled[:-1], dtype=float)
        return cls(weights / weights.sum(), 1.0)

    @property
    def encoder(self) -> float:
        """The weight of the encoder's part."""
        return float(self.weights[4])

    @property
    def stems(self) -> float:
        """The weight of the table over stems."""
        return float(self.weights[5:].sum())

    def across_languages(self) -> "Mixture":
        """Return the mixture for words and their translations, of which only identity and encoder know.

        The weights of the other parts go to the encoder.
        """
        identical = self.weights[0]
        return Mixture(np.array([identical, 0.0, 0.0, 0.0, 1.0 - identical]), self.eta)


def make_factors(mixture: Mixture, row_chance: Floats, totals: Floats, norms: Floats) -> Factors:
    """Return the factors that `rewrite_values` and `split` of the kernels multiply the parts by.

    Args:
        mixture: the weights and η.
        row_chance: see `vorlage.semihmm.rewrite.table.row_chances` (R).
        totals: total(d̄) of each row (R).
        norms: Z_d̄ of each row (R), 0 without WordNet.
    """
    identical, stem, related, lexical = mixture.weights[:4]
    return Factors(
        identical,
        stem * row_chance,
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
    like = np.array([0.0, fake_counts.stem, fake_counts.stem + fake_counts.identical])
    return np.stack([fake_counts.word + like, fake_counts.phrase + like])
