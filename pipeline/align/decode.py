"""From posteriors or the best path to the links that are written.

Both decoders give links in extract positions, with posteriors from forward–backward, and account for
every summary word: one that no link holds is a null link. ``places`` are the longer phrase pairs,
(t, k, j, l), see :mod:`pipeline.semihmm.kernels.forward_backward`.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.alignments import Link
from pipeline.semihmm.phrases.table import SAME_STEM, UNLIKE


@dataclass(frozen=True)
class Posteriors:
    """What forward–backward says of one pair.

    ``links`` (T, n): posterior of every link of a summary word and a document word, by whatever phrase pair,
    and ``words`` (T, n): of every pair of phrases of one word; ``nulls`` (T): of the null state at every
    summary word; ``places`` (m, 4) and ``phrases`` (m): the longer phrase pairs and their posteriors;
    ``kinds`` (m): whether the two sides are equal, equal up to stem, or neither; ``apart``: whether the links
    have posteriors that are no longer sums over these phrase pairs.
    """

    links: np.ndarray
    words: np.ndarray
    nulls: np.ndarray
    places: np.ndarray
    phrases: np.ndarray
    kinds: np.ndarray
    apart: bool = False

    @classmethod
    def of(cls, words, nulls, places, phrases, kinds):
        """The posteriors of one model: those of links are sums over the phrase pairs that cover them.

        A phrase pair made word by word (equal, or equal up to stem) covers its diagonal, any other all its
        word pairs.
        """
        links = words.copy()
        for place, posterior, kind in zip(places, phrases, kinds, strict=True):
            links[cells(place, kind)] += posterior
        return cls(links, words, nulls, places, phrases, kinds)

    def agree(self, reverse):
        """These posteriors put together with those of the model of the other direction, ``reverse``.

        Its sides are swapped. A summary word is null where neither direction has a source for it: in the
        other one that is what its links leave.
        """
        without = np.clip(1.0 - reverse.links.sum(axis=0), 0.0, 1.0)
        places = zip(reverse.places.tolist(), reverse.phrases.tolist(), strict=True)
        there = {(j, span, t, k): posterior for (t, k, j, span), posterior in places}
        phrases = np.array([there.get(tuple(place), 0.0) for place in self.places.tolist()])
        return replace(
            self,
            links=agreed(self.links, reverse.links.T),
            words=agreed(self.words, reverse.words.T),
            nulls=agreed(self.nulls, without),
            phrases=agreed(self.phrases, phrases),
            apart=True,
        )

    def among_neighbours(self, phrase_support, diagonal_discount):
        """These with links by :func:`among_neighbours`; the same object where both settings are 0."""
        if not (phrase_support or diagonal_discount):
            return self
        links = among_neighbours(self.links, phrase_support, diagonal_discount)
        return replace(self, links=links, apart=True)

    def written(self, number):
        """The posterior that a longer phrase pair, known by its number, is written with.

        Its own, as long as links are sums over phrase pairs. Else the least posterior of the links that it
        stands for: each direction cuts the same words into phrases in its own way, so that what both say of a
        phrase pair is less than what they say of its links.
        """
        if not self.apart:
            return float(self.phrases[number])
        return float(self.links[cells(self.places[number], self.kinds[number])].min())


def cells(place, kind):
    """The links that a phrase pair (t, k, j, l) stands for, as an index of an array (T, n)."""
    t, k, j, span = place
    if kind == UNLIKE:
        return slice(t, t + k), slice(j, j + span)
    return np.arange(t, t + k), np.arange(j, j + k)


def agreed(one, other):
    """Two posteriors of the same link made one: ((√p + √q) / 2)², halfway between their two means.

    Where both directions agree it is what they say; of a link that only one of them has, a quarter is left
    (by the arithmetic mean half, by the product of Liang, Taskar & Klein (2006) nothing).
    """
    return ((np.sqrt(np.maximum(one, 0.0)) + np.sqrt(np.maximum(other, 0.0))) / 2.0) ** 2


def among_neighbours(links, phrase_support, diagonal_discount):
    """Posteriors of links (T, n), each made larger or smaller by those around it: p^(1 − a·s + b·d).

    a is ``phrase_support``, and s the support of a link that may belong to the phrase of another: the
    posterior of the link of one of its words to the neighbour of the other, as far as that other word has no
    better link. b is ``diagonal_discount``, and d the posterior of the link before or after it on the
    diagonal, as far as neither word has another link and there is no support: the jumps of both directions
    want the next word, and of a link that nothing else speaks for they say the same thing twice. Posteriors
    of 0 and 1 stay what they are. How often links of either kind are right is in ``docs/experiments.md``.
    """
    taken = _others(links.T).T, _others(links)  # of the document word, and of the summary word
    around = np.pad(links, 1)
    left, right, above, below = around[1:-1, :-2], around[1:-1, 2:], around[:-2, 1:-1], around[2:, 1:-1]
    support = np.maximum(
        np.maximum(left, right) * (1.0 - taken[0]),
        np.maximum(above, below) * (1.0 - taken[1]),
    )
    diagonal = np.maximum(around[:-2, :-2], around[2:, 2:]) * (1.0 - taken[0]) * (1.0 - taken[1])
    return links ** (1.0 - phrase_support * support + diagonal_discount * diagonal * (1.0 - support))


def _others(links):
    """For each cell the largest value of the others in its row."""
    best = links.argmax(axis=1, keepdims=True)
    rest = links.copy()
    np.put_along_axis(rest, best, 0.0, axis=1)
    others = np.repeat(links.max(axis=1, keepdims=True), links.shape[1], axis=1)
    np.put_along_axis(others, best, rest.max(axis=1, keepdims=True), axis=1)
    return others


def decode_posterior(posteriors, threshold):
    """Keep what is more probable than ``threshold``: whole phrase pairs first, then single links.

    A phrase pair must be so as such and by the posterior that it is written with. One equal only up to stem
    is written as the links of its words.
    """
    found = []
    links = posteriors.links
    held = np.zeros(links.shape, dtype=bool)
    for number in np.flatnonzero((posteriors.phrases > threshold) & (posteriors.kinds != SAME_STEM)):
        t, k, j, span = posteriors.places[number].tolist()
        written = posteriors.written(number)
        if written > threshold:
            found.append(Link((t, t + k), (j, j + span), written))
            held[t : t + k, j : j + span] = True
    for t, j in np.argwhere((links > threshold) & ~held).tolist():
        found.append(Link((t, t + 1), (j, j + 1), float(links[t, j])))
    return _with_nulls(found, posteriors.nulls)


def decode_viterbi(posteriors, steps):
    """The phrase pairs of the best path; ``steps``: (t, k, j, l) as :func:`kernels.viterbi` gives them."""
    numbers = {tuple(place): number for number, place in enumerate(posteriors.places.tolist())}
    found = []
    for t, k, j, span in steps.tolist():
        if j < 0:
            continue
        single = k * span == 1
        posterior = float(posteriors.words[t, j]) if single else posteriors.written(numbers[t, k, j, span])
        found.append(Link((t, t + k), (j, j + span), posterior))
    return _with_nulls(found, posteriors.nulls)


def candidates(posteriors, links, least):
    """The word links of at least the posterior ``least`` that no phrase pair of ``links`` covers, in order.

    What the decoder has left out but could have been: with them a reader can move the threshold.
    """
    found = posteriors.links.copy()
    for link in links:
        if link.document:
            found[slice(*link.summary), slice(*link.document)] = 0.0
    return [Link((t, t + 1), (j, j + 1), float(found[t, j])) for t, j in np.argwhere(found >= least).tolist()]


def _with_nulls(links, nulls):
    linked = {t for link in links for t in range(*link.summary)}
    links = links + [Link((t, t + 1), None, float(p)) for t, p in enumerate(nulls) if t not in linked]
    return sorted(links, key=lambda link: (link.summary, link.document or (-1, -1)))
