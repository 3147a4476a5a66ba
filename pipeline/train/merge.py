"""Make the index of a corpus of the tables of its shards, some word pairs at a time in memory."""

from typing import NamedTuple

import numpy as np

from pipeline.io.arrays import split_ragged
from pipeline.semihmm.kernels.hypernyms import FAR, LONGEST
from pipeline.semihmm.phrases.instances import Vocabulary
from pipeline.semihmm.phrases.rewrite import fake_table
from pipeline.semihmm.phrases.support import StemClasses
from pipeline.semihmm.phrases.table import PADDING, row_chances
from pipeline.train.index import Index, spread
from pipeline.train.pairs import Numbers

# Word pairs of all shards that are merged at once: what bounds the memory of the merge.
AT_ONCE = 8_000_000
WORD_TABLES = ("word_rows", "partners", "held", "kind", "distance")


def make_index(shards, settings, numbers, senses=None):
    """The :class:`Index` of shards, in order, and the :class:`Numbers` of each without their ``entries``.

    These are given to ``numbers``, for each shard something with ``append``, part by part and in order.
    ``shards``: their tables, see :meth:`pipeline.train.shard.Shard.tables`, in memory or on the disk;
    ``settings``: ``fake_counts`` and ``lexical_cooccurrence`` of the section.
    """
    words = sorted(set().union(*(shard.text("words") for shard in shards)))
    vocabulary = Vocabulary(words)
    maps = [np.array([vocabulary.find(w) for w in shard.text("words")], dtype=np.int32) for shard in shards]
    longer, longer_maps = merge_phrases(shards, maps)
    rows = [
        np.concatenate([own, len(words) + others]).astype(np.int32)
        for own, others in zip(maps, longer_maps, strict=True)
    ]
    count = len(words) + len(longer)
    frequency = merge_frequencies(shards, maps, len(words))
    unigram = float(settings["fake_counts"]["unigram"])
    shares = spread(unigram, frequency)
    block = merge_words(shards, maps, shares, settings["lexical_cooccurrence"], numbers)
    phrase_pairs, phrase_kind, phrase_numbers = merge_pairs(shards, rows, count)
    for found, others in zip(numbers, phrase_numbers, strict=True):
        found.append(len(block.partners) + others)
    row_reading, row_readings = merge_readings(shards, rows, count)
    readings, reading_counts = count_readings(shards)
    index = Index(
        words,
        longer,
        block.rows,
        block.partners,
        np.searchsorted(phrase_pairs[:, 0], np.arange(count + 1)).astype(np.int64),
        phrase_pairs,
        np.concatenate([block.kind, phrase_kind]),
        block.unlisted,
        row_reading,
        histograms(senses, row_readings, readings, reading_counts),
        readings,
        reading_counts,
        fake_table(settings["fake_counts"]),
        frequency,
        sum(int(shard["document_words"]) for shard in shards),
        max(int(shard["longest"]) for shard in shards),
        sum(int(shard["pairs"]) for shard in shards),
        unigram,
    )
    chances = row_chances(StemClasses(words).chance(words), longer)
    return index, [
        Numbers(own, None, chances[own], row_reading[own], shares[numbered], block.share[numbered])
        for own, numbered in zip(rows, maps, strict=True)
    ]


def merge_phrases(shards, maps):
    """The longer phrases of all shards in order, padded, and where those of each shard are among them."""
    found = [shard["longer"] for shard in shards]
    width = max(rows.shape[1] for rows in found)
    renumbered = []
    for rows, own in zip(found, maps, strict=True):
        new = np.full((len(rows), width), PADDING, dtype=np.int32)
        new[:, : rows.shape[1]] = np.where(rows == PADDING, PADDING, own[rows])
        renumbered.append(new)
    merged, numbers = np.unique(np.concatenate(renumbered), axis=0, return_inverse=True)
    return merged, split_ragged(numbers.ravel(), np.cumsum([0, *map(len, found)]))


def merge_frequencies(shards, maps, size):
    """How often each of ``size`` words occurs in the summaries of all shards, int64."""
    frequency = np.zeros(size, dtype=np.int64)
    for shard, own in zip(shards, maps, strict=True):
        frequency[own] += shard["frequency"]
    return frequency


class WordBlock(NamedTuple):
    """The word block of the index; ``share`` (V): the mean fake counts by frequency of unlisted pairs."""

    rows: np.ndarray
    partners: np.ndarray
    kind: np.ndarray
    unlisted: np.ndarray
    share: np.ndarray


def merge_words(shards, maps, shares, least, numbers, at_once=AT_ONCE):
    """The :class:`WordBlock` of all shards; ``least``: the setting ``lexical_cooccurrence``.

    ``shares``: the fake counts by frequency of each summary word. ``numbers`` are given those of each shard's
    entries, −1 for an unlisted one. Row by row, about ``at_once`` pairs in memory besides the listed ones.
    """
    tables = [{name: shard.slices(name) for name in WORD_TABLES} for shard in shards]
    partners, kinds, size = [], [], len(shares)
    lengths, unlisted = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    shared = np.zeros(size)
    listed = 0
    for first, last in row_chunks(tables, maps, size, at_once):
        spans, keys = [], []
        for table, own in zip(tables, maps, strict=True):
            low, high = np.searchsorted(own, (first, last))
            bounds = table["word_rows"][low : high + 1]
            spans.append(slice(int(bounds[0]), int(bounds[-1])))
            document = np.repeat(own[low:high].astype(np.int64), np.diff(bounds))
            keys.append(document * size + own[table["partners"][spans[-1]]])

        def all_of(name, spans=spans):
            return np.concatenate([t[name][span] for t, span in zip(tables, spans, strict=True)])

        distinct, begin, inverse = find_distinct(keys)
        held = np.bincount(inverse, all_of("held"), minlength=len(distinct))
        kind = all_of("kind")[begin]
        kept = (held >= least) | (kind > 0) | (all_of("distance")[begin] < FAR)
        number = np.where(kept, listed + np.cumsum(kept) - 1, -1)
        for found, part in zip(numbers, split_ragged(inverse, np.cumsum([0, *map(len, keys)])), strict=True):
            found.append(number[part])
        listed += np.count_nonzero(kept)
        document, summary = np.divmod(distinct, size)
        partners.append(summary[kept].astype(np.int32))
        kinds.append(kind[kept])
        lengths += np.bincount(document[kept], minlength=size)
        unlisted += np.bincount(document[~kept], minlength=size)
        shared += np.bincount(document[~kept], shares[summary[~kept]], minlength=size)
    rows = np.concatenate([[0], np.cumsum(lengths)])
    share = shared / np.maximum(unlisted, 1)
    return WordBlock(rows, np.concatenate(partners), np.concatenate(kinds), unlisted, share)


def find_distinct(parts):
    """The distinct numbers of sorted arrays without repetitions: ``np.unique`` with indices and inverse."""
    if len(parts) == 1:
        every = np.arange(len(parts[0]))
        return parts[0], every, every
    return np.unique(np.concatenate(parts), return_index=True, return_inverse=True)


def row_chunks(tables, maps, size, at_once):
    """Half-open spans of document words that together have about ``at_once`` entries, one at least."""
    entries = np.zeros(size, dtype=np.int64)
    for table, own in zip(tables, maps, strict=True):
        entries[own] += np.diff(table["word_rows"][:])
    before = np.cumsum(entries)
    first = 0
    while first < size:
        limit = (before[first - 1] if first else 0) + at_once
        last = max(first + 1, int(np.searchsorted(before, limit, side="right")))
        yield first, last
        first = last


def merge_pairs(shards, rows, count):
    """The pairs with a longer phrase of all shards, sorted: ``(pairs, kinds, numbers of each shard's)``.

    ``rows``: the numbers of each shard's phrases among all ``count``.
    """
    found = [own[shard["phrase_pairs"]].astype(np.int64) for shard, own in zip(shards, rows, strict=True)]
    kinds = [shard.slices("kind")[len(shard.slices("partners")) :] for shard in shards]
    distinct, begin, inverse = find_distinct([pairs[:, 0] * count + pairs[:, 1] for pairs in found])
    pairs = np.stack(np.divmod(distinct, count), axis=1).astype(np.int32)
    return pairs, np.concatenate(kinds)[begin], split_ragged(inverse, np.cumsum([0, *map(len, found)]))


def merge_readings(shards, rows, count):
    """``(row_reading, readings)``: the distinct readings of all rows, and which each row has, −1 for none."""
    readings, inverse = np.unique(
        np.concatenate([shard["readings"] for shard in shards]), axis=0, return_inverse=True
    )
    out = np.full(count, -1, dtype=np.int32)
    parts = split_ragged(inverse.ravel(), np.cumsum([0, *(len(shard["readings"]) for shard in shards)]))
    for shard, own, numbers in zip(shards, rows, parts, strict=True):
        reading = shard["row_reading"]
        has = reading >= 0
        out[own[has]] = numbers[reading[has]]
    used, numbers = np.unique(out[out >= 0], return_inverse=True)
    out[out >= 0] = numbers
    return out, readings[used]


def count_readings(shards):
    """The distinct readings of the summary phrases of all shards, and how many distinct phrases have each."""
    found = {}
    for shard in shards:
        readings = shard["readings"][shard["phrase_readings"]]
        found.update(zip(shard.text("phrases"), map(tuple, readings.tolist()), strict=True))
    table = np.array(list(found.values()), dtype=np.int64).reshape(-1, 4)
    readings, counts = np.unique(table, axis=0, return_counts=True)
    return readings, counts.astype(float)


def histograms(senses, row_readings, readings, counts):
    """How many summary phrases lie at each distance of each of the rows' readings, float64 (H, LONGEST)."""
    if senses is None:
        return np.zeros((0, LONGEST))
    rows, summaries = senses.from_offsets(row_readings), senses.from_offsets(readings)
    return senses.histograms(rows, summaries, counts)
