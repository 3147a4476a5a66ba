"""The blocks of a training, sets of up to 256 pairs, and the index of all their words and phrase pairs.

A single block is in memory. Several are in a folder, so that they use no memory.
"""

import os
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import Generic, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike

from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.semihmm.mixture import STEMS
from vorlage.semihmm.pairs import PairResources, PairSet, make_pairs
from vorlage.semihmm.rewrite import decays
from vorlage.semihmm.table import (
    PADDING,
    PhraseNumbers,
    PhraseTable,
    Vocabulary,
    number_phrases,
    phrase_texts,
    stem_table,
    unique_phrases,
)
from vorlage.semihmm.wordnet import LONGEST, Readings, WordNetDistances
from vorlage.settings import Training
from vorlage.text.words import stem
from vorlage.types import AnyArray, Floats, Ints, LongInts, Span

BLOCK_PAIRS = 256
# Entries of all blocks that are merged at once, which bounds the memory of the merge.
CHUNK_ENTRIES = 8_000_000
ALIGNED = 64  # bytes: kernels are compiled again for arrays that begin elsewhere
KIND_BITS = 2

ExtractedPair: TypeAlias = tuple[Pair, Extract]
Content = TypeVar("Content")
PairSentences: TypeAlias = tuple[Pair, Sequence[int]]  # with the sentences of its extract


def allocate(folder: Path | None, size: int, dtype: DTypeLike) -> AnyArray:
    """Return an array of zeros, in memory or in a file of the folder that ends with the array."""
    if not folder:
        return np.zeros(size, dtype)
    # A file of no bytes cannot be mapped.
    with TemporaryFile(dir=folder) as file:
        return np.asarray(np.memmap(file, dtype, "w+", shape=max(size, 1)))[:size]


class Store(Generic[Content]):
    """An object in memory, or in a folder from which its arrays are mapped where the object is needed."""

    def __init__(self, content: Content, folder: Path | None = None) -> None:
        """Keep an object, in memory without a folder; arrays that are mapped from before stay as they are."""
        self._folder, self._content = folder, None if folder else content
        if not folder:
            return
        spans: list[slice] = []

        def write(array: pickle.PickleBuffer) -> None:
            file.seek(-file.tell() % ALIGNED, os.SEEK_CUR)
            spans.append(slice(file.tell(), file.tell() + file.write(array.raw())))

        folder.mkdir(parents=True, exist_ok=True)
        (folder / "arrays").unlink(missing_ok=True)
        with open(folder / "arrays", "wb") as file:
            rest = pickle.dumps(content, protocol=5, buffer_callback=write)
        (folder / "rest").write_bytes(pickle.dumps((rest, spans)))

    def get(self) -> Content:
        """Return the object; changes of mapped arrays are not stored."""
        if not self._folder:
            return cast(Content, self._content)
        rest, spans = pickle.loads((self._folder / "rest").read_bytes())
        arrays = np.memmap(self._folder / "arrays", mode="c")
        content: Content = pickle.loads(rest, buffers=[arrays[span] for span in spans])
        return content


class Block(NamedTuple):
    """Some pairs of a corpus, and the numbers of their phrases in the index of all blocks."""

    pairs: Store[PairSet]
    numbers: Store[PhraseNumbers]


def collect_pairs(
    corpus: Iterable[ExtractedPair], sources: PairResources, folder: Path, processes: int = 1
) -> list[Store[PairSet]]:
    """Return the pairs of a corpus, which is read once, in sets: one in memory, or several in a folder.

    Raises:
        InputError: for a corpus without pairs.
    """
    pairs: Iterator[PairSentences] = ((pair, extract.sentences) for pair, extract in corpus)
    batches = iter(lambda: list(islice(pairs, BLOCK_PAIRS)), [])
    begin = list(islice(batches, 2))
    if not begin:
        raise InputError("there are no pairs to train on; check the corpus")
    several = len(begin) > 1
    items = (
        (batch, folder / f"pairs-{number}" if several else None)
        for number, batch in enumerate(chain(begin, batches))
    )
    opener = partial(partial, _collect, sources)
    return list(map_in_processes(opener, items, processes if several else min(processes, 1)))


def _collect(sources: PairResources, item: tuple[list[PairSentences], Path | None]) -> Store[PairSet]:
    """Return pairs, in the file of a path or in memory."""
    return Store(make_pairs(item[0], sources), item[1])


@dataclass(frozen=True)
class CorpusIndex:
    """The words, longer phrases and phrase pairs of all blocks, and what EM needs to know of them.

    - `stems`: the stems, sorted, and the table of their phrases, or None without the table over stems;
    - `row_histogram` (V+P): which of the `histograms` a row has, −1 for none;
    - `histograms` (H, LONGEST): the number of summary phrases at each WordNet distance;
    - `readings`: of the summary phrases;
    - `swapped`: whether the extracts are generated from the summaries;
    - `lengths` (N): the words of each extract, or of each summary if the sides are swapped.
    """

    blocks: list[Block]
    vocabulary: Vocabulary
    table: PhraseTable
    stems: tuple[list[str], PhraseTable] | None
    row_histogram: Ints
    histograms: Floats
    readings: Readings
    swapped: bool
    lengths: LongInts

    def norms(self, eta: float) -> Floats:
        """Return Z of each row (V+P) under η, 0 for a row without a histogram."""
        return np.append(self.histograms @ decays(eta)[:LONGEST], 0.0)[self.row_histogram]


def make_index(
    collected: Sequence[Store[PairSet]],
    settings: Training,
    wordnet: WordNetDistances | None,
    folder: Path | None = None,
    reverse: bool = False,
) -> CorpusIndex:
    """Return the index of a corpus.

    `folder`: where the arrays of several sets are, None for memory; `reverse`: swap the sides, to generate
    the extracts from the summaries.
    """
    folder = folder if len(collected) > 1 else None

    def keep(contents: Iterable[Content], name: str) -> list[Store[Content]]:
        return [Store(content, folder and folder / f"{name}-{i}") for i, content in enumerate(contents)]

    if reverse:
        folder = folder and folder / "reversed"
        collected = keep((pairs.get().reversed() for pairs in collected), "pairs")
    sets = [pairs.get() for pairs in collected]
    language = sets[0].language
    words = sorted(set().union(*(pairs.words for pairs in sets)))
    word_stems, stems = [stem(word, language) for word in words], None
    frequency = np.zeros(len(words), dtype=np.int64)
    vocabulary = Vocabulary(words, word_stems, frequency, language)
    rows = [vocabulary.find(pairs.words).astype(np.int64) for pairs in sets]
    for pairs, own in zip(sets, rows, strict=True):
        frequency[own] += np.bincount(pairs.summary.words.flat, minlength=len(own))
    longer, places = _merge_phrases([pairs.table.longer for pairs in sets], rows)
    rows = [np.append(own, len(words) + others) for own, others in zip(rows, places, strict=True)]
    size = len(words) + len(longer)
    table = _merge_tables([pairs.table for pairs in sets], rows, longer, size, folder)
    if STEMS.enabled(settings, wordnet is not None):
        stems = stem_table(table, word_stems)[:2]
    phrases = sorted(set().union(*map(_summary_phrases, sets)))
    row_histogram, histograms, readings = _make_histograms(wordnet, words, longer, phrases)
    numbers = keep(
        (number_phrases(pairs.words, pairs.table, vocabulary, table, stems) for pairs in sets), "numbers"
    )
    return CorpusIndex(
        blocks=list(map(Block, collected, numbers)),
        vocabulary=vocabulary,
        table=table,
        stems=stems,
        row_histogram=row_histogram,
        histograms=histograms,
        readings=readings,
        swapped=reverse,
        lengths=np.concatenate([np.diff(pairs.document.words.bounds) for pairs in sets]),
    )


def _summary_phrases(pairs: PairSet) -> set[str]:
    """Return the distinct summary phrases of WordNet, words between spaces."""
    words, (starts, sizes, _) = pairs.summary.words.flat, pairs.related[1].T
    single = np.unique(words[starts[sizes == 1]]).tolist()
    spans = zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True)
    longer = {tuple(words[start : start + size].tolist()) for start, size in spans}
    return {" ".join(pairs.words[word] for word in phrase) for phrase in (*zip(single), *longer)}


def _make_histograms(
    wordnet: WordNetDistances | None, words: Sequence[str], longer: Ints, phrases: Sequence[str]
) -> tuple[Ints, Floats, Readings]:
    """Return the `row_histogram`, the `histograms` and the `readings` of a `CorpusIndex`.

    `words`: the one-word phrases; `longer`: the other ones, padded; `phrases`: those of the summaries.
    """
    if wordnet is None:
        return np.full(len(words) + len(longer), -1, dtype=np.int32), np.zeros((0, LONGEST)), Readings()
    readings = wordnet.readings(phrase_texts(words, longer)).tolist()
    # Numbered by row, because the numbers of readings depend on what was looked up before.
    numbers = {reading: i for i, reading in enumerate(dict.fromkeys(r for r in readings if r >= 0))}
    rows = np.array([numbers.get(reading, -1) for reading in readings], dtype=np.int32)
    of_summaries, collected = wordnet.collect(phrases)
    return rows, wordnet.histograms(list(numbers), of_summaries, collected.counts), collected


def _merge_phrases(phrases: Sequence[Ints], numbers: Sequence[LongInts]) -> tuple[Ints, list[AnyArray]]:
    """Return the longer phrases of all blocks, sorted and padded, and where each block's are among them."""
    width, renumbered = max(rows.shape[1] for rows in phrases), []
    for rows, own in zip(phrases, numbers, strict=True):
        new = np.full((len(rows), width), PADDING, dtype=np.int32)
        new[:, : rows.shape[1]] = np.append(own, PADDING)[rows]
        renumbered.append(new)
    merged, places = unique_phrases(np.concatenate(renumbered))
    return merged, np.split(places, np.cumsum([*map(len, phrases)])[:-1])


def _merge_tables(
    tables: Sequence[PhraseTable], rows: Sequence[LongInts], longer: Ints, size: int, folder: Path | None
) -> PhraseTable:
    """Return the table of all blocks, of `size` rows; `rows`: the numbers of those of each block."""
    ends, lengths = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    for table, own in zip(tables, rows, strict=True):
        ends[own + 1] += np.diff(table.rows)
    ends = np.cumsum(ends)
    # Spans of rows that together have about this many entries.
    cuts = np.searchsorted(ends, np.arange(0, ends[-1], CHUNK_ENTRIES))
    # Blocks share entries, so that the ends of these arrays are not used.
    partners, kind = (allocate(folder, int(ends[-1]), dtype) for dtype in (np.int32, np.uint8))
    bits, first = size.bit_length(), 0
    for span in pairwise(np.unique([*cuts, size]).tolist()):
        keys = [_keys(table, own, span, bits) for table, own in zip(tables, rows, strict=True)]
        merged = np.sort(np.concatenate(keys), kind="stable")  # merges blocks, which are sorted
        merged = merged[np.append(True, merged[1:] != merged[:-1])[: len(merged)]]
        pairs, last = merged >> KIND_BITS, first + len(merged)
        partners[first:last], kind[first:last] = pairs & (1 << bits) - 1, merged & (1 << KIND_BITS) - 1
        lengths[1:] += np.bincount(pairs >> bits, minlength=size)
        first = last
    return PhraseTable(longer, np.cumsum(lengths), partners[:first], kind[:first])


def _keys(table: PhraseTable, rows: LongInts, span: Span, bits: int) -> LongInts:
    """Return numbers for the entries in a span of the rows of an index, in order: row, partner, kind."""
    low, high = np.searchsorted(rows, span)
    bounds = table.rows[low : high + 1]
    places = slice(bounds[0], bounds[-1])
    documents = np.repeat(rows[low:high], np.diff(bounds))
    return (documents << bits | rows[table.partners[places]]) << KIND_BITS | table.kind[places]
