"""Distances over hypernym links, compiled.

A *reading* is a row of ``readings`` (R, 4) int32: the first synset of a phrase as a noun, verb, adjective and
adverb, −1 for none. The ancestors of synset x, itself included, are rows ``first[x, 0] : first[x+1, 0]`` of
``above`` (ancestor, distance) int32, sorted by ancestor.
"""

import numpy as np

from pipeline.semihmm.kernels.compile import exact_kernel
from pipeline.types import Bytes, Floats, Ints

FAR = 255  # represents an infinite distance
LONGEST = 64  # distances in WordNet 3.0 are below this


@exact_kernel
def reading_distance(x: int, y: int, readings: Ints, first: Ints, above: Ints) -> int:
    """Return the distance of two readings in the first part of speech that both have; FAR without a path."""
    for part in range(4):
        a, b = readings[x, part], readings[y, part]
        if a >= 0 and b >= 0:
            i, j, best = first[a, 0], first[b, 0], FAR
            while i < first[a + 1, 0] and j < first[b + 1, 0]:
                if above[i, 0] < above[j, 0]:
                    i += 1
                elif above[i, 0] > above[j, 0]:
                    j += 1
                else:
                    best = min(best, above[i, 1] + above[j, 1])
                    i += 1
                    j += 1
            return best
    return FAR


@exact_kernel
def distance_histograms(
    documents: Ints, summaries: Ints, counts: Floats, readings: Ints, first: Ints, above: Ints
) -> Floats:
    """Return the counts of the ``summaries`` at each distance of each of the ``documents``.

    Both are reading numbers; ``counts``: one for each of the ``summaries``. The result is float64
    (len(documents), LONGEST).
    """
    out = np.zeros((documents.shape[0], LONGEST))
    for i in range(documents.shape[0]):
        for j in range(summaries.shape[0]):
            d = reading_distance(documents[i], summaries[j], readings, first, above)
            if d < FAR:
                out[i, d] += counts[j]
    return out


@exact_kernel
def pair_distances(documents: Ints, summaries: Ints, readings: Ints, first: Ints, above: Ints) -> Bytes:
    """Return the distance of each pair of readings (numbers, −1 for none), uint8; FAR without a path."""
    out = np.full(documents.shape[0], FAR, dtype=np.uint8)
    for e in range(documents.shape[0]):
        if documents[e] >= 0 and summaries[e] >= 0:
            out[e] = reading_distance(documents[e], summaries[e], readings, first, above)
    return out
