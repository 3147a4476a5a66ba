"""The pairs of a shard, numbered by themselves and in an index, as the E-step takes them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipeline.io.arrays import split_ragged
from pipeline.semihmm.kernels.hypernyms import FAR
from pipeline.semihmm.phrases.affinity import Affinity, context_part, sentence_of
from pipeline.semihmm.phrases.instances import Instance
from pipeline.semihmm.phrases.kernel_inputs import make_inputs, word_values
from pipeline.semihmm.phrases.rewrite import Rewrite
from pipeline.semihmm.phrases.table import UNLIKE, Support

EMPTY = np.empty(0, dtype=np.int32)


class Numbers(NamedTuple):
    """Where the rows and entries of a shard stand in the index.

    ``rows`` (int32) and ``entries`` (−1: unlisted; None: all are listed and numbered alike): numbers in the
    index. ``row_chance`` and ``row_histogram``: of each row of the shard, see :class:`Index`. ``spread``:
    the fake counts of each word of the shard as a summary word by its frequency, float64; ``share``: their
    mean over the unlisted pairs of each word of the shard as a document word, those of all shards.
    """

    rows: np.ndarray
    entries: np.ndarray
    row_chance: np.ndarray
    row_histogram: np.ndarray
    spread: np.ndarray
    share: np.ndarray


class Pairs:
    """The pairs of a shard, ready for the E-step.

    ``instances``, their ``support`` and the ``words`` that these are numbered by; ``numbers``: the
    :class:`pipeline.train.pairs.Numbers` of the shard; ``fake``: that of the index; ``temperature``: of the
    encoder's part.
    """

    def __init__(self, instances, support, words, numbers, fake, temperature=None):
        if numbers.entries is not None:
            support, numbers, self.spread = without_unlisted(support, numbers)
        else:
            self.spread = numbers.spread[support.summary]
        self.instances, self.numbers = instances, numbers
        self.support = replace(support, summary=EMPTY)  # nothing else asks for it
        self._temperature = temperature
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
        counts = counts + np.pad(self.spread, (0, len(counts) - len(self.spread)))
        # One more norm, 0, for the rows without a histogram, whose number −1 is its index.
        norms = np.append(parameters.norms, 0.0)[numbers.row_histogram]
        return parameters.mixture, counts, parameters.totals[numbers.rows], norms

    def context(self, index):
        """The encoder's part of pair ``index``, float64 (T, n), None where there is none."""
        affinity = self.instances[index].affinity
        if affinity is None or affinity.contexts is None:
            return None
        return context_part(affinity.contexts, self._temperature)

    def inputs(self, index, values, null, jumps, context=None):
        """The kernel inputs of pair ``index``, unpruned.

        ``values``: r of every phrase pair of the shard; ``null``: of every word of the shard; ``context``:
        its encoder's part, weighted.
        """
        instance = self.instances[index]
        null = null[instance.summary]
        return make_inputs(instance, self.support, index, values, null, jumps.moves(instance), context)

    def of_table(self, index, cells, values, context=None):
        """What of the expected uses of word pairs is of the table, and how much is not: ``(cells, sum)``.

        ``cells``: as the kernel gives them for :meth:`inputs`; in the result by distinct words (U, V).
        """
        instance = self.instances[index]
        if instance.affinity is None:
            return cells, 0.0
        used = 0.0
        if context is not None:
            of_context = cells * (context / (context + word_values(instance, self.support, index, values)))
            cells, used = cells - of_context, float(of_context.sum())
        (rows, row), (columns, column) = instance.summary_types, instance.document_types
        place = (row[:, None] * len(columns) + column).ravel()
        found = np.bincount(place, cells.ravel(), minlength=len(rows) * len(columns))
        return found.reshape(len(rows), len(columns)), used


def load_pairs(arrays, forests=None):
    """``(instances, support)`` of :meth:`Shard.arrays`, ready for the E-step; ``forests``: theirs, if wanted.

    What only the index wants is left out of the support.
    """

    def parts(name):
        return split_ragged(arrays[name], arrays[f"{name}_at"])

    ids = arrays.text("ids")
    instances = [
        _instance(name, document, summary, document_ends, summary_ends, forest, *affinity)
        for name, document, summary, document_ends, summary_ends, forest, affinity in zip(
            ids,
            parts("document"),
            parts("summary"),
            parts("document_ends"),
            parts("summary_ends"),
            forests or [None] * len(ids),
            zip(*(_parts_or_none(arrays, name, len(ids)) for name in ("factors", "contexts")), strict=True),
            strict=True,
        )
    ]
    support = Support(
        arrays["word_rows"],
        arrays["phrase_rows"],
        arrays["partners"],
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


def _parts_or_none(arrays, name, count):
    """The parts of an array, left on the disk; as many times None where its bounds say that there is none."""
    bounds = arrays[f"{name}_at"]
    return split_ragged(arrays.mapped(name), bounds) if bounds[-1] else [None] * count


def _instance(name, document, summary, document_ends, summary_ends, forest, factors, contexts):
    spans = _spans(document_ends), _spans(summary_ends)
    instance = Instance(name, document, summary, EMPTY, *spans, forest)
    if factors is None:
        return instance
    factors = factors.reshape(len(summary_ends), len(document_ends))
    contexts = None if contexts is None else contexts.reshape(len(summary), len(document))
    sentences = sentence_of(spans[1]), sentence_of(spans[0])
    return replace(instance, affinity=Affinity(factors, contexts, *sentences))


def _spans(ends):
    ends = ends.tolist()
    return tuple(zip([0, *ends], ends, strict=False))


def without_unlisted(support, numbers):
    """``(support, numbers, spread)`` in which one entry of each row, its first, stands for all unlisted ones.

    ``numbers.entries``: the numbers of the entries in the index, −1 for an unlisted one. ``spread``: the fake
    counts by frequency of each entry of the word block; an entry that stands for several has ``share``.
    """
    entries, spread = numbers.entries, numbers.spread[support.summary]
    words = len(support.word_rows) - 1
    size = int(support.word_rows[-1])
    listed = entries[:size] >= 0
    if listed.all():
        return support, numbers, spread
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
    spread = moved(spread, 0.0)
    spread[word_rows[:-1][shared]] = numbers.share[shared]
    return compact, numbers._replace(entries=moved(entries, -1)), spread
