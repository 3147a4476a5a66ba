"""The pairs of a shard, numbered by themselves and in an index, as the E-step wants them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipeline.arrays import cut
from pipeline.semihmm.entries import UNLIKE, Support
from pipeline.semihmm.instances import Instance
from pipeline.semihmm.moves import Moves
from pipeline.semihmm.rewrite import Rewrite
from pipeline.semihmm.senses import FAR

EMPTY = np.empty(0, dtype=np.int32)


class Inputs(NamedTuple):
    """What the kernels want of one pair, see :mod:`pipeline.semihmm.kernels`."""

    document: np.ndarray
    summary: np.ndarray
    words: np.ndarray
    null: np.ndarray
    phrases: np.ndarray
    by_end: np.ndarray
    phrase_r: np.ndarray
    moves: Moves


class Numbers(NamedTuple):
    """Where the rows and entries of a shard stand in the index.

    ``rows`` (int32) and ``entries`` (−1: unlisted; None: all are listed and numbered alike): numbers in the
    index. ``row_chance`` and ``row_histogram``: of each row of the shard, see :class:`Index`.
    """

    rows: np.ndarray
    entries: np.ndarray
    row_chance: np.ndarray
    row_histogram: np.ndarray


class Pairs:
    """The pairs of a shard, ready for the E-step.

    ``instances``, their ``support`` and the ``words`` that these are numbered by; ``numbers``: the
    :class:`pipeline.semihmm.pairs.Numbers` of the shard; ``fake``: that of the index.
    """

    def __init__(self, instances, support, words, numbers, fake):
        self.instances, self.support, self.numbers = instances, support, numbers
        self.words = numbers.rows[:words]
        self.rewrite = Rewrite(support, numbers.row_chance, fake)
        self.sentences = np.cumsum([0, *(len(i.document_breaks) for i in instances)])

    def whole(self):
        """A truth value for each document sentence of all pairs, one pair after another: none is left out."""
        return np.ones(self.sentences[-1], dtype=bool)

    def kept(self, index, kept):
        """The part of the sentences ``kept`` that is of pair ``index``."""
        return kept[self.sentences[index] : self.sentences[index + 1]]

    def rewrites(self, parameters):
        """What :class:`Rewrite` wants of the parameters: mixture, counts, totals and norms of the shard."""
        numbers, counts = self.numbers, parameters.counts
        if numbers.entries is not None:
            listed = numbers.entries >= 0
            counts = np.zeros(len(listed))
            counts[listed] = parameters.counts[numbers.entries[listed]]
        # One more norm, 0, for the rows without a histogram, whose number −1 is its index.
        norms = np.append(parameters.norms, 0.0)[numbers.row_histogram]
        return parameters.mixture, counts, parameters.totals[numbers.rows], norms

    def inputs(self, index, values, null, jumps):
        """The kernel inputs of pair ``index``, unpruned.

        ``values``: r of every phrase pair of the shard; ``null``: of every word of the shard.
        """
        instance, support = self.instances[index], self.support
        return Inputs(
            instance.document_types[1],
            instance.summary_types[1],
            values[support.cells[index]],
            null[instance.summary],
            support.places[index],
            support.by_end[index],
            values[support.place_entries[index]],
            jumps.moves(instance),
        )


def load_pairs(arrays, forests=None):
    """``(instances, support)`` of :meth:`Shard.arrays`, ready for the E-step; ``forests``: theirs, if wanted.

    What only the index wants is left out of the support.
    """

    def parts(name):
        return cut(arrays[name], arrays[f"{name}_at"])

    ids = arrays.text("ids")
    instances = [
        Instance(name, document, summary, EMPTY, _spans(document_ends), _spans(summary_ends), forest)
        for name, document, summary, document_ends, summary_ends, forest in zip(
            ids,
            parts("document"),
            parts("summary"),
            parts("document_ends"),
            parts("summary_ends"),
            forests or [None] * len(ids),
            strict=True,
        )
    ]
    support = Support(
        arrays["word_rows"],
        arrays["phrase_rows"],
        EMPTY,
        [],
        EMPTY,
        arrays["kind"],
        arrays["distance"],
        EMPTY,
        EMPTY,
        [
            cells.reshape(len(i.summary_types[0]), -1)
            for i, cells in zip(instances, parts("cells"), strict=True)
        ],
        [places.reshape(-1, 4) for places in parts("places")],
        parts("by_end"),
        parts("place_entries"),
    )
    return instances, support


def _spans(ends):
    ends = ends.tolist()
    return tuple(zip([0, *ends], ends, strict=False))


def without_unlisted(support, entries):
    """``(support, entries)`` in which one entry of each row, its first, stands for all that are unlisted.

    ``entries``: the numbers of the entries in the index, −1 for an unlisted one.
    """
    words = len(support.word_rows) - 1
    size = int(support.word_rows[-1])
    listed = entries[:size] >= 0
    if listed.all():
        return support, entries
    rows = np.repeat(np.arange(words, dtype=np.int32), np.diff(support.word_rows))
    lengths = np.bincount(rows[listed], minlength=words)
    shared = np.bincount(rows[~listed], minlength=words) > 0
    word_rows = np.concatenate([[0], np.cumsum(lengths + shared)])
    # The listed ones follow each other; every row that shares one moves those after it by one.
    place = (np.cumsum(listed) - 1 + np.cumsum(shared)[rows]).astype(np.int32)
    place[~listed] = word_rows[rows[~listed]]
    block = int(word_rows[-1])

    def moved(values, unlisted):
        out = np.full(block + len(values) - size, unlisted, dtype=values.dtype)
        out[place[listed]] = values[:size][listed]
        out[block:] = values[size:]
        return out

    compact = replace(
        support,
        word_rows=word_rows,
        kind=moved(support.kind, UNLIKE),
        distance=moved(support.distance, FAR),
        cells=[place[cells] for cells in support.cells],
        place_entries=[found + (block - size) for found in support.place_entries],
    )
    return compact, moved(entries, -1)
