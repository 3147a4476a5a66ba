"""Distances over hypernym links, compiled.

A *reading* x has ancestors in each of the four parts of speech: those of part p are the rows ``first[x, p] :
first[x, p+1]` of `above`` (ancestor, distance) int32. Ancestors are synsets, numbered from 0 to
`synsets` − 1, and a synset has one part of speech.

The distances of one reading from its ancestors are written to `near`, by ancestor, where the ancestors of
every other reading are looked up. Where all pairs of some readings are needed, those of many readings from an
ancestor lie side by side, so that the compiler can add to many of them with one instruction.
"""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel, inner_kernel
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints

FAR = 255  # represents an infinite distance
LONGEST = 64  # all other distances are below this
BEYOND = np.uint8(2 * LONGEST)  # at least LONGEST, also with a distance added, and still a uint8


@exact_kernel
def find_ancestors(
    senses: Ints,
    further: Bytes,
    bounds: Ints,
    at: Ints,
    links: Ints,
    lengths: AnyArray,
    climbs: Bools,
    only: bool,
    near: Bytes,
    found: Ints,
    ends: Ints,
) -> None:
    """Find the ancestors of a reading, senses included.

    Args:
        senses: synsets, those of part p from `bounds[p]` to `bounds[p + 1]`.
        further: what each of them adds to a distance.
        bounds: the bounds of the parts among the senses (5).
        at: the links of synset x are from `at[x]` to `at[x + 1]`.
        links: the synsets above others.
        lengths: how far they are.
        climbs: the synsets (Y) whose links count with `only`.
        only: whether no other links count, and all have length 1.
        near: FAR for each synset (Y); filled with the distances of the ancestors.
        found: filled with the ancestors, part by part (Y).
        ends: zeros (5), which become the bounds of each part in `found`.
    """
    size = 0
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
                if climbs[found[k]] or not only:
                    for link in range(at[found[k]], at[found[k] + 1]):
                        distance = near[found[k]] + (1 if only else lengths[link])
                        if distance < near[links[link]]:
                            if near[links[link]] == FAR:
                                found[size] = links[link]
                                size += 1
                            near[links[link]] = distance
                            changed = True
                k += 1
        ends[part + 1] = size


@inner_kernel
def _distance(near: Bytes, x: int, y: int, first: Ints, above: Ints, only: bool) -> int:
    """Return the least sum of the distances of two readings from an ancestor of both; FAR without one.

    `near`: of `x`. With `only`, only the first part of speech that both have counts.
    """
    begin, end = first[y, 0], first[y, 4]
    if only:
        for part in range(4):
            begin, end = first[y, part], first[y, part + 1]
            if begin < end and first[x, part] < first[x, part + 1]:
                break
    best = FAR
    for row in range(begin, end):
        best = min(best, near[above[row, 0]] + above[row, 1])
    return best if best < LONGEST else FAR


@exact_kernel
def pair_distances(
    documents: Ints, summaries: Ints, first: Ints, above: Ints, only: bool, near: Bytes, out: Bytes
) -> None:
    """Write the distance of each pair of readings to `out`, which holds FAR at first.

    FAR stays where there is no path, or where a reading is −1. `near`: FAR for each synset. It is fastest if
    equal `documents` follow each other.
    """
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
        out[e] = _distance(near, written, summaries[e], first, above, only)


@exact_kernel
def count_distances(
    documents: Ints,
    summaries: Ints,
    counts: Floats,
    first: Ints,
    above: Ints,
    only: bool,
    place: Ints,
    near: Bytes,
    has: Bools,
    best: Bytes,
    closed: Bools,
    out: Floats,
) -> None:
    """Add how many of the summary readings are at each distance from each document reading to `out`.

    Args:
        documents: the D document readings.
        summaries: the summary readings.
        counts: what each of them counts.
        first: the bounds of the ancestors of each reading, by part of speech.
        above: the ancestors.
        only: whether only the first part of speech that both have counts.
        place: −1 for each synset; filled with numbers of the ancestors of `documents`.
        near: BEYOND, a row for each of these ancestors (…, D); filled with distances.
        has: filled with whether each reading has each part of speech (4, D).
        best: space (D).
        closed: space (D).
        out: (D, LONGEST).
    """
    size, places = documents.shape[0], 0
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
            if only and begin < end:
                for k in range(size):
                    if has[part, k] and not closed[k]:
                        closed[k] = True
                        if best[k] < LONGEST:
                            out[k, best[k]] += counts[s]
                    best[k] = BEYOND
        for k in range(size):
            if best[k] < LONGEST:
                out[k, best[k]] += counts[s]
