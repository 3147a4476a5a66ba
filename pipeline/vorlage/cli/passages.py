"""What the terminal shows of an alignment: where each sentence comes from, or the steps of the best path."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from vorlage.aligned import AlignedPair
from vorlage.alignments.alignment import Link
from vorlage.corpus.pair import Pair
from vorlage.semihmm.decode.derivation import Derivation
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.viewer.terminal import Passage, Place, ShownSentence, ShownSource, ShownTable, View


def derivation_view(derivation: Derivation) -> ShownTable:
    """Return what the terminal shows of a derivation, a row for each step."""
    rows = [
        (
            step["summary_text"] or "",
            step["document_text"] or ("∅" if step["summary"] else ""),
            f"{step['from']} → {step['to'] or '∅'}",
            f"{step['jump']:.2g}",
            step["kind"],
            f"{step['rewrite']:.2g}",
            f"{step['log_probability']:.2f}",
        )
        for step in derivation.to_json()["steps"]
    ]
    columns = ("summary", "document", "jump", "jump Pr", "rewrite", "rewrite Pr", "log Pr")
    note = f"log Pr of the path: {derivation.log_probability:.6f}"
    return ShownTable(derivation.pair.id, columns, rows, ("jump", "jump Pr", "rewrite Pr", "log Pr"), [note])


def aligned_view(aligned: AlignedPair) -> View:
    """Return what the terminal shows of an aligned summary.

    Phrase pairs that follow each other on both sides are one passage. A document sentence is a source of a
    summary sentence by the words that are linked to it, unless they are all stop words; the one with most
    words comes first. The probabilities of both are means over words.
    """
    pair, text, document = aligned.pair, aligned.pair.summary, aligned.pair.document
    links = sorted(aligned.alignment.links, key=lambda link: link.summary)
    ends = [end for _, end in document.sentences]
    sentences = []
    for first, end in text.sentences:
        inside = [link for link in links if first <= link.summary[0] < end]
        passages = [_passage(pair, run) for run in _runs(inside, ends, text.words)]
        posteriors: dict[int, list[float]] = defaultdict(list)
        for link in inside:
            words = text.words[slice(*link.summary)]
            if link.document and not all(is_stop_word(word, text.language) for word in words):
                posteriors[bisect_right(ends, link.document[0])] += _posteriors(link)
        sources = [
            ShownSource(Place("", document.characters(document.sentences[number])), number + 1, fmean(values))
            for number, values in sorted(posteriors.items(), key=lambda item: (-len(item[1]), item[0]))
        ]
        sentences.append(ShownSentence(text.characters((first, end)), sources, passages))
    return View(pair.id, text.raw, {"": document.raw}, sentences)


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
        spoken = [
            k for k, link in enumerate(run) if not all(map(is_punctuation, words[slice(*link.summary)]))
        ]
        if spoken:
            yield run[spoken[0] : spoken[-1] + 1]


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
    place = None
    if first.document and last.document:
        place = Place("", pair.document.characters((first.document[0], last.document[1])))
    return Passage(span, place, fmean(posterior for link in run for posterior in _posteriors(link)))


def _posteriors(link: Link) -> list[float]:
    """Return the posterior of a link for each of its summary words."""
    return [link.posterior or 0.0] * (link.summary[1] - link.summary[0])
