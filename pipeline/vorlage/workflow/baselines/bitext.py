"""Sentence pairs for translation models: each summary sentence with the most similar extract sentences.

As in Daumé & Marcu 2004 (Section 3.2) each summary sentence is paired with its three sentences of the
extract, here in document order, and each word of the vocabulary is added as a pair with itself, which teaches
a model that identity is a good translation. Words are lower-cased.

Translation models limit the length of a sentence. A longer side is cut: document sentences are packed, most
similar first, into as many sides as needed; a sentence that is too long by itself, of the document or the
summary, is cut into slices. Nothing is left out.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.types import LongInts, StrPath
from vorlage.workflow.baselines.system import WordLinks, to_links

# The document words and the summary words of a sentence pair.
SentenceWords: TypeAlias = tuple[list[str], list[str]]


class SentencePair(NamedTuple):
    """The token indices of both sides, over the whole summary and the whole document, in ascending order."""

    summary: LongInts
    document: LongInts


def sentence_pairs(pair: Pair, extract: Extract, longest: int) -> list[SentencePair]:
    """Return the sentence pairs of a pair, with at most `longest` words on a side.

    The pairs of one summary word are in order of their rank: most similar document sentences first.
    """
    pairs = []
    for span, ranked in zip(pair.summary.sentences, extract.by_summary_sentence, strict=True):
        sides = _pack([np.arange(*pair.document.sentences[s]) for s in ranked], longest)
        for summary in _slices(np.arange(*span), longest):
            pairs += [SentencePair(summary, document) for document in sides]
    return pairs


def _pack(sentences: Iterable[LongInts], longest: int) -> list[LongInts]:
    """Pack sentences in their order into as few sides as they fill; each side is in document order."""
    sides: list[list[LongInts]] = []
    free = 0
    for sentence in sentences:
        for piece in _slices(sentence, longest):
            if len(piece) > free:
                sides.append([])
                free = longest
            sides[-1].append(piece)
            free -= len(piece)
    return [np.sort(np.concatenate(side)) for side in sides]


def _slices(positions: LongInts, longest: int) -> list[LongInts]:
    return [positions[first : first + longest] for first in range(0, len(positions), longest)]


def make_bitext(corpus: StrPath, extracts: StrPath, longest: int) -> list[SentenceWords]:
    """Return the training data of a translation model: lower-cased words, pairs of identical ones last."""
    pairs: list[SentenceWords] = []
    for pair, extract in read_extracted_pairs(corpus, extracts):
        document, summary = lower_words(pair)
        for sides in sentence_pairs(pair, extract, longest):
            pairs.append(([document[j] for j in sides.document], [summary[i] for i in sides.summary]))
    vocabulary = dict.fromkeys(word for sides in pairs for side in sides for word in side)
    return pairs + [([word], [word]) for word in vocabulary]


def align_bitext(
    pair: Pair,
    extract: Extract,
    longest: int,
    source: str,
    align: Callable[[SentencePair], Iterable[tuple[int, int]]],
) -> list[Link]:
    """Return the links of a pair, made from those of its sentence pairs.

    Args:
        pair: the pair.
        extract: its extract.
        longest: the maximum number of words on a side of a sentence pair.
        source: with the summary as source (`sum`) a summary word may have any number of links; with the
            document as source (`doc`) it has at most one, that of the first sentence pair with one.
        align: returns the links (document word, summary word) of a sentence pair, by the places in its sides.
    """
    word_links: WordLinks = {}
    for sides in sentence_pairs(pair, extract, longest):
        added: WordLinks = {}
        for j, i in align(sides):
            added.setdefault(int(sides.summary[i]), []).append(int(sides.document[j]))
        for i, positions in added.items():
            if source == "sum":
                word_links[i] = word_links.get(i, []) + positions
            else:
                word_links.setdefault(i, positions)
    return to_links(word_links, len(pair.summary.words))


def lower_words(pair: Pair) -> SentenceWords:
    """Return the lower-cased words of the document and of the summary."""
    return [word.lower() for word in pair.document.words], [word.lower() for word in pair.summary.words]
