"""Turns posteriors or the best path into the links that are written.

Both decoders give links in positions of the extract, with posteriors from forward–backward, and account for
every summary word: a word without a link gets a null link. ``places`` are the longer phrase pairs (t, k, j,
l), see :class:`~pipeline.semihmm.kernels.arguments.KernelInputs`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pipeline.alignments import Link, word_pairs
from pipeline.semihmm.kernels.phrase_table import SAME_STEM, UNLIKE
from pipeline.types import Bytes, Floats, Ints, LongInts

Cells: TypeAlias = tuple[LongInts, LongInts]


@dataclass(frozen=True)
class Posteriors:
    """What forward–backward tells about one pair.

    ``links`` (T, n): posterior of every link of a summary word and a document word, by any phrase pair, and
    ``words`` (T, n): of every pair of one-word phrases; ``nulls`` (T): of the null state at every summary
    word; ``places`` (m, 4) and ``phrases`` (m): the longer phrase pairs and their posteriors; ``kinds`` (m):
    UNLIKE, SAME_STEM or IDENTICAL; ``adjusted``: whether the posteriors of the links differ from the sums
    over these phrase pairs.
    """

    links: Floats
    words: Floats
    nulls: Floats
    places: Ints
    phrases: Floats
    kinds: Bytes
    adjusted: bool = False

    @classmethod
    def of(cls, words: Floats, nulls: Floats, places: Ints, phrases: Floats, kinds: Bytes) -> "Posteriors":
        """Return the posteriors of one model, where those of links are sums over the phrase pairs that cover
        them.

        A phrase pair that is equal, or equal up to stem, covers its diagonal, any other phrase pair all its
        word pairs.
        """
        links = words.copy()
        for place, posterior, kind in zip(places, phrases, kinds, strict=True):
            links[cells(place, kind)] += posterior
        return cls(links, words, nulls, places, phrases, kinds)

    def agree(self, reverse: "Posteriors") -> "Posteriors":
        """Return these posteriors combined with those of the model of the other direction, whose sides are
        swapped.

        A summary word is null if neither direction has a source for it; in the other direction that is the
        probability that its links leave.
        """
        without = np.clip(1.0 - reverse.links.sum(axis=0), 0.0, 1.0)
        places = zip(reverse.places.tolist(), reverse.phrases.tolist(), strict=True)
        swapped = {(j, span, t, k): posterior for (t, k, j, span), posterior in places}
        phrases = np.array([swapped.get(tuple(place), 0.0) for place in self.places.tolist()])
        return replace(
            self,
            links=agreed(self.links, reverse.links.T),
            words=agreed(self.words, reverse.words.T),
            nulls=agreed(self.nulls, without),
            phrases=agreed(self.phrases, phrases),
            adjusted=True,
        )

    def among_neighbours(self, phrase_support: float, diagonal_discount: float) -> "Posteriors":
        """Return the posteriors with links adjusted by :func:`among_neighbours`, unchanged if both settings
        are 0.
        """
        if not (phrase_support or diagonal_discount):
            return self
        links = among_neighbours(self.links, phrase_support, diagonal_discount)
        return replace(self, links=links, adjusted=True)

    def written(self, number: int) -> float:
        """Return the posterior that a longer phrase pair, known by its number, is written with.

        It is its own as long as links are sums over phrase pairs, and otherwise the smallest posterior of its
        links: each direction cuts the same words into phrases in its own way, so that their agreement on a
        phrase pair is below their agreement on its links.
        """
        if not self.adjusted:
            return float(self.phrases[number])
        return float(self.links[cells(self.places[number], self.kinds[number])].min())


def cells(place: Ints, kind: int) -> Cells:
    """Return the links that a phrase pair (t, k, j, l) covers, as an index of an array (T, n)."""
    t, k, j, span = place.tolist()
    summary, document = zip(*word_pairs((t, t + k), (j, j + span), diagonal=kind != UNLIKE), strict=True)
    return np.array(summary), np.array(document)


def agreed(posteriors: Floats, others: Floats) -> Floats:
    """Combine two posteriors of each link: ((√p + √q) / 2)², halfway between arithmetic and geometric mean.

    Where both directions agree, the posterior stays; a link that only one of them has keeps a quarter (half
    by the arithmetic mean, nothing by the product of Liang, Taskar & Klein 2006).
    """
    return ((np.sqrt(np.maximum(posteriors, 0.0)) + np.sqrt(np.maximum(others, 0.0))) / 2.0) ** 2


def among_neighbours(links: Floats, phrase_support: float, diagonal_discount: float) -> Floats:
    """Adjust the posteriors of links (T, n) by the links around them: p^(1 − a·s + b·d).

    a is ``phrase_support``, and s the support of a link by a neighbour that may belong to the same phrase:
    the posterior of the link of one of its words to the neighbour of the other, reduced by the best other
    link of that other word. b is ``diagonal_discount``, and d the posterior of the link before or after it on
    the diagonal, reduced by other links of either word and by support: the jumps of both directions prefer
    the next word, and for a link that nothing else supports they are the same evidence counted twice.
    Posteriors of 0 and 1 do not change. ``docs/experiments.md`` has how often links of either kind are right.
    """
    taken = _others(links.T).T, _others(links)  # by other links of the document word, and of the summary word
    around = np.pad(links, 1)
    left, right, above, below = around[1:-1, :-2], around[1:-1, 2:], around[:-2, 1:-1], around[2:, 1:-1]
    support = np.maximum(
        np.maximum(left, right) * (1.0 - taken[0]),
        np.maximum(above, below) * (1.0 - taken[1]),
    )
    diagonal = np.maximum(around[:-2, :-2], around[2:, 2:]) * (1.0 - taken[0]) * (1.0 - taken[1])
    adjusted: Floats = links ** (
        1.0 - phrase_support * support + diagonal_discount * diagonal * (1.0 - support)
    )
    return adjusted


def _others(links: Floats) -> Floats:
    """Return for each cell the largest value of the other cells in its row."""
    best = links.argmax(axis=1, keepdims=True)
    rest = links.copy()
    np.put_along_axis(rest, best, 0.0, axis=1)
    others = np.repeat(links.max(axis=1, keepdims=True), links.shape[1], axis=1)
    np.put_along_axis(others, best, rest.max(axis=1, keepdims=True), axis=1)
    return others


def decode_posterior(posteriors: Posteriors, threshold: float) -> list[Link]:
    """Return the links above ``threshold``: whole phrase pairs first, then single links.

    A phrase pair must be above it by its own posterior and by the one that it is written with. A phrase pair
    that is equal only up to stem is written as the links of its words.
    """
    chosen = []
    links = posteriors.links
    held = np.zeros(links.shape, dtype=bool)
    whole = (posteriors.phrases > threshold) & (posteriors.kinds != SAME_STEM)
    for number in np.flatnonzero(whole).tolist():
        t, k, j, span = posteriors.places[number].tolist()
        written = posteriors.written(number)
        if written > threshold:
            chosen.append(Link((t, t + k), (j, j + span), written))
            held[t : t + k, j : j + span] = True
    for t, j in np.argwhere((links > threshold) & ~held).tolist():
        chosen.append(Link((t, t + 1), (j, j + 1), float(links[t, j])))
    return _with_nulls(chosen, posteriors.nulls)


def decode_viterbi(posteriors: Posteriors, steps: Ints) -> list[Link]:
    """Return the phrase pairs of the best path.

    ``steps``: (t, k, j, l) as :func:`pipeline.semihmm.kernels.viterbi.viterbi` returns them.
    """
    numbers = {tuple(place): number for number, place in enumerate(posteriors.places.tolist())}
    chosen = []
    for t, k, j, span in steps.tolist():
        if j < 0:
            continue
        single = k * span == 1
        posterior = float(posteriors.words[t, j]) if single else posteriors.written(numbers[t, k, j, span])
        chosen.append(Link((t, t + k), (j, j + span), posterior))
    return _with_nulls(chosen, posteriors.nulls)


def find_candidates(posteriors: Posteriors, links: Iterable[Link], least: float) -> list[Link]:
    """Return the word links with a posterior of at least ``least`` that no phrase pair of ``links`` covers.

    The decoder has left them out; with them a reader can move the threshold.
    """
    left = posteriors.links.copy()
    for link in links:
        if link.document:
            left[slice(*link.summary), slice(*link.document)] = 0.0
    return [Link((t, t + 1), (j, j + 1), float(left[t, j])) for t, j in np.argwhere(left >= least).tolist()]


def _with_nulls(links: list[Link], nulls: Floats) -> list[Link]:
    linked = {t for link in links for t in range(*link.summary)}
    links = links + [Link((t, t + 1), None, float(p)) for t, p in enumerate(nulls) if t not in linked]
    return sorted(links, key=lambda link: (link.summary, link.document or (-1, -1)))
