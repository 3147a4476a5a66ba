"""Distances over hypernym links, compiled.

A *reading* x has ancestors in each of the four parts of speech: those of part p are the rows ``first[x, p] :
first[x, p+1]`` of ``above`` (ancestor, distance) int32, sorted by ancestor.
"""

import numpy as np

from pipeline.semihmm.kernels.compile import exact_kernel
from pipeline.types import Bytes, Floats, Ints

FAR = 255  # represents an infinite distance
LONGEST = 64  # all other distances are below this


@exact_kernel
def reading_distance(x: int, y: int, first: Ints, above: Ints, only: bool) -> int:
    """Return the least sum of the distances of two readings from an ancestor of both; FAR without one.

    With ``only``, only the first part of speech that both have counts.
    """
    best = FAR
    for part in range(4):
        i, last_i = first[x, part], first[x, part + 1]
        j, last_j = first[y, part], first[y, part + 1]
        if i == last_i or j == last_j:
            continue
        while i < last_i and j < last_j:
            if above[i, 0] < above[j, 0]:
                i += 1
            elif above[i, 0] > above[j, 0]:
                j += 1
            else:
                best = min(best, above[i, 1] + above[j, 1])
                i += 1
                j += 1
        if only:
            break
    return best if best < LONGEST else FAR


@exact_kernel
def distance_histograms(
    documents: Ints, summaries: Ints, counts: Floats, first: Ints, above: Ints, only: bool
) -> Floats:
    """Return the counts of the ``summaries`` at each distance of each of the ``documents``.

    Both are reading numbers; ``counts``: one for each of the ``summaries``. The result is float64
    (len(documents), LONGEST).
    """
    out = np.zeros((documents.shape[0], LONGEST))
    for i in range(documents.shape[0]):
        for j in range(summaries.shape[0]):
            d = reading_distance(documents[i], summaries[j], first, above, only)
            if d < FAR:
                out[i, d] += counts[j]
    return out


@exact_kernel
def pair_distances(documents: Ints, summaries: Ints, first: Ints, above: Ints, only: bool) -> Bytes:
    """Return the distance of each pair of readings (numbers, −1 for none), uint8; FAR without a path."""
    out = np.full(documents.shape[0], FAR, dtype=np.uint8)
    for e in range(documents.shape[0]):
        if documents[e] >= 0 and summaries[e] >= 0:
            out[e] = reading_distance(documents[e], summaries[e], first, above, only)
    return out
