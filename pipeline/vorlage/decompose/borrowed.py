"""The phrases of a summary sentence and their places in the document, as in Figure 3 of Jing (2002)."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vorlage.alignments.alignment import Link
from vorlage.decompose.decomposed import Decomposed
from vorlage.text.words import is_punctuation
from vorlage.types import Span

NOWHERE = -1  # the document sentence of a phrase that does not come from the document


class Phrase(NamedTuple):
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


def borrowed_phrases(decomposed: Decomposed, links: Iterable[Link]) -> list[Phrase]:
    """Return the phrases of a summary sentence from left to right; they cover all of its tokens.

    `links`: those of the pair. Only links into source sentences count. Words from adjacent positions of
    a source are one phrase (Section 3.5), and so are neighbouring words from nowhere. A word with
    several links takes the one that continues the phrase before it, else the longest, else the first in the
    document.
    """
    sentence = decomposed.sentence
    ends = [end for _, end in sentence.pair.document.sentences]
    covering: dict[int, list[Link]] = {}
    for link in links:
        if link.document and bisect_right(ends, link.document[0]) in sentence.sources:
            for token in range(*link.summary):
                covering.setdefault(token, []).append(link)
    phrases: list[Phrase] = []
    token, end = sentence.span
    while token < end:
        found = [_clip(link, token, end, ends) for link in covering.get(token, ())]
        before = phrases[-1] if phrases else None
        chosen = min(
            found or [Phrase((token, token + 1), None, NOWHERE)],
            key=lambda phrase: (not _continues(before, phrase), -phrase.summary[1], phrase.document or ()),
        )
        if before and _continues(before, chosen):
            document = before.document and chosen.document and (before.document[0], chosen.document[1])
            phrases[-1] = Phrase((before.summary[0], chosen.summary[1]), document, before.source)
        else:
            phrases.append(chosen)
        token = chosen.summary[1]
    return phrases


def has_words(words: Sequence[str], span: Span) -> bool:
    """Return whether the tokens `span` of a text are more than punctuation."""
    return not all(is_punctuation(word) for word in words[slice(*span)])


def _clip(link: Link, token: int, end: int, ends: Sequence[int]) -> Phrase:
    """Return the part of a link from a summary token on, up to the `end` of the summary sentence.

    A link of as many words on both sides is clipped on both.
    """
    assert link.document is not None
    (first, last), (start, stop) = link.summary, link.document
    if last - first == stop - start:
        start, stop = start + token - first, stop - max(last - end, 0)
    return Phrase((token, min(last, end)), (start, stop), bisect_right(ends, start))


def _continues(before: Phrase | None, phrase: Phrase) -> bool:
    """Return whether a phrase comes from where the phrase before it ends; both may be from nowhere."""
    if before is None or before.source != phrase.source:
        return False
    if before.document is None or phrase.document is None:
        return True
    return before.document[1] == phrase.document[0]
