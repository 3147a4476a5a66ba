"""Sentence pairs for translation models: a summary sentence and the extract sentences it is most similar to.

As in Daumé & Marcu 2004 (Section 3.2) each summary sentence is paired with its three sentences of the
extract, here put in document order, and a pair of one word and itself is added for each word of the
vocabulary, so that a model knows identity for a good translation. Words are lower-cased.

Translation models have a longest sentence. A side that is longer is cut: document sentences are packed, most
similar first, into as many sides as it takes, a sentence that is too long itself into slices, and so is a
summary sentence. Nothing is left out.
"""

from typing import NamedTuple

import numpy as np

from pipeline.extract.extracts import read_extracted_pairs


class SentencePair(NamedTuple):
    """Token indices of one side each, over the whole summary and the whole document, ascending int arrays."""

    summary: np.ndarray
    document: np.ndarray


def sentence_pairs(pair, extract, longest):
    """The :class:`SentencePair` list of a pair, no side of more than ``longest`` words.

    Pairs of one summary word stand in the order in which they count: most similar document sentences first.
    """
    made = []
    for span, ranked in zip(pair.summary.sentences, extract.by_summary_sentence, strict=True):
        sides = _pack([np.arange(*pair.document.sentences[s]) for s in ranked], longest)
        for summary in _slices(np.arange(*span), longest):
            made += [SentencePair(summary, document) for document in sides]
    return made


def _pack(sentences, longest):
    """Sentences, most similar first, in as few sides as they fill in this order, each in document order."""
    sides, room = [], 0
    for sentence in sentences:
        for piece in _slices(sentence, longest):
            if len(piece) > room:
                sides.append([])
                room = longest
            sides[-1].append(piece)
            room -= len(piece)
    return [np.sort(np.concatenate(side)) for side in sides]


def _slices(positions, longest):
    return [positions[first : first + longest] for first in range(0, len(positions), longest)]


class Bitext(NamedTuple):
    """What a translation model is trained on.

    ``pairs``: (document words, summary words), lower-cased lists. ``sentences``: how many summary sentences
    they come from, ``sides``: how many pairs these make, more where some are cut.
    """

    pairs: list
    sentences: int
    sides: int


def make_bitext(corpus, extracts, longest):
    """The :class:`Bitext` of a corpus and its extracts, the pairs of identical words at its end."""
    pairs, vocabulary, sentences = [], {}, 0
    for pair, extract in read_extracted_pairs(corpus, extracts):
        document, summary = (
            [word.lower() for word in words] for words in (pair.document.words, pair.summary.words)
        )
        made = sentence_pairs(pair, extract, longest)
        sentences += len(pair.summary.sentences)
        for sides in made:
            pairs.append(([document[j] for j in sides.document], [summary[i] for i in sides.summary]))
            vocabulary.update(dict.fromkeys(pairs[-1][0] + pairs[-1][1]))
    return Bitext(pairs + [([word], [word]) for word in vocabulary], sentences, len(pairs))
