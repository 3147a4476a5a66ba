"""Jumps in alignments: where the next summary phrase goes in the document (Daumé & Marcu 2005, Figure 2).

For a summary phrase that ends at i, linked to a document phrase that ends at j, and one that begins at
i + 1, linked to a document phrase that begins at k, the jump is k − j: +1 goes on to the next word.
"""

from collections import Counter, defaultdict
from fractions import Fraction

from pipeline.score.identical import share

JUMPS = ("system", "jump", "count", "share")


def count(links):
    """The jumps of one pair: a Counter. Where a phrase has several links, each way counts its share of 1.

    Shares are fractions, whose sum is the same in any order.
    """
    ends, starts = defaultdict(list), defaultdict(list)
    for link in links:
        if link.document is not None:
            ends[link.summary[1]].append(link.document[1])
            starts[link.summary[0]].append(link.document[0])
    counts = Counter()
    for place in sorted(ends.keys() & starts.keys()):
        ways = [start - end + 1 for end in ends[place] for start in starts[place]]
        for jump in ways:
            counts[jump] += Fraction(1, len(ways))
    return counts


def rows(system, counts):
    """One dict with the keys ``JUMPS`` for each jump that was made, in order; ``share`` of all jumps."""
    total = sum(counts.values())
    for jump in sorted(counts):
        yield {
            "system": system,
            "jump": jump,
            "count": float(counts[jump]),
            "share": float(share(counts[jump], total)),
        }
