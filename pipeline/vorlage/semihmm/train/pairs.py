"""The pairs of a shard as the E-step takes them, numbered by themselves and in an index."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.phrase_table import UNLIKE, PhraseTable, TableLayout
from vorlage.semihmm.rewrite.contexts import context_part
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.kernel_inputs import make_inputs, word_rewrites
from vorlage.semihmm.rewrite.mixture import Mixture, Rewrite
from vorlage.semihmm.rewrite.support import Occurrences
from vorlage.semihmm.rewrite.table import count_words, row_of_entries
from vorlage.semihmm.rewrite.wordnet_distance import FAR
from vorlage.semihmm.train.parameters import Parameters
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints

NO_POSITIONS = np.empty(0, dtype=np.int32)  # training has no use for positions in the whole document


class Numbers(NamedTuple):
    """Where the rows and entries of a shard are in the index.

    `rows` (int32) and `entries`: numbers in the index. An unlisted entry has −1; `entries`, of any type
    of integers, is None if all are listed and have the same numbers. `row_chance` and `row_histogram`: of
    each row of the shard, see `vorlage.semihmm.train.index.Index`. `frequency`: the share of each word of
    the shard among the summary words of all shards; `spread`: the fake counts that it has as a summary word
    by this share; `share`: their mean over the unlisted pairs, in all shards, of each word of the shard as
    a document word.
    """

    rows: Ints
    entries: AnyArray | None
    row_chance: Floats
    row_histogram: Ints
    frequency: Floats
    spread: Floats
    share: Floats


class Entries(NamedTuple):
    """The entries of a shard: their `table`, the WordNet `distance` of each, and where they occur."""

    table: PhraseTable
    distance: Bytes
    occurrences: list[Occurrences]


class SharedEntries(NamedTuple):
    """The entries of a shard as the E-step takes them; one entry of a row may stand for all unlisted ones.

    `layout`: their rows and kinds; the E-step reads no phrases. `distance` (E): WordNet distances;
    `partners` (W): the summary word of each entry or, where one stands for the unlisted entries of document
    word d, V + d; `occurrences`: where the entries occur in each pair.
    """

    layout: TableLayout
    distance: Bytes
    partners: Ints
    occurrences: list[Occurrences]


class ShardPairs:
    """The pairs of a shard, ready for the E-step.

    `numbers`: where their rows and entries are in the index; `fake`: the fake counts of the index;
    `settings`: those of the encoder's part.
    """

    def __init__(
        self,
        instances: list[Instance],
        entries: Entries,
        numbers: Numbers,
        fake: Floats,
        settings: Mapping[str, Any],
    ) -> None:
        table = entries.table
        shared = SharedEntries(table.layout, entries.distance, table.partners, entries.occurrences)
        if numbers.entries is not None:
            shared, numbers = share_unlisted(shared, numbers, numbers.entries)
        self.instances, self.numbers, self.occurrences = instances, numbers, shared.occurrences
        # Fake counts by frequency; those of the entries would take twice the memory of their partners.
        self._partners, self._spread = shared.partners, np.append(numbers.spread, numbers.share)
        self._settings = settings
        self.words = numbers.rows[: count_words(shared.layout)]
        self.rewrite = Rewrite(shared.layout, shared.distance, numbers.row_chance, fake)
        self._sentences = np.cumsum([0, *(len(i.document_breaks) for i in instances)])

    def all_sentences(self) -> Bools:
        """Return True for each document sentence of all pairs, concatenated: pruning has removed none."""
        return np.ones(self._sentences[-1], dtype=bool)

    def kept(self, index: int, kept: Bools) -> Bools:
        """Return the part of the sentences `kept` that belongs to pair `index`, as a view."""
        return kept[self._sentences[index] : self._sentences[index + 1]]

    def rewrite_arguments(self, parameters: Parameters) -> tuple[Mixture, Floats, Floats, Floats]:
        """Return what `Rewrite` takes of the parameters: mixture, counts, totals and norms of the
        shard.
        """
        numbers, counts = self.numbers, parameters.counts
        if numbers.entries is None:
            own = counts.copy()
        else:
            listed = numbers.entries >= 0
            own = np.zeros(len(listed))
            own[listed] = counts[numbers.entries[listed]]
        own[: len(self._partners)] += self._spread[self._partners]
        # One more norm, 0, for the rows without a histogram, whose number −1 is its index.
        norms = np.append(parameters.norms, 0.0)[numbers.row_histogram]
        return parameters.mixture, own, parameters.totals[numbers.rows], norms

    def context(self, index: int) -> Floats | None:
        """Return the encoder's part of pair `index` (T, n), or None without an encoder."""
        return context_part(self.instances[index], self.numbers.frequency, self._settings)

    def inputs(
        self, index: int, rewrites: Floats, null: Floats, jumps: JumpModel, context: Floats | None = None
    ) -> KernelInputs:
        """Return the kernel inputs of pair `index`, unpruned.

        `rewrites` (E): r of every entry of the shard; `null`: r(word | ∅) of every word of the shard;
        `context`: the pair's encoder part, weighted.
        """
        instance = self.instances[index]
        return make_inputs(
            instance,
            self.occurrences[index],
            rewrites,
            null[instance.summary],
            jumps.transitions(instance),
            context,
        )

    def table_uses(
        self, index: int, cells: Floats, rewrites: Floats, context: Floats | None = None
    ) -> tuple[Floats, float]:
        """Split the expected uses of word pairs into those of the table, by distinct words, and the encoder's
        sum.

        `cells`: as the kernel returns them for `inputs`.
        """
        instance = self.instances[index]
        if instance.affinity is None:
            return cells, 0.0
        used = 0.0
        if context is not None:
            words = word_rewrites(instance, self.occurrences[index], rewrites)
            by_context = cells * (context / (context + words))
            cells, used = cells - by_context, float(by_context.sum())
        (rows, row), (columns, column) = instance.summary_types, instance.document_types
        place = (row[:, None] * len(columns) + column).ravel()
        summed = np.bincount(place, cells.ravel(), minlength=len(rows) * len(columns))
        return summed.reshape(len(rows), len(columns)).astype(float, copy=False), used


def share_unlisted(
    entries: SharedEntries, numbers: Numbers, listing: AnyArray
) -> tuple[SharedEntries, Numbers]:
    """Let one entry of each row, its first, replace all unlisted ones.

    `listing` (E): the numbers of the entries in the index, −1 for an unlisted one. Return the entries and
    their numbers.
    """
    layout, partners = entries.layout, entries.partners
    words, size = count_words(layout), len(partners)
    listed = listing[:size] >= 0
    if listed.all():
        return entries, numbers
    rows = row_of_entries(layout)
    lengths = np.bincount(rows[listed], minlength=words)
    shared = np.bincount(rows[~listed], minlength=words) > 0
    word_rows = np.concatenate([[0], np.cumsum(lengths + shared)])
    # Listed entries stay in order; every row with a shared entry moves the entries after it by one.
    place = (np.cumsum(listed) - 1 + np.cumsum(shared)[rows]).astype(np.int32)
    place[~listed] = word_rows[rows[~listed]]
    block = int(word_rows[-1])

    def moved(values: AnyArray, unlisted: float) -> AnyArray:
        out = np.full(block + len(values) - size, unlisted, dtype=values.dtype)
        out[place[listed]] = values[:size][listed]
        out[block:] = values[size:]
        return out

    compact = layout._replace(word_rows=word_rows, kind=moved(layout.kind, UNLIKE))
    occurrences = [
        o._replace(cells=place[o.cells], entries=o.entries + (block - size)) for o in entries.occurrences
    ]
    partners = moved(partners, 0)
    partners[word_rows[:-1][shared]] = words + np.flatnonzero(shared)
    shared_entries = SharedEntries(compact, moved(entries.distance, FAR), partners, occurrences)
    return shared_entries, numbers._replace(entries=moved(listing, -1))
