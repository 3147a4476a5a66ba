"""The six revision operations (Jing 2002, Section 2), as far as the links of a summary sentence show them.

A wrong or missing link may show an operation that did not happen, or hide one that did. Each function says
what of the definition of the paper links cannot show. *Content words* are words that are not on the stop
list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vorlage.corpus.pair import Pair
from vorlage.decompose.generality import Generality
from vorlage.text.words import is_punctuation, is_stop_word, stem
from vorlage.types import Span

# The operations in the order of the paper; what a sentence shows is in this order.
OPERATIONS = ("reduction", "combination", "transformation", "paraphrase", "generalization", "reordering")


@dataclass(frozen=True)
class Decomposed:
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

    def reworded(self) -> list[int]:
        """Return the linked content words of the summary that equal no word of their source up to stem."""
        return [token for token in self.links if self.is_content(token) and not self.is_copied(token)]


def is_content_word(word: str, language: str) -> bool:
    """Return whether a token has a letter or a digit and is not a stop word."""
    return not is_punctuation(word) and not is_stop_word(word, language)


def is_reduction(sentence: Decomposed) -> bool:
    """Return whether a source has content words that no word of the summary sentence is linked to.

    Sentence reduction, item 1: nonessential phrases are removed from a sentence. Removed stop words do not
    count, since links of stop words are the least certain; Figure 5 ignores determiners too.
    """
    linked = {j for positions in sentence.links.values() for j in positions}
    document = sentence.pair.document
    return any(
        j not in linked and is_content_word(document.words[j], document.language)
        for source in sentence.sources
        for j in range(*document.sentences[source])
    )


def is_combination(sentence: Decomposed) -> bool:
    """Return whether the summary sentence has several sources.

    Sentence combination, item 2: material from a few sentences is merged into a single sentence.
    """
    return len(sentence.sources) > 1


def is_transformation(sentence: Decomposed) -> bool:
    """Return whether two content words from the same source have changed their order.

    Syntactic transformation, item 3, and the rule behind P3 in Section 3.2: words come from the same sentence
    but change their relative order, as when a subject moves from the end to the front. A change of structure
    that keeps the order of the words, as in the example of item 3, cannot be seen in links. Words with
    several links into the source count as changed only if no choice of links keeps the order.
    """
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


def is_paraphrase(sentence: Decomposed, generality: Generality | None) -> bool:
    """Return whether a content word is linked to other words alone, none more general or more specific.

    Lexical paraphrasing, item 4: phrases are replaced with their paraphrases. Words that are equal up to stem
    are not paraphrases. Without `generality` every such word counts.
    """
    return any(not _is_generalized(sentence, token, generality) for token in sentence.reworded())


def is_generalization(sentence: Decomposed, generality: Generality | None) -> bool:
    """Return whether a content word is linked to a word that WordNet has above or below it.

    Generalization or specification, item 5: phrases or clauses are replaced with more general (specific)
    descriptions. Only single words are compared, so the examples of item 5, which are longer descriptions,
    cannot be seen. Without `generality` it is False.
    """
    return any(_is_generalized(sentence, token, generality) for token in sentence.reworded())


def is_reordering(sentence: Decomposed, last_source: int | None) -> bool:
    """Return whether the main source precedes `last_source`, that of the previous summary sentence with one.

    Reordering, item 6: the order of extracted sentences is changed with respect to the original.
    """
    main = sentence.main_source
    return main is not None and last_source is not None and main < last_source


def find_operations(
    sentence: Decomposed, last_source: int | None, generality: Generality | None
) -> tuple[str, ...]:
    """Return the `OPERATIONS` that the links of a sentence show, in their order; none without sources.

    Args:
        sentence: the sentence.
        last_source: the main source of the last summary sentence before it that has one, or None.
        generality: tells generalization from paraphrase; None for languages other than English.
    """
    if not sentence.sources:
        return ()
    shown = (
        is_reduction(sentence),
        is_combination(sentence),
        is_transformation(sentence),
        is_paraphrase(sentence, generality),
        is_generalization(sentence, generality),
        is_reordering(sentence, last_source),
    )
    return tuple(name for name, is_shown in zip(OPERATIONS, shown, strict=True) if is_shown)


def _is_generalized(sentence: Decomposed, token: int, generality: Generality | None) -> bool:
    if generality is None:
        return False
    word, document = sentence.pair.summary.words[token], sentence.pair.document.words
    return any(generality.differ(word, document[j]) for j in sentence.links[token])
