"""Decomposes summary sentences by their links: sources, copied words and revision operations (Jing 2002).

The six operations of Section 2 show in links as follows; *content words* are words that are not on the stop
list. A wrong or missing link may show an operation that did not happen, or hide one that did.

- Reduction: a source has content words that no word of the summary sentence is linked to. Removed stop words
  do not count, since their links are the least certain; Figure 5 ignores determiners too.
- Combination: the sentence has several sources.
- Transformation: two content words from the same source have changed their order (the rule behind P3 in
  Section 3.2). Words with several links into it count only if no choice of links keeps the order. A change of
  structure that keeps the order of the words, as in the example of the paper, cannot be seen.
- Paraphrase: a content word is linked to other words alone, none of which is equal up to stem, more general
  or more specific.
- Generalization or specification: a content word is linked to a word that WordNet has above or below it. Only
  single words are compared, so the longer descriptions of the paper's examples cannot be seen.
- Reordering: the main source precedes that of the previous summary sentence with one.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from vorlage.documents.pair import Pair
from vorlage.text.wordnet import WordNet
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_punctuation, is_stop_word, stem
from vorlage.types import Span
from vorlage.workflow.baselines.decomposition import find_sources

PARTS_OF_SPEECH = ("n", "v")  # those with hypernyms
CACHE_SIZE = 1 << 16  # words whose senses, and senses whose ancestors, are kept in memory
# The operations in the order of the paper; what a sentence shows is in this order.
OPERATIONS = ("reduction", "combination", "transformation", "paraphrase", "generalization", "reordering")


class Hypernymy:
    """Tells whether one of two words is a hypernym of the other, that is, more general.

    A word stands for its most frequent sense as a noun and its most frequent one as a verb. The synsets above
    a sense are its hypernyms and the classes of an instance, theirs, and so on. Closed-class words and
    auxiliaries have no senses here.
    """

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._first = lru_cache(CACHE_SIZE)(self._look_up)
        self._above = lru_cache(CACHE_SIZE)(self._climb)

    def connects(self, word: str, other: str) -> bool:
        """Return whether the sense of one word is above that of the other, as nouns or as verbs."""
        return any(
            (first in self._above(second) or second in self._above(first))
            for first, second in zip(self._first(word.lower()), self._first(other.lower()), strict=True)
            if first is not None and second is not None
        )

    def _look_up(self, word: str) -> list[int | None]:
        """Return the first sense of a lower-case word for each of `PARTS_OF_SPEECH`, or None."""
        if word in CLOSED_CLASS or word in AUXILIARIES:
            return [None] * len(PARTS_OF_SPEECH)
        return [next(iter(self._wordnet.senses(word, part)), None) for part in PARTS_OF_SPEECH]

    def _climb(self, synset: int) -> frozenset[int]:
        """Return all synsets above a synset, without itself."""
        reached: set[int] = set()
        ahead = [synset]
        while ahead:
            above = {parent for child in ahead for parent, _ in self._wordnet.above(child, True)} - reached
            reached |= above
            ahead = sorted(above)
        return frozenset(reached)


@dataclass(frozen=True)
class SentenceDecomposition:
    """What the links of a summary sentence say about how it was made.

    `number`: of the sentence in its summary, from 0; `span`: its tokens, half-open. `links`: for each of its
    tokens with a link that post-editing leaves, the document tokens that it is linked to, ascending; both
    ascend from the beginning of the text. `sources`: for each document sentence that it was made from, in the
    order of the document, how many of its content words are linked into that sentence. `operations`: the
    `OPERATIONS` that the links show.
    """

    pair: Pair
    number: int
    span: Span
    links: Mapping[int, Sequence[int]]
    sources: Mapping[int, int]
    operations: tuple[str, ...] = ()

    @cached_property
    def words(self) -> list[int]:
        """The tokens of the sentence without punctuation."""
        return [i for i in range(*self.span) if not is_punctuation(self.pair.summary.words[i])]

    @cached_property
    def copied(self) -> int:
        """The number of words that are linked to a document word that they equal up to stem."""
        return sum(map(self.is_copied, self.words))

    @property
    def is_cut_and_pasted(self) -> bool:
        """Whether more than half the words are borrowed from the document (the end of Section 2)."""
        return 2 * self.copied > len(self.words)

    @property
    def main_source(self) -> int | None:
        """The document sentence that gives most content words, of several the first; None without any."""
        return max(self.sources, key=lambda source: (self.sources[source], -source), default=None)

    def is_content(self, token: int) -> bool:
        """Return whether a summary token is a content word."""
        return is_content_word(self.pair.summary.words[token], self.pair.summary.language)

    def is_copied(self, token: int) -> bool:
        """Return whether a summary token is linked to a document word that it equals up to stem."""
        summary, document = self.pair.summary, self.pair.document
        word = stem(summary.words[token], summary.language)
        return any(stem(document.words[j], document.language) == word for j in self.links.get(token, ()))


def is_content_word(word: str, language: str) -> bool:
    """Return whether a token has a letter or a digit and is not a stop word."""
    return not is_punctuation(word) and not is_stop_word(word, language)


def decompose(
    pair: Pair, cells: Iterable[tuple[int, int]], hypernymy: Hypernymy | None = None
) -> list[SentenceDecomposition]:
    """Return the decomposition of each sentence of a summary, by the links of any system.

    Links into document sentences that `find_sources` leaves out are cancelled.

    Args:
        pair: the pair.
        cells: its word links (summary token, document token).
        hypernymy: tells generalization from paraphrase; it counts only if both texts are in English.
    """
    summary, document = pair.summary, pair.document
    if (summary.language, document.language) != ("en", "en"):
        hypernymy = None
    sorted_cells = sorted(cells)
    sentences: list[SentenceDecomposition] = []
    last_source = None
    for number, span in enumerate(summary.sentences):
        first, end = (bisect_left(sorted_cells, (token, 0)) for token in span)
        sources = find_sources(pair, sorted_cells[first:end])
        links: dict[int, list[int]] = {}
        for i, j in sorted_cells[first:end]:
            if document.sentence_numbers[j] in sources:
                links.setdefault(i, []).append(j)
        sentence = SentenceDecomposition(pair, number, span, links, sources)
        operations = _find_operations(sentence, last_source, hypernymy) if sources else ()
        sentences.append(replace(sentence, operations=operations))
        last_source = sentence.main_source if sources else last_source
    return sentences


def _find_operations(
    sentence: SentenceDecomposition, last_source: int | None, hypernymy: Hypernymy | None
) -> tuple[str, ...]:
    """Return the operations of a sentence with sources; `last_source`: that of the last of them before it."""
    summary, document = sentence.pair.summary.words, sentence.pair.document.words
    reworded = [  # whether each such word is more general or more specific than a word that it is linked to
        hypernymy is not None and any(hypernymy.connects(summary[token], document[j]) for j in linked)
        for token, linked in sentence.links.items()
        if sentence.is_content(token) and not sentence.is_copied(token)
    ]
    main = sentence.main_source
    shown = {
        "reduction": _is_reduction(sentence),
        "combination": len(sentence.sources) > 1,
        "transformation": _is_transformation(sentence),
        "paraphrase": not all(reworded),
        "generalization": any(reworded),
        "reordering": main is not None and last_source is not None and main < last_source,
    }
    return tuple(name for name in OPERATIONS if shown[name])


def _is_reduction(sentence: SentenceDecomposition) -> bool:
    linked = {j for positions in sentence.links.values() for j in positions}
    document = sentence.pair.document
    return any(
        j not in linked and is_content_word(document.words[j], document.language)
        for source in sentence.sources
        for j in range(*document.sentences[source])
    )


def _is_transformation(sentence: SentenceDecomposition) -> bool:
    for source in sentence.sources:
        start, end = sentence.pair.document.sentences[source]
        latest_first = start - 1
        for token, positions in sentence.links.items():
            inside = [j for j in positions if start <= j < end]
            if not inside or not sentence.is_content(token):
                continue
            if inside[-1] < latest_first:
                return True
            latest_first = max(latest_first, inside[0])
    return False
