"""What forward–backward tells about a pair, and how it is adjusted before links are taken from it.

Positions are those of the extract. `places` are the longer phrase pairs (t, k, j, l), see
`vorlage.semihmm.kernels.forward_backward.KernelInputs`.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.semihmm.rewrite import TypedRewrites
from vorlage.semihmm.table import UNLIKE
from vorlage.types import AnyArray, Bytes, Floats, Ints, LongInts

# Tuned, see docs/model.md.
NEIGHBOUR_DECAY = 0.7  # weight of a neighbour in the null posterior, for each word of distance
NEIGHBOUR_REACH = 15  # words: the farthest neighbour

SMALLEST = 1e-300  # sum of the sources of a summary word that has some


class WordPosteriors(NamedTuple):
    """The posteriors of some summary words and some document words of a pair.

    `links`: of every link, by any phrase pair; `sources`, `nulls`: as in `PairPosteriors`.
    """

    links: Floats
    sources: Floats
    nulls: Floats

    def combine(self, reverse: "WordPosteriors") -> "WordPosteriors":
        """Return these posteriors combined with those of the model of the other direction, whose sides are
        swapped, and which has all document words.

        A summary word is null if neither direction has a source for it. In the other direction, in which
        several document words may come from one summary word, that is the probability that the likeliest of
        them does not. Its sources have the geometric mean of both directions, scaled to what null leaves.
        """
        sources = np.sqrt(self.sources * reverse.sources.T)
        nulls = mean_of_directions(self.nulls, 1.0 - np.minimum(reverse.sources.max(axis=0), 1.0))
        links = mean_of_directions(self.links, reverse.links.T)
        return WordPosteriors(links, sources, _scale(sources, nulls))


class LinkPosteriors(NamedTuple):
    """The posteriors of some links of a pair of T summary and n document words, which a decoder compares with
    its threshold.

    `rows`, `columns`, `values` (m), in order; `of_row` (T, 2), `of_column` (n, 2): the best two of all links
    of each word.
    """

    rows: Ints
    columns: Ints
    values: Floats
    of_row: Floats
    of_column: Floats

    def above(self, threshold: float) -> tuple[Ints, Ints]:
        """Return the rows and the columns of the links above a threshold."""
        above = self.values > threshold
        return self.rows[above], self.columns[above]

    def dense(self) -> Floats:
        """Return the links as a matrix (T, n), 0 for those that are left out."""
        links = np.zeros((len(self.of_row), len(self.of_column)))
        links[self.rows, self.columns] = self.values
        return links


class LinkFinder:
    """Finds the links of a pair that are `least` or more, and those beside them, some rows at a time."""

    def __init__(self, shape: tuple[int, int], least: float) -> None:
        self._least = least
        self._best = np.zeros((shape[0], 2)), np.zeros((shape[1], 2))
        self._parts: list[tuple[Ints, Ints, Floats]] = []
        self._after = np.empty((0, shape[1]))  # the first two rows that were added

    def add(self, rows: slice, links: Floats) -> None:
        """Add the links of a stretch of the summary, which ends where the last one that was added begins."""
        keep_best(links, self._best[0][rows], self._best[1])
        # What is before the first word is not known yet, and the last one was added before.
        first, last = min(rows.start, 1), len(links) + min(len(self._after), 1)
        links = np.concatenate([links, self._after])
        self._after = links[:2].copy()
        row, column = find_near(links, self._least)
        inside = slice(*np.searchsorted(row, (first, last)))
        row, column = row[inside], column[inside]
        self._parts.append(((row + rows.start).astype(np.int32), column.astype(np.int32), links[row, column]))

    def links(self) -> LinkPosteriors:
        """Return the links after all rows were added."""
        rows, columns, values = map(np.concatenate, zip(*self._parts[::-1], strict=True))
        return LinkPosteriors(rows, columns, values, *self._best)


class PairPosteriors(NamedTuple):
    """The posteriors of one pair: of links, by which a decoder chooses, and of sources, which are written.

    Those of one direction alone, without any adjustment, are sums over phrase pairs, and what is written is
    the posterior of a phrase pair itself.

    - `links`: of those links that may be chosen, by any phrase pair;
    - `sources` (T, n), `nulls` (T): the probability that a summary word comes from a document word, and that
      it has no source, which sum to 1 for every summary word;
    - `places` (m, 4), `phrases` (m): the longer phrase pairs and their posteriors;
    - `kinds` (m): UNLIKE, SAME_STEM or IDENTICAL;
    - `words` (T, n): the posteriors of the pairs of one-word phrases, if these are written; otherwise None.
    """

    links: LinkPosteriors
    sources: Floats
    nulls: Floats
    places: Ints
    phrases: Floats
    kinds: Bytes
    words: Floats | None = None

    def adjust_links(self, phrase_support: float, diagonal_discount: float) -> "PairPosteriors":
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
        starts = np.searchsorted(self.links.rows, np.arange(len(self.nulls) + 1))
        values = self.links.values ** find_powers(self.links, starts, phrase_support, diagonal_discount)
        return self._replace(links=self.links._replace(values=values), words=None)

    def smooth_nulls(self, stretch_support: float, information: Floats) -> "PairPosteriors":
        """Return the posteriors with the null posterior of each word mixed with those around it.

        Support is a property of stretches of text: a word whose neighbours have no source is less likely to
        have one. `stretch_support`: the share of the mean over the neighbours, 0 leaves all unchanged. A
        word at distance x counts by `NEIGHBOUR_DECAY`^x and by its `information` (T), −log of its frequency.
        """
        if not stretch_support:
            return self
        around = NEIGHBOUR_DECAY ** np.abs(np.arange(-NEIGHBOUR_REACH, NEIGHBOUR_REACH + 1))
        inside = slice(NEIGHBOUR_REACH, NEIGHBOUR_REACH + len(self.nulls))
        mixed, weight = (np.convolve(x, around)[inside] for x in (self.nulls * information, information))
        # If all words around a word are one word, the only one of all summaries, none of them counts.
        means = np.divide(mixed, weight, out=self.nulls.copy(), where=weight > 0)
        nulls = _scale(self.sources, (1.0 - stretch_support) * self.nulls + stretch_support * means)
        return self._replace(nulls=nulls, words=None)

    def written(self, number: int) -> float:
        """Return the posterior that a longer phrase pair, known by its number, is written with.

        After adjustment, it is the smallest probability with which a summary word of it comes from its
        document words: each direction cuts the same words into phrases in its own way, so that they agree on
        links more than on a phrase pair.
        """
        if self.words is not None:
            return float(self.phrases[number])
        t, k, j, span = self.places[number].tolist()
        return self.source(t, k, j, span, diagonal=self.kinds[number] != UNLIKE)

    def source(self, t: int, k: int, j: int, span: int, diagonal: bool = False) -> float:
        """Return the smallest probability with which a word of a phrase comes from a document phrase."""
        of_words = self.sources[t : t + k, j : j + span]
        return float((of_words.diagonal() if diagonal else of_words.sum(axis=1)).min())

    def written_words(self) -> Floats:
        """Return the posteriors that links of one word to one word are written with (T, n)."""
        return self.sources if self.words is None else self.links.dense()


def _scale(sources: Floats, nulls: Floats) -> Floats:
    """Scale sources, in place, to what null posteriors leave of each word, and return these posteriors."""
    totals = sources.sum(axis=1)
    # A rounded sum may be above 1, and the scale of numbers near 0 may be more than float64 holds.
    has, nulls = totals > SMALLEST, np.minimum(nulls, 1.0)
    sources *= np.divide(1.0 - nulls, totals, out=np.zeros_like(nulls), where=has)[:, None]
    return np.where(has, nulls, 1.0)


def agreed_phrases(phrases: Floats, places: Ints, others: Floats) -> Floats:
    """Return the posteriors of longer phrase pairs combined with `others`, those of the other direction.

    `places`: where that direction has the same phrase pairs, with the sides swapped, in its own order.
    """
    others = others[np.lexsort(places.T[[1, 0, 3, 2]])]
    return mean_of_directions(np.maximum(phrases, 0.0), np.maximum(others, 0.0))


def mean_of_directions(posteriors: Floats, others: Floats) -> Floats:
    """Combine two posteriors of each link: ((√p + √q) / 2)², halfway between arithmetic and geometric mean.

    Where both directions agree, the posterior stays; a link that only one of them has keeps a quarter (half
    by the arithmetic mean, nothing by the product of Liang, Taskar & Klein 2006).
    """
    return np.square((np.sqrt(posteriors) + np.sqrt(others)) / 2.0)


@exact_kernel
def by_one_direction(
    words: Floats,
    nulls: Floats,
    rewrites: TypedRewrites,
    unigram: tuple[Floats, Floats, float],
    longer: tuple[Ints, Floats, Bytes],
) -> WordPosteriors:
    """Return the posteriors by one model: of links, sums over the phrase pairs that cover them.

    A phrase pair that is equal, or equal up to stem, covers its diagonal, any other phrase pair all its word
    pairs; as a source, its document words share its posterior. What it covers elsewhere is left out.

    Args:
        words: the posteriors of the pairs of one-word phrases (T, n).
        nulls: of no source (T).
        rewrites: r of each pair of words, without the factors of sentences.
        unigram: of `AlignmentInput`, and the share of these rewrites that has no source.
        longer: the places of the longer phrase pairs (m, 4), their posteriors, and their kinds.
    """
    (height, width), (spread, lexical, share) = words.shape, unigram
    by_types, rows, columns, context = rewrites
    links, sources, without = np.empty((height, width)), np.empty((height, width)), nulls.copy()
    for t in range(height):
        for j in range(width):
            links[t, j] = max(words[t, j], 0.0)  # the null state of 2004 leaves rounded differences
            sources[t, j] = links[t, j]
            rewrite = by_types[rows[t], columns[j]]
            if context.size:
                rewrite += context[t, j]
            if rewrite > 0.0:
                of_unigram = min(spread[t] * lexical[j] / rewrite, 1.0)
                sourceless = of_unigram * share * links[t, j]
                sources[t, j] -= sourceless
                without[t] += sourceless
    places, phrases, kinds = longer
    for m in range(places.shape[0]):
        t, k, j, span = places[m, 0], places[m, 1], places[m, 2], places[m, 3]
        part = phrases[m] / span if kinds[m] == UNLIKE else phrases[m]
        for row in range(max(t, 0), min(t + k, height)):
            first, last = (j, j + span) if kinds[m] == UNLIKE else (j + row - t, j + row - t + 1)
            for column in range(max(first, 0), min(last, width)):
                links[row, column] += phrases[m]
                sources[row, column] += part
    return WordPosteriors(links, sources, without)


def find_near(links: Floats, least: float) -> tuple[AnyArray, ...]:
    """Return the rows and the columns of the links that are `least` or more, and of those beside them."""
    height, width = links.shape
    rows, columns = np.divmod(np.flatnonzero(links >= least), width)  # faster than np.nonzero
    near = np.zeros((height + 2, width + 2), dtype=bool)
    for down, right in product(range(3), repeat=2):
        near[rows + down, columns + right] = True
    return np.nonzero(near[1:-1, 1:-1])


@exact_kernel
def keep_best(links: Floats, of_row: Floats, of_column: Floats) -> None:
    """Keep the two best of some links (T, n) of each word in `of_row` (T, 2) and `of_column` (n, 2)."""
    for t in range(links.shape[0]):
        for j in range(links.shape[1]):
            link = links[t, j]
            if link > of_row[t, 1]:
                of_row[t, 0], of_row[t, 1] = max(of_row[t, 0], link), min(of_row[t, 0], link)
            if link > of_column[j, 1]:
                of_column[j, 0], of_column[j, 1] = max(of_column[j, 0], link), min(of_column[j, 0], link)


@exact_kernel
def find_powers(
    links: LinkPosteriors, starts: LongInts, phrase_support: float, diagonal_discount: float
) -> Floats:
    """Return the power of each link, see `PairPosteriors.adjust_links`; `starts` (T+1): of the rows."""
    _, columns, values, of_row, of_column = links
    powers, height = np.empty(len(values)), len(of_row)
    for t in range(height):
        around = np.zeros((3, len(of_column) + 2))
        for row in range(max(t - 1, 0), min(t + 2, height)):
            for m in range(starts[row], starts[row + 1]):
                around[row - t + 1, columns[m] + 1] = values[m]
        above, here, below = around[0], around[1], around[2]
        for m in range(starts[t], starts[t + 1]):
            j, link = columns[m], values[m]
            free_row = 1.0 - (of_row[t, 1] if link == of_row[t, 0] else of_row[t, 0])
            free_column = 1.0 - (of_column[j, 1] if link == of_column[j, 0] else of_column[j, 0])
            beside, across = max(here[j], here[j + 2]), max(above[j + 1], below[j + 1])
            support = max(beside * free_column, across * free_row)
            diagonal = max(above[j], below[j + 2]) * free_column * free_row
            powers[m] = 1.0 - phrase_support * support + diagonal_discount * diagonal * (1.0 - support)
    return powers
