"""The index of a corpus: its words, longer phrases and phrase pairs, numbered over all blocks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from vorlage.command.processes import map_in_processes
from vorlage.files.arrays import split_ragged
from vorlage.semihmm.kernels.phrase_table import PhraseTable, find_entries, log_prior_gain, row_totals
from vorlage.semihmm.rewrite.instances import Vocabulary
from vorlage.semihmm.rewrite.mixture import decays, fake_table
from vorlage.semihmm.rewrite.null_jumps import emits_phrases
from vorlage.semihmm.rewrite.stems import StemTable
from vorlage.semihmm.rewrite.support import StemClasses
from vorlage.semihmm.rewrite.table import PADDING, row_chances
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST, Readings, WordNetDistances
from vorlage.semihmm.train.blocks import ArrayStore, Block
from vorlage.settings import Training
from vorlage.text.words import stem
from vorlage.types import AnyArray, Bytes, Floats, Ints, LongInts, Span

# Entries of all blocks that are merged at once, which bounds the memory of the merge.
CHUNK_ENTRIES = 8_000_000
KIND_BITS = 2


@dataclass(frozen=True)
class Index:
    """The V words, P longer phrases and E phrase pairs of a corpus, and what EM needs to know of them.

    `words`: sorted; `table`: the phrase pairs, with `longer` sorted; `row_histogram` (V+P): which of the
    `histograms` a row has, −1 for none; `histograms` (H, LONGEST): the number of summary phrases at each
    WordNet distance. `word_stems` (V): of the words; `readings`: of the summary phrases. `fake` (2, 3): fake
    counts by block and kind, see `vorlage.semihmm.rewrite.mixture.fake_table`. `frequency` (V) int64:
    occurrences of each word in the summaries. `document_words`: of all extracts; `longest`: of the longest
    extract. `pairs`: of texts. `unigram`: fake counts of a document word that are spread over the summary
    words by frequency.

    With the table over stems: `stems`, the table without counts; `stem_groups` (E), the pair of it that each
    phrase pair belongs to; `summary_chance` (E): the share of each summary phrase in its stems. `emits`:
    whether the null state emits longer phrases.
    """

    words: list[str]
    table: PhraseTable
    row_histogram: Ints
    histograms: Floats
    word_stems: list[str]
    readings: Readings
    language: str
    fake: Floats
    frequency: LongInts
    document_words: int
    longest: int
    pairs: int
    unigram: float
    stems: StemTable | None
    stem_groups: LongInts
    summary_chance: Floats
    emits: bool

    @property
    def summary_words(self) -> LongInts:
        """The words that occur in a summary, ascending."""
        return np.flatnonzero(self.frequency)

    @property
    def null_phrases(self) -> Ints:
        """The longer phrases that occur in a summary if the null state emits them, ascending."""
        partners = np.unique(self.table.phrase_pairs[:, 1]) if self.emits else np.empty(0, dtype=np.int32)
        return partners[partners >= len(self.words)]

    @property
    def null_size(self) -> int:
        """V, or V+P if the null state emits longer phrases."""
        return len(self.words) + self.emits * len(self.table.longer)

    @property
    def spread(self) -> Floats:
        """The fake counts that each summary word has by its frequency (V)."""
        return spread(self.unigram, self.frequency)

    def summary(self) -> str:
        """Return a line that says what the index holds."""
        return (
            f"{self.pairs} pairs, {len(self.words)} words, {len(self.table.longer)} longer phrases, "
            f"{len(self.table.partners)} word pairs, {len(self.table.phrase_pairs)} longer phrase pairs"
        )

    def totals(self, counts: Floats) -> Floats:
        """Return total(d̄) of each row (V+P): the counts (E) and fake counts of all its pairs."""
        totals = row_totals(self.table, self.fake, counts)
        totals[: len(self.words)] += self.unigram
        return totals

    def log_prior(self, counts: Floats, totals: Floats, fake_totals: Floats) -> float:
        """Return the fake counts' share of the objective: Σ fake · log(t / t_0), at most 0, natural log.

        t_0 is the lexical table of the fake counts alone; without it, thousands of fake counts a word would
        hide the likelihood. `counts` (E); `totals`, `fake_totals` (V+P): with these counts, and without.
        """
        gain = log_prior_gain(self.table, self.fake, counts, self.spread)
        has = fake_totals > 0
        return gain - float(fake_totals[has] @ np.log(totals[has] / fake_totals[has]))

    def norms(self, eta: float) -> Floats:
        """Return Z of each histogram (H) under η."""
        return self.histograms @ decays(eta)[:LONGEST]


def spread(unigram: float, frequency: LongInts) -> Floats:
    """Return `unigram` fake counts spread over words by their `frequency`."""
    return unigram * frequency / max(frequency.sum(), 1)


def make_index(
    blocks: Sequence[Block],
    settings: Training,
    wordnet: WordNetDistances | None,
    arrays: ArrayStore,
    processes: int,
) -> Index:
    """Return the index of some blocks, and store its numbers in them.

    Args:
        blocks: their numbers are stored in their arrays, see `_open_numbering`.
        settings: `fake_counts` and `paper`.
        wordnet: None without WordNet.
        arrays: where the arrays by entry are.
        processes: how many merge and number entries at once.
    """
    language = blocks[0].lines("language")[0]
    words = sorted(set().union(*(block.lines("words") for block in blocks)))
    vocabulary = Vocabulary(words)
    numbers = [np.array([vocabulary.find(w) for w in b.lines("words")], dtype=np.int32) for b in blocks]
    longer, longer_numbers = _merge_phrases([block.arrays["longer"] for block in blocks], numbers)
    frequency = np.zeros(len(words), dtype=np.int64)
    for block, own, others in zip(blocks, numbers, longer_numbers, strict=True):
        frequency[own] += np.bincount(block.arrays["summary"], minlength=len(own))
        block.arrays["rows"] = np.concatenate([own, len(words) + others]).astype(np.int32)
    lengths = np.concatenate([np.diff(block.arrays["document_at"]) for block in blocks])
    phrases = sorted(set().union(*(block.lines("phrases") for block in blocks)))
    row_histogram, histograms = _make_histograms(wordnet, words, longer, phrases)
    word_stems = [stem(word, language) for word in words]
    table = _merge_tables(blocks, longer, len(words), arrays, processes)
    chance = row_chances(StemClasses(words, word_stems, language).chance(words), longer)
    stems, groups, summary_chance = None, np.empty(0, dtype=np.int64), np.empty(0)
    if settings.paper == 2004:
        stems, groups = StemTable.of(words, table, language, settings.fake_counts)
        summary_chance = chance[np.concatenate([table.partners, table.phrase_pairs[:, 1]])]
    index = Index(
        words,
        table,
        row_histogram,
        histograms,
        word_stems,
        wordnet.collect(phrases) if wordnet else Readings(),
        language,
        fake_table(settings.fake_counts),
        frequency,
        int(lengths.sum()),
        int(lengths.max()),
        len(lengths),
        float(settings.fake_counts.unigram),
        stems,
        groups,
        summary_chance,
        emits_phrases(settings),
    )
    arrays["row_chance"] = chance
    arrays["row_histogram"] = row_histogram
    arrays["frequency"] = spread(1.0, frequency)
    arrays["spread"] = index.spread
    for _ in map_in_processes(partial(_open_numbering, arrays), blocks, processes):
        pass
    return index


def _merge_phrases(phrases: Sequence[Ints], numbers: Sequence[Ints]) -> tuple[Ints, list[AnyArray]]:
    """Return the longer phrases of all blocks, sorted and padded, and where each block's are among them."""
    width = max(rows.shape[1] for rows in phrases)
    renumbered = []
    for rows, own in zip(phrases, numbers, strict=True):
        new = np.full((len(rows), width), PADDING, dtype=np.int32)
        new[:, : rows.shape[1]] = np.where(rows == PADDING, PADDING, own[rows])
        renumbered.append(new)
    merged, places = np.unique(np.concatenate(renumbered), axis=0, return_inverse=True)
    return merged, split_ragged(places.ravel(), np.cumsum([0, *map(len, phrases)]))


def _make_histograms(
    wordnet: WordNetDistances | None, words: Sequence[str], longer: Ints, phrases: Sequence[str]
) -> tuple[Ints, Floats]:
    """Return the `row_histogram` and the `histograms` of an `Index`.

    `words`: the one-word phrases; `longer`: the other ones, padded; `phrases`: those of the summaries.
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


class Entries(NamedTuple):
    """The entries of a table whose document phrases are words, or those with a longer phrase.

    `bounds` (R+1): of each row; `partners`: summary phrases, ascending in each row; `kind`: of each.
    """

    bounds: LongInts
    partners: Ints
    kind: Bytes

    @classmethod
    def of(cls, arrays: ArrayStore, longer: bool) -> "Entries":
        """Return the entries of the word block, or of the phrase block, of a phrase table."""
        words = len(arrays["partners"])
        if longer:
            partners = np.ascontiguousarray(arrays["phrase_pairs"][:, 1])
            return cls(arrays["phrase_rows"], partners, arrays["kind"][words:])
        return cls(arrays["word_rows"], arrays["partners"], arrays["kind"][:words])


def _merge_tables(
    blocks: Sequence[Block], longer: Ints, words: int, arrays: ArrayStore, processes: int
) -> PhraseTable:
    """Return the phrase table of all blocks, with the `longer` phrases; its arrays by entry are stored."""
    size = words + len(longer)
    # Blocks share entries, so that the ends of these arrays are not used.
    sizes = [sum(len(Entries.of(b.arrays, side).partners) for b in blocks) for side in (False, True)]
    kind = arrays.allocate("kinds", sum(sizes), np.uint8)
    bounds, partners, entries = [], [], 0
    for side, rows in ((False, words), (True, size)):
        summary = arrays.allocate("phrase_partners" if side else "word_partners", sizes[side], np.int32)
        lengths, first = [np.zeros(1, dtype=np.int64)], 0
        opener = partial(_open_merge, blocks, size, side)
        for chunk in map_in_processes(opener, _chunks(blocks, rows, side), processes):
            last = first + len(chunk.partners)
            summary[first:last], kind[entries + first : entries + last] = chunk.partners, chunk.kind
            lengths.append(chunk.bounds)
            first = last
        bounds.append(np.cumsum(np.concatenate(lengths)))
        partners.append(summary[:first])
        entries += first
    pairs = np.stack([np.repeat(np.arange(size, dtype=np.int32), np.diff(bounds[1])), partners[1]], axis=1)
    arrays["word_rows"], arrays["phrase_rows"] = bounds
    return PhraseTable(longer, bounds[0], partners[0], bounds[1], pairs, kind[:entries])


def _chunks(blocks: Sequence[Block], rows: int, longer: bool) -> Iterator[Span]:
    """Yield half-open spans of the `rows` of the index that together have about `CHUNK_ENTRIES` entries."""
    lengths = np.zeros(rows, dtype=np.int64)
    for block in blocks:
        own = np.diff(Entries.of(block.arrays, longer).bounds)
        lengths[block.arrays["rows"][: len(own)]] += own
    ends = np.concatenate([[0], np.cumsum(lengths)])
    first = 0
    while first < rows:
        last = int(np.searchsorted(ends, ends[first] + CHUNK_ENTRIES, side="right")) - 1
        last = max(first + 1, last)
        yield first, last
        first = last


def _open_merge(blocks: Sequence[Block], size: int, longer: bool) -> Callable[[Span], Entries]:
    """Return a function that merges the entries in a span of the rows of an index of `size` phrases.

    Its result has the lengths of the rows instead of their bounds.
    """
    tables = [(block.arrays["rows"], Entries.of(block.arrays, longer)) for block in blocks]
    bits = size.bit_length()  # of the number of a phrase

    def merge(span: Span) -> Entries:
        keys = []
        for rows, entries in tables:
            low, high = np.searchsorted(rows[: len(entries.bounds) - 1], span)
            bounds = entries.bounds[low : high + 1]
            places = slice(bounds[0], bounds[-1])
            document = np.repeat(rows[low:high].astype(np.int64), np.diff(bounds))
            pairs = document << bits | rows[entries.partners[places]]
            keys.append(pairs << KIND_BITS | entries.kind[places])
        every = np.sort(np.concatenate(keys), kind="stable")  # merges blocks, which are sorted
        every = every[np.append(True, every[1:] != every[:-1])[: len(every)]]
        pairs, kind = every >> KIND_BITS, every & (1 << KIND_BITS) - 1
        lengths = np.bincount((pairs >> bits) - span[0], minlength=span[1] - span[0])
        return Entries(lengths, (pairs & (1 << bits) - 1).astype(np.int32), kind.astype(np.uint8))

    return merge


def _open_numbering(arrays: ArrayStore) -> Callable[[Block], None]:
    """Return a function that stores the numbers of a block: where its rows and entries are in an index.

    `entry_numbers` (E): of its entries; `row_chance` and `row_histogram`: of its rows; `frequency`: the share
    of its words among the summary words of all blocks; `spread`: the fake counts that they have by it.
    """
    word_rows, phrase_rows = arrays["word_rows"], arrays["phrase_rows"]
    word_partners, phrase_partners = arrays["word_partners"], arrays["phrase_partners"]

    def number(block: Block) -> None:
        rows, words = block.arrays["rows"], len(block.arrays["word_rows"]) - 1
        own = [Entries.of(block.arrays, longer) for longer in (False, True)]
        words_at = find_entries(*own[0][:2], rows, word_rows, word_partners)
        longer_at = find_entries(*own[1][:2], rows, phrase_rows, phrase_partners)
        block.arrays["entry_numbers"] = np.concatenate([words_at, longer_at + word_rows[-1]])
        for name in ("row_chance", "row_histogram"):
            block.arrays[name] = arrays[name][rows]
        for name in ("frequency", "spread"):
            block.arrays[name] = arrays[name][rows[:words]]

    return number
