"""Pairs as the model sees them: lower-cased words of the extract and the summary, as numbers."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pipeline.semihmm.kernels.tree_walks import Forest
from pipeline.semihmm.phrases.affinity import Affinity


class Vocabulary:
    """Numbers for words, in the order they are first met."""

    def __init__(self, words=()):
        self.words = list(words)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def number(self, word):
        """The number of a word, a new one if it was not met before."""
        number = self._numbers.setdefault(word, len(self.words))
        if number == len(self.words):
            self.words.append(word)
        return number

    def find(self, word):
        """The number of a word, or −1."""
        return self._numbers.get(word, -1)


@dataclass(frozen=True)
class Instance:
    """One pair. ``document`` (n) and ``summary`` (T): word numbers, int32, of the extract and the summary.

    ``positions`` (n): where each extract token stands in the whole document. ``document_breaks`` and
    ``summary_breaks``: half-open token spans of the sentences, which no phrase crosses. ``forest``: the
    trees of the document sentences, where they are wanted. ``affinity``: what the texts around the words say,
    None for nothing.
    """

    id: str
    document: np.ndarray
    summary: np.ndarray
    positions: np.ndarray
    document_breaks: tuple
    summary_breaks: tuple
    forest: Forest | None = None
    affinity: Affinity | None = None

    def reversed(self):
        """The same pair with its sides swapped: the summary as the document that the extract is made from."""
        return replace(
            self,
            document=self.summary,
            summary=self.document,
            document_breaks=tuple(self.summary_breaks),
            summary_breaks=self.document_breaks,
            forest=None,
            affinity=self.affinity and self.affinity.reversed(),
        )

    @cached_property
    def document_types(self):
        """``(types, index)``: the distinct document words, sorted, and each token's place among them."""
        return _types(self.document)

    @cached_property
    def summary_types(self):
        """The same for the summary."""
        return _types(self.summary)


def _types(numbers):
    types, index = np.unique(numbers, return_inverse=True)
    return types.astype(np.int32), index.astype(np.int32)


def make_instance(pair, sentences, vocabulary, forest=None, affinity=None):
    """The instance of a :class:`pipeline.corpus.pair.Pair` for the extract made of ``sentences``.

    ``sentences``: document sentence indices in ascending order. New words are added to ``vocabulary``.
    """
    positions, breaks = [], []
    for sentence in sentences:
        first, last = pair.document.sentences[sentence]
        breaks.append((len(positions), len(positions) + last - first))
        positions.extend(range(first, last))
    words = pair.document.words
    return Instance(
        pair.id,
        np.array([vocabulary.number(words[i].lower()) for i in positions], dtype=np.int32),
        np.array([vocabulary.number(word.lower()) for word in pair.summary.words], dtype=np.int32),
        np.array(positions, dtype=np.int32),
        tuple(breaks),
        pair.summary.sentences,
        forest,
        affinity,
    )


def ngrams(numbers, breaks, longest, shortest=1):
    """The phrases of ``shortest`` … ``longest`` words that cross no sentence boundary: ``(start, tuple)``."""
    for first, last in breaks:
        sentence = tuple(numbers[first:last].tolist())
        for i in range(len(sentence)):
            for size in range(shortest, min(longest, len(sentence) - i) + 1):
                yield first + i, sentence[i : i + size]
