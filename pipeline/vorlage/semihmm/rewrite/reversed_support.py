"""The support of a pair for the model of the other direction."""

import numpy as np

from vorlage.semihmm.rewrite.support import Occurrences, Support
from vorlage.semihmm.rewrite.table import count_words, make_table, row_of_entries
from vorlage.types import Ints


def reverse_support(support: Support) -> Support:
    """Return the support of one instance with its sides swapped.

    It is what `vorlage.semihmm.rewrite.support.build_support` finds for the reversed instance, if the
    longest phrases of both sides may have the same number of words.
    """
    table, [occurrences] = support.table, support.occurrences
    listed, words = len(table.partners), count_words(table)
    # The word block of one instance has every pair of its distinct words, so it is transposed.
    by_partner = occurrences.cells.ravel()
    by_summary = np.lexsort(table.phrase_pairs.T)
    order = np.concatenate([by_partner, listed + by_summary])
    ends = np.cumsum(np.bincount(table.partners, minlength=words))
    swapped = make_table(
        table.longer,
        np.concatenate([[0], ends]).astype(np.int64),
        row_of_entries(table)[by_partner],
        np.ascontiguousarray(table.phrase_pairs[by_summary, ::-1]),
        table.kind[order],
    )
    new_numbers = np.empty(len(order), dtype=np.int32)
    new_numbers[order] = np.arange(len(order), dtype=np.int32)
    places, by_place = _swap(occurrences.places)
    swapped_occurrences = Occurrences(
        np.ascontiguousarray(new_numbers[occurrences.cells].T),
        places,
        np.argsort(places[:, 0] + places[:, 1], kind="stable").astype(np.int32),
        new_numbers[occurrences.entries[by_place]],
    )
    return Support(swapped, support.distance[order], support.reading, [swapped_occurrences])


def _swap(places: Ints) -> tuple[Ints, Ints]:
    """Return phrase pairs (m, 4) with their sides swapped, sorted, and their order before."""
    swapped = places[:, [2, 3, 0, 1]]
    order = np.lexsort(swapped.T[::-1]).astype(np.int32)
    return np.ascontiguousarray(swapped[order]), order
