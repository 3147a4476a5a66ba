"""Computes the evidence for the words of a text in its document: likeness, copies and rarity.

Likeness is the cosine of contextual vectors, or without an encoder 1 for words with a common stem. T words of
the text, n of the document, S sentences of the document.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.alignments.columns import Columns
from vorlage.attribution.rules.linked import Linked
from vorlage.text.tokenized import number_sentences
from vorlage.types import Bools, Floats, Ints, LongInts

# Cosines from here on count as likeness, which is full at the second one.
UNLIKE, ALIKE = 0.6, 0.95


@dataclass(frozen=True)
class Evidence:
    """The evidence for the words of a text.

    - `places` (T): the document words with the stem of each word;
    - `likeness` (T): the largest likeness to a word of the document;
    - `by_sentence` (T, S): the largest to a word of each sentence, from `UNLIKE` to `ALIKE` scaled to 0 … 1;
    - `rarity` (T): −log of the share of sentences with the stem of the word, natural;
    - `absent` (T): whether no document word has its stem or, across languages, is linked to it;
    - `copied` (T): the number of words of the longest copied stretch that the word is part of;
    - `scores` (sentences of the text, S): how much of a sentence each document sentence holds; words that
      many sentences hold count less.
    """

    places: list[LongInts]
    likeness: Floats
    by_sentence: Floats
    rarity: Floats
    absent: Bools
    copied: Ints
    scores: Floats


def find_evidence(pair: Linked, cosines: Columns | None) -> Evidence:
    """Return the evidence for each word of a text.

    Args:
        pair: the text with its document.
        cosines: (T, n): those of the words; None without an encoder.
    """
    text, document = pair.text, pair.document
    sentence_of = number_sentences(document.text.sentences)
    sentences = len(document.text.sentences)
    stem_places = {
        stem: np.array(document.stem_places.get(stem, ()), dtype=np.int64) for stem in set(text.stems)
    }
    stem_sentences = {stem: np.unique(sentence_of[at]) for stem, at in stem_places.items()}
    places = [stem_places[stem] for stem in text.stems]
    holders = [stem_sentences[stem] for stem in text.stems]
    absent = np.array([len(at) == 0 for at in places])
    by_sentence = np.zeros((len(places), sentences))
    if cosines is None:
        for row, numbers in zip(by_sentence, holders, strict=True):
            row[numbers] = 1.0
    else:
        numbers, starts = np.unique(sentence_of[cosines.positions], return_index=True)
        by_sentence[:, numbers] = np.maximum.reduceat(cosines.values, starts, axis=1)
    clipped = np.clip((by_sentence - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
    rarity = np.log((sentences + 1) / (np.array([len(numbers) for numbers in holders]) + 0.5))
    weights = np.log((sentences + 1) / (clipped.sum(axis=1) + 0.5)) * np.array(text.content)
    scores = np.add.reduceat(weights[:, None] * clipped, [first for first, _ in text.text.sentences], axis=0)
    if not pair.language:  # a translation has another stem
        absent &= np.array([not pair.links.get(t) for t in range(len(absent))])
    copied = _copied(places, len(document.text.words))
    return Evidence(
        places=places,
        likeness=by_sentence.max(axis=1),
        by_sentence=clipped,
        rarity=rarity,
        absent=absent,
        copied=copied,
        scores=scores,
    )


def _copied(places: Sequence[LongInts], words: int) -> Ints:
    """Return the length of the longest copied stretch that each word of a text is part of.

    `places`: where each word of the text is in the document of some `words`.
    """
    # For each place, the words of the stretch so far, up to and with it; then those of the whole stretch.
    lengths: list[Ints] = []
    row, last = np.zeros(words + 1, dtype=np.int32), np.empty(0, dtype=np.int64)
    for at in places:  # row: by the place after
        lengths.append(row[at] + 1)
        row[last + 1] = 0
        row[at + 1], last = lengths[-1], at
    row[last + 1], last = 0, last[:0]
    for copied, at in zip(reversed(lengths), reversed(places), strict=True):  # row: by place
        copied[:] = np.where(row[at + 1] > 0, row[at + 1], copied)
        row[last] = 0
        row[at], last = copied, at
    return np.array([copied.max(initial=0) for copied in lengths], dtype=np.int32)
