"""Jumps in alignments: where the next summary phrase lies in the document (Daumé & Marcu 2005, Figure 2).

For a summary phrase that ends at i, linked to a document phrase that ends at j, and one that begins at
i + 1, linked to a document phrase that begins at k, the jump is k − j: +1 continues with the next word.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from vorlage.alignments.alignment import Link
from vorlage.score.ratios import share
from vorlage.score.tsv import Row

COLUMNS = ("system", "jump", "count", "share")


def count(links: Iterable[Link]) -> dict[int, Fraction]:
    """Count the jumps of one pair. Where phrases have several links, all jumps between them share one count.

    Counts are fractions, whose sum is the same in any order.
    """
    ends: defaultdict[int, list[int]] = defaultdict(list)
    starts: defaultdict[int, list[int]] = defaultdict(list)
    for link in links:
        if link.document is not None:
            ends[link.summary[1]].append(link.document[1])
            starts[link.summary[0]].append(link.document[0])
    counts: defaultdict[int, Fraction] = defaultdict(Fraction)
    for boundary in sorted(ends.keys() & starts.keys()):
        jumps = [start - end + 1 for end in ends[boundary] for start in starts[boundary]]
        for jump in jumps:
            counts[jump] += Fraction(1, len(jumps))
    return counts


def rows(system: str, counts: Mapping[int, Fraction]) -> Iterator[Row]:
    """Yield a row with the keys `COLUMNS` for each jump in ascending order; `share` is of all jumps."""
    total = sum(counts.values(), Fraction())
    for jump in sorted(counts):
        yield {
            "system": system,
            "jump": jump,
            "count": float(counts[jump]),
            "share": share(counts[jump], total),
        }
