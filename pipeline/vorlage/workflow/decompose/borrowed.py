"""The phrases of a summary sentence and their places in the document, as in Figure 3 of Jing (2002)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vorlage.alignments.alignment import Link
from vorlage.types import Span
from vorlage.workflow.decompose.operations import SentenceDecomposition

NOWHERE = -1  # the document sentence of a phrase that does not come from the document


class BorrowedPhrase(NamedTuple):
    """A phrase of a summary sentence: its tokens, those of the document that it comes from, their sentence.

    `document` is None and `source` NOWHERE for words that the writer added.
    """

    summary: Span
    document: Span | None
    source: int

    def continues(self, phrase: "BorrowedPhrase") -> bool:
        """Return whether it comes from where `phrase`, which precedes it, ends; both may be from nowhere."""
        if not (self.document and phrase.document):
            return self.source == phrase.source
        return self.source == phrase.source and self.document[0] == phrase.document[1]


def borrowed_phrases(sentence: SentenceDecomposition, links: Iterable[Link]) -> list[BorrowedPhrase]:
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


def _clip(link: Link, token: int, end: int, numbers: Sequence[int]) -> BorrowedPhrase:
    """Return the part of a link from a summary token on, up to the `end` of the summary sentence.

    A link of as many words on both sides is clipped on both.
    """
    assert link.document is not None
    (first, last), (start, stop) = link.summary, link.document
    if last - first == stop - start:
        start, stop = start + token - first, stop - max(last - end, 0)
    return BorrowedPhrase((token, min(last, end)), (start, stop), numbers[start])
