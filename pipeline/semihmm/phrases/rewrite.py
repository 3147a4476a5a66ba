"""The rewrite model (Daumé & Marcu 2005, Section 4.2): identity, stem, WordNet and lexical parts, mixed.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: ``word`` for one word to one word, ``identical``
and ``stem`` more for phrases that are equal, or equal up to stem; ``unigram`` are spread over the summary
words by their frequency. The encoder's part e depends on where the words stand, and is not of the table:
see :mod:`pipeline.semihmm.phrases.affinity`.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.semihmm.kernels.hypernyms import FAR
from pipeline.semihmm.kernels.phrase_table import Factors, TableLayout, rewrite_values, row_totals, split

PARTS = ("id", "stem", "wn", "rw", "encoder")


@dataclass(frozen=True)
class Mixture:
    """``weights`` (5): λ over PARTS, sums to one; ``eta``: decay of the WordNet part a link of distance."""

    weights: np.ndarray
    eta: float

    @classmethod
    def start(cls, wordnet, encoder=False):
        """Equal weights over the enabled parts; η = 1."""
        weights = np.array([1.0, 1.0, float(wordnet), 1.0, float(encoder)])
        return cls(weights / weights.sum(), 1.0)


class Rewrite:
    """Evaluates the rewrite model over a support and says which of its parts was used how often.

    ``support`` has the rows and entries, ``row_chance`` the stem part's value in each row, see
    :func:`pipeline.semihmm.phrases.table.row_chances`; ``fake``: :func:`fake_table`. Counts are by
    entry; totals and norms by row: total(d̄), and Z_d̄, 0 for none.
    """

    def __init__(self, support, row_chance, fake):
        self.row_chance = row_chance
        self.table = TableLayout(support.word_rows, support.phrase_rows, support.kind)
        self.distance, self.fake = support.distance, fake

    def totals(self, counts):
        """total(d̄) of every row, were the support all there is: the counts and fake counts of its entries."""
        return row_totals(self.table, self.fake, counts)

    def values(self, mixture, counts, totals, norms):
        """r(s̄|d̄) of every entry, float64."""
        factors = self._factors(mixture, totals, norms)
        return rewrite_values(self.table, self.distance, self.fake, factors, counts)

    def split(self, mixture, counts, totals, norms, values, expected):
        """Split the expected uses of every entry among the four parts, by their responsibilities.

        Returns the uses of each of these (4), those of the WordNet part by row, and their total distance in
        hypernym links. ``expected`` is overwritten with the uses of the lexical part.
        """
        factors = self._factors(mixture, totals, norms)
        return split(self.table, self.distance, self.fake, factors, counts, values, expected)

    def _factors(self, mixture, totals, norms):
        identical, stem, related, lexical, _ = mixture.weights
        return Factors(
            identical,
            stem * self.row_chance,
            np.divide(related, norms, out=np.zeros_like(norms), where=norms > 0),
            np.divide(lexical, totals, out=np.zeros_like(totals), where=totals > 0),
            decays(mixture.eta),
        )


def decays(eta):
    """e^(−η·distance) by distance, float64, 0 for FAR."""
    decay = np.exp(-eta * np.arange(FAR + 1.0))
    decay[FAR] = 0.0
    return decay


def fake_table(fake_counts):
    """The fake counts as float64 (2, 3): word block and phrase block, by kind of entry."""
    word, identical, same = (float(fake_counts[key]) for key in ("word", "identical", "stem"))
    longer = np.array([0.0, same, same + identical])
    return np.stack([word + longer, longer])
