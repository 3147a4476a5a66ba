"""The index of a corpus: its words, phrases and phrase pairs, numbered over all shards.

The phrase pairs are in the rows of their document phrases. A large corpus is in several parts of consecutive
rows, see `Rows`, each with numbers of its own; a smaller one is in one part.

A word pair that occurs in fewer pairs of texts than the setting `lexical_cooccurrence` is *unlisted*,
unless it is equal up to stem or related in WordNet: it has only its fake counts, like the pairs that a model
file does not store, and takes no memory. With 1, the default, all word pairs are listed.
"""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from vorlage.files.arrays import lines_to_array
from vorlage.semihmm.kernels.phrase_table import TableLayout, log_prior_gain, row_totals
from vorlage.semihmm.rewrite.mixture import decays
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST
from vorlage.types import AnyArray, Bytes, Floats, Ints, LongInts

STEEPEST = 50.0  # η is searched between 0 and this
TEXTS = ("words", "phrases")  # stored as lines


class Rows(NamedTuple):
    """Some consecutive rows of an index, of v words and then longer phrases, with their listed entries (E).

    `word_rows` (v+1), `partners` (W), `phrase_rows`, `phrase_pairs` (E−W, 2) and `kind` (E): as in
    `vorlage.semihmm.kernels.phrase_table.PhraseTable`, with bounds from the first of these rows and
    phrases in the numbers of the index. `unlisted` (v): the number of unlisted pairs of each document word;
    `share` (v): the mean of their fake counts by frequency.
    """

    word_rows: LongInts
    partners: Ints
    phrase_rows: LongInts
    phrase_pairs: Ints
    kind: Bytes
    unlisted: LongInts
    share: Floats

    @property
    def layout(self) -> TableLayout:
        """The rows and the kinds of the entries, without the phrases."""
        return TableLayout(self.word_rows, self.phrase_rows, self.kind)

    def summary(self) -> str:
        """Return a line that says how many entries there are."""
        return (
            f"{len(self.partners)} listed and {int(self.unlisted.sum())} unlisted word pairs, "
            f"{len(self.phrase_pairs)} longer phrase pairs"
        )


@dataclass(frozen=True)
class Index:
    """The V words and P longer phrases of a corpus, and what EM needs to know of them.

    `words`: sorted; `longer` (P, K): the words of the longer phrases, sorted, padded.
    `row_histogram` (V+P): which of the `histograms` a row has, −1 for none;
    `histograms` (H, LONGEST): the number of summary phrases at each WordNet distance. `phrases`: the
    summary phrases of WordNet, sorted. `fake` (2, 3): fake counts by block
    and kind, see `vorlage.semihmm.rewrite.mixture.fake_table`. `frequency` (V) int64: occurrences
    of each word in the summaries. `document_words`: of all extracts; `longest`: of the longest extract.
    `pairs`: of texts. `unigram`: fake counts of a document word that are spread over the summary words by
    frequency.
    """

    words: list[str]
    longer: Ints
    row_histogram: Ints
    histograms: Floats
    phrases: list[str]
    fake: Floats
    frequency: LongInts
    document_words: int
    longest: int
    pairs: int
    unigram: float

    def totals(self, rows: Rows, counts: Floats) -> Floats:
        """Return total(d̄) of each of `rows`: the counts (E) and fake counts of all its pairs."""
        totals = row_totals(rows.layout, self.fake, counts)
        totals[: len(rows.unlisted)] += rows.unlisted * self.fake[0, 0] + self.unigram
        return totals

    @property
    def summary_words(self) -> LongInts:
        """The words that occur in a summary, ascending."""
        return np.flatnonzero(self.frequency)

    @property
    def spread(self) -> Floats:
        """The fake counts that each summary word has by its frequency (V)."""
        return spread(self.unigram, self.frequency)

    def log_prior(self, rows: Rows, counts: Floats, totals: Floats) -> float:
        """Return the fake counts' share of the objective in `rows`: Σ fake · log(t / t_0), at most 0.

        Natural log. t_0 is the lexical table of the fake counts alone. Without it, thousands of fake counts
        a word would hide the likelihood.
        """
        fake_totals = self.totals(rows, np.zeros_like(counts))
        gain = log_prior_gain(rows.layout, self.fake, counts, self.spread[rows.partners])
        has = fake_totals > 0
        return gain - float(fake_totals[has] @ np.log(totals[has] / fake_totals[has]))

    def norms(self, eta: float) -> Floats:
        """Return Z of each histogram under η."""
        return self.histograms @ decays(eta)[:LONGEST]

    def best_eta(self, mass: Floats, distance: float) -> float:
        """Return the best η for the WordNet part, see the function `best_eta`."""
        return best_eta(self.histograms, mass, distance)

    def summary(self) -> str:
        """Return a line that says what the index holds."""
        return f"{self.pairs} pairs, {len(self.words)} words, {len(self.longer)} longer phrases"

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return the index as arrays."""
        arrays = {f.name: np.asarray(getattr(self, f.name)) for f in fields(self) if f.name not in TEXTS}
        return arrays | {name: lines_to_array(getattr(self, name)) for name in TEXTS}


def spread(unigram: float, frequency: LongInts) -> Floats:
    """Return `unigram` fake counts spread over words by their `frequency`."""
    return unigram * frequency / max(frequency.sum(), 1)


def best_eta(histograms: Floats, mass: Floats, distance: float) -> float:
    """Return the η in [0, STEEPEST] that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x]
    e^(−ηx).

    `mass` (H): expected uses by histogram; `distance`: expected total distance, in hypernym links. The
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
