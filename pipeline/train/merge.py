"""The merge of the tables of shards into the index of a corpus, with some word pairs at a time in memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from pipeline.io.arrays import split_ragged
from pipeline.semihmm.phrases.instances import Vocabulary
from pipeline.semihmm.phrases.rewrite import fake_table
from pipeline.semihmm.phrases.support import StemClasses
from pipeline.semihmm.phrases.table import PADDING, make_table, row_chances
from pipeline.semihmm.phrases.wordnet_distance import FAR, LONGEST, WordNetDistances
from pipeline.train.index import Index, spread
from pipeline.train.pairs import Numbers
from pipeline.types import AnyArray, Bytes, Floats, Ints, LongInts, Span

# Word pairs of all shards that are merged at once, which bounds the memory of the merge.
AT_ONCE = 8_000_000
WORD_TABLES = ("word_rows", "partners", "held", "kind", "distance")


class Sliceable(Protocol):
    """A one-dimensional array that is read in slices, in memory or on the disk."""

    def __len__(self) -> int: ...

    def __getitem__(self, span: slice, /) -> AnyArray: ...


class ShardTables(Protocol):
    """The tables of a shard, see :meth:`pipeline.train.shard.Shard.tables`, in memory or on the disk."""

    def __getitem__(self, name: str, /) -> AnyArray:
        """Return an array."""

    def slices(self, name: str, /) -> Sliceable:
        """Return an array whose slices are read when they are needed."""

    def text(self, name: str, /) -> list[str]:
        """Return an array of lines as a list."""


class Parts(Protocol):
    """A receiver of the parts of an array, such as a list or a file."""

    def append(self, part: AnyArray, /) -> None:
        """Add the next part."""


def make_index(
    shards: Sequence[ShardTables],
    settings: Mapping[str, Any],
    entries: Sequence[Parts],
    wordnet: WordNetDistances | None = None,
) -> tuple[Index, list[Numbers]]:
    """Return the :class:`Index` of shards, in order, and the :class:`Numbers` of each without their
    ``entries``.

    The numbers of the entries are appended to ``entries``, one receiver for each shard, part by part and in
    order. ``settings``: ``fake_counts`` and ``lexical_cooccurrence``.
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
    least = settings["lexical_cooccurrence"]
    if len(shards) == 1 and least == 1:
        block = own_words(shards[0], entries[0])
    else:
        block = merge_words(shards, maps, shares, least, entries)
    phrase_pairs, phrase_kind, phrase_numbers = merge_pairs(shards, rows, count)
    for receiver, numbers in zip(entries, phrase_numbers, strict=True):
        receiver.append(len(block.partners) + numbers)
    phrases = sorted(set().union(*(shard.text("phrases") for shard in shards)))
    row_histogram, histograms = make_histograms(wordnet, words, longer, phrases)
    kind = np.concatenate([block.kind, phrase_kind])
    index = Index(
        words,
        make_table(longer, block.rows, block.partners, phrase_pairs, kind),
        block.unlisted,
        row_histogram,
        histograms,
        phrases,
        fake_table(settings["fake_counts"]),
        frequency,
        sum(int(shard["document_words"]) for shard in shards),
        max(int(shard["longest"]) for shard in shards),
        sum(int(shard["pairs"]) for shard in shards),
        unigram,
    )
    chances = row_chances(StemClasses(words, settings["language"]).chance(words), longer)
    return index, [
        Numbers(
            own,
            None,
            chances[own],
            row_histogram[own],
            spread(1.0, frequency)[numbered],
            shares[numbered],
            block.share[numbered],
        )
        for own, numbered in zip(rows, maps, strict=True)
    ]


def merge_phrases(shards: Sequence[ShardTables], maps: Sequence[Ints]) -> tuple[Ints, list[AnyArray]]:
    """Return the longer phrases of all shards, sorted and padded, and where each shard's are among them."""
    phrases = [shard["longer"] for shard in shards]
    width = max(rows.shape[1] for rows in phrases)
    renumbered = []
    for rows, own in zip(phrases, maps, strict=True):
        new = np.full((len(rows), width), PADDING, dtype=np.int32)
        new[:, : rows.shape[1]] = np.where(rows == PADDING, PADDING, own[rows])
        renumbered.append(new)
    merged, numbers = np.unique(np.concatenate(renumbered), axis=0, return_inverse=True)
    return merged, split_ragged(numbers.ravel(), np.cumsum([0, *map(len, phrases)]))


def merge_frequencies(shards: Sequence[ShardTables], maps: Sequence[Ints], size: int) -> LongInts:
    """Return how often each of ``size`` words occurs in the summaries of all shards."""
    frequency = np.zeros(size, dtype=np.int64)
    for shard, own in zip(shards, maps, strict=True):
        frequency[own] += shard["frequency"]
    return frequency


class WordBlock(NamedTuple):
    """The word block of the index.

    ``rows``, ``partners``, ``kind``: see :class:`~pipeline.semihmm.kernels.phrase_table.PhraseTable`.
    ``unlisted`` (V): unlisted pairs of each document word; ``share`` (V): the mean of their fake counts by
    frequency.
    """

    rows: LongInts
    partners: Ints
    kind: Bytes
    unlisted: LongInts
    share: Floats


def own_words(shard: ShardTables, entries: Parts) -> WordBlock:
    """Return what :func:`merge_words` returns for a corpus that is one shard and lists all its pairs."""
    rows, partners = shard["word_rows"], shard["partners"]
    entries.append(np.arange(len(partners)))
    none = np.zeros(len(rows) - 1, dtype=np.int64)
    return WordBlock(rows, partners, shard["kind"][: len(partners)], none, none.astype(float))


def merge_words(
    shards: Sequence[ShardTables],
    maps: Sequence[Ints],
    shares: Floats,
    least: int,
    entries: Sequence[Parts],
    at_once: int = AT_ONCE,
) -> WordBlock:
    """Return the :class:`WordBlock` of all shards; ``least``: the setting ``lexical_cooccurrence``.

    ``shares``: the fake counts by frequency of each summary word. The numbers of each shard's entries, −1 for
    an unlisted one, are appended to ``entries``. The merge goes row by row and holds about ``at_once`` pairs
    in memory besides the listed ones.
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

        def read(name: str, spans: list[slice] = spans) -> AnyArray:
            return np.concatenate([t[name][span] for t, span in zip(tables, spans, strict=True)])

        distinct, begin, inverse = find_distinct(keys)
        held = np.bincount(inverse, read("held"), minlength=len(distinct))
        kind = read("kind")[begin]
        kept = (held >= least) | (kind > 0) | (read("distance")[begin] < FAR)
        number = np.where(kept, listed + np.cumsum(kept) - 1, -1)
        parts = split_ragged(inverse, np.cumsum([0, *map(len, keys)]))
        for receiver, part in zip(entries, parts, strict=True):
            receiver.append(number[part])
        listed += int(np.count_nonzero(kept))
        document, summary = np.divmod(distinct, size)
        partners.append(summary[kept].astype(np.int32))
        kinds.append(kind[kept])
        lengths += np.bincount(document[kept], minlength=size)
        unlisted += np.bincount(document[~kept], minlength=size)
        shared += np.bincount(document[~kept], shares[summary[~kept]], minlength=size)
    rows = np.concatenate([[0], np.cumsum(lengths)])
    share = shared / np.maximum(unlisted, 1)
    return WordBlock(rows, np.concatenate(partners), np.concatenate(kinds), unlisted, share)


def find_distinct(parts: Sequence[LongInts]) -> tuple[LongInts, LongInts, LongInts]:
    """Return what ``np.unique`` returns with indices and inverse, for sorted arrays without repetitions."""
    if len(parts) == 1:
        every = np.arange(len(parts[0]))
        return parts[0], every, every
    return np.unique(np.concatenate(parts), return_index=True, return_inverse=True)


def row_chunks(
    tables: Sequence[Mapping[str, Sliceable]], maps: Sequence[Ints], size: int, at_once: int
) -> Iterator[Span]:
    """Yield half-open spans of document words that together have about ``at_once`` entries."""
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


def merge_pairs(
    shards: Sequence[ShardTables], rows: Sequence[Ints], count: int
) -> tuple[Ints, Bytes, list[AnyArray]]:
    """Return the pairs with a longer phrase of all shards, sorted, their kinds, and the numbers of each
    shard's.

    ``rows``: the numbers of each shard's phrases among all ``count``.
    """
    pairs = [own[shard["phrase_pairs"]].astype(np.int64) for shard, own in zip(shards, rows, strict=True)]
    kinds = [shard.slices("kind")[len(shard.slices("partners")) :] for shard in shards]
    distinct, begin, inverse = find_distinct([pair[:, 0] * count + pair[:, 1] for pair in pairs])
    merged = np.stack(np.divmod(distinct, count), axis=1).astype(np.int32)
    return merged, np.concatenate(kinds)[begin], split_ragged(inverse, np.cumsum([0, *map(len, pairs)]))


def make_histograms(
    wordnet: WordNetDistances | None, words: Sequence[str], longer: Ints, phrases: Sequence[str]
) -> tuple[Ints, Floats]:
    """Return the ``row_histogram`` and the ``histograms`` of an :class:`Index`.

    ``words``: the one-word phrases; ``longer``: the other ones, padded; ``phrases``: of the summaries.
    """
    if wordnet is None:
        return np.full(len(words) + len(longer), -1, dtype=np.int32), np.zeros((0, LONGEST))
    texts = [(word,) for word in words]
    texts += [tuple(words[word] for word in row if word != PADDING) for row in longer.tolist()]
    readings = [wordnet.reading(text) for text in texts]
    # Numbered by row, because the numbers of readings depend on what was looked up before.
    numbers = {reading: i for i, reading in enumerate(dict.fromkeys(r for r in readings if r >= 0))}
    rows = np.array([numbers.get(reading, -1) for reading in readings], dtype=np.int32)
    return rows, wordnet.histograms(list(numbers), *wordnet.count(phrases))
