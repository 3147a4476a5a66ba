"""From posteriors or the best path to the links that are written.

Both decoders give links in extract positions, with posteriors from forward–backward, and account for
every summary word: one that no link holds is a null link. ``places`` are the longer phrase pairs,
(t, k, j, l), see :mod:`pipeline.semihmm.kernels`.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.alignments import Link
from pipeline.semihmm.entries import SAME_STEM, UNLIKE


@dataclass(frozen=True)
class Posteriors:
    """What forward–backward says of one pair.

    ``links`` (T, n): posterior of every link of a summary word and a document word, by whatever phrase pair,
    and ``words`` (T, n): of every pair of phrases of one word; ``nulls`` (T): of the null state at every
    summary word; ``places`` (m, 4) and ``phrases`` (m): the longer phrase pairs and their posteriors;
    ``kinds`` (m): whether the two sides are equal, equal up to stem, or neither; ``written`` (m): the
    posteriors that phrase pairs are written with.
    """

    links: np.ndarray
    words: np.ndarray
    nulls: np.ndarray
    places: np.ndarray
    phrases: np.ndarray
    kinds: np.ndarray
    written: np.ndarray

    @classmethod
    def of(cls, words, nulls, places, phrases, kinds):
        """The posteriors of one model: those of links are sums over the phrase pairs that cover them.

        A phrase pair made word by word (equal, or equal up to stem) covers its diagonal, any other all its
        word pairs.
        """
        links = words.copy()
        for place, posterior, kind in zip(places, phrases, kinds, strict=True):
            links[cells(place, kind)] += posterior
        return cls(links, words, nulls, places, phrases, kinds, phrases)

    def agree(self, reverse):
        """These posteriors put together with those of the model of the other direction, ``reverse``.

        Its sides are swapped. A summary word is null where neither direction has a source for it: in the
        other one that is what its links leave. A phrase pair is written with the least posterior of the links
        that it stands for, since the two directions cut the same words into phrases each in its own way.
        """
        without = np.clip(1.0 - reverse.links.sum(axis=0), 0.0, 1.0)
        places = zip(reverse.places.tolist(), reverse.phrases.tolist(), strict=True)
        there = {(j, span, t, k): posterior for (t, k, j, span), posterior in places}
        phrases = np.array([there.get(tuple(place), 0.0) for place in self.places.tolist()])
        links = agreed(self.links, reverse.links.T)
        return replace(
            self,
            links=links,
            words=agreed(self.words, reverse.words.T),
            nulls=agreed(self.nulls, without),
            phrases=agreed(self.phrases, phrases),
            written=self._least(links),
        )

    def among_neighbours(self, phrase_support, diagonal_discount):
        """These posteriors, links by :func:`among_neighbours`, phrase pairs written with the least of theirs.

        The same object where both settings are 0.
        """
        if not (phrase_support or diagonal_discount):
            return self
        links = among_neighbours(self.links, phrase_support, diagonal_discount)
        return replace(self, links=links, written=self._least(links))

    def _least(self, links):
        """For each longer phrase pair, the least posterior of the links that it stands for."""
        places = zip(self.places.tolist(), self.kinds.tolist(), strict=True)
        return np.array([links[cells(place, kind)].min() for place, kind in places])


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
    others = np.zeros(links.shape)
    if links.shape[1] > 1:
        best = links.argmax(axis=1, keepdims=True)
        others[:] = np.take_along_axis(links, best, axis=1)
        np.put_along_axis(others, best, np.partition(links, -2, axis=1)[:, -2:-1], axis=1)
    return others


def decode_posterior(posteriors, threshold):
    """Keep what is more probable than ``threshold``: whole phrase pairs first, then single links.

    A phrase pair must be so as such and by the posterior that it is written with. One equal only up to stem
    is written as the links of its words.
    """
    found = []
    links = posteriors.links
    held = np.zeros(links.shape, dtype=bool)
    for (t, k, j, span), posterior, kind, written in zip(
        posteriors.places, posteriors.phrases, posteriors.kinds, posteriors.written, strict=True
    ):
        if min(posterior, written) > threshold and kind != SAME_STEM:
            found.append(Link((int(t), int(t + k)), (int(j), int(j + span)), float(written)))
            held[t : t + k, j : j + span] = True
    for t, j in np.argwhere((links > threshold) & ~held).tolist():
        found.append(Link((t, t + 1), (j, j + 1), float(links[t, j])))
    return _with_nulls(found, posteriors.nulls)


def decode_viterbi(posteriors, steps):
    """The phrase pairs of the best path; ``steps``: (t, k, j, l) as :func:`kernels.viterbi` gives them."""
    by_place = {
        tuple(place): float(p)
        for place, p in zip(posteriors.places.tolist(), posteriors.written, strict=True)
    }
    found = []
    for t, k, j, span in steps.tolist():
        if j < 0:
            continue
        posterior = by_place.get((t, k, j, span)) if k * span > 1 else float(posteriors.words[t, j])
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
