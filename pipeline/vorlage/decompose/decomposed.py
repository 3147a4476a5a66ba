"""Decomposes summary sentences by the links of any system: sources, copied words, operations (Jing 2002)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vorlage.baselines.decomposition import find_sources
from vorlage.corpus.pair import Pair
from vorlage.decompose.generality import Generality
from vorlage.decompose.operations import LinkedSentence, find_operations, is_content_word
from vorlage.text.words import is_punctuation
from vorlage.types import Span


@dataclass(frozen=True)
class Decomposed:
    """What the links of a summary sentence say about how it was made.

    `number`: of the sentence in its summary, from 0. `words`: its words, without punctuation; `linked`:
    those with a link that post-editing leaves; `copied`: those linked to a document word that they equal
    up to stem. `operations`: see `vorlage.decompose.operations`.
    """

    number: int
    sentence: LinkedSentence
    words: int
    linked: int
    copied: int
    operations: tuple[str, ...]

    @property
    def is_cut_and_pasted(self) -> bool:
        """Whether more than half the words are borrowed from the document (the end of Section 2)."""
        return 2 * self.copied > self.words

    @property
    def sources(self) -> tuple[int, ...]:
        """The document sentences that the summary sentence was made from, ascending."""
        return tuple(self.sentence.sources)


def decompose(
    pair: Pair, cells: Iterable[tuple[int, int]], generality: Generality | None = None
) -> list[Decomposed]:
    """Return the decomposition of each sentence of a summary.

    `cells`: the word links (summary token, document token). `generality` tells generalization from
    paraphrase; it counts only if both texts are in English.
    """
    if (pair.summary.language, pair.document.language) != ("en", "en"):
        generality = None
    made: list[Decomposed] = []
    before = None
    links = sorted(cells)
    for number, span in enumerate(pair.summary.sentences):
        first, last = (bisect_left(links, (token, 0)) for token in span)
        sentence = post_edit(pair, span, links[first:last])
        words = [i for i in range(*span) if not is_punctuation(pair.summary.words[i])]
        made.append(
            Decomposed(
                number,
                sentence,
                len(words),
                sum(i in sentence.links for i in words),
                sum(sentence.is_copied(i) for i in words),
                find_operations(sentence, before, generality),
            )
        )
        before = before if sentence.main_source is None else sentence.main_source
    return made


def post_edit(pair: Pair, span: Span, cells: Sequence[tuple[int, int]]) -> LinkedSentence:
    """Return a summary sentence with its sources and the links into them, by `find_sources`.

    Args:
        pair: the pair of the sentence.
        span: the tokens of the sentence in the summary.
        cells: the word links (summary token, document token) of the sentence, ascending.
    """
    ends = [end for _, end in pair.document.sentences]
    sources = find_sources(
        (i, bisect_right(ends, j))
        for i, j in cells
        if is_content_word(pair.summary.words[i], pair.summary.language)
        and is_content_word(pair.document.words[j], pair.document.language)
    )
    links: dict[int, list[int]] = {}
    for i, j in cells:
        if bisect_right(ends, j) in sources:
            links.setdefault(i, []).append(j)
    return LinkedSentence(pair, span, links, sources)
