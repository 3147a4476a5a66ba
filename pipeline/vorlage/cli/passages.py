"""What the terminal shows of a text: its sentences, where each comes from, and what has no source."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from vorlage.aligned import AlignedPair
from vorlage.alignments.alignment import Link
from vorlage.corpus.pair import Pair
from vorlage.text.words import is_stop_word
from vorlage.types import JsonObject, Span


class Place(NamedTuple):
    """A half-open span of characters in the document `name`, which is empty if there is one document."""

    name: str
    span: Span


class Passage(NamedTuple):
    """A span of the text with its source, or None, and the probability that this is right.

    `like`: a place in the document that says something else.
    """

    span: Span
    source: Place | None
    probability: float
    like: Place | None = None


class ShownSource(NamedTuple):
    """A sentence of a document that a sentence of the text comes from; `number` counts from 1."""

    place: Place
    number: int
    probability: float


class ShownSentence(NamedTuple):
    """A sentence of the text: its span, its sources, the best first, and its passages in order."""

    span: Span
    sources: list[ShownSource]
    passages: list[Passage]


class View(NamedTuple):
    """A text, the documents by name (empty for a single one), and the sentences of the text."""

    text: str
    documents: Mapping[str, str]
    sentences: Sequence[ShownSentence]


def aligned_view(aligned: AlignedPair) -> View:
    """Return what the terminal shows of an aligned summary.

    Phrase pairs that follow each other on both sides are one passage. A document sentence is a source of a
    summary sentence by the words that are linked to it. The probabilities of both are means over words.
    """
    pair = aligned.pair
    links = sorted(aligned.alignment.links, key=lambda link: link.summary)
    ends = [end for _, end in pair.document.sentences]
    sentences = []
    for first, end in pair.summary.sentences:
        inside = [link for link in links if first <= link.summary[0] < end]
        span = pair.summary.characters((first, end))
        passages = [_passage(pair, run) for run in _runs(inside, ends, pair.summary.words)]
        sentences.append(ShownSentence(span, _sources(pair, inside, ends), passages))
    return View(pair.summary.raw, {"": pair.document.raw}, sentences)


def _runs(links: Sequence[Link], ends: Sequence[int], words: Sequence[str]) -> Iterator[list[Link]]:
    """Yield the links in runs that follow each other on both sides, within a document sentence.

    Punctuation at the ends of a run is left out.
    """
    runs: list[list[Link]] = []
    for link in links:
        if runs and _follows(runs[-1][-1], link, ends):
            runs[-1].append(link)
        else:
            runs.append([link])
    for run in runs:
        spoken = [k for k, link in enumerate(run) if _has_letters(words[slice(*link.summary)])]
        if spoken:
            yield run[spoken[0] : spoken[-1] + 1]


def _has_letters(words: Sequence[str]) -> bool:
    return any(character.isalnum() for character in "".join(words))


def _follows(link: Link, other: Link, ends: Sequence[int]) -> bool:
    if link.summary[1] != other.summary[0]:
        return False
    if link.document is None or other.document is None:
        return link.document is other.document
    (_, end), (start, _) = link.document, other.document
    return end == start and bisect_right(ends, end - 1) == bisect_right(ends, start)


def _passage(pair: Pair, run: Sequence[Link]) -> Passage:
    first, last = run[0], run[-1]
    span = pair.summary.characters((first.summary[0], last.summary[1]))
    probability = fmean(posterior for link in run for posterior in _posteriors(link))
    if first.document is None or last.document is None:
        return Passage(span, None, probability)
    place = Place("", pair.document.characters((first.document[0], last.document[1])))
    return Passage(span, place, probability)


def _sources(pair: Pair, links: Sequence[Link], ends: Sequence[int]) -> list[ShownSource]:
    """Return the document sentences of links, the one with most words first; stop words alone are none."""
    posteriors: dict[int, list[float]] = defaultdict(list)
    for link in links:
        words = pair.summary.words[slice(*link.summary)]
        if link.document and not all(is_stop_word(word, pair.summary.language) for word in words):
            posteriors[bisect_right(ends, link.document[0])] += _posteriors(link)
    ranked = sorted(posteriors.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        ShownSource(
            Place("", pair.document.characters(pair.document.sentences[number])),
            number + 1,
            fmean(values),
        )
        for number, values in ranked
    ]


def _posteriors(link: Link) -> list[float]:
    """Return the posterior of a link for each of its summary words."""
    return [link.posterior or 0.0] * (link.summary[1] - link.summary[0])


def attributed_sentences(found: JsonObject) -> list[ShownSentence]:
    """Return the sentences of the object that `model.attribute` makes."""
    passages = [*_attributed(found["spans"]), *map(_unsupported, found["unsupported"])]
    passages.sort(key=lambda passage: passage.span)
    return [
        ShownSentence(
            (start, end),
            [
                ShownSource(_place(source), source["sentence"] + 1, source["probability"])
                for source in entry["sources"]
            ],
            [passage for passage in passages if start <= passage.span[0] < end],
        )
        for entry in found["sentences"]
        for start, end in [entry["text"]]
    ]


def _attributed(spans: Iterable[JsonObject]) -> Iterator[Passage]:
    """Yield the spans that have a source, each with its likeliest."""
    for span in spans:
        for source in span["sources"][:1]:
            yield Passage(tuple(span["text"]), _place(source), source["probability"])


def _unsupported(span: JsonObject) -> Passage:
    like = _place(span) if "document" in span else None
    return Passage(tuple(span["text"]), None, span["null"], like)


def _place(record: JsonObject) -> Place:
    return Place(record.get("name", ""), tuple(record["document"]))
