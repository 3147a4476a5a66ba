"""WordNet 3.0, from the tables in the package: senses of words in any form, and the synsets above each."""

from bisect import bisect_left
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path

import numpy as np

from vorlage.files.arrays import array_to_lines
from vorlage.types import AnyArray, Bools, Ints

TABLES = Path(__file__).parents[1] / "models" / "wordnet.npz"
SYNSETS = 117_659
PARTS_OF_SPEECH = ("n", "v", "a", "r")
# Endings of inflected forms and of their lemmas; manual page morphy(7WN).
ENDINGS = {
    "n": [
        *[("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")],
        *[("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")],
    ],
    "v": [
        *[("s", ""), ("ies", "y"), ("es", "e"), ("es", "")],
        *[("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    ],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}


# The same by the last letter of the ending, where there is one.
ENDINGS_BY_LETTER = {
    part: {
        letter: [(old, new) for old, new in endings if old[-1] == letter]
        for letter in {old[-1] for old, _ in endings}
    }
    for part, endings in ENDINGS.items()
}
# The same of all parts of speech.
ALL_ENDINGS = {
    letter: {ending for endings in ENDINGS_BY_LETTER.values() for ending in endings.get(letter, ())}
    for letter in {letter for endings in ENDINGS_BY_LETTER.values() for letter in endings}
}


class WordNet:
    """The lemmas, senses and links of WordNet. Synsets are numbers from 0.

    Nothing in the object changes, so threads may share it.

    Args:
        tables: the arrays that `experiments/wordnet_tables.py` makes:
            `lemmas`: lines of text, sorted;
            `exceptions`: lines of a part of speech, an inflected form and its lemmas;
            `senses_at` (parts of speech × lemmas + 1): where the senses of a lemma begin in `senses`, the
            numbers of its synsets, the most frequent first;
            `above_at` (synsets + 1): where the links of a synset begin in `above`, the numbers of the synsets
            above it, and in `lengths`;
            `hypernym` (synsets): whether these links lead to hypernyms;
            `antonyms_at` (lemmas + 1): where the antonyms of a lemma begin in `antonyms`, numbers of lemmas.
    """

    def __init__(self, tables: Mapping[str, AnyArray]) -> None:
        self.lemmas = array_to_lines(tables["lemmas"])
        self._tables = tables
        exceptions = [line.split(" ", 2) for line in array_to_lines(tables["exceptions"])]
        self._exceptions = {(part, form): lemmas for part, form, lemmas in exceptions}
        self._irregular = {form for _, form in self._exceptions}
        self._rows = dict(zip(self.lemmas, range(len(self.lemmas)), strict=True))

    def knows(self, form: str) -> bool:
        """Return whether a word or phrase in any inflected form, in lower case, may have senses."""
        if form in self._rows or form in self._irregular:
            return True
        endings = ALL_ENDINGS.get(form[-1:], ())
        return any(form.endswith(old) and form.removesuffix(old) + new in self._rows for old, new in endings)

    @lru_cache(1 << 16)  # noqa: B019
    def beginnings(self, word: str) -> set[str]:
        """Return the lemmas of several words that begin with a word, without the last word or several."""
        start = f"{word}_"
        rows = range(bisect_left(self.lemmas, start), len(self.lemmas))
        lemmas = takewhile(lambda lemma: lemma.startswith(start), map(self.lemmas.__getitem__, rows))
        return {lemma[:i] for lemma in lemmas for i, letter in enumerate(lemma) if letter == "_"}

    def senses(self, form: str, part: str) -> list[int]:
        """Return the synsets of a word or phrase in any inflected form, those of each lemma by frequency.

        Args:
            form: in lower case, with `_` between words.
            part: one of `PARTS_OF_SPEECH`.
        """
        rows = map(self._rows.get, self._lemmas_of(form, part))
        return [sense for row in rows if row is not None for sense in self._lemma_senses(row, part)]

    def above(self, synset: int, only_hypernyms: bool = False) -> list[tuple[int, int]]:
        """Return the synsets directly above a synset and the length of the link to each.

        They are the hypernyms, with the classes of an instance; for a satellite adjective, the main one that
        it is similar to, unless `only_hypernyms`. A link to a hypernym is as long as the information content
        that it loses, in bits; one from an adjective has length 1.
        """
        tables = self._tables
        if only_hypernyms and not tables["hypernym"][synset]:
            return []
        links = slice(*tables["above_at"][synset : synset + 2])
        return list(zip(tables["above"][links].tolist(), tables["lengths"][links].tolist(), strict=True))

    def links(self) -> tuple[Ints, Ints, AnyArray, Bools]:
        """Return the tables `above_at`, `above`, `lengths` and `hypernym`."""
        tables = self._tables
        return tables["above_at"], tables["above"], tables["lengths"], tables["hypernym"]

    @lru_cache(1 << 16)  # noqa: B019
    def antonyms(self, form: str) -> frozenset[str]:
        """Return the lemmas that are antonyms of a word in any inflected form, in lower case."""
        antonyms: set[str] = set()
        for row in map(self._rows.get, self.lemmas_of(form)):
            if row is not None:
                span = slice(*self._tables["antonyms_at"][row : row + 2])
                antonyms.update(self.lemmas[number] for number in self._tables["antonyms"][span].tolist())
        return frozenset(antonyms)

    @lru_cache(1 << 16)  # noqa: B019
    def lemmas_of(self, form: str) -> frozenset[str]:
        """Return the lemmas of a word, of all parts of speech, the form itself included."""
        return frozenset(lemma for part in PARTS_OF_SPEECH for lemma in self._lemmas_of(form, part))

    def _lemma_senses(self, row: int, part: str) -> list[int]:
        """Return the synsets of a lemma."""
        entry = PARTS_OF_SPEECH.index(part) * len(self.lemmas) + row
        first, last = self._tables["senses_at"].item(entry), self._tables["senses_at"].item(entry + 1)
        senses: list[int] = self._tables["senses"][first:last].tolist()
        return senses

    def _lemmas_of(self, form: str, part: str) -> list[str]:
        """Return the lemmas of a form: itself and its exceptions, or else those that endings lead to."""
        exceptions = self._exceptions.get((part, form))
        if exceptions:
            lemmas = exceptions.split(" ")
        else:
            endings = ENDINGS_BY_LETTER[part].get(form[-1:], ())
            lemmas = [form.removesuffix(old) + new for old, new in endings if form.endswith(old)]
        return list(dict.fromkeys([form, *lemmas])) if lemmas else [form]


@cache
def open_wordnet() -> WordNet:
    """Return the WordNet in the package."""
    with np.load(TABLES, allow_pickle=False) as tables:
        return WordNet(dict(tables))
