"""The encoder's part of the rewrite mixture, by cosines of contextual vectors.

It tells which word of a summary a document word became:

    e(i|j) = u_i exp((cos(i, j) − c) / τ) / Z_j · exp((cos(i, j) − max_j' cos(i, j')) / 2τ)

The first factor is a distribution over the vocabulary. A word takes part by its frequency u, raised or
lowered by the cosine of its vector: c, the `encoder_baseline`, is the cosine of words that have nothing to
do with each other, and τ the `encoder_temperature`. Words of the vocabulary that are not in the summary
count as such words, so that Z_j = 1 − Σ u_w + Σ u_w · (mean over the places of w), both sums over the
distinct words of the summary, and a document word that is near to none of them leaves its probability to the
rest of the vocabulary. The second factor reduces the first where another document word is nearer to the
summary word. Daumé & Marcu (2005, Section 6) name such a part as future work.
"""

import numpy as np

from vorlage.semihmm.constants import LEAST_REST
from vorlage.semihmm.pairs import PairArrays
from vorlage.settings import Training
from vorlage.types import Floats

LEAST = 1e-12  # of a value, so that a word pair whose cosine is far below the others' is not impossible
# Pairs of words that are in memory at once, in several arrays. A long pair is cut into parts of this size.
CELLS = 400_000
ALL = slice(None)


class EncoderValues:
    """The encoder's part e of a pair, weighted, computed for some words at a time."""

    def __init__(self, pair: PairArrays, shares: Floats, settings: Training, weight: float) -> None:
        """Sum over the words of the summary; `shares`: of `PhraseNumbers`; `weight`: of the part."""
        assert pair.contexts is not None
        types, index = pair.summary_types
        of_types, (length, n) = shares[types], pair.contexts.shape
        self._cosines, self._shares, self._weight = pair.contexts, of_types[index, None], weight
        self._temperature, self._baseline = settings.encoder_temperature, settings.encoder_baseline
        self._nearest, self._top, self._norm = np.full((length, 1), -np.inf), np.empty(n), np.empty(n)
        rest, counts = max(1.0 - float(of_types.sum()), LEAST_REST), np.bincount(index)[index, None]
        width = max(CELLS // length, 1)
        for columns in (slice(first, first + width) for first in range(0, n, width)):
            cosines = self._cosines[:, columns].astype(float)
            np.maximum(self._nearest, cosines.max(axis=1, keepdims=True), out=self._nearest)
            top = np.maximum((cosines.max(axis=0) - self._baseline) / self._temperature, 0.0)
            self._top[columns] = top
            weighed = self._weighed(cosines, ALL, columns)
            self._norm[columns] = rest * np.exp(-top) + (weighed / counts).sum(axis=0)

    def weighted(self, rows: slice = ALL, columns: slice = ALL) -> Floats:
        """Return the weighted part of some summary words and some document words."""
        cosines = self._cosines[rows, columns].astype(float, order="C")
        nearness = np.exp((cosines - self._nearest[rows]) / (2.0 * self._temperature))
        part: Floats = self._weighed(cosines, rows, columns) / self._norm[columns] * nearness
        return self._weight * np.maximum(part, LEAST)

    def _weighed(self, cosines: Floats, rows: slice, columns: slice) -> Floats:
        scaled = (cosines - self._baseline) / self._temperature
        weighed: Floats = self._shares[rows] * np.exp(scaled - self._top[columns])
        return weighed
