"""Takes links from posteriors or from the best path, and finds the gaps between them.

Both decoders give links in positions of the extract, with posteriors from forward–backward, and account for
every summary word: a word without a link gets a null link.

A phrase that was rewritten as a whole often has no word pair that is probable by itself, as in *for the time
being* and *so far*. If the words on both sides of two phrases are linked, the phrases are probably one pair:
a gap.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Link
from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm.constants import COVERED, LONGEST_GAP
from vorlage.semihmm.decode.posteriors import Cell, Posteriors
from vorlage.semihmm.pairs import PairSet
from vorlage.semihmm.table import SAME_STEM, UNLIKE
from vorlage.text.tokenized import Text
from vorlage.types import Bools, Floats, Ints, Span


def decode_posterior(
    posteriors: Posteriors,
    threshold: float,
    gaps: Iterable[Sequence[int]] = (),
    gap_threshold: float = 1.0,
) -> list[Link]:
    """Return the links above `threshold`: whole phrase pairs first, then single links.

    A phrase pair must be above it by its own posterior and by those of its links. A phrase pair that is equal
    only up to stem is written as the links of its words, and one inside another is not written.

    Args:
        posteriors: those of the pair.
        threshold: what a posterior must exceed.
        gaps: (t, k, j, l) each, see `find_gaps`.
        gap_threshold: the same for links in `gaps`, which are one phrase pair if all exceed it.
    """
    chosen: list[Link] = []
    links = posteriors.links.above(min(threshold, gap_threshold))
    above, held = {cell for cell, posterior in links.items() if posterior > threshold}, set[Cell]()
    whole = np.flatnonzero((posteriors.phrases > threshold) & (posteriors.kinds != SAME_STEM))
    sizes = posteriors.places[whole, 1] * posteriors.places[whole, 3]
    for number in whole[np.argsort(-sizes, kind="stable")].tolist():
        t, k, j, span = posteriors.places[number].tolist()
        cells = set(product(range(t, t + k), range(j, j + span)))
        covered = {(a, b) for a, b in cells if a - t == b - j or posteriors.kinds[number] == UNLIKE}
        if not cells <= held and covered <= above:
            chosen.append(Link((t, t + k), (j, j + span), posteriors.written(number)))
            held |= cells
    for t, k, j, span in gaps:
        cells = set(product(range(t, t + k), range(j, j + span)))
        above |= {cell for cell in cells if links.get(cell, 0.0) > gap_threshold}
        if cells <= above and k * span > 1 and held.isdisjoint(cells):
            posterior = posteriors.sources[t : t + k, j : j + span].sum(axis=1).min()
            chosen.append(Link((t, t + k), (j, j + span), float(posterior)))
            held |= cells
    for t, j in sorted(above - held):
        written = float(posteriors.sources[t, j]) if posteriors.words is None else links[t, j]
        chosen.append(Link((t, t + 1), (j, j + 1), written))
    return _add_null_links(chosen, posteriors.nulls)


def decode_viterbi(posteriors: Posteriors, steps: Ints) -> list[Link]:
    """Return the phrase pairs of the best path.

    Args:
        posteriors: those of the pair.
        steps: (t, k, j, l) each, as `vorlage.semihmm.kernels.viterbi.viterbi` returns them.
    """
    numbers = {tuple(place): number for number, place in enumerate(posteriors.places.tolist())}
    words = posteriors.sources if posteriors.words is None else posteriors.words
    chosen = []
    for t, k, j, span in steps.tolist():
        if span == 0:
            continue
        single = k * span == 1
        posterior = float(words[t, j]) if single else posteriors.written(numbers[t, k, j, span])
        chosen.append(Link((t, t + k), (j, j + span), posterior))
    return _add_null_links(chosen, posteriors.nulls)


def find_candidates(posteriors: Posteriors, links: Iterable[Link], threshold: float) -> list[Link]:
    """Return the word links with a posterior of at least `threshold` that no phrase pair of `links` covers.

    The decoder has left them out; with them a reader can move the threshold.
    """
    covered = {
        cell
        for link in links
        if link.document
        for cell in product(range(*link.summary), range(*link.document))
    }
    left = posteriors.written_words(threshold).items()
    return [Link((t, t + 1), (j, j + 1), posterior) for (t, j), posterior in left if (t, j) not in covered]


def join_copies(links: Iterable[Link], summary: Text, document: Text) -> list[Link]:
    """Return links with those of equal words joined that continue each other, up to the ends of sentences.

    `links`: in positions of the whole `document`. A joined link has the smallest posterior of its parts.
    """
    starts = {first for first, _ in summary.sentences}, {first for first, _ in document.sentences}
    joined: list[Link] = []
    latest: dict[int, int] = {}  # distance of both sides → the number of the last copied link at it
    for link in sorted(links, key=_place):
        words = [word.lower() for word in summary.words[slice(*link.summary)]]
        if link.document and words == [word.lower() for word in document.words[slice(*link.document)]]:
            first, start = link.summary[0], link.document[0]
            number = latest.setdefault(start - first, len(joined))
            inside = first not in starts[0] and start not in starts[1]
            if number < len(joined) and inside and first <= joined[number].summary[1]:
                begun, end = joined[number], max(joined[number].summary[1], link.summary[1])
                posterior = min(begun.posterior or 0.0, link.posterior or 0.0)
                place = (begun.summary[0], end), (begun.summary[0] + start - first, end + start - first)
                joined[number] = Link(*place, posterior)
                continue
            latest[start - first] = len(joined)
        joined.append(link)
    return sorted(joined, key=_place)


def _place(link: Link) -> tuple[Span, Span]:
    """Return what links are sorted by."""
    return link.summary, link.document or (-1, -1)


def in_document(link: Link, positions: Ints) -> Link:
    """Return a link with its document side in positions of the document, not of the extract."""
    if link.document is None:
        return link
    first = int(positions[link.document[0]])
    return link._replace(document=(first, first + link.document[1] - link.document[0]))


def _add_null_links(links: list[Link], nulls: Floats) -> list[Link]:
    """Return the links, sorted, with one to nothing for each summary word that has none."""
    linked = {t for link in links for t in range(*link.summary)}
    links = links + [Link((t, t + 1), None, float(p)) for t, p in enumerate(nulls) if t not in linked]
    return sorted(links, key=_place)


class GapSide(NamedTuple):
    """The words of a side: the sentence of each, a number of its stem, and whether it is punctuation."""

    sentences: Ints
    stems: Ints
    punctuation: Bools

    @classmethod
    def of(cls, pairs: PairSet, words: Ints, sentences: Ints) -> "GapSide":
        """Return a side of a pair of a set."""
        return cls(sentences, pairs.stems[words], pairs.punctuation[words])


@inner_kernel
def _longest_gap(side: GapSide, before: int) -> int:
    """Return how many words a gap after the word `before` may have.

    None of them is punctuation, and the word after it is in the same sentence.
    """
    size = 0
    for after in range(before + 2, min(before + LONGEST_GAP + 2, side.stems.shape[0])):
        if side.punctuation[after - 1] or side.sentences[after] != side.sentences[before]:
            break
        size += 1
    return size


@exact_kernel
def find_gaps(rows: Ints, columns: Ints, summary: GapSide, document: GapSide) -> Ints:
    """Return the gaps (m, 4), (t, k, j, l) each, between links, the largest ones first.

    A gap is a phrase pair directly between two links, with at most `LONGEST_GAP` words on each side, without
    punctuation and inside one sentence of each text. Its words have no links to other words (it is
    consistent, Och & Ney 2004) and none to equal ones, and the share `COVERED` of the words of its document
    sentence is linked: if fewer are, most of the other words were left out, not rewritten.

    `rows`, `columns`: of the links, in order.
    """
    T, n = summary.stems.shape[0], document.stems.shape[0]
    chosen, of_summary, of_document = np.zeros((T, n), np.bool_), np.zeros(T, np.int64), np.zeros(n, np.int64)
    for m in range(rows.shape[0]):
        chosen[rows[m], columns[m]] = True
        of_summary[rows[m]] += 1
        of_document[columns[m]] += 1
    counts = np.zeros((document.sentences[-1] + 1, 2))
    for j in range(n):
        if not document.punctuation[j]:
            counts[document.sentences[j], 0] += 1
            counts[document.sentences[j], 1] += of_document[j] > 0
    found = [(0, 0, 0, 0)]
    found.clear()
    for m in range(rows.shape[0]):
        t, j = rows[m], columns[m]
        words, linked = counts[document.sentences[j]]
        if linked < COVERED * words:
            continue
        for k in range(1, _longest_gap(summary, t) + 1):
            for span in range(1, _longest_gap(document, j) + 1):
                if not chosen[t + k + 1, j + span + 1]:
                    continue
                inside, same = 0, False
                for a in range(t + 1, t + k + 1):
                    for b in range(j + 1, j + span + 1):
                        inside += chosen[a, b]
                        same |= chosen[a, b] and summary.stems[a] == document.stems[b]
                uses = of_summary[t + 1 : t + k + 1].sum(), of_document[j + 1 : j + span + 1].sum()
                if not same and uses[0] == inside and uses[1] == inside:
                    found.append((t + 1, k, j + 1, span))
    gaps, count = np.empty((len(found), 4), np.int32), 0
    for size in range(LONGEST_GAP * LONGEST_GAP, 0, -1):
        for t, k, j, span in found:
            if k * span == size:
                gaps[count] = t, k, j, span
                count += 1
    return gaps
