"""The index of a corpus: its words, phrases and phrase pairs, numbered over all shards.

A word pair that occurs in fewer pairs of texts than the setting ``lexical_cooccurrence`` is *unlisted*,
unless it is equal up to stem or related in WordNet: it has only its fake counts, like the pairs that a model
file does not store, and takes no memory. With 1, the default, all word pairs are listed.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pipeline.io.arrays import Arrays, lines_to_array
from pipeline.semihmm.kernels.phrase_table import PhraseTable, log_prior_gain, row_totals
from pipeline.semihmm.phrases.rewrite import decays
from pipeline.semihmm.phrases.wordnet_distance import LONGEST
from pipeline.types import AnyArray, Floats, Ints, LongInts

STEEPEST = 50.0  # η is searched between 0 and this
TEXTS = ("words", "phrases")  # stored as lines


@dataclass(frozen=True)
class Index:
    """The listed entries of a corpus of V words and P longer phrases, and what EM needs to know of them.

    ``words``: sorted. ``table``: the listed entries (E). ``unlisted`` (V): the number of unlisted pairs of
    each document word. ``row_histogram`` (V+P): which of the ``histograms`` a row has, −1 for none;
    ``histograms`` (H, LONGEST): the number of summary phrases at each WordNet distance. ``phrases``: the
    summary phrases of WordNet, sorted. ``fake`` (2, 3): fake counts by block
    and kind, see :func:`~pipeline.semihmm.phrases.rewrite.fake_table`. ``frequency`` (V) int64: occurrences
    of each word in the summaries. ``document_words``: of all extracts; ``longest``: of the longest extract.
    ``pairs``: of texts. ``unigram``: fake counts of a document word that are spread over the summary words by
    frequency.
    """

    words: list[str]
    table: PhraseTable
    unlisted: LongInts
    row_histogram: Ints
    histograms: Floats
    phrases: list[str]
    fake: Floats
    frequency: LongInts
    document_words: int
    longest: int
    pairs: int
    unigram: float

    def totals(self, counts: Floats) -> Floats:
        """Return total(d̄) of every row: the counts (E) and fake counts of all its pairs."""
        totals = row_totals(self.table.layout, self.fake, counts)
        totals[: len(self.words)] += self.unlisted * self.fake[0, 0] + self.unigram
        return totals

    @property
    def summary_words(self) -> LongInts:
        """The words that occur in a summary, ascending."""
        return np.flatnonzero(self.frequency)

    @property
    def spread(self) -> Floats:
        """The fake counts that each summary word has by its frequency (V)."""
        return spread(self.unigram, self.frequency)

    def log_prior(self, counts: Floats, totals: Floats) -> float:
        """Return the fake counts' share of the objective, Σ fake · log(t / t_0), natural log, at most 0.

        t_0 is the lexical table of the fake counts alone. Without it, thousands of fake counts a word would
        hide the likelihood.
        """
        table, fake_totals = self.table, self.totals(np.zeros_like(counts))
        gain = log_prior_gain(table.layout, self.fake, counts, self.spread[table.partners])
        rows = fake_totals > 0
        return gain - float(fake_totals[rows] @ np.log(totals[rows] / fake_totals[rows]))

    def norms(self, eta: float) -> Floats:
        """Return Z of each histogram under η."""
        return self.histograms @ decays(eta)[:LONGEST]

    def best_eta(self, mass: Floats, distance: float) -> float:
        """Return the best η for the WordNet part, see the function :func:`best_eta`."""
        return best_eta(self.histograms, mass, distance)

    def summary(self) -> str:
        """Return a line that says what the index holds."""
        table = self.table
        return (
            f"{self.pairs} pairs, {len(self.words)} words, {len(table.partners)} listed and "
            f"{int(self.unlisted.sum())} unlisted word pairs, {len(table.phrase_pairs)} longer phrase pairs"
        )

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return the index as arrays."""
        names = [field.name for field in fields(self) if field.name not in (*TEXTS, "table")]
        arrays = {name: np.asarray(getattr(self, name)) for name in names}
        texts = {name: lines_to_array(getattr(self, name)) for name in TEXTS}
        return {**arrays, **self.table._asdict(), **texts}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "Index":
        """Do the inverse of :meth:`to_arrays`."""
        found: dict[str, Any] = {
            f.name: arrays[f.name] for f in fields(cls) if f.name not in (*TEXTS, "table")
        }
        found |= {name: arrays.text(name) for name in TEXTS}
        found |= {name: int(found[name]) for name in ("document_words", "longest", "pairs")}
        found["unigram"] = float(found["unigram"])
        table = PhraseTable(*(arrays[name] for name in PhraseTable._fields))
        return cls(table=table, **found)


def spread(unigram: float, frequency: LongInts) -> Floats:
    """Return ``unigram`` fake counts spread over words by their ``frequency``."""
    return unigram * frequency / max(frequency.sum(), 1)


def best_eta(histograms: Floats, mass: Floats, distance: float) -> float:
    """Return the η in [0, STEEPEST] that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x]
    e^(−ηx).

    ``mass`` (H): expected uses by histogram; ``distance``: expected total distance, in hypernym links. The
    function is concave.
    """
    # Imported here because the many jobs of an E-step do not need it.
    from scipy.optimize import brentq

    x = np.arange(LONGEST)

    def slope(eta: float) -> float:
        weighted = histograms * np.exp(-eta * x)
        norm = weighted.sum(axis=1)
        mean = np.divide(weighted @ x, norm, out=np.zeros_like(norm), where=norm > 0)
        return float(mass @ mean) - distance

    if slope(0.0) <= 0:
        return 0.0
    if slope(STEEPEST) >= 0:
        return STEEPEST
    return float(brentq(slope, 0.0, STEEPEST, xtol=1e-12, rtol=1e-14))
