"""The merge of the tables of shards into the index of a corpus, and into its rows, part by part."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from vorlage.files.arrays import split_ragged
from vorlage.semihmm.rewrite.instances import Vocabulary
from vorlage.semihmm.rewrite.mixture import fake_table
from vorlage.semihmm.rewrite.support import StemClasses
from vorlage.semihmm.rewrite.table import PADDING, row_chances
from vorlage.semihmm.rewrite.wordnet_distance import FAR, LONGEST, WordNetDistances
from vorlage.semihmm.train.index import Index, Rows, spread
from vorlage.semihmm.train.pairs import Numbers
from vorlage.types import AnyArray, Bytes, Floats, Ints, LongInts, Span

# Word pairs of all shards that are merged at once, which bounds the memory of the merge.
AT_ONCE = 8_000_000
TABLES = ("word_rows", "partners", "held", "kind", "distance", "phrase_rows", "phrase_pairs")
NO_SHARES = np.empty(0)
# Takes the next numbers of the entries of a shard, and the number of the shard.
Receiver: TypeAlias = Callable[[AnyArray, int], None]


class Sliceable(Protocol):
    """An array that is read in slices of its rows, in memory or on the disk."""

    def __len__(self) -> int: ...

    def __getitem__(self, span: slice, /) -> AnyArray: ...


class ShardTables(Protocol):
    """The tables of a shard, see `vorlage.semihmm.train.shard.Shard.tables`, in memory or on the disk."""

    def __getitem__(self, name: str, /) -> AnyArray:
        """Return an array."""

    def slices(self, name: str, /) -> Sliceable:
        """Return an array whose slices are read when they are needed."""

    def text(self, name: str, /) -> list[str]:
        """Return an array of lines as a list."""


def make_index(
    shards: Sequence[ShardTables], settings: Mapping[str, Any], wordnet: WordNetDistances | None = None
) -> tuple[Index, list[Numbers]]:
    """Return the `Index` of shards, in order, and the `Numbers` of each.

    The numbers lack `entries` and `share`, which follow from `merge_rows`. `settings`:
    `fake_counts` and `language`.
    """
    words = sorted(set().union(*(shard.text("words") for shard in shards)))
    vocabulary = Vocabulary(words)
    maps = [np.array([vocabulary.find(w) for w in shard.text("words")], dtype=np.int32) for shard in shards]
    longer, longer_maps = merge_phrases(shards, maps)
    frequency = merge_frequencies(shards, maps, len(words))
    unigram = float(settings["fake_counts"]["unigram"])
    phrases = sorted(set().union(*(shard.text("phrases") for shard in shards)))
    row_histogram, histograms = make_histograms(wordnet, words, longer, phrases)
    index = Index(
        words,
        longer,
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
    numbers = []
    for own, others in zip(maps, longer_maps, strict=True):
        rows = np.concatenate([own, len(words) + others]).astype(np.int32)
        shares = spread(1.0, frequency)[own], spread(unigram, frequency)[own]
        numbers.append(Numbers(rows, None, chances[rows], row_histogram[rows], *shares, NO_SHARES))
    return index, numbers


def row_bounds(shards: Sequence[ShardTables], rows: Sequence[Ints], count: int, parts: int) -> LongInts:
    """Return the bounds of `parts` runs of `count` rows that have about as many word pairs in all shards.

    `rows`: the numbers of each shard's rows among all.
    """
    entries = count_entries([{"word_rows": shard["word_rows"]} for shard in shards], rows, count)
    before = np.concatenate([[0], np.cumsum(entries)])
    inner = np.searchsorted(before, before[-1] * np.arange(1, parts) / parts)
    return np.concatenate([[0], inner, [count]])


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
    """Return how often each of `size` words occurs in the summaries of all shards."""
    frequency = np.zeros(size, dtype=np.int64)
    for shard, own in zip(shards, maps, strict=True):
        frequency[own] += shard["frequency"]
    return frequency


def merge_rows(
    shards: Sequence[ShardTables],
    rows: Sequence[Ints],
    index: Index,
    span: Span,
    least: int,
    receive: Receiver,
    at_once: int = AT_ONCE,
) -> tuple[Rows, list[AnyArray]]:
    """Return the `Rows` in the half-open `span` of an index, and the numbers of the entries there of
    the phrase block of each shard.

    `rows`: the numbers of each shard's rows in the index; `least`: the setting `lexical_cooccurrence`.
    `receive` is given the numbers of the entries of the word blocks, −1 for an unlisted one, part by part
    and in order. The merge holds about `at_once` word pairs in memory besides the listed ones.
    """
    size, count = len(index.words), len(index.words) + len(index.longer)
    tables = [{name: shard.slices(name) for name in TABLES} for shard in shards]
    words = min(span[0], size), min(span[1], size)
    if len(shards) == 1 and least == 1 and span == (0, count):
        block = own_words(tables[0], receive)
    else:
        block = merge_words(tables, rows, index.spread, words, least, receive, at_once)
    word_rows, partners, word_kind, unlisted, share = block
    pairs, kind, numbers = merge_pairs(tables, rows, count, span)
    bounds = np.searchsorted(pairs[:, 0], np.arange(span[0], span[1] + 1)).astype(np.int64)
    kind = np.concatenate([word_kind, kind])
    merged = Rows(word_rows, partners, bounds, pairs, kind, unlisted, share)
    return merged, [len(partners) + of_shard for of_shard in numbers]


def own_words(table: Mapping[str, Sliceable], receive: Receiver) -> tuple[AnyArray, ...]:
    """Return what `merge_words` returns for a corpus that is one shard and lists all its pairs."""
    word_rows, partners = table["word_rows"][:], table["partners"][:]
    receive(np.arange(len(partners)), 0)
    none = np.zeros(len(word_rows) - 1, dtype=np.int64)
    return word_rows, partners, table["kind"][: len(partners)], none, none.astype(float)


def merge_words(
    tables: Sequence[Mapping[str, Sliceable]],
    rows: Sequence[Ints],
    shares: Floats,
    words: Span,
    least: int,
    receive: Receiver,
    at_once: int,
) -> tuple[AnyArray, ...]:
    """Return the word block of the rows of `words`: `word_rows`, `partners`, its `kind`, `unlisted`
    and `share` of `Rows`.

    `shares` (V): the fake counts by frequency of each summary word; the others as for `merge_rows`.
    """
    size, (start, stop) = len(shares), words
    partners, kinds = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.uint8)]
    lengths, unlisted = np.zeros(stop - start, dtype=np.int64), np.zeros(stop - start, dtype=np.int64)
    shared = np.zeros(stop - start)
    listed = 0
    for first, last in row_chunks(count_entries(tables, rows, size), words, at_once):
        spans, keys = [], []
        for table, own in zip(tables, rows, strict=True):
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
        for shard, part in enumerate(parts):
            receive(number[part], shard)
        listed += int(np.count_nonzero(kept))
        document, summary = np.divmod(distinct, size)
        document -= start
        partners.append(summary[kept].astype(np.int32))
        kinds.append(kind[kept])
        lengths += np.bincount(document[kept], minlength=stop - start)
        unlisted += np.bincount(document[~kept], minlength=stop - start)
        shared += np.bincount(document[~kept], shares[summary[~kept]], minlength=stop - start)
    word_rows = np.concatenate([[0], np.cumsum(lengths)])
    share = shared / np.maximum(unlisted, 1)
    return word_rows, np.concatenate(partners), np.concatenate(kinds), unlisted, share


def find_distinct(parts: Sequence[LongInts]) -> tuple[LongInts, LongInts, LongInts]:
    """Return what `np.unique` returns with indices and inverse, for sorted arrays without repetitions."""
    if len(parts) == 1:
        every = np.arange(len(parts[0]))
        return parts[0], every, every
    return np.unique(np.concatenate(parts), return_index=True, return_inverse=True)


def count_entries(tables: Sequence[Mapping[str, Sliceable]], rows: Sequence[Ints], count: int) -> LongInts:
    """Return the number of entries of the word blocks of all shards in each of `count` rows."""
    entries = np.zeros(count, dtype=np.int64)
    for table, own in zip(tables, rows, strict=True):
        lengths = np.diff(table["word_rows"][:])
        entries[own[: len(lengths)]] += lengths
    return entries


def row_chunks(entries: LongInts, words: Span, at_once: int) -> Iterator[Span]:
    """Yield half-open spans of the document `words` that together have about `at_once` entries."""
    before = np.concatenate([[0], np.cumsum(entries)])
    first, stop = words
    while first < stop:
        last = int(np.searchsorted(before, before[first] + at_once, side="right")) - 1
        last = min(max(first + 1, last), stop)
        yield first, last
        first = last


def merge_pairs(
    tables: Sequence[Mapping[str, Sliceable]], rows: Sequence[Ints], count: int, span: Span
) -> tuple[Ints, Bytes, list[AnyArray]]:
    """Return the pairs with a longer phrase of all shards whose row is in `span`, sorted, their kinds, and
    the numbers of each shard's.

    `rows`: the numbers of each shard's rows among all `count`.
    """
    keys, kinds = [], []
    for table, own in zip(tables, rows, strict=True):
        low, high = np.searchsorted(own, span)
        bounds = table["phrase_rows"][low : high + 1]
        first, last, words = int(bounds[0]), int(bounds[-1]), len(table["partners"])
        pairs = own[table["phrase_pairs"][first:last]].astype(np.int64)
        keys.append(pairs[:, 0] * count + pairs[:, 1])
        kinds.append(table["kind"][words + first : words + last])
    distinct, begin, inverse = find_distinct(keys)
    merged = np.stack(np.divmod(distinct, count), axis=1).astype(np.int32)
    return merged, np.concatenate(kinds)[begin], split_ragged(inverse, np.cumsum([0, *map(len, keys)]))


def make_histograms(
    wordnet: WordNetDistances | None, words: Sequence[str], longer: Ints, phrases: Sequence[str]
) -> tuple[Ints, Floats]:
    """Return the `row_histogram` and the `histograms` of an `Index`.

    `words`: the one-word phrases; `longer`: the other ones, padded; `phrases`: of the summaries.
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
