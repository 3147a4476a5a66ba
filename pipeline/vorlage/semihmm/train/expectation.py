"""The E-step of EM: expected counts over the pairs of a shard."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from vorlage.command.parallel import map_in_threads
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.jumps.pruning import kept_best, kept_next, prune_inputs, sentence_uses
from vorlage.semihmm.kernels import forward_backward
from vorlage.semihmm.kernels.arguments import Expected
from vorlage.semihmm.kernels.phrase_table import add_at
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.rewrite.kernel_inputs import check_expected
from vorlage.semihmm.train.pairs import ShardPairs
from vorlage.semihmm.train.parameters import Parameters
from vorlage.types import AnyArray, Bools, Floats, LongInts

NO_LINKS = np.empty((0, 0))
SAMPLE = 64  # pairs on which the loss of pruning is measured


@dataclass(frozen=True)
class Expectations:
    """Sums over pairs.

    `counts` (E): expected uses of the lexical part for each entry; `nulls` (V): of each word in the null
    state; `jumps`: as the jump model counts them, and `jump_total`, their number; `parts` (5): uses of
    the parts of the rewrite model; `related` (H): of its WordNet part, by histogram, and `distance`,
    their total distance; `log_likelihood`: Σ log Pr(s|d), natural.
    """

    counts: Floats
    nulls: Floats
    jumps: Floats
    jump_total: float
    parts: Floats
    related: Floats
    distance: float
    log_likelihood: float

    def sparse(self, entries: LongInts, words: LongInts) -> "Expectations":
        """Return the expectations with only the counts of `entries` and the null words `words`."""
        return replace(self, counts=self.counts[entries], nulls=self.nulls[words])


class Probabilities(NamedTuple):
    """The parameters as the E-step over the pairs of a shard takes them, in the numbers of the shard.

    `rewrites` (E): r of every entry; `null` (V): r(word | ∅); `jumps`: the jump model; `encoder`: the
    weight of the encoder's part; `beam`: the setting.
    """

    rewrites: Floats
    null: Floats
    jumps: JumpModel
    encoder: float
    beam: float


class PairExpectation(NamedTuple):
    """What is expected of one pair, in the numbers of the whole document and over distinct words.

    `words`: the document words that pruning kept; `transitions`: over these; `expected`: by the phrase
    table alone; `encoder`: uses of the encoder's part; `links` (T, words): posteriors of single links, or
    empty.
    """

    words: LongInts
    transitions: Transitions
    expected: Expected
    encoder: float
    links: Floats


def expectation(
    pairs: ShardPairs,
    parameters: Parameters,
    kept: Bools,
    settings: Mapping[str, Any],
    threads: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> tuple[Expectations, Bools]:
    """Take the E-step over the pairs of a shard, in the numbers of the shard.

    `kept`: the document sentences that pruning has kept; the second result has those for the next E-step.
    `settings`: `beam`, `prune` and `remade_extracts`. `advance()` is called once for each pair.
    Sums are taken in the order of the pairs, whatever the number of threads.
    """
    instances, occurrences, jumps = pairs.instances, pairs.occurrences, parameters.jumps
    arguments = pairs.rewrite_arguments(parameters)
    rewrites = pairs.rewrite.rewrites(*arguments)
    probabilities = probabilities_of(pairs, parameters, rewrites, settings)
    counts, nulls, jump_counts = np.zeros(len(rewrites)), np.zeros(len(pairs.words)), jumps.zeros()
    log_likelihoods, by_encoder = np.zeros(len(instances)), np.zeros(len(instances))
    kept_later = np.empty_like(kept)

    best = settings["remade_extracts"]

    def expect(index: int) -> PairExpectation:
        return expect_pair(pairs, index, probabilities, pairs.kept(index, kept), linked=best > 0)

    for index, pair in enumerate(map_in_threads(expect, range(len(instances)), threads)):
        instance, expected, pair_kept = instances[index], pair.expected, pairs.kept(index, kept)
        log_likelihoods[index], by_encoder[index] = expected.log_likelihood, pair.encoder
        # Unlisted word pairs share an entry, which occurs several times here.
        add_at(counts, occurrences[index].cells.ravel(), expected.word_uses.ravel())
        add_at(counts, occurrences[index].entries, expected.phrase_posteriors)
        add_at(nulls, instance.summary, expected.null_posteriors)
        jumps.add(jump_counts, instance, pair_kept, pair.transitions, expected.transition_counts)
        if settings["prune"]:
            pair_kept = kept_next(instance, pair_kept, pair.words, expected.phrase_starts, settings["prune"])
        if best:
            places = occurrences[index].places
            uses = sentence_uses(instance, pair.words, pair.links, places, expected.phrase_posteriors)
            pair_kept = kept_best(pair_kept, uses, best)
        pairs.kept(index, kept_later)[:] = pair_kept
        advance()
    # Every phrase pair is reached by a jump, and every pair of texts ends with one more.
    jump_total = float(counts.sum() + by_encoder.sum() + len(instances))
    parts, by_row, distance = pairs.rewrite.split(*arguments, rewrites, counts)
    parts = np.append(parts, by_encoder.sum())
    has = pairs.numbers.row_histogram >= 0
    row_histogram, histograms = pairs.numbers.row_histogram, len(parameters.norms)
    related = np.bincount(row_histogram[has], by_row[has], minlength=histograms).astype(float, copy=False)
    likelihood = float(log_likelihoods.sum())
    sums = Expectations(counts, nulls, jump_counts, jump_total, parts, related, distance, likelihood)
    return sums, kept_later


def probabilities_of(
    pairs: ShardPairs, parameters: Parameters, rewrites: Floats, settings: Mapping[str, Any]
) -> Probabilities:
    """Return the `Probabilities` of the pairs of a shard; `rewrites` (E): r of its entries."""
    null, encoder = parameters.null[pairs.words], parameters.mixture.weights[-1]
    return Probabilities(rewrites, null, parameters.jumps, encoder, settings["beam"])


def expect_pair(
    pairs: ShardPairs, index: int, probabilities: Probabilities, kept: Bools, linked: bool = False
) -> PairExpectation:
    """Run forward–backward over pair `index`; `kept`: the document sentences that pruning has kept.

    `linked`: whether the posteriors of single links are needed.
    Raise `vorlage.command.errors.InputError` for a pair whose numbers float64 cannot hold.
    """
    rewrites, null, jumps, encoder, beam = probabilities
    context = pairs.context(index) if encoder else None
    if context is not None:
        context *= encoder
    inputs, name = pairs.inputs(index, rewrites, null, jumps, context), pairs.instances[index].id
    if kept.all():
        links = np.empty((len(inputs.summary), len(inputs.document))) if linked else NO_LINKS
        expected = forward_backward.expect(inputs, beam, links, True)
        check_expected(name, inputs, expected)
        uses, by_encoder = pairs.table_uses(index, expected.word_uses, rewrites, context)
        words = np.arange(len(inputs.document))
        expected = expected._replace(word_uses=uses)
        return PairExpectation(words, inputs.transitions, expected, by_encoder, links)
    words, transitions = jumps.pruned_transitions(pairs.instances[index], kept, inputs.transitions)
    inputs, remains = prune_inputs(inputs, words, transitions)
    links = np.empty((len(inputs.summary), len(words))) if linked else NO_LINKS
    expected = forward_backward.expect(inputs, beam, links, True)
    check_expected(name, inputs, expected)
    posteriors = np.zeros(len(remains))
    posteriors[remains] = expected.phrase_posteriors
    word_uses = np.ascontiguousarray(expected.word_uses[:, :-1])
    uses, by_encoder = pairs.table_uses(index, word_uses, rewrites, context)
    expected = expected._replace(word_uses=uses, phrase_posteriors=posteriors)
    return PairExpectation(words, transitions, expected, by_encoder, links)


def pruning_loss(
    pairs: ShardPairs, parameters: Parameters, kept: Bools, settings: Mapping[str, Any]
) -> tuple[int, float, float]:
    """Return the number of pairs in a sample, and their log-likelihood without and with pruning."""
    rewrites = pairs.rewrite.rewrites(*pairs.rewrite_arguments(parameters))
    probabilities = probabilities_of(pairs, parameters, rewrites, settings)
    sample = np.unique(np.linspace(0, len(pairs.instances) - 1, SAMPLE).astype(int)).tolist()

    def log_likelihood(kept: Bools) -> float:
        expectations = (expect_pair(pairs, i, probabilities, pairs.kept(i, kept)) for i in sample)
        return float(sum(pair.expected.log_likelihood for pair in expectations))

    return len(sample), log_likelihood(np.ones_like(kept)), log_likelihood(kept)


class Sums:
    """The expectations of shards, added in order, in the numbers of the index."""

    def __init__(self, entries: int, words: int) -> None:
        """`entries`, `words`: the sizes of the index."""
        self._counts, self._nulls = np.zeros(entries), np.zeros(words)
        self._others: list[Any] = []

    def add(self, expected: Expectations, entries: AnyArray, words: AnyArray) -> None:
        """Add the expectations of a shard; `entries`, `words`: numbers of its counts, −1 for unlisted
        ones.
        """
        listed = entries >= 0
        self._counts[entries[listed]] += expected.counts[listed]
        self._nulls[words] += expected.nulls
        others = [getattr(expected, field.name) for field in fields(Expectations)[2:]]
        if self._others:
            others = [total + other for total, other in zip(self._others, others, strict=True)]
        self._others = others

    def total(self) -> Expectations:
        """Return the `Expectations` of all shards."""
        return Expectations(self._counts, self._nulls, *self._others)
