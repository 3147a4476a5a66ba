"""The posteriors of the links of a pair of T summary and n document words, compiled."""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel, inner_kernel
from vorlage.semihmm.kernels.phrase_table import UNLIKE
from vorlage.types import Bytes, Floats, Ints, LongInts


@exact_kernel
def add_phrases(links: Floats, sources: Floats, places: Ints, phrases: Floats, kinds: Bytes) -> None:
    """Add the posteriors of longer phrase pairs to the links (T, n) that they cover, in place.

    A phrase pair (t, k, j, l) of `places` (m, 4) covers its diagonal, and all its word pairs if its kind (m)
    is UNLIKE. As `sources` (T, n), its document words share its posterior, of `phrases` (m). What a phrase
    pair covers outside of the links is left out.
    """
    height, width = links.shape
    for m in range(places.shape[0]):
        t, k, j, span = places[m, 0], places[m, 1], places[m, 2], places[m, 3]
        share = phrases[m] / span if kinds[m] == UNLIKE else phrases[m]
        for row in range(max(t, 0), min(t + k, height)):
            first, last = (j, j + span) if kinds[m] == UNLIKE else (j + row - t, j + row - t + 1)
            for column in range(max(first, 0), min(last, width)):
                links[row, column] += phrases[m]
                sources[row, column] += share


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
    `vorlage.semihmm.decode.posteriors.Posteriors.adjust_links` explains.
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
