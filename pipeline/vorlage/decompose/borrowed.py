"""The phrases of a summary sentence and their places in the document, as in Figure 3 of Jing (2002).

Sentences with such phrases are examples of reduction and combination to train summarizers on (Section 5.1).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vorlage.alignments.alignment import Alignment, Link, soft_links
from vorlage.corpus.pair import Pair
from vorlage.decompose.operations import Decomposed, Generality, decompose
from vorlage.text.tokenized import Text
from vorlage.text.words import is_punctuation
from vorlage.types import JsonObject, Span

NOWHERE = -1  # the document sentence of a phrase that does not come from the document


class BorrowedPhrase(NamedTuple):
    """A phrase of a summary sentence: its tokens, those of the document that it comes from, their sentence.

    `document` is None and `source` NOWHERE for words that the writer added.
    """

    summary: Span
    document: Span | None
    source: int

    def place(self, token: int) -> int | None:
        """Return the document token that a summary token of the phrase comes from, None for an added one.

        The last document token repeats where the summary side is the longer one.
        """
        if self.document is None:
            return None
        return min(self.document[0] + token - self.summary[0], self.document[1] - 1)

    def continues(self, phrase: "BorrowedPhrase") -> bool:
        """Return whether it comes from where `phrase`, which precedes it, ends; both may be from nowhere."""
        if not (self.document and phrase.document):
            return self.source == phrase.source
        return self.source == phrase.source and self.document[0] == phrase.document[1]


def borrowed_phrases(sentence: Decomposed, links: Iterable[Link]) -> list[BorrowedPhrase]:
    """Return the phrases of a summary sentence from left to right; they cover all of its tokens.

    Words from adjacent positions of a source are one phrase (Section 3.5), and so are neighbouring words
    from nowhere. A word with several links takes the one that continues the previous phrase, else the
    longest, else the first in the document.

    Args:
        sentence: the sentence.
        links: those of the pair; only links into sources of the sentence count.
    """
    numbers = sentence.pair.document.sentence_numbers
    covering: dict[int, list[Link]] = {}
    for link in links:
        if link.document and numbers[link.document[0]] in sentence.sources:
            for token in range(*link.summary):
                covering.setdefault(token, []).append(link)
    phrases: list[BorrowedPhrase] = []
    token, end = sentence.span
    while token < end:
        candidates = [_clip(link, token, end, numbers) for link in covering.get(token, ())]
        candidates = candidates or [BorrowedPhrase((token, token + 1), None, NOWHERE)]
        following = [phrase for phrase in candidates if phrases and phrase.continues(phrases[-1])]
        phrase = min(following or candidates, key=lambda phrase: (-phrase.summary[1], phrase.document or ()))
        token = phrase.summary[1]
        if following:
            last = phrases.pop()
            document = last.document and phrase.document and (last.document[0], phrase.document[1])
            phrase = BorrowedPhrase((last.summary[0], token), document, last.source)
        phrases.append(phrase)
    return phrases


def has_words(words: Sequence[str], span: Span) -> bool:
    """Return whether the tokens `span` of a text are more than punctuation."""
    return not all(is_punctuation(word) for word in words[slice(*span)])


def _clip(link: Link, token: int, end: int, numbers: Sequence[int]) -> BorrowedPhrase:
    """Return the part of a link from a summary token on, up to the `end` of the summary sentence.

    A link of as many words on both sides is clipped on both.
    """
    assert link.document is not None
    (first, last), (start, stop) = link.summary, link.document
    if last - first == stop - start:
        start, stop = start + token - first, stop - max(last - end, 0)
    return BorrowedPhrase((token, min(last, end)), (start, stop), numbers[start])


EXAMPLES = ("reductions", "combinations")


def make_examples(
    kind: str, alignment: Alignment, pair: Pair, generality: Generality | None
) -> Iterator[JsonObject]:
    """Yield an object for each summary sentence that is an example of `kind`, one of `EXAMPLES`.

    Section 3.5: a reduction was made by removing phrases from a single document sentence, a combination by
    merging several. Only sentences that were cut and pasted count. Each has the `summary` sentence and its
    number, its `sources`, the `operations` and the share of `copied` words, and its `phrases` as in
    Figure 3, each with the part of the source that it comes from, or null.
    """
    cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
    for sentence in decompose(pair, cells, generality):
        if not (sentence.is_cut_and_pasted and _is_example(kind, sentence)):
            continue
        phrases = [
            phrase
            for phrase in borrowed_phrases(sentence, alignment.links)
            if has_words(pair.summary.words, phrase.summary)
        ]
        yield {
            "id": pair.id,
            "sentence": sentence.number,
            "summary": text_of(pair.summary, sentence.span),
            "sources": [
                {"sentence": source, "text": text_of(pair.document, pair.document.sentences[source])}
                for source in sentence.sources
            ],
            "operations": sentence.operations,
            "copied": round(sentence.copied / len(sentence.words), 6),
            "phrases": [
                {
                    "summary": text_of(pair.summary, phrase.summary),
                    "document": phrase.document and text_of(pair.document, phrase.document),
                    "sentence": None if phrase.source == NOWHERE else phrase.source,
                }
                for phrase in phrases
            ],
        }


def text_of(text: Text, span: Span) -> str:
    """Return the characters of a span of tokens, as they are in the text."""
    return text.raw[slice(*text.characters(span))]


def _is_example(kind: str, sentence: Decomposed) -> bool:
    if kind == "combinations":
        return len(sentence.sources) > 1
    return len(sentence.sources) == 1 and "reduction" in sentence.operations
