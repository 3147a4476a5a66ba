"""Distances over hypernym links, compiled.

A *reading* has ancestors in each of the four parts of speech. Ancestors are synsets, numbered from 0, and a
synset has one part of speech.

The distances of one reading from its ancestors are written to `near`, by ancestor, where the ancestors of
every other reading are looked up. Where all pairs of some readings are needed, those of many readings from an
ancestor lie side by side, so that the compiler can add to many of them with one instruction.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel, inner_kernel
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints

FAR = 255  # represents an infinite distance
LONGEST = 64  # all other distances are below this
BEYOND = np.uint8(2 * LONGEST)  # at least LONGEST, also with a distance added, and still a uint8


class HypernymLinks(NamedTuple):
    """The links between Y synsets.

    - `at` (Y+1): synset x has the links `at[x] : at[x+1]`;
    - `above`: the synset that each link goes to;
    - `lengths`: of each link;
    - `climbs` (Y): the synsets whose links count if only hypernyms do.
    """

    at: Ints
    above: Ints
    lengths: AnyArray
    climbs: Bools


class Ancestry(NamedTuple):
    """The ancestors of readings.

    - `first` (R, 5) int32: reading x has the rows ``first[x, p] : first[x, p+1]`` of `above` in part p;
    - `above` (A, 2) int32: an ancestor, and its distance;
    - `synsets`: the number of synsets;
    - `first_part`: whether only the first part of speech counts that two readings have.
    """

    first: Ints
    above: Ints
    synsets: int
    first_part: bool


@exact_kernel
def find_ancestors(
    senses: Ints, further: Bytes, bounds: Ints, links: HypernymLinks, only: bool
) -> tuple[Ints, Ints]:
    """Return the ancestors of a reading, senses included, with their distances (A, 2), part by part.

    Args:
        senses: synsets, those of part p from `bounds[p]` to `bounds[p + 1]`.
        further: what each of them adds to a distance.
        bounds: the bounds of the parts among the senses (5).
        links: between all synsets.
        only: whether only hypernyms are links, and all have length 1.

    Returns:
        the ancestors, and the bounds of the parts among them (5).
    """
    near, found = np.full(links.climbs.shape[0], FAR, np.uint8), np.empty(links.climbs.shape[0], np.int32)
    size, ends = 0, np.zeros(5, np.int32)
    for part in range(4):
        for i in range(bounds[part], bounds[part + 1]):
            if near[senses[i]] == FAR:
                found[size] = senses[i]
                size += 1
            near[senses[i]] = min(near[senses[i]], further[i])
        changed = True
        while changed:  # a longer way may be found before a shorter one
            changed, k = False, ends[part]
            while k < size:
                if links.climbs[found[k]] or not only:
                    for link in range(links.at[found[k]], links.at[found[k] + 1]):
                        distance = near[found[k]] + (1 if only else links.lengths[link])
                        if distance < near[links.above[link]]:
                            if near[links.above[link]] == FAR:
                                found[size] = links.above[link]
                                size += 1
                            near[links.above[link]] = distance
                            changed = True
                k += 1
        ends[part + 1] = size
    above = np.empty((size, 2), np.int32)
    for k in range(size):
        above[k, 0], above[k, 1] = found[k], near[found[k]]
    return above, ends


@inner_kernel
def _distance(near: Bytes, x: int, y: int, ancestry: Ancestry) -> int:
    """Return the least sum of the distances of two readings from an ancestor of both; FAR without one.

    `near`: of `x`.
    """
    first, above = ancestry.first, ancestry.above
    begin, end = first[y, 0], first[y, 4]
    if ancestry.first_part:
        for part in range(4):
            begin, end = first[y, part], first[y, part + 1]
            if begin < end and first[x, part] < first[x, part + 1]:
                break
    best = FAR
    for row in range(begin, end):
        best = min(best, near[above[row, 0]] + above[row, 1])
    return best if best < LONGEST else FAR


@exact_kernel
def pair_distances(documents: Ints, summaries: Ints, ancestry: Ancestry) -> Bytes:
    """Return the distance of each pair of readings: FAR without a path, or where a reading is −1.

    It is fastest if equal `documents` follow each other.
    """
    first, above = ancestry.first, ancestry.above
    near, out = np.full(ancestry.synsets, FAR, np.uint8), np.full(documents.shape[0], FAR, np.uint8)
    written = -1
    for e in range(documents.shape[0]):
        if documents[e] < 0 or summaries[e] < 0:
            continue
        if documents[e] != written:
            if written >= 0:
                for row in range(first[written, 0], first[written, 4]):
                    near[above[row, 0]] = FAR
            written = documents[e]
            for row in range(first[written, 0], first[written, 4]):
                near[above[row, 0]] = above[row, 1]
        out[e] = _distance(near, written, summaries[e], ancestry)
    return out


@exact_kernel
def count_distances(documents: Ints, summaries: Ints, counts: Floats, ancestry: Ancestry) -> Floats:
    """Return how many of the summary readings are at each distance from each document reading (D, LONGEST).

    Args:
        documents: the D document readings.
        summaries: the summary readings.
        counts: what each of them counts.
        ancestry: of all readings.
    """
    first, above = ancestry.first, ancestry.above
    size, places, ancestors = documents.shape[0], 0, 0
    for k in range(size):
        ancestors += first[documents[k], 4] - first[documents[k], 0]
    place, near = np.full(ancestry.synsets, -1, np.int32), np.full((ancestors, size), BEYOND, np.uint8)
    has, closed, best = np.empty((4, size), np.bool_), np.empty(size, np.bool_), np.empty(size, np.uint8)
    out = np.zeros((size, LONGEST))
    for k in range(size):
        for part in range(4):
            has[part, k] = first[documents[k], part] < first[documents[k], part + 1]
        for row in range(first[documents[k], 0], first[documents[k], 4]):
            if place[above[row, 0]] < 0:
                place[above[row, 0]] = places
                places += 1
            near[place[above[row, 0]], k] = min(above[row, 1], BEYOND)
    for s in range(summaries.shape[0]):
        for k in range(size):
            best[k], closed[k] = BEYOND, False
        for part in range(4):
            begin, end = first[summaries[s], part], first[summaries[s], part + 1]
            for row in range(begin, end):
                if place[above[row, 0]] >= 0 and above[row, 1] < LONGEST:
                    from_ancestor, further = near[place[above[row, 0]]], np.uint8(above[row, 1])
                    for k in range(size):
                        best[k] = min(best[k], np.uint8(from_ancestor[k] + further))
            if ancestry.first_part and begin < end:
                for k in range(size):
                    if has[part, k] and not closed[k]:
                        closed[k] = True
                        if best[k] < LONGEST:
                            out[k, best[k]] += counts[s]
                    best[k] = BEYOND
        for k in range(size):
            if best[k] < LONGEST:
                out[k, best[k]] += counts[s]
    return out
