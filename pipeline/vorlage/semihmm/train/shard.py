"""The pairs of one shard of a corpus with their support, in numbers of their own.

Words and longer phrases are numbered in sorted order, so that the numbers of all shards together, see
`vorlage.semihmm.train.index`, are in the same order as those of each shard.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import Similarities
from vorlage.extract.extracts import Extract
from vorlage.files.arrays import array_to_lines, concatenate_ragged, lines_to_array
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.rewrite.affinity import make_affinity
from vorlage.semihmm.rewrite.instances import Instance, Vocabulary, make_instance, ngrams
from vorlage.semihmm.rewrite.support import Support, build_support
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.types import AnyArray, JsonObject

EMPTY = np.empty(0)


@dataclass(frozen=True)
class Shard:
    """`instances` and their `support`; `words`: the vocabulary, sorted.

    `phrases`: the distinct summary phrases of WordNet, words between spaces, sorted.
    """

    instances: list[Instance]
    support: Support
    words: list[str]
    phrases: list[str]

    def tables(self) -> "Tables":
        """Return the arrays that the index is made of."""
        words = np.concatenate([i.summary for i in self.instances])
        support = self.support
        return Tables(
            support.table._asdict()
            | {
                "words": lines_to_array(self.words),
                "distance": support.distance,
                "held": support.held,
                "phrases": lines_to_array(self.phrases),
                "frequency": np.bincount(words, minlength=len(self.words)),
                "document_words": np.asarray(sum(len(i.document) for i in self.instances)),
                "longest": np.asarray(max(len(i.document) for i in self.instances)),
                "pairs": np.asarray(len(self.instances)),
            }
        )

    def arrays(self) -> dict[str, AnyArray]:
        """Return the whole shard as arrays: the tables, and the pairs of texts."""
        instances, occurrences = self.instances, self.support.occurrences
        lists: dict[str, list[Any]] = {
            "document": [i.document for i in instances],
            "document_ends": [[last for _, last in i.document_breaks] for i in instances],
            "summary": [i.summary for i in instances],
            "summary_ends": [[last for _, last in i.summary_breaks] for i in instances],
            "cells": [o.cells.ravel() for o in occurrences],
            "places": [o.places.ravel() for o in occurrences],
            "by_end": [o.by_end for o in occurrences],
            "place_entries": [o.entries for o in occurrences],
        }
        arrays = dict(self.tables())
        for name, parts in lists.items():
            arrays[name], arrays[f"{name}_at"] = concatenate_ragged(parts)
        for name, dtype in (("factors", np.float64), ("contexts", np.float16)):
            parts = [getattr(i.affinity, name, None) for i in instances]
            parts = [EMPTY if part is None else part.ravel() for part in parts]
            flat, arrays[f"{name}_at"] = concatenate_ragged(parts, dtype)
            if len(flat):
                arrays[name] = flat
        return arrays | {"ids": lines_to_array(i.id for i in instances)}


class Tables(dict[str, AnyArray]):
    """Arrays by name in memory."""

    slices = dict.__getitem__

    def text(self, name: str) -> list[str]:
        """Return an array of lines as a list."""
        return array_to_lines(self[name])


def collect(
    corpus: Iterable[tuple[Pair, Extract]],
    settings: JsonObject,
    wordnet: WordNetDistances | None = None,
    forests: Callable[[Pair, Extract], Forest] | None = None,
    similarities: Callable[[Pair, Extract], Similarities] | None = None,
    reverse: bool = False,
) -> Shard:
    """Return the `Shard` of pairs with their extracts.

    `wordnet`: needed where `settings["wordnet"]` is true. `forests`: the forest of the document of a
    pair, for a jump model over trees. `similarities`: those of an encoder. `reverse`: swap the sides, to
    generate the extract from the summary. Raise `InputError` for a corpus without pairs.
    """
    vocabulary, instances = Vocabulary(), []
    for pair, extract in corpus:
        forest = forests(pair, extract) if forests else None
        similar = similarities(pair, extract) if similarities else None
        affinity = make_affinity(pair, extract.sentences, settings, similar)
        instance = make_instance(pair, extract.sentences, vocabulary, forest, affinity)
        instances.append(instance.reversed() if reverse else instance)
    if not instances:
        raise InputError("there are no pairs to train on; check the corpus, or set fewer `semihmm.shards`")
    instances, words = sort_words(instances, vocabulary.words)
    longest = settings["max_document_phrase"], settings["max_summary_phrase"]
    support = build_support(instances, words, wordnet, *longest, settings["language"])
    phrases = summary_phrases(instances, words, wordnet, longest[1]) if wordnet else []
    return Shard(instances, support, words, phrases)


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
    phrases = {
        phrase
        for instance in instances
        for phrase in ngrams(instance.summary, instance.summary_breaks, longest)
    }
    texts = (tuple(words[word] for word in phrase) for phrase in phrases)
    return sorted(" ".join(text) for text in texts if wordnet.reading(text) >= 0)
