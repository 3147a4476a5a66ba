"""The index of a corpus: its words, phrases and phrase pairs, numbered over all shards.

A word pair that fewer pairs of texts hold than the setting ``lexical_cooccurrence`` asks for is *unlisted*,
unless it is equal up to stem or related in WordNet: it has its fake count and no other, as the pairs that a
model file does not store, and costs no memory. With 1, the default, all are listed.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.io.arrays import lines_to_array
from pipeline.semihmm.kernels.hypernyms import LONGEST
from pipeline.semihmm.kernels.phrase_table import TableLayout, log_prior, row_totals
from pipeline.semihmm.phrases.rewrite import decays

STEEPEST = 50.0  # η is looked for between 0 and this


@dataclass(frozen=True)
class Index:
    """Rows and entries as in :class:`pipeline.semihmm.phrases.table.Support`, of V words and P longer phrases.

    ``words``: sorted. ``longer`` (P, K) int32: word numbers, padded with −1. ``word_rows``, ``partners``,
    ``phrase_rows``, ``phrase_pairs``, ``kind``: of the listed entries (E). ``unlisted`` (V): how many
    unlisted pairs each document word has. ``row_histogram`` (V + P): which of the ``histograms`` a row has,
    −1 for none; ``histograms`` (H, LONGEST): how many summary phrases lie at each distance. ``readings``
    (R, 4) and ``reading_counts``: those of the summary phrases, for the model. ``fake`` as in
    :func:`pipeline.semihmm.kernels.phrase_table.row_totals`. ``frequency`` (V) int64: of each word in the summaries;
    ``document_words``: of all extracts, ``longest``: of the longest. ``pairs``: of texts. ``unigram``: fake
    counts of a document word that are spread over the summary words by their frequency.
    """

    words: list
    longer: np.ndarray
    word_rows: np.ndarray
    partners: np.ndarray
    phrase_rows: np.ndarray
    phrase_pairs: np.ndarray
    kind: np.ndarray
    unlisted: np.ndarray
    row_histogram: np.ndarray
    histograms: np.ndarray
    readings: np.ndarray
    reading_counts: np.ndarray
    fake: np.ndarray
    frequency: np.ndarray
    document_words: int
    longest: int
    pairs: int
    unigram: float

    @property
    def table(self):
        """The table of listed entries, for the functions of :mod:`pipeline.semihmm.kernels.phrase_table`."""
        return TableLayout(self.word_rows, self.phrase_rows, self.kind)

    def totals(self, counts):
        """total(d̄) of every row: the counts (E) and fake counts of all its pairs, unlisted ones included."""
        totals = row_totals(self.table, self.fake, counts)
        totals[: len(self.words)] += self.unlisted * self.fake[0, 0] + self.unigram
        return totals

    @property
    def summary_words(self):
        """The words that occur in a summary, ascending."""
        return np.flatnonzero(self.frequency)

    @property
    def spread(self):
        """The fake counts of each summary word that follow from its frequency, float64 (V)."""
        return spread(self.unigram, self.frequency)

    def log_prior(self, counts, totals):
        """The fake counts' share of the objective: Σ fake · log t, natural log, but for a constant."""
        words = len(self.words)
        listed = self.spread[self.partners]
        left = self.unigram - np.bincount(self.word_owners(), listed, minlength=words)
        outside = -float(left @ np.log(totals[:words])) if self.unigram else 0.0
        rows = np.flatnonzero(self.unlisted)
        word = self.fake[0, 0]
        unlisted = word * float(self.unlisted[rows] @ np.log(word / totals[rows])) if word else 0.0
        return log_prior(self.table, self.fake, counts, totals, listed) + unlisted + outside

    def word_owners(self):
        """The document word of each entry of the word block, int64."""
        return np.repeat(np.arange(len(self.words)), np.diff(self.word_rows))

    def norms(self, eta):
        """Z of each histogram under η."""
        return self.histograms @ decays(eta)[:LONGEST]

    def best_eta(self, mass, distance):
        """The η that maximises the expected log-likelihood of the WordNet part, see :func:`best_eta`."""
        return best_eta(self.histograms, mass, distance)

    def summary(self):
        """What is in it, in a line."""
        return (
            f"{self.pairs} pairs, {len(self.words)} words, {len(self.partners)} word pairs and "
            f"{int(self.unlisted.sum())} unlisted ones, {len(self.phrase_pairs)} longer phrase pairs"
        )

    def arrays(self):
        """The index as arrays."""
        return {
            **{name: getattr(self, name) for name in self.__dataclass_fields__ if name != "words"},
            "words": lines_to_array(self.words),
        }

    @classmethod
    def load(cls, arrays):
        """The inverse of :meth:`arrays`; ``arrays``: a :class:`pipeline.io.arrays.Arrays`."""
        found = {name: arrays[name] for name in cls.__dataclass_fields__ if name != "words"}
        found |= {name: int(found[name]) for name in ("document_words", "longest", "pairs")}
        found["unigram"] = float(found["unigram"])
        return cls(words=arrays.text("words"), **found)


def spread(unigram, frequency):
    """``unigram`` fake counts over words by their ``frequency``: float64."""
    return unigram * frequency / max(frequency.sum(), 1)


def best_eta(histograms, mass, distance):
    """The η that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x] e^(−ηx), in [0, STEEPEST].

    ``mass`` (H): expected uses by reading; ``distance``: expected total distance, in hypernym links.
    """
    from scipy.optimize import brentq  # here alone: the many jobs of an E-step have no use for it

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
