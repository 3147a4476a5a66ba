"""The rewrite model (Daumé & Marcu 2005, Section 4.2): identity, stem, WordNet and lexical parts, mixed.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄)
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: ``word`` for one word to one word, ``identical``
and ``stem`` more for phrases that are equal, or equal up to stem.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.optimize import brentq

from pipeline.semihmm.senses import FAR, LONGEST

PARTS = ("id", "stem", "wn", "rw")
STEEPEST = 50.0  # η is looked for between 0 and this


@dataclass(frozen=True)
class Mixture:
    """``weights`` (4): λ over PARTS, sums to one; ``eta``: decay of the WordNet part a link of distance."""

    weights: np.ndarray
    eta: float

    @classmethod
    def start(cls, wordnet):
        """Equal weights over the enabled parts; η = 1."""
        weights = np.array([1.0, 1.0, float(wordnet), 1.0])
        return cls(weights / weights.sum(), 1.0)


class Rewrite:
    """Evaluates and re-estimates the rewrite model over a support.

    ``fake_counts``: the setting of that name. ``histograms`` (H, LONGEST): for each distinct reading of a
    row, how many summary phrases of the training corpus lie at each distance; ``row_histogram``: which
    of them a row has, −1 for none.
    """

    def __init__(self, support, fake_counts, histograms, row_histogram):
        self.support = support
        self.fake = fake_table(fake_counts)
        self.histograms = histograms
        self.row_histogram = row_histogram

    def totals(self, counts):
        """total(d̄) of every row: the sum of counts and fake counts over its entries."""
        s = self.support
        return _totals(s.word_rows, s.phrase_rows, s.kind, self.fake, counts)

    def values(self, mixture, counts, totals):
        """r(s̄|d̄) of every entry, float64."""
        s = self.support
        return _values(
            s.word_rows,
            s.phrase_rows,
            s.kind,
            s.distance,
            self.fake,
            counts,
            totals,
            s.row_chance,
            self.row_histogram,
            *self._decay(mixture.eta),
            mixture.weights,
        )

    def log_prior(self, counts, totals):
        """The fake counts' share of the objective: Σ fake · log t, natural log."""
        s = self.support
        return _log_prior(s.word_rows, s.phrase_rows, s.kind, self.fake, counts, totals)

    def maximised(self, mixture, counts, totals, values, expected):
        """The M-step: ``(mixture, counts)`` from the expected uses of every entry.

        λ and the lexical counts are closed-form, from the responsibilities of the four parts; η
        maximises the expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η),
        which is concave. ``expected`` is overwritten with the new counts.
        """
        s = self.support
        used, mass, distance = _split(
            s.word_rows,
            s.phrase_rows,
            s.kind,
            s.distance,
            self.fake,
            counts,
            totals,
            s.row_chance,
            self.row_histogram,
            *self._decay(mixture.eta),
            mixture.weights,
            values,
            expected,
        )
        eta = mixture.eta if used[2] == 0 else best_eta(self.histograms, mass, distance)
        return Mixture(used / used.sum(), eta), expected

    def _decay(self, eta):
        decay = np.exp(-eta * np.arange(FAR + 1.0))
        decay[FAR] = 0.0
        norm = self.histograms @ decay[:LONGEST]
        return decay, np.divide(1.0, norm, out=np.zeros_like(norm), where=norm > 0)


def fake_table(fake_counts):
    """The fake counts as float64 (2, 3): word block and phrase block, by kind of entry."""
    word, identical, same = (float(fake_counts[key]) for key in ("word", "identical", "stem"))
    longer = np.array([0.0, same, same + identical])
    return np.stack([word + longer, longer])


def best_eta(histograms, mass, distance):
    """The η that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x] e^(−ηx), in [0, STEEPEST].

    ``mass`` (H): expected uses by reading; ``distance``: expected total distance, in hypernym links.
    """
    x = np.arange(LONGEST)

    def slope(eta):
        weighted = histograms * np.exp(-eta * x)
        norm = weighted.sum(axis=1)
        mean = np.divide(weighted @ x, norm, out=np.zeros_like(norm), where=norm > 0)
        return float(mass @ mean) - distance

    if slope(0.0) <= 0:
        return 0.0
    if slope(STEEPEST) >= 0:
        return STEEPEST
    return brentq(slope, 0.0, STEEPEST, xtol=1e-12, rtol=1e-14)


@njit(cache=True, nogil=True)
def _span(block, row, word_rows, phrase_rows):
    """The entries of a row in one of the two blocks."""
    offset = word_rows[-1]
    if block == 1:
        return offset + phrase_rows[row], offset + phrase_rows[row + 1]
    if row < word_rows.shape[0] - 1:
        return word_rows[row], word_rows[row + 1]
    return offset, offset


@njit(cache=True, nogil=True)
def _totals(word_rows, phrase_rows, kind, fake, counts):
    out = np.zeros(phrase_rows.shape[0] - 1)
    for row in range(out.shape[0]):
        for block in range(2):
            first, last = _span(block, row, word_rows, phrase_rows)
            for e in range(first, last):
                out[row] += counts[e] + fake[block, kind[e]]
    return out


@njit(cache=True, nogil=True)
def _values(
    word_rows,
    phrase_rows,
    kind,
    distance,
    fake,
    counts,
    totals,
    chance,
    histogram,
    decay,
    inverse_norm,
    weights,
):
    out = np.empty(kind.shape[0])
    for row in range(totals.shape[0]):
        same = np.array([0.0, weights[1] * chance[row], weights[0] + weights[1] * chance[row]])
        related = weights[2] * inverse_norm[histogram[row]] if histogram[row] >= 0 else 0.0
        lexical = weights[3] / totals[row] if totals[row] > 0 else 0.0
        for block in range(2):
            first, last = _span(block, row, word_rows, phrase_rows)
            for e in range(first, last):
                t = counts[e] + fake[block, kind[e]]
                out[e] = same[kind[e]] + related * decay[distance[e]] + lexical * t
    return out


@njit(cache=True, nogil=True)
def _log_prior(word_rows, phrase_rows, kind, fake, counts, totals):
    out = 0.0
    for row in range(totals.shape[0]):
        part = 0.0
        for block in range(2):
            first, last = _span(block, row, word_rows, phrase_rows)
            for e in range(first, last):
                prior = fake[block, kind[e]]
                if prior > 0:
                    part += prior * np.log((counts[e] + prior) / totals[row])
        out += part
    return out


@njit(cache=True, nogil=True)
def _split(
    word_rows,
    phrase_rows,
    kind,
    distance,
    fake,
    counts,
    totals,
    chance,
    histogram,
    decay,
    inverse_norm,
    weights,
    values,
    expected,
):
    """Split expected uses among the parts: uses of each part, WordNet mass by reading, total distance."""
    used = np.zeros(4)
    mass = np.zeros(inverse_norm.shape[0])
    path = 0.0
    for row in range(totals.shape[0]):
        related = weights[2] * inverse_norm[histogram[row]] if histogram[row] >= 0 else 0.0
        lexical = weights[3] / totals[row] if totals[row] > 0 else 0.0
        row_mass, row_path = 0.0, 0.0
        row_used = np.zeros(4)
        for block in range(2):
            first, last = _span(block, row, word_rows, phrase_rows)
            for e in range(first, last):
                if expected[e] == 0.0:
                    continue
                share = expected[e] / values[e]
                if kind[e] == 2:
                    row_used[0] += share * weights[0]
                if kind[e] >= 1:
                    row_used[1] += share * weights[1] * chance[row]
                wordnet = share * related * decay[distance[e]]
                row_mass += wordnet
                row_path += wordnet * distance[e] if wordnet > 0 else 0.0
                expected[e] = share * lexical * (counts[e] + fake[block, kind[e]])
                row_used[3] += expected[e]
        row_used[2] = row_mass
        used += row_used
        path += row_path
        if histogram[row] >= 0:
            mass[histogram[row]] += row_mass
    return used, mass, path
