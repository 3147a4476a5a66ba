"""Finds where the words of a text come from: the stretches of a document, by posteriors, and other evidence.

Words are numbered over the whole text and the whole document. `sources` (T, n) are the probabilities that a
word of the text comes from a word of the document, for those that were aligned.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Columns, Link, PosteriorAlignment
from vorlage.attribution.reading import Reading
from vorlage.text.tokenized import number_sentences
from vorlage.types import Bools, Floats, Ints, LongInts, Span

# The least probability of a source that is listed. Set by hand on 24 November 2026.
MIN_PROBABILITY = 0.1
# Cosines from here on count as likeness, which is full at the second one. Set by hand on 24 November 2026,
# before the models of support were fitted to what they give.
UNLIKE, ALIKE = 0.6, 0.95
# Words between two parts of one source: *chief officer* comes from *chief executive officer*. Set by hand.
MAX_BETWEEN = 2


class Stretch(NamedTuple):
    """A stretch of document words inside one sentence, and the probability that words come from it."""

    words: Span
    probability: float


def linked_words(links: Iterable[Link], text: Sequence[str], document: Sequence[str]) -> dict[int, set[int]]:
    """Return the document words that each word of the text is linked to, by the words of both sides."""
    linked: dict[int, set[int]] = {}
    for link in links:
        for t, j in link.cells(text, document):
            linked.setdefault(t, set()).add(j)
    return linked


def find_stretches(
    words: Sequence[int],
    sources: Columns,
    linked: Mapping[int, Set[int]],
    sentences: Ints,
    punctuation: Bools,
) -> list[Stretch]:
    """Return the stretches of the document that `words` of the text come from, the likeliest first.

    A stretch holds document words that the decoder linked to one of `words`, or whose posterior as a source
    of one is at least `MIN_PROBABILITY`, with at most `MAX_BETWEEN` others between them, inside one sentence.
    Its probability is the mean over `words` of the posteriors that they come from it. It is at least
    `MIN_PROBABILITY`, unless the decoder chose the stretch.

    Args:
        words: words of the text.
        sources: (T, n): the posteriors of each word of the text.
        linked: the document words that each word of the text is linked to.
        sentences: (n): the number of the sentence of each document word.
        punctuation: (n): the document words that are only between others.
    """
    chosen = {j for t in words for j in linked.get(t, ()) if not punctuation[j]}
    posteriors, positions = sources.values[list(words)], sources.positions
    likely = positions[(posteriors.max(axis=0) >= MIN_PROBABILITY) & ~punctuation[positions]]
    stretches = []
    for start, end in _runs(sorted(chosen.union(likely.tolist())), sentences):
        columns = slice(*np.searchsorted(positions, (start, end)))
        probability = float(posteriors[:, columns].sum(axis=1).mean())
        if probability >= MIN_PROBABILITY or not chosen.isdisjoint(range(start, end)):
            stretches.append(Stretch((start, end), probability))
    return sorted(stretches, key=lambda stretch: (-stretch.probability, stretch.words))


def _runs(places: Iterable[int], sentences: Ints) -> list[Span]:
    """Return the half-open runs of ascending `places` in one sentence, bridged over `MAX_BETWEEN` others."""
    runs: list[Span] = []
    for place in places:
        if runs and place - runs[-1][1] <= MAX_BETWEEN and sentences[place] == sentences[runs[-1][0]]:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def find_phrases(links: Iterable[Link], text: Ints, document: Ints) -> list[Span]:
    """Return the spans of text words that the links make, in order.

    Links that share a word of the text are one span, and so are links that continue one another on both sides
    inside one sentence. `text` (T) and `document` (n): the numbers of the sentences of the words.
    """
    phrases: list[Span] = []
    ends: list[int] = []  # of the document sides of the links that end where the last phrase ends
    for link in sorted(link for link in links if link.document):
        assert link.document
        (first, end), (start, stop) = link.summary, link.document
        last = phrases[-1][1] if phrases else 0
        continued = (
            first == last
            and start in ends
            and text[first] == text[first - 1]
            and document[start] == document[start - 1]
        )
        if first < last or continued:
            phrases[-1] = (phrases[-1][0], max(last, end))
        else:
            phrases.append((first, end))
        if end > last:
            ends = []
        if end >= last:
            ends.append(stop)
    return phrases


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
      many sentences hold count less;
    - `origins` (sentences of the text, S): the probability that a content word of a sentence comes from each
      document sentence, as the mean over its content words;
    - `nulls` (T): the probability that a word has no source;
    - `has_cosines`: whether `likeness` is of contextual vectors, not of stems.
    """

    places: list[LongInts]
    likeness: Floats
    by_sentence: Floats
    rarity: Floats
    absent: Bools
    copied: Ints
    scores: Floats
    origins: Floats
    nulls: Floats
    has_cosines: bool

    def null(self, words: Sequence[int]) -> float:
        """Return the mean probability that one of the words has no source."""
        return float(self.nulls[list(words)].mean())


def find_evidence(reading: Reading, pair: PosteriorAlignment) -> Evidence:
    """Return the evidence for each word of a text; `pair`: what the model finds in it and its document."""
    text, document, cosines = reading.text, reading.document, pair.cosine_columns
    sentence_of = number_sentences(document.tokenized.sentences)
    sentences = len(document.tokenized.sentences)
    stem_places = {
        stem: np.array(document.stem_places.get(stem, ()), dtype=np.int64) for stem in set(text.stems)
    }
    stem_sentences = {stem: np.unique(sentence_of[positions]) for stem, positions in stem_places.items()}
    places = [stem_places[stem] for stem in text.stems]
    holders = [stem_sentences[stem] for stem in text.stems]
    absent = np.array([len(positions) == 0 for positions in places])
    by_sentence = np.zeros((len(places), sentences))
    if cosines is None:
        for row, numbers in zip(by_sentence, holders, strict=True):
            row[numbers] = 1.0
    else:
        numbers, firsts = np.unique(sentence_of[cosines.positions], return_index=True)
        by_sentence[:, numbers] = np.maximum.reduceat(cosines.values, firsts, axis=1)
    clipped = np.clip((by_sentence - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
    rarity = np.log((sentences + 1) / (np.array([len(numbers) for numbers in holders]) + 0.5))
    weights = np.log((sentences + 1) / (clipped.sum(axis=1) + 0.5)) * np.array(text.content)
    starts = [first for first, _ in text.tokenized.sentences]
    scores = np.add.reduceat(weights[:, None] * clipped, starts, axis=0)
    if not reading.language:  # a translation has another stem
        absent &= np.array([not reading.links[t] for t in range(len(absent))])
    copied = _copied(places, len(document.tokenized.words))
    columns, origins = pair.source_columns, np.zeros((len(text.tokenized.sentences), sentences))
    for number, row in enumerate(origins):
        np.add.at(
            row, sentence_of[columns.positions], columns.values[text.content_words(number)].mean(axis=0)
        )
    words = places, by_sentence.max(axis=1), clipped, rarity, absent, copied
    return Evidence(*words, scores, origins, pair.null_posteriors, cosines is not None)


def _copied(places: Sequence[LongInts], words: int) -> Ints:
    """Return the length of the longest copied stretch that each word of a text is part of.

    `places`: where each word of the text is in the document of some `words`.
    """
    # For each place, the words of the stretch so far, up to and with it; then those of the whole stretch.
    lengths: list[Ints] = []
    row, last = np.zeros(words + 1, dtype=np.int32), np.empty(0, dtype=np.int64)
    for positions in places:  # row: by the place after
        lengths.append(row[positions] + 1)
        row[last + 1] = 0
        row[positions + 1], last = lengths[-1], positions
    row[last + 1], last = 0, last[:0]
    for copied, positions in zip(reversed(lengths), reversed(places), strict=True):  # row: by place
        copied[:] = np.where(row[positions + 1] > 0, row[positions + 1], copied)
        row[last] = 0
        row[positions], last = copied, positions
    return np.array([copied.max(initial=0) for copied in lengths], dtype=np.int32)
