"""Finds the stretches of a summary: which part of a sentence comes from which part of the document.

Links say which words were reused. Readers also ask where a part of a sentence came from, with the words that
were replaced, added or reordered in it. A stretch answers that and no more: its words are not links.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.text.words import is_stop_word
from vorlage.types import Span

MAX_BETWEEN = 4  # document words between two places of one stretch
# The document words that a summary word is linked to, with the posterior of each link.
Places: TypeAlias = Mapping[int, float | None]


def find_stretches(links: Iterable[Link], pair: Pair) -> list[Link]:
    """Return the stretches of a summary, in order, as pairs of a summary span and a document span.

    A content word without a link has the places of the nearest content word of its sentence that has one, the
    earlier of two. Content words that follow each other in a sentence are one stretch if they have places in
    one document sentence with at most `MAX_BETWEEN` words between. The document span holds these places. The
    posterior of a stretch is the mean over its content words of the posterior that they come from it, 0 for a
    word without a link; it is None for links without posteriors.
    """
    summary, document = pair.summary, pair.document
    places: dict[int, dict[int, float | None]] = {}
    for link in links:
        for t, j in link.cells(summary.words, document.words):
            places.setdefault(t, {})[j] = link.posterior
    numbers = document.sentence_numbers
    stretches = []
    for first, end in summary.sentences:
        content = [t for t in range(first, end) if not is_stop_word(summary.words[t], summary.language)]
        linked = [t for t in content if t in places]
        spans: list[tuple[list[int], Span]] = []  # the content words and the source of each stretch
        for t in content if linked else ():
            sources = places[min(linked, key=lambda other: abs(other - t))]
            if spans and (span := _widen(spans[-1][1], sources, numbers)):
                spans[-1] = [*spans[-1][0], t], span
            else:
                start = min(sources)
                spans.append(([t], _widen((start, start + 1), sources, numbers) or (start, start + 1)))
        stretches += [_stretch(words, span, places) for words, span in spans]
    return stretches


def _widen(span: Span, places: Places, numbers: list[int]) -> Span | None:
    """Return a span widened by nearby places in its sentence and by those near them, None if none is near.

    `numbers`: the number of the sentence of each document word.
    """
    sentence, widened = numbers[span[0]], False
    left = {j for j in places if numbers[j] == sentence}
    while near := {j for j in left if span[0] - MAX_BETWEEN <= j + 1 and j <= span[1] + MAX_BETWEEN}:
        span, widened = (min(span[0], *near), max(span[1], max(near) + 1)), True
        left -= near
    return span if widened else None


def _stretch(words: list[int], span: Span, places: Mapping[int, Places]) -> Link:
    posteriors = [
        posterior for t in words for j, posterior in places.get(t, {}).items() if span[0] <= j < span[1]
    ]
    known = [posterior for posterior in posteriors if posterior is not None]
    posterior = min(sum(known) / len(words), 1.0) if len(known) == len(posteriors) else None
    return Link((words[0], words[-1] + 1), span, posterior)
