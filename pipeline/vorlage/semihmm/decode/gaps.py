"""Finds gaps between links: short phrases whose words have no likely link of their own.

A phrase that was rewritten as a whole often has no word pair that is probable by itself, as in *for the time
being* and *so far*. If the words on both sides of two phrases are linked, the phrases are probably one pair.
"""

from collections import Counter
from collections.abc import Sequence, Set
from itertools import product
from typing import NamedTuple

from vorlage.corpus.pair import Pair
from vorlage.semihmm.constants import COVERED, LONGEST_GAP
from vorlage.semihmm.decode.posteriors import Cell
from vorlage.semihmm.rewrite.instances import Instance, Spans
from vorlage.text.tokenized import number_sentences
from vorlage.text.words import is_punctuation, stem


class GapSide(NamedTuple):
    """The words of a side, the number of the sentence of each, and whether it is punctuation."""

    words: Sequence[str]
    sentences: list[int]
    punctuation: list[bool]
    language: str

    @classmethod
    def of(cls, words: Sequence[str], breaks: Spans, language: str = "en") -> "GapSide":
        """Return the side with these words; `breaks`: the spans of its sentences."""
        numbers = number_sentences(breaks).tolist()
        return cls(words, numbers, [is_punctuation(word) for word in words], language)

    def stem(self, place: int) -> str:
        """Return the stem of a word."""
        return stem(self.words[place], self.language)

    def longest_gap(self, before: int) -> int:
        """Return how many words a gap after the word `before` may have.

        None of them is punctuation, and the word after it is in the same sentence.
        """
        size = 0
        for after in range(before + 2, min(before + LONGEST_GAP + 2, len(self.words))):
            if self.punctuation[after - 1] or self.sentences[after] != self.sentences[before]:
                break
            size += 1
        return size


def gaps_of(pair: Pair, instance: Instance, chosen: Set[Cell]) -> list[tuple[int, int, int, int]]:
    """Return the gaps of a pair between the links that are `chosen`, see `find_gaps`."""
    document = [pair.document.words[position] for position in instance.positions.tolist()]
    summary_side = GapSide.of(pair.summary.words, instance.summary_breaks, pair.summary.language)
    document_side = GapSide.of(document, instance.document_breaks, pair.document.language)
    return find_gaps(chosen, summary_side, document_side)


def find_gaps(links: Set[Cell], summary: GapSide, document: GapSide) -> list[tuple[int, int, int, int]]:
    """Return the gaps (t, k, j, l) between links, the largest ones first.

    A gap is a phrase pair directly between two links, with at most `LONGEST_GAP` words on each side, without
    punctuation and inside one sentence of each text. Its words have no links to other words (it is
    consistent, Och & Ney 2004) and none to equal ones, and the share `COVERED` of the words of its document
    sentence is linked: if fewer are, most of the other words were left out, not rewritten.
    """
    of_summary, of_document = (Counter(link[side] for link in links) for side in (0, 1))
    words = [j for j, mark in enumerate(document.punctuation) if not mark]
    counts, linked = (
        Counter(document.sentences[j] for j in side)
        for side in (words, [j for j in words if j in of_document])
    )
    gaps = []
    for t, j in sorted(links):
        if linked[document.sentences[j]] < COVERED * counts[document.sentences[j]]:
            continue
        sizes = range(1, summary.longest_gap(t) + 1), range(1, document.longest_gap(j) + 1)
        for k, span in product(*sizes):
            if (t + k + 1, j + span + 1) not in links:
                continue
            inside = [(t + a, j + b) for a in range(1, k + 1) for b in range(1, span + 1)]
            inside = [link for link in inside if link in links]
            uses = (
                sum(of_summary[a] for a in range(t + 1, t + k + 1)),
                sum(of_document[b] for b in range(j + 1, j + span + 1)),
            )
            if uses != (len(inside), len(inside)):
                continue
            if all(summary.stem(a) != document.stem(b) for a, b in inside):
                gaps.append((t + 1, k, j + 1, span))
    return sorted(gaps, key=lambda gap: -gap[1] * gap[3])
