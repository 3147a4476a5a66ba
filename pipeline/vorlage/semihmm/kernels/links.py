"""The posteriors of the links of a pair of T summary and n document words, compiled."""

from vorlage.semihmm.kernels.compile import exact_kernel, inner_kernel
from vorlage.semihmm.kernels.phrase_table import UNLIKE
from vorlage.types import Bytes, Floats, Ints


@exact_kernel
def add_phrases(links: Floats, sources: Floats, places: Ints, phrases: Floats, kinds: Bytes) -> None:
    """Add the posteriors of longer phrase pairs to the links (T, n) that they cover, in place.

    A phrase pair (t, k, j, l) of `places` (m, 4) covers its diagonal, and all its word pairs if its kind (m)
    is UNLIKE. As `sources` (T, n), its document words share its posterior, of `phrases` (m).
    """
    for m in range(places.shape[0]):
        t, k, j, span = places[m, 0], places[m, 1], places[m, 2], places[m, 3]
        for down in range(k):
            if kinds[m] == UNLIKE:
                for right in range(span):
                    links[t + down, j + right] += phrases[m]
                    sources[t + down, j + right] += phrases[m] / span
            else:
                links[t + down, j + down] += phrases[m]
                sources[t + down, j + down] += phrases[m]


@inner_kernel
def _keep(best: Floats, i: int, value: float) -> None:
    """Keep a value among the two largest ones, best first, in row i (…, 2), in place."""
    if value > best[i, 0]:
        best[i, 0], best[i, 1] = value, best[i, 0]
    elif value > best[i, 1]:
        best[i, 1] = value


@exact_kernel
def adjust(
    around: Floats,
    of_row: Floats,
    of_column: Floats,
    support_weight: float,
    discount: float,
    adjusted: Floats,
) -> None:
    """Write the links, each adjusted by those around it, to `adjusted` (T, n).

    `around` (T+2, n+2): the links between zeros; `of_row` (T, 2), `of_column` (n, 2): zeros, which become the
    two best links of each word. See `vorlage.semihmm.decode.posteriors.Posteriors.adjust_links`, which
    explains the weights.
    """
    height, width = adjusted.shape
    for t in range(height):
        for j in range(width):
            _keep(of_row, t, around[t + 1, j + 1])
            _keep(of_column, j, around[t + 1, j + 1])
    for t in range(height):
        above, here, below = around[t], around[t + 1], around[t + 2]
        for j in range(width):
            link = here[j + 1]
            free_row = 1.0 - (of_row[t, 1] if link == of_row[t, 0] else of_row[t, 0])
            free_column = 1.0 - (of_column[j, 1] if link == of_column[j, 0] else of_column[j, 0])
            beside, across = max(here[j], here[j + 2]), max(above[j + 1], below[j + 1])
            support = max(beside * free_column, across * free_row)
            diagonal = max(above[j], below[j + 2]) * free_column * free_row
            power = 1.0 - support_weight * support + discount * diagonal * (1.0 - support)
            adjusted[t, j] = link**power
