"""The words of a corpus, and the numbers that phrases of other texts have among them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from vorlage.semihmm.constants import UNSEEN
from vorlage.semihmm.pairs import PairSet
from vorlage.semihmm.table import PADDING, PhraseTable, find_phrases, match, pick, stem_table
from vorlage.text.words import stem
from vorlage.types import Floats, Ints, LongInts


class Vocabulary:
    """The V words of a corpus, sorted, their `stems`, and the `frequency` (V) of each in its summaries."""

    def __init__(
        self, words: Sequence[str], stems: Sequence[str], frequency: LongInts, language: str
    ) -> None:
        self.words, self.stems, self.frequency, self.language = words, stems, frequency, language
        self._numbers = {word: number for number, word in enumerate(words)}
        self._sizes = Counter(stems)
        self._alike = np.array([self._sizes[text] for text in stems])

    def find(self, words: Iterable[str]) -> Ints:
        """Return the number of each word, −1 for an unknown one."""
        return np.array([self._numbers.get(word, -1) for word in words], dtype=np.int32)

    def chance(self, words: Sequence[str], numbers: Ints) -> Floats:
        """Return 1 / |{w : stem(w) = stem(word)}| for each word; an unknown word counts itself too.

        `numbers`: of the words, by `find`.
        """
        alike, unknown = pick(self._alike, numbers), np.flatnonzero(numbers < 0)
        alike[unknown] = [self._sizes[stem(words[word], self.language)] + 1 for word in unknown.tolist()]
        return 1.0 / alike


class StemNumbers(NamedTuple):
    """The table over stems of some pairs: where its rows and entries are in that of a model, −1 for none.

    `groups` (E): the entry there of each entry of the phrase table.
    """

    table: PhraseTable
    rows: LongInts
    entries: LongInts
    groups: LongInts


class PhraseNumbers(NamedTuple):
    """Where the phrases of some pairs are among those of a model, or of all pairs of a training.

    - `rows` (V+P): the number that each phrase has there, −1 for an unknown one;
    - `entries` (E): the same of the entries of the phrase table;
    - `chance` (V+P): the stem part's value in each row, 1 / Π |{w : stem(w) = stem(d_i)}|;
    - `shares` (V): of each word among the words of the summaries of training, as if it occurred `UNSEEN`
      times if it is in none;
    - `stems`: of the table over stems, or None.
    """

    rows: LongInts
    entries: LongInts
    chance: Floats
    shares: Floats
    stems: StemNumbers | None


def number_phrases(
    pairs: PairSet,
    vocabulary: Vocabulary,
    table: PhraseTable,
    stems: tuple[list[str], PhraseTable] | None,
) -> PhraseNumbers:
    """Return the numbers that the phrases of some pairs have in a model.

    Args:
        pairs: the pairs.
        vocabulary: the words of the model.
        table: its phrase table.
        stems: its stems, sorted, and the table of their phrases, or None.
    """
    numbers, longer, of_stems = vocabulary.find(pairs.words), pairs.table.longer, None
    rows, chance = find_phrases(pairs.table, numbers, table), vocabulary.chance(pairs.words, numbers)
    if stems is not None:
        own, stem_pairs, groups = stem_table(
            pairs.table, [stem(word, vocabulary.language) for word in pairs.words]
        )
        by_stem = {text: number for number, text in enumerate(stems[0])}
        of_own = np.array([by_stem.get(text, -1) for text in own], dtype=np.int32)
        stem_rows = find_phrases(stem_pairs, of_own, stems[1])
        of_stems = StemNumbers(stem_pairs, stem_rows, match(stem_pairs, stems[1], stem_rows), groups)
    frequency = pick(vocabulary.frequency, numbers)
    return PhraseNumbers(
        rows=rows,
        entries=match(pairs.table, table, rows),
        chance=np.concatenate([chance, np.where(longer == PADDING, 1.0, chance[longer]).prod(axis=1)]),
        shares=np.where(frequency > 0, frequency, UNSEEN) / max(vocabulary.frequency.sum(), 1),
        stems=of_stems,
    )
