"""What forward–backward tells about a pair, and how it is adjusted before links are taken from it.

Positions are those of the extract. `places` are the longer phrase pairs (t, k, j, l), see
`vorlage.semihmm.kernels.forward_backward.KernelInputs`.
"""

from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm.constants import NEIGHBOUR_DECAY, NEIGHBOUR_REACH
from vorlage.semihmm.table import UNLIKE, row_keys
from vorlage.types import Bytes, Floats, Ints, LongInts

# Sources of a summary word with a smaller sum are none.
SMALLEST = 1e-300
Cell: TypeAlias = tuple[int, int]  # a summary word and a document word


class WordPosteriors(NamedTuple):
    """The posteriors of some summary words and some document words of a pair.

    `links`: of every link, by any phrase pair; `sources`, `nulls`: as in `Posteriors`.
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
        links, sources, best = combine(self, reverse)
        nulls = _scale(sources, mean_of_directions(self.nulls, 1.0 - np.clip(best, 0.0, 1.0)))
        return WordPosteriors(links, sources, nulls)


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

    def places_above(self, threshold: float) -> tuple[Ints, Ints]:
        """Return the rows and the columns of the links above a threshold."""
        chosen = self.values > threshold
        return self.rows[chosen], self.columns[chosen]

    def above(self, threshold: float) -> dict[Cell, float]:
        """Return the links above a threshold."""
        rows, columns = self.places_above(threshold)
        values = self.values[self.values > threshold].tolist()
        return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), values, strict=True))

    def dense(self) -> Floats:
        """Return the links as a matrix (T, n), 0 for those that are left out."""
        links = np.zeros((len(self.of_row), len(self.of_column)))
        links[self.rows, self.columns] = self.values
        return links


class LinkFinder:
    """Finds the links of a pair that are `least` or more, and those beside them, some rows at a time."""

    def __init__(self, shape: Cell, least: float) -> None:
        self._least = least
        self._best = np.zeros((shape[0], 2)), np.zeros((shape[1], 2))
        self._parts: list[tuple[Ints, Ints, Floats]] = []
        self._after = np.empty((0, shape[1]))  # the first two rows that were added

    def add(self, rows: slice, links: Floats) -> None:
        """Add the links of a stretch of the summary, which ends where the last one that was added begins."""
        keep_best(links, self._best[0][rows], self._best[1])
        after = self._after
        links = np.concatenate([links, after]) if len(after) else links
        self._after = links[:2].copy()
        # What is before the first word is not known yet, and the last one was added before.
        first, last = min(rows.start, 1), len(links) - (len(after) > 1)
        found, chosen = np.nonzero(links >= self._least), np.zeros(np.add(links.shape, 2), dtype=bool)
        for down, right in product(range(3), range(3)):
            chosen[found[0] + down, found[1] + right] = True
        row, column = np.nonzero(chosen[first + 1 : last + 1, 1:-1])
        values, row = links[first:last][row, column], row + first + rows.start
        self._parts.append((row.astype(np.int32), column.astype(np.int32), values))

    def links(self) -> LinkPosteriors:
        """Return the links after all rows were added."""
        rows, columns, values = map(np.concatenate, zip(*self._parts[::-1], strict=True))
        return LinkPosteriors(rows, columns, values, *self._best)


class Posteriors(NamedTuple):
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
        rows, columns, values, of_row, of_column = self.links
        starts = np.searchsorted(rows, np.arange(len(of_row) + 1))
        weights = phrase_support, diagonal_discount
        adjusted = adjust(starts, columns, values, (of_row, of_column), weights)
        return self._replace(links=self.links._replace(values=adjusted), words=None)

    def smooth_nulls(self, stretch_support: float, information: Floats) -> "Posteriors":
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
        of_words = self.sources[t : t + k, j : j + span]
        unlike = self.kinds[number] == UNLIKE
        return float((of_words.sum(axis=1) if unlike else of_words.diagonal()).min())

    def written_words(self, threshold: float) -> dict[Cell, float]:
        """Return the links of one word to one word from a threshold on, with the posteriors to write."""
        if self.words is not None:
            return self.links.above(np.nextafter(threshold, 0.0))
        cells = np.argwhere(self.sources >= threshold).tolist()
        return {(t, j): float(self.sources[t, j]) for t, j in cells}


def _scale(sources: Floats, nulls: Floats) -> Floats:
    """Scale sources, in place, to what null posteriors leave of each word, and return these posteriors."""
    totals = sources.sum(axis=1)
    # A rounded sum may be above 1, and the scale of numbers near 0 may be more than float64 holds.
    has, nulls = totals > SMALLEST, np.minimum(nulls, 1.0)
    sources *= np.divide(1.0 - nulls, totals, out=np.zeros_like(nulls), where=has)[:, None]
    return np.where(has, nulls, 1.0)


def agreed_phrases(places: Ints, phrases: Floats, others: Ints, posteriors: Floats) -> Floats:
    """Return the posteriors of longer phrase pairs combined with those of the other direction.

    `others`, `posteriors`: its places, with the sides swapped, and what they have; a phrase pair that is not
    among them has 0 there.
    """
    own, swapped = row_keys(places, others[:, [2, 3, 0, 1]])
    order = np.argsort(swapped)
    at = np.append(order, -1)[np.searchsorted(swapped[order], own)]
    return mean_of_directions(phrases, np.where(np.isin(own, swapped), np.append(posteriors, 0.0)[at], 0.0))


def mean_of_directions(posteriors: Floats, others: Floats) -> Floats:
    """Combine two posteriors of each link: ((√p + √q) / 2)², halfway between arithmetic and geometric mean.

    Where both directions agree, the posterior stays; a link that only one of them has keeps a quarter (half
    by the arithmetic mean, nothing by the product of Liang, Taskar & Klein 2006).
    """
    roots = np.sqrt(np.maximum(posteriors, 0.0)) + np.sqrt(np.maximum(others, 0.0))
    return np.square(roots / 2.0)


@exact_kernel
def find_sourceless(rewrites: Floats, words: Floats, unigram: tuple[Floats, Floats], share: float) -> Floats:
    """Return the part of the posteriors of words (T, n) that has no source.

    Args:
        rewrites: r of each pair of words, without the factors of sentences; overwritten.
        words: the posterior of each.
        unigram: for each summary word (T) and document word (n); their products are the rewrites by fake
            counts by frequency.
        share: of these rewrites, those that have no source.
    """
    (spread, lexical), sourceless = unigram, rewrites
    for t in range(rewrites.shape[0]):
        for j in range(rewrites.shape[1]):
            if rewrites[t, j] > 0.0:
                of_unigram = min(spread[t] * lexical[j] / rewrites[t, j], 1.0)
                sourceless[t, j] = of_unigram * share * words[t, j]
    return sourceless


@exact_kernel
def by_one_direction(
    words: Floats, nulls: Floats, sourceless: Floats, longer: tuple[Ints, Floats, Bytes]
) -> WordPosteriors:
    """Return the posteriors by one model: of links, sums over the phrase pairs that cover them.

    A phrase pair that is equal, or equal up to stem, covers its diagonal, any other phrase pair all its word
    pairs; as a source, its document words share its posterior. What it covers elsewhere is left out.

    Args:
        words: the posteriors of the pairs of one-word phrases (T, n).
        nulls: of no source (T).
        sourceless: the part of `words` that has no source (T, n).
        longer: the places of the longer phrase pairs (m, 4), their posteriors, and their kinds.
    """
    links, sources, without = words.copy(), words - sourceless, nulls.copy()
    height, width = links.shape
    for t in range(height):
        for j in range(width):
            without[t] += sourceless[t, j]
    places, phrases, kinds = longer
    for m in range(places.shape[0]):
        t, k, j, span = places[m, 0], places[m, 1], places[m, 2], places[m, 3]
        share = phrases[m] / span if kinds[m] == UNLIKE else phrases[m]
        for row in range(max(t, 0), min(t + k, height)):
            first, last = (j, j + span) if kinds[m] == UNLIKE else (j + row - t, j + row - t + 1)
            for column in range(max(first, 0), min(last, width)):
                links[row, column] += phrases[m]
                sources[row, column] += share
    return WordPosteriors(links, sources, without)


@exact_kernel
def combine(one: WordPosteriors, reverse: WordPosteriors) -> tuple[Floats, Floats, Floats]:
    """Return the links (T, n) and the sources of both directions, and the best reverse source of each word.

    `reverse`: those of the other direction, (n, T).
    """
    length, n = one.links.shape
    out, of_both, best = np.empty((length, n)), np.empty((length, n)), np.zeros(length)
    for j in range(n):
        for t in range(length):
            out[t, j], of_both[t, j] = reverse.links[j, t], reverse.sources[j, t]
    for t in range(length):
        row, both, own_links, own = out[t], of_both[t], one.links[t], one.sources[t]
        for j in range(n):
            best[t] = max(best[t], both[j])
            mean = (np.sqrt(max(own_links[j], 0.0)) + np.sqrt(max(row[j], 0.0))) / 2.0
            row[j], both[j] = mean * mean, np.sqrt(max(own[j], 0.0) * max(both[j], 0.0))
    return out, of_both, best


@inner_kernel
def _keep(best: Floats, i: int, value: float) -> None:
    """Keep a value among the two largest ones, best first, in row i (…, 2), in place."""
    if value > best[i, 0]:
        best[i, 0], best[i, 1] = value, best[i, 0]
    elif value > best[i, 1]:
        best[i, 1] = value


@exact_kernel
def keep_best(links: Floats, of_row: Floats, of_column: Floats) -> None:
    """Keep the two best of some links (T, n) of each word in `of_row` (T, 2) and `of_column` (n, 2)."""
    for t in range(links.shape[0]):
        for j in range(links.shape[1]):
            _keep(of_row, t, links[t, j])
            _keep(of_column, j, links[t, j])


@exact_kernel
def adjust(
    starts: LongInts, columns: Ints, links: Floats, best: tuple[Floats, Floats], weights: tuple[float, float]
) -> Floats:
    """Return some links (m), each adjusted by those around it.

    `starts` (T+1): where the links of each summary word begin, by `columns` (m). `best`: (T, 2) and (n, 2),
    see `keep_best`. `weights`: of support and the discount, which
    `Posteriors.adjust_links` explains.
    """
    (of_row, of_column), (support_weight, discount) = best, weights
    adjusted = np.empty(links.shape[0])
    height, around = of_row.shape[0], np.zeros((3, of_column.shape[0] + 2))
    for t in range(-1, height):
        above, here, below = around[(t - 1) % 3], around[t % 3], around[(t + 1) % 3]
        if t > 1:
            for m in range(starts[t - 2], starts[t - 1]):
                below[columns[m] + 1] = 0.0
        if t + 1 < height:
            for m in range(starts[t + 1], starts[t + 2]):
                below[columns[m] + 1] = links[m]
        for m in range(starts[max(t, 0)], starts[t + 1]):
            j, link = columns[m], links[m]
            free_row = 1.0 - (of_row[t, 1] if link == of_row[t, 0] else of_row[t, 0])
            free_column = 1.0 - (of_column[j, 1] if link == of_column[j, 0] else of_column[j, 0])
            beside, across = max(here[j], here[j + 2]), max(above[j + 1], below[j + 1])
            support = max(beside * free_column, across * free_row)
            diagonal = max(above[j], below[j + 2]) * free_column * free_row
            power = 1.0 - support_weight * support + discount * diagonal * (1.0 - support)
            adjusted[m] = link**power
    return adjusted
