"""What forward–backward tells about a pair, and how it is adjusted before links are taken from it.

Positions are those of the extract. `places` are the longer phrase pairs (t, k, j, l), see
`vorlage.semihmm.kernels.arguments.KernelInputs`.
"""

from dataclasses import dataclass, replace

import numpy as np

from vorlage.semihmm.kernels.links import add_phrases, adjust
from vorlage.semihmm.kernels.phrase_table import UNLIKE
from vorlage.types import Bytes, Floats, Ints, LongInts

# How much less a neighbour counts for the null posterior of a word with every word farther, and the farthest.
DECAY = 0.7
REACH = 15
# Sources of a summary word with a smaller sum are none.
SMALLEST = 1e-300


@dataclass(frozen=True)
class Posteriors:
    """The posteriors of one pair.

    `links` (T, n): posterior of every link of a summary word and a document word, by any phrase pair, and
    `words` (T, n): of every pair of one-word phrases, by one direction; `sources` (T, n) and `nulls` (T): the
    probability that a summary word comes from a document word, and that it has no source, which sum to 1 for
    every summary word; `places` (m, 4) and `phrases` (m): the longer phrase pairs and their posteriors;
    `kinds` (m): UNLIKE, SAME_STEM or IDENTICAL; `adjusted`: whether the posteriors of the links or the
    sources differ from the sums over these phrase pairs.
    """

    links: Floats
    words: Floats
    sources: Floats
    nulls: Floats
    places: Ints
    phrases: Floats
    kinds: Bytes
    adjusted: bool = False

    @classmethod
    def of(
        cls,
        words: Floats,
        nulls: Floats,
        places: Ints,
        phrases: Floats,
        kinds: Bytes,
        sourceless: Floats | float = 0.0,
    ) -> "Posteriors":
        """Return the posteriors of one model, where those of links are sums over the phrase pairs that cover
        them.

        A phrase pair that is equal, or equal up to stem, covers its diagonal, any other phrase pair all its
        word pairs; as a source, its document words share its posterior. `sourceless` (T, n): the part of
        `words` that has no source.
        """
        links = words.copy() if len(places) else words
        sources = words - sourceless
        nulls = nulls + np.broadcast_to(sourceless, words.shape).sum(axis=1)
        add_phrases(links, sources, places, phrases, kinds)
        return cls(links, words, sources, nulls, places, phrases, kinds, bool(np.any(sourceless)))

    def combine(self, reverse: "Posteriors") -> "Posteriors":
        """Return these posteriors combined with those of the model of the other direction, whose sides are
        swapped.

        A summary word is null if neither direction has a source for it. In the other direction, in which
        several document words may come from one summary word, that is the probability that the likeliest of
        them does not. Its sources have the geometric mean of both directions, scaled to what null leaves.
        """
        without = 1.0 - np.clip(reverse.sources.max(axis=0), 0.0, 1.0)
        own, swapped = _numbers(self.places), _numbers(reverse.places[:, [2, 3, 0, 1]])
        order = np.argsort(swapped)
        phrases = np.zeros(len(own))
        if len(order):
            at = order[np.minimum(np.searchsorted(swapped[order], own), len(order) - 1)]
            phrases = np.where(swapped[at] == own, reverse.phrases[at], 0.0)
        sources = np.maximum(self.sources, 0.0)
        sources *= np.maximum(reverse.sources.T, 0.0)
        return replace(
            self,
            links=mean_of_directions(self.links, reverse.links.T),
            sources=np.sqrt(sources, out=sources),
            phrases=mean_of_directions(self.phrases, phrases),
        )._scaled_to(mean_of_directions(self.nulls, without))

    def adjust_links(self, phrase_support: float, diagonal_discount: float) -> "Posteriors":
        """Return the posteriors with each link p adjusted by the links around it: p^(1 − a·s + b·d).

        a is `phrase_support`, and s the support of a link by a neighbour that may belong to the same phrase:
        the posterior of the link of one of its words to the neighbour of the other, reduced by the best other
        link of that other word. b is `diagonal_discount`, and d the posterior of the link before or after it
        on the diagonal, reduced by other links of either word and by support: the jumps of both directions
        prefer the next word, and for a link that nothing else supports they are the same evidence counted
        twice. Posteriors of 0 and 1 do not change. `docs/results/trials.tsv` has how often links of either
        kind are right.
        """
        if not (phrase_support or diagonal_discount):
            return self
        links, (height, width) = np.empty_like(self.links), self.links.shape
        around, of_row, of_column = (
            np.zeros((height + 2, width + 2)),
            np.zeros((height, 2)),
            np.zeros((width, 2)),
        )
        around[1:-1, 1:-1] = self.links
        adjust(around, of_row, of_column, phrase_support, diagonal_discount, links)
        return replace(self, links=links, adjusted=True)

    def smooth_nulls(self, stretch_support: float, information: Floats) -> "Posteriors":
        """Return the posteriors with the null posterior of each word mixed with those around it.

        Support is a property of stretches of text: a word whose neighbours have no source is less likely to
        have one. `stretch_support`: the share of the mean over the neighbours, 0 leaves all unchanged. A
        word at distance x counts by `DECAY`^x and by its `information` (T), −log of its frequency.
        """
        if not stretch_support:
            return self
        around = DECAY ** np.abs(np.arange(-REACH, REACH + 1))
        length = len(self.nulls)
        sums = [
            np.convolve(x, around)[REACH : REACH + length] for x in (self.nulls * information, information)
        ]
        # If all words around a word are one word, the only one of all summaries, none of them counts.
        means = np.divide(sums[0], sums[1], out=self.nulls.copy(), where=sums[1] > 0)
        return self._scaled_to((1.0 - stretch_support) * self.nulls + stretch_support * means)

    def _scaled_to(self, nulls: Floats) -> "Posteriors":
        """Return the posteriors with other `nulls`, and the sources scaled to what they leave."""
        totals = self.sources.sum(axis=1)
        # A rounded sum may be above 1, and the scale of numbers near 0 may be more than float64 holds.
        has, nulls = totals > SMALLEST, np.minimum(nulls, 1.0)
        scale = np.divide(1.0 - nulls, totals, out=np.zeros_like(nulls), where=has)
        nulls = np.where(has, nulls, 1.0)
        return replace(self, sources=self.sources * scale[:, None], nulls=nulls, adjusted=True)

    def written(self, number: int) -> float:
        """Return the posterior that a longer phrase pair, known by its number, is written with.

        It is its own as long as links are sums over phrase pairs. Otherwise it is the smallest probability
        with which a summary word of it comes from its document words: each direction cuts the same words into
        phrases in its own way, so that their agreement on a phrase pair is below their agreement on its
        links.
        """
        if not self.adjusted:
            return float(self.phrases[number])
        t, k, j, span = self.places[number].tolist()
        of_words = self.sources[t : t + k, j : j + span]
        unlike = self.kinds[number] == UNLIKE
        return float((of_words.sum(axis=1) if unlike else of_words.diagonal()).min())

    def written_words(self) -> Floats:
        """Return the posteriors that links of one word to one word are written with (T, n)."""
        return self.sources if self.adjusted else self.links


def _numbers(places: Ints) -> LongInts:
    """Return a number for each place (t, k, j, l) in a pair of less than 2^27 words a side."""
    t, k, j, span = places.astype(np.int64).T
    return t << 36 | j << 8 | k << 4 | span


def mean_of_directions(posteriors: Floats, others: Floats) -> Floats:
    """Combine two posteriors of each link: ((√p + √q) / 2)², halfway between arithmetic and geometric mean.

    Where both directions agree, the posterior stays; a link that only one of them has keeps a quarter (half
    by the arithmetic mean, nothing by the product of Liang, Taskar & Klein 2006).
    """
    mean, other = np.maximum(posteriors, 0.0), np.maximum(others, 0.0)
    # In place: the matrices of a long pair take most of its memory.
    np.sqrt(mean, out=mean)
    mean += np.sqrt(other, out=other)
    mean /= 2.0
    np.square(mean, out=mean)
    return mean
