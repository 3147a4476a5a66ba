"""The blocks of a training: its pairs with the phrase pairs that they can use, a fixed number of pairs each.

A block has numbers of its own for its words and longer phrases, in sorted order, so that their numbers in the
index of all blocks (`vorlage.semihmm.train.index`) are in the same order. It is a set of arrays, in memory if
there is only one block, and otherwise in a folder.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import SimilarityStore
from vorlage.extract.extracts import Extract
from vorlage.files.arrays import array_to_lines, concatenate_ragged, lines_to_array, split_ragged
from vorlage.semihmm.jumps.forest import make_forest, sentence_tokens
from vorlage.semihmm.kernels.phrase_table import PhraseTable
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.rewrite.affinity import Affinity, make_affinity
from vorlage.semihmm.rewrite.instances import Instance, Spans, Vocabulary, make_instance
from vorlage.semihmm.rewrite.support import Occurrences, build_support
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.settings import Training
from vorlage.text.tokenized import number_sentences
from vorlage.trees.tree_arrays import Trees
from vorlage.types import AnyArray, Ints


class ArrayStore:
    """Arrays by name: in memory, or mapped from the files of a `folder`, so that they use no memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._arrays: dict[str, AnyArray] = {}
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def __contains__(self, name: str) -> bool:
        return self._path(name).exists() if self.folder else name in self._arrays

    def __getitem__(self, name: str) -> AnyArray:
        """Return an array; changes of one that is mapped are not stored."""
        if not self.folder:
            return self._arrays[name]
        # Writable, because kernels are compiled again for arrays that are not.
        return np.asarray(np.load(self._path(name), mmap_mode="c", allow_pickle=False))

    def __setitem__(self, name: str, array: AnyArray) -> None:
        if self.folder:
            np.save(self._path(name), array, allow_pickle=False)
        else:
            self._arrays[name] = array

    def allocate(self, name: str, size: int, dtype: DTypeLike) -> AnyArray:
        """Return a new array of zeros, whose changes are stored."""
        if not self.folder:
            self._arrays[name] = np.zeros(size, dtype)
            return self._arrays[name]
        self._path(name).unlink(missing_ok=True)  # an array that is still in use stays as it is
        shape = (max(size, 1),)  # a file of no bytes cannot be mapped
        return np.asarray(np.lib.format.open_memmap(self._path(name), "w+", np.dtype(dtype), shape))[:size]

    def _path(self, name: str) -> Path:
        return Path(self.folder or "") / f"{name}.npy"


BLOCK_PAIRS = 256
NO_POSITIONS = np.empty(0, dtype=np.int32)  # training has no use for positions in the whole document

Extracted: TypeAlias = tuple[Pair, Extract]


class Block:
    """Some pairs of a corpus, ready for the E-step.

    `arrays`: those of `collect`, and those of its numbers, which `vorlage.semihmm.train.index` adds.
    """

    def __init__(self, arrays: ArrayStore) -> None:
        self.arrays = arrays

    def lines(self, name: str) -> list[str]:
        """Return an array of text: `words`, sorted; `phrases`, see `summary_phrases`; `ids`, `language`."""
        return array_to_lines(self.arrays[name])

    @property
    def table(self) -> PhraseTable:
        """The phrase table of the pairs."""
        return PhraseTable(*(self.arrays[name] for name in PhraseTable._fields))

    @cached_property
    def instances(self) -> list[Instance]:
        """The pairs."""
        reverse = bool(self.arrays["reverse"])
        names = ["document", "summary", "document_ends", "summary_ends", "factors", "contexts"]
        names += [f"forest_{name}" for name in Forest._fields]
        columns = {name: self._parts(name) for name in names if name in self.arrays}
        return [
            _instance(id, reverse, {name: parts[number] for name, parts in columns.items()})
            for number, id in enumerate(self.lines("ids"))
        ]

    @cached_property
    def occurrences(self) -> list[Occurrences]:
        """Where the entries of the table occur in each pair."""
        columns = [self._parts(name) for name in Occurrences._fields]
        return [
            Occurrences(cells.reshape(len(instance.summary_types[0]), -1), places.reshape(-1, 4), *others)
            for instance, cells, places, *others in zip(self.instances, *columns, strict=True)
        ]

    def _parts(self, name: str) -> list[AnyArray]:
        """Return an array of each pair."""
        return split_ragged(self.arrays[name], self.arrays[f"{name}_at"])


def _instance(name: str, reverse: bool, arrays: dict[str, AnyArray]) -> Instance:
    """Return the pair of this name whose arrays are those of `_arrays_of`, flat."""
    document, summary = arrays["document"], arrays["summary"]
    breaks = _spans(arrays["document_ends"]), _spans(arrays["summary_ends"])
    forest, affinity = None, None
    if "forest_rows" in arrays:
        forest = Forest(*(arrays[f"forest_{field}"] for field in Forest._fields))
    if "factors" in arrays:
        contexts = arrays.get("contexts")
        if contexts is not None:  # in the order in memory in which they were
            shape = len(summary), len(document)
            contexts = contexts.reshape(shape[::-1]).T if reverse else contexts.reshape(shape)
        factors = arrays["factors"].reshape(len(breaks[1]), -1)
        affinity = Affinity(factors, contexts, number_sentences(breaks[1]), number_sentences(breaks[0]))
    return Instance(name, document, summary, NO_POSITIONS, *breaks, forest, affinity)


def _spans(ends: Ints) -> Spans:
    bounds = ends.tolist()
    return tuple(zip([0, *bounds], bounds, strict=False))


class Collector(NamedTuple):
    """What the pairs of a block are collected with.

    `settings`: of the phrases and similarities; `wordnet`: None without WordNet; `trees`: for a jump model
    over trees; `similarities`: of an encoder; `reverse`: swap the sides, to generate the extract from the
    summary.
    """

    settings: Training
    wordnet: WordNetDistances | None = None
    trees: Trees | None = None
    similarities: SimilarityStore | None = None
    reverse: bool = False

    def collect(self, pairs: Sequence[Extracted], arrays: ArrayStore) -> Block:
        """Return the block of some pairs, whose `arrays` are filled."""
        language = pairs[0][0].language
        vocabulary = Vocabulary()
        instances, words = sort_words([self._instance(*pair, vocabulary) for pair in pairs], vocabulary.words)
        longest = self.settings.max_document_phrase, self.settings.max_summary_phrase
        full = self.settings.fake_counts.phrase > 0
        support = build_support(instances, words, self.wordnet, *longest, language, full)
        phrases = summary_phrases(instances, words, self.wordnet, longest[1]) if self.wordnet else []
        texts = {"words": words, "phrases": phrases, "ids": [i.id for i in instances], "language": [language]}
        for name, lines in texts.items():
            arrays[name] = lines_to_array(lines)
        for name, array in support.table._asdict().items():
            arrays[name] = array
        arrays["distance"] = support.distance
        arrays["reverse"] = np.asarray(self.reverse)
        every = [_arrays_of(*pair, self.reverse) for pair in zip(instances, support.occurrences, strict=True)]
        for name, array in every[0].items():
            parts = [pair[name].ravel() for pair in every]
            arrays[name], arrays[f"{name}_at"] = concatenate_ragged(parts, array.dtype)
        return Block(arrays)

    def _instance(self, pair: Pair, extract: Extract, vocabulary: Vocabulary) -> Instance:
        sentences, forest, similar = extract.sentences, None, None
        if self.trees:
            forest = make_forest(self.trees, sentence_tokens(pair, sentences), self.trees.labels)
        if self.similarities:
            similar = self.similarities.get(pair, sentences)
        affinity = make_affinity(pair, sentences, self.settings, similar)
        instance = make_instance(pair, sentences, vocabulary, forest, affinity)
        return instance.reversed() if self.reverse else instance


def _arrays_of(instance: Instance, occurrences: Occurrences, reverse: bool) -> dict[str, AnyArray]:
    """Return the arrays of a pair."""
    arrays: dict[str, AnyArray] = {
        "document": instance.document,
        "summary": instance.summary,
        "document_ends": np.array([last for _, last in instance.document_breaks], dtype=np.int32),
        "summary_ends": np.array([last for _, last in instance.summary_breaks], dtype=np.int32),
        **occurrences._asdict(),
    }
    if instance.forest:
        arrays |= {f"forest_{name}": array for name, array in instance.forest._asdict().items()}
    if instance.affinity:
        arrays["factors"] = instance.affinity.factors
        if instance.affinity.contexts is not None:
            arrays["contexts"] = instance.affinity.contexts.T if reverse else instance.affinity.contexts
    return arrays


def sort_words(instances: list[Instance], words: list[str]) -> tuple[list[Instance], list[str]]:
    """Number the words of the instances in sorted order; return the instances and the sorted words."""
    order = sorted(range(len(words)), key=words.__getitem__)
    numbers = np.empty(len(words), dtype=np.int32)
    numbers[order] = np.arange(len(words), dtype=np.int32)
    renumbered = [replace(i, document=numbers[i.document], summary=numbers[i.summary]) for i in instances]
    return renumbered, [words[old] for old in order]


def summary_phrases(
    instances: list[Instance], words: list[str], wordnet: WordNetDistances, longest: int
) -> list[str]:
    """Return the distinct summary phrases of WordNet, words between spaces, sorted."""
    occurring = {words[word] for word in np.unique(np.concatenate([i.summary for i in instances])).tolist()}
    phrases = {word for word in occurring if wordnet.reading((word,)) >= 0}
    starts = {word for word in occurring if wordnet.begins(word)}
    for instance in instances:
        names = [words[word] for word in instance.summary.tolist()]
        for first, last in instance.summary_breaks:
            for start in range(first, last):
                if names[start] in starts:
                    beginning = wordnet.beginning(names[start : min(start + longest, last)])
                    phrases.update(" ".join(names[start : start + size]) for size, _ in beginning)
    return sorted(phrases)


def collect_blocks(
    corpus: Iterable[Extracted], collector: Collector, folder: Path, processes: int
) -> list[Block]:
    """Return the blocks of a corpus: one in memory, or several in a folder.

    Args:
        corpus: the pairs with their extracts, read once.
        collector: what they are collected with.
        folder: where several blocks are.
        processes: how many collect blocks at once.

    Raises:
        InputError: for a corpus without pairs.
    """
    pairs = iter(corpus)
    batches = iter(lambda: list(islice(pairs, BLOCK_PAIRS)), [])
    begin = list(islice(batches, 2))
    if not begin:
        raise InputError("there are no pairs to train on; check the corpus")
    if len(begin) == 1:
        return [collector.collect(begin[0], ArrayStore())]
    items = ((batch, ArrayStore(folder / str(number))) for number, batch in enumerate(chain(begin, batches)))
    return list(map_in_processes(partial(_open_collecting, collector), items, processes))


def _open_collecting(collector: Collector) -> Callable[[tuple[list[Extracted], ArrayStore]], Block]:
    """Return a function that collects a block in a folder."""
    return lambda item: collector.collect(*item)
