"""Finds gaps between links: short phrases whose words have no likely link of their own.

A phrase that was rewritten as a whole often has no word pair that is probable by itself, as in *for the time
being* and *so far*. If the words on both sides of two phrases are linked, the phrases are probably one pair.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.corpus.pair import Pair
from vorlage.semihmm.rewrite.instances import Instance, Spans
from vorlage.text.words import is_punctuation, stem
from vorlage.types import Bools

# The most words of each side of a gap.
LONGEST = 4
# The least share of linked words in the document sentence of a gap. If fewer are linked, most of the other
# words were left out, not rewritten.
COVERED = 0.5


class Side(NamedTuple):
    """The words of a side, the number of the sentence of each, and whether it is punctuation."""

    words: Sequence[str]
    sentences: list[int]
    punctuation: list[bool]
    language: str

    @classmethod
    def of(cls, words: Sequence[str], breaks: Spans, language: str = "en") -> "Side":
        """Return the side with these words; `breaks`: the spans of its sentences."""
        sentences = [number for number, (start, end) in enumerate(breaks) for _ in range(start, end)]
        return cls(words, sentences, [is_punctuation(word) for word in words], language)

    def stem(self, place: int) -> str:
        """Return the stem of a word."""
        return stem(self.words[place], self.language)

    def may_follow(self, before: int, size: int) -> bool:
        """Return whether a gap of `size` words may follow the word `before`, if one of a word less may.

        Its last word is not punctuation, and the word after it is in the same sentence.
        """
        after = before + size + 1
        inside = after < len(self.words) and self.sentences[after] == self.sentences[before]
        return inside and not self.punctuation[after - 1]


def gaps_of(pair: Pair, instance: Instance, chosen: Bools) -> list[tuple[int, int, int, int]]:
    """Return the gaps of a pair between the links that are `chosen` (T, n), see `find_gaps`."""
    document = [pair.document.words[position] for position in instance.positions.tolist()]
    summary_side = Side.of(pair.summary.words, instance.summary_breaks, pair.summary.language)
    document_side = Side.of(document, instance.document_breaks, pair.document.language)
    return find_gaps(chosen, summary_side, document_side)


def find_gaps(chosen: Bools, summary: Side, document: Side) -> list[tuple[int, int, int, int]]:
    """Return the gaps (t, k, j, l) between links, the largest ones first.

    `chosen` (T, n): the links. A gap is a phrase pair directly between two links, with at most `LONGEST`
    words on each side, without punctuation and inside one sentence of each text. Its words have no links to
    other words (it is consistent, Och & Ney 2004) and none to equal ones, and the share `COVERED` of the
    words of its document sentence is linked.
    """
    of_summary, of_document = chosen.sum(axis=1), chosen.sum(axis=0)
    words, linked = ~np.array(document.punctuation), of_document > 0
    counts = np.bincount(document.sentences, words)
    covered = np.bincount(document.sentences, linked & words) >= COVERED * counts
    links, gaps = np.argwhere(chosen).tolist(), []
    linked_pairs = set(map(tuple, links))
    for t, j in links:
        if not covered[document.sentences[j]]:
            continue
        for k in range(1, LONGEST + 1):
            if not summary.may_follow(t, k):
                break
            for span in range(1, LONGEST + 1):
                if not document.may_follow(j, span):
                    break
                if (t + k + 1, j + span + 1) not in linked_pairs:
                    continue
                rows, columns = slice(t + 1, t + k + 1), slice(j + 1, j + span + 1)
                inside = np.argwhere(chosen[rows, columns])
                if not of_summary[rows].sum() == of_document[columns].sum() == len(inside):
                    continue
                if all(summary.stem(t + 1 + a) != document.stem(j + 1 + b) for a, b in inside.tolist()):
                    gaps.append((t + 1, k, j + 1, span))
    return sorted(gaps, key=lambda gap: -gap[1] * gap[3])
