"""The pairs of one shard of a corpus with their support, numbered by themselves.

Words and longer phrases are numbered in their order, so that the numbers of all shards together, see
:mod:`pipeline.train.index`, are in the same order as those of each.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.io.arrays import array_to_lines, lines_to_array, ragged
from pipeline.run.errors import InputError
from pipeline.semihmm.phrases.affinity import make_affinity
from pipeline.semihmm.phrases.instances import Vocabulary, make_instance, ngrams
from pipeline.semihmm.phrases.support import build_support
from pipeline.semihmm.phrases.table import Support, padded

EMPTY = np.empty(0)


@dataclass(frozen=True)
class Shard:
    """``instances`` and their ``support``; ``words``: sorted.

    ``readings`` (R, 4): WordNet offsets of first senses, −1 for none; ``support.row_reading`` counts in
    them. ``phrases``: the distinct summary phrases of WordNet, words between spaces, sorted, and
    ``phrase_readings``, the reading of each.
    """

    instances: list
    support: Support
    words: list
    readings: np.ndarray
    phrases: list
    phrase_readings: np.ndarray

    def tables(self):
        """What the index is made of, as arrays."""
        words = np.concatenate([i.summary for i in self.instances])
        return Tables(
            words=lines_to_array(self.words),
            longer=padded(self.support.longer),
            word_rows=self.support.word_rows,
            partners=self.support.summary,
            held=self.support.held,
            phrase_rows=self.support.phrase_rows,
            phrase_pairs=self.support.phrase_pairs,
            kind=self.support.kind,
            distance=self.support.distance,
            row_reading=self.support.row_reading,
            readings=self.readings,
            phrases=lines_to_array(self.phrases),
            phrase_readings=self.phrase_readings,
            frequency=np.bincount(words, minlength=len(self.words)),
            document_words=np.int64(sum(len(i.document) for i in self.instances)),
            longest=np.int64(max(len(i.document) for i in self.instances)),
            pairs=np.int64(len(self.instances)),
        )

    def arrays(self):
        """All of it as arrays: the tables, and the pairs of texts."""
        support, instances = self.support, self.instances
        lists = {
            "document": [i.document for i in instances],
            "document_ends": [[last for _, last in i.document_breaks] for i in instances],
            "summary": [i.summary for i in instances],
            "summary_ends": [[last for _, last in i.summary_breaks] for i in instances],
            "cells": [cells.ravel() for cells in support.cells],
            "places": [places.ravel() for places in support.places],
            "by_end": support.by_end,
            "place_entries": support.place_entries,
        }
        found = dict(self.tables())
        for name, parts in lists.items():
            found[name], found[f"{name}_at"] = ragged(parts)
        for name, dtype in (("factors", np.float64), ("contexts", np.float16)):
            parts = [getattr(i.affinity, name, None) for i in instances]
            parts = [EMPTY if part is None else part.ravel() for part in parts]
            flat, found[f"{name}_at"] = ragged(parts, dtype)
            if len(flat):
                found[name] = flat
        return found | {"ids": lines_to_array(i.id for i in instances)}


class Tables(dict):
    """Arrays by name in memory, with the functions of :class:`pipeline.io.arrays.Arrays`."""

    slices = dict.__getitem__

    def text(self, name):
        """A list of lines."""
        return array_to_lines(self[name])


def collect(corpus, settings, senses=None, forests=None, similarities=None, reverse=False):
    """The :class:`Shard` of an iterable of (Pair, Extract).

    ``senses``: a :class:`pipeline.semihmm.phrases.wordnet_distance.Senses`, wanted when ``settings["wordnet"]``; ``forests``:
    a function from (Pair, Extract) to the forest of its document, for a jump model that wants it;
    ``similarities``: a function from (Pair, Extract) to those of an encoder; ``reverse``: with the sides
    swapped, to generate the extract from the summary.
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
    instances, words = in_order(instances, vocabulary.words)
    longest = settings["max_document_phrase"], settings["max_summary_phrase"]
    support = build_support(instances, words, senses, *longest)
    if senses is None:
        return Shard(
            instances, support, words, np.empty((0, 4), dtype=np.int64), [], np.empty(0, dtype=np.int32)
        )
    phrases = summary_phrases(instances, words, senses, longest[1])
    found = np.array(list(phrases.values()), dtype=np.int32)
    used = np.unique(np.concatenate([support.row_reading, found]))
    used = used[used >= 0]
    reading = np.searchsorted(used, support.row_reading).astype(np.int32)
    reading[support.row_reading < 0] = -1
    return Shard(
        instances,
        replace(support, row_reading=reading),
        words,
        senses.offsets(used.tolist()),
        list(phrases),
        np.searchsorted(used, found).astype(np.int32),
    )


def in_order(instances, words):
    """The same instances with their words numbered in order: ``(instances, sorted words)``."""
    order = sorted(range(len(words)), key=words.__getitem__)
    numbers = np.empty(len(words), dtype=np.int32)
    numbers[order] = np.arange(len(words), dtype=np.int32)
    renumbered = [replace(i, document=numbers[i.document], summary=numbers[i.summary]) for i in instances]
    return renumbered, [words[old] for old in order]


def summary_phrases(instances, words, senses, longest):
    """The distinct summary phrases of WordNet: a dict, words between spaces → reading, sorted."""
    phrases = {
        phrase
        for instance in instances
        for _, phrase in ngrams(instance.summary, instance.summary_breaks, longest)
    }
    found = {}
    for phrase in phrases:
        text = tuple(words[word] for word in phrase)
        reading = senses.reading(text)
        if reading >= 0:
            found[" ".join(text)] = reading
    return dict(sorted(found.items()))
