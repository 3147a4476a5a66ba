"""Pairs as the model sees them: the lower-cased words of the extract and the summary, as numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from vorlage.corpus.pair import Pair
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.rewrite.affinity import Affinity
from vorlage.types import Ints, Span

Spans: TypeAlias = tuple[Span, ...]


class Vocabulary:
    """Numbers of words, in the order in which the words are met."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = list(words)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """Return the number of a word; a new word gets the next number."""
        number = self._numbers.setdefault(word, len(self.words))
        if number == len(self.words):
            self.words.append(word)
        return number

    def find(self, word: str) -> int:
        """Return the number of a word, or −1."""
        return self._numbers.get(word, -1)


@dataclass(frozen=True)
class Instance:
    """One pair. `document` (n) and `summary` (T): word numbers of the extract and of the summary.

    `positions` (n): the position of each extract token in the whole document. `document_breaks` and
    `summary_breaks`: half-open token spans of the sentences, which no phrase crosses. `forest`: the trees
    of the document sentences, for a jump model over trees. `affinity`: what the texts around the words tell
    about their links.
    """

    id: str
    document: Ints
    summary: Ints
    positions: Ints
    document_breaks: Spans
    summary_breaks: Spans
    forest: Forest | None = None
    affinity: Affinity | None = None

    def reversed(self) -> "Instance":
        """Return the pair with its sides swapped: the extract is generated from the summary."""
        return replace(
            self,
            document=self.summary,
            summary=self.document,
            document_breaks=self.summary_breaks,
            summary_breaks=self.document_breaks,
            forest=None,
            affinity=self.affinity and self.affinity.reversed(),
        )

    @cached_property
    def document_types(self) -> tuple[Ints, Ints]:
        """The distinct document words, sorted, and the place of each token among them."""
        return _types(self.document)

    @cached_property
    def summary_types(self) -> tuple[Ints, Ints]:
        """The distinct summary words, sorted, and the place of each token among them."""
        return _types(self.summary)


def _types(numbers: Ints) -> tuple[Ints, Ints]:
    types, index = np.unique(numbers, return_inverse=True)
    return types.astype(np.int32), index.astype(np.int32)


def make_instance(
    pair: Pair,
    sentences: Sequence[int],
    vocabulary: Vocabulary,
    forest: Forest | None = None,
    affinity: Affinity | None = None,
) -> Instance:
    """Return the instance of a pair whose extract consists of these `sentences`, in ascending order.

    New words are added to `vocabulary`.
    """
    positions: list[int] = []
    breaks = []
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
