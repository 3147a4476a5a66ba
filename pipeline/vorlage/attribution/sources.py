"""Finds the stretches of a document that words of a text come from, by their posteriors.

Words are numbered over the whole text and the whole document. `sources` (T, n) are the posteriors of
`vorlage.semihmm.decode.posteriors.Posteriors`: the probability that a word of the text comes from a word of
the document, for those that were aligned.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Columns, Link
from vorlage.types import Bools, Floats, Ints, Span

# The least probability of a source that is listed.
MIN_PROBABILITY = 0.1
# Words between two parts of one source: *chief officer* comes from *chief executive officer*.
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


def sentence_probabilities(words: Sequence[int], sources: Columns, sentences: Ints) -> Floats:
    """Return for each document sentence the mean probability that one of `words` comes from it.

    `sentences` (n): the number of the sentence of each document word.
    """
    probabilities = np.zeros(int(sentences[-1]) + 1)
    np.add.at(probabilities, sentences[sources.positions], sources.values[list(words)].mean(axis=0))
    return probabilities


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
