"""What speaks for the words of a text in its document: likeness to words, to sentences, copies and rarity.

Likeness is the cosine of contextual vectors, or without an encoder 1 for words with a common stem. T words of
the text, n of the document, S sentences of the document.
"""

from dataclasses import dataclass

import numpy as np

from vorlage.attribution.rules.linked import Linked
from vorlage.types import Bools, Floats, Ints

# Cosines from here on count as likeness, which is full at the second one.
UNLIKE, ALIKE = 0.6, 0.95


@dataclass(frozen=True)
class Evidence:
    """What speaks for the words of a text.

    `likeness` (T): the largest to a word of the document; `by_sentence` (T, S): to a word of each sentence,
    clipped between `UNLIKE` and `ALIKE` and scaled to 0 … 1; `rarity` (T): −log of the share of sentences
    with the stem of the word, natural; `absent` (T): whether no document word has its stem; `copied` (T): the
    number of words of the longest copied stretch that it is part of; `scores` (sentences of the text, S):
    what of a sentence each document sentence holds, words that many sentences hold counting less.
    """

    likeness: Floats
    by_sentence: Floats
    rarity: Floats
    absent: Bools
    copied: Ints
    scores: Floats


def find_evidence(pair: Linked, cosines: Floats | None) -> Evidence:
    """Return what speaks for each word of a text.

    Args:
        pair: the text with its document.
        cosines: (T, n): those of the words; None without an encoder. Words of sentences that were not
            compared have NaN.
    """
    text, document = pair.text, pair.document
    starts = np.array([first for first, _ in document.text.sentences])
    sentences = len(starts)
    known = {stem: number for number, stem in enumerate(document.stem_places)}
    here = np.array([known.get(stem, -1) for stem in text.stems])
    there = np.array([known[stem] for stem in document.stems])
    equal = here[:, None] == there[None, :]
    likeness = (equal if cosines is None else np.nan_to_num(cosines)).astype(float)
    by_sentence = np.maximum.reduceat(likeness, starts, axis=1)
    clipped = np.clip((by_sentence - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
    holders = np.logical_or.reduceat(equal, starts, axis=1).sum(axis=1)
    rarity = np.log((sentences + 1) / (holders + 0.5))
    weights = np.log((sentences + 1) / (clipped.sum(axis=1) + 0.5)) * np.array(text.content)
    scores = np.add.reduceat(weights[:, None] * clipped, [first for first, _ in text.text.sentences], axis=0)
    return Evidence(likeness.max(axis=1), clipped, rarity, ~equal.any(axis=1), _copied(equal), scores)


def _copied(equal: Bools) -> Ints:
    """Return for each row the length of the longest diagonal of `equal` (T, n) that passes through it."""
    rows, columns = equal.shape
    ends = np.zeros((rows + 1, columns + 1), dtype=np.int32)  # of the diagonals that end here
    for t in range(rows):
        ends[t + 1, 1:] = np.where(equal[t], ends[t, :-1] + 1, 0)
    lengths = ends[1:, 1:].copy()
    for t in range(rows - 2, -1, -1):
        continued = equal[t, :-1] & equal[t + 1, 1:]
        lengths[t, :-1] = np.where(continued, lengths[t + 1, 1:], lengths[t, :-1])
    return lengths.max(axis=1)
