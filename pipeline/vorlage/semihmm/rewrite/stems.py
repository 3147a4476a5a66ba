"""The table over stems of the 2004 paper: a multinomial for each document phrase of stems.

Daumé & Marcu (2004, Section 2.3.4) have it beside the table of phrases. A summary phrase gets its share of
the probability of its stems: that of a word is divided by the number of words with its stem, as in the stem
identity of the 2005 paper. The fake counts are those of words and phrases: `word` or `phrase`, and `stem`
more for phrases of equal stems.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vorlage.semihmm.kernels.phrase_table import SAME_STEM, UNLIKE, PhraseTable, first_rows
from vorlage.semihmm.rewrite.instances import Vocabulary
from vorlage.semihmm.rewrite.mixture import fake_table
from vorlage.semihmm.rewrite.table import PADDING, row_of_entries
from vorlage.settings import FakeCounts
from vorlage.text.words import stem
from vorlage.types import Floats, Ints, LongInts

UNKNOWN = -2  # in a phrase, a stem that a table does not have


@dataclass(frozen=True)
class StemTable:
    """The table: R phrases of stems, and E pairs of them.

    `stems`: sorted; `phrases` (R, K): their numbers, padded, sorted; `pairs` (E, 2): document and summary
    phrase, sorted; `fake`, `counts` (E): fake counts and expected uses; `totals` (R): the sums of both over
    the pairs of each document phrase.
    """

    stems: list[str]
    phrases: Ints
    pairs: Ints
    fake: Floats
    counts: Floats
    totals: Floats

    @classmethod
    def of(
        cls, words: Sequence[str], table: PhraseTable, language: str, fake_counts: FakeCounts
    ) -> tuple["StemTable", LongInts]:
        """Return the table of the pairs of a phrase table, without counts, and the pair of each entry of it.

        `words`: those of the phrase table.
        """
        of_words = [stem(word, language) for word in words]
        stems = sorted(set(of_words))
        vocabulary = Vocabulary(stems)
        numbers = np.array([*map(vocabulary.find, of_words), PADDING], dtype=np.int32)
        rows = np.full((len(words) + len(table.longer), table.longer.shape[1]), PADDING, dtype=np.int32)
        rows[: len(words), 0] = numbers[:-1]
        rows[len(words) :] = numbers[table.longer]
        phrases, places = np.unique(rows, axis=0, return_inverse=True)
        documents = places.ravel()[np.concatenate([row_of_entries(table), table.phrase_pairs[:, 0]])]
        summaries = places.ravel()[np.concatenate([table.partners, table.phrase_pairs[:, 1]])]
        keys, groups = np.unique(documents * len(phrases) + summaries, return_inverse=True)
        pairs = np.stack(np.divmod(keys, len(phrases)), axis=1).astype(np.int32)
        longer = (phrases[:, 1:] != PADDING).any(axis=1)
        kinds = np.where(pairs[:, 0] == pairs[:, 1], SAME_STEM, UNLIKE)
        fake = fake_table(fake_counts)[longer[pairs].any(axis=1).astype(int), kinds]
        made = cls(stems, phrases, pairs, fake, np.zeros(0), np.zeros(0))
        return made.with_counts(np.zeros(len(pairs))), groups

    def with_counts(self, counts: Floats) -> "StemTable":
        """Return the table with other counts (E)."""
        weights = counts + self.fake
        totals = np.bincount(self.pairs[:, 0], weights, len(self.phrases)).astype(float, copy=False)
        return replace(self, counts=counts, totals=totals)

    def probabilities(self) -> Floats:
        """Return the probability of each pair (E), 0 in a row without counts."""
        totals = self.totals[self.pairs[:, 0]]
        return np.divide(self.counts + self.fake, totals, out=np.zeros_like(totals), where=totals > 0)

    def log_prior(self) -> float:
        """Return the share of the fake counts in the objective, Σ fake · log(t / t_0), as that of words."""
        has = self.fake > 0
        start = self.with_counts(np.zeros_like(self.counts)).probabilities()[has]
        return float(self.fake[has] @ np.log(self.probabilities()[has] / start))

    def trained_as(self, other: "StemTable") -> "StemTable":
        """Return the table of these pairs with the counts of a trained one, and with its totals if any."""
        vocabulary = Vocabulary(other.stems)
        numbers = np.array([*map(vocabulary.find, self.stems), PADDING], dtype=np.int32)
        numbers[:-1][numbers[:-1] < 0] = UNKNOWN
        known = other.find(numbers[self.phrases])
        size = len(other.phrases)
        keys = np.where((known[self.pairs] >= 0).all(axis=1), known[self.pairs] @ [size, 1], -1)
        keys_of_other = np.append(other.pairs.astype(np.int64) @ [size, 1], np.iinfo(np.int64).max)
        at = np.searchsorted(keys_of_other, keys)
        counts = np.where(keys_of_other[at] == keys, np.append(other.counts, 0.0)[at], 0.0)
        made = self.with_counts(counts)
        trained = np.where(known >= 0, other.totals[known], 0.0)
        return replace(made, totals=np.where(trained > 0, trained, made.totals))

    def find(self, phrases: Ints) -> LongInts:
        """Return the rows of phrases, padded, in the numbers of this table; −1 for an unknown phrase."""
        width = max(self.phrases.shape[1], phrases.shape[1])
        own, others = (
            np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=PADDING)
            for rows in (self.phrases, phrases)
        )
        at = np.minimum(first_rows(own, others), len(own) - 1)
        return np.where((own[at] == others).all(axis=1), at, -1)
