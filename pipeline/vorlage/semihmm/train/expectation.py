"""The parameters during training, and the E-step of EM: expected counts over the pairs of blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vorlage.files.arrays import arrays_to_fields, fields_to_arrays
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.kernels import forward_backward
from vorlage.semihmm.kernels.phrase_table import add_at, rewrite_values, split
from vorlage.semihmm.kernels.word_pairs import gather
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.kernel_inputs import (
    Context,
    check_expected,
    make_context,
    make_inputs,
    word_rewrites,
)
from vorlage.semihmm.rewrite.mixture import Mixture, fake_table, make_factors
from vorlage.semihmm.rewrite.null_jumps import (
    emits_phrases,
    expect_with_null_jumps,
    null_phrases,
    summary_phrases,
)
from vorlage.semihmm.train.blocks import Block
from vorlage.settings import Training
from vorlage.types import AnyArray, ArraySource, Floats

ARRAYS = ("counts", "totals", "stem_counts", "stem_values", "norms", "null")
NUMBERS = ("log_prior", "unseen")
JUMP, MIXTURE = "jump_", "mixture_"  # before the names of their arrays


@dataclass(frozen=True)
class Parameters:
    """The parameters of a training, in the numbers of the index.

    `jumps`; `mixture`; lexical `counts` (E), with the `totals` of the rows (V+P); the counts of the table
    over stems, with the `stem_values` (E) that follow from them, both empty without it; the `log_prior` of
    both tables; `norms` (H), which follow from the mixture; `null` (V), r(word | ∅), or (V+P) if the null
    state emits longer phrases, and `unseen`, that of a word in no summary.
    """

    jumps: JumpModel
    mixture: Mixture
    counts: Floats
    totals: Floats
    stem_counts: Floats
    stem_values: Floats
    log_prior: float
    norms: Floats
    null: Floats
    unseen: float

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file."""
        own = {name: np.asarray(getattr(self, name)) for name in (*ARRAYS, *NUMBERS)}
        return own | fields_to_arrays(self.mixture, MIXTURE) | fields_to_arrays(self.jumps, JUMP)

    @classmethod
    def from_arrays(cls, arrays: ArraySource, jumps: type[JumpModel]) -> "Parameters":
        """Return the parameters of arrays of `to_arrays`, with a jump model of the class `jumps`."""
        values: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        values |= {name: float(arrays[name]) for name in NUMBERS}
        jump, mixture = arrays_to_fields(arrays, jumps, JUMP), arrays_to_fields(arrays, Mixture, MIXTURE)
        return cls(jump, mixture, **values)


SUMS = ("jumps", "jump_total", "parts", "related", "distance", "log_likelihood")  # over blocks


@dataclass(frozen=True)
class Expectations:
    """Sums over pairs.

    `counts`, `stems` (E): expected uses of the lexical part and of the table over stems for each entry,
    `stems` empty without that table; `nulls` (V or V+P): of each word or phrase in the null state; `jumps`:
    as the jump model counts them, and `jump_total`, their number; `parts`: uses of the parts of the rewrite
    model; `related` (H): of its WordNet part, by histogram, and `distance`, their total distance;
    `log_likelihood`: Σ log Pr(s|d), natural.
    """

    counts: Floats
    stems: Floats
    nulls: Floats
    jumps: Any
    jump_total: float
    parts: Floats
    related: Floats
    distance: float
    log_likelihood: float


def expectation(block: Block, parameters: Parameters, settings: Training) -> Expectations:
    """Return the expectations of the pairs of a block, summed in order; counts and words have its numbers.

    Args:
        block: with its numbers in the index.
        parameters: in the numbers of the index.
        settings: `beam`, `fake_counts` and those of the encoder's part.

    Raises:
        InputError: for a pair whose numbers float64 cannot hold.
    """
    instances, occurrences, jumps = block.instances, block.occurrences, parameters.jumps
    arrays = block.arrays
    rows, row_histogram, shares = arrays["rows"], arrays["row_histogram"], arrays["frequency"]
    own_counts = parameters.counts[arrays["entry_numbers"]]
    own_counts[: len(arrays["partners"])] += arrays["spread"][arrays["partners"]]
    # One more norm, 0, for the rows without a histogram, whose number −1 is its index.
    norms = np.append(parameters.norms, 0.0)[row_histogram]
    factors = make_factors(parameters.mixture, arrays["row_chance"], parameters.totals[rows], norms)
    table = block.table, arrays["distance"], fake_table(settings.fake_counts), factors, own_counts
    rewrites = rewrite_values(*table)
    of_stems, null_jumps, emits = np.empty(0), settings.paper == 2004, emits_phrases(settings)
    if null_jumps:
        of_stems = parameters.mixture.stems * parameters.stem_values[arrays["entry_numbers"]]
        rewrites += of_stems
    null, encoder = parameters.null[rows if emits else rows[: len(shares)]], parameters.mixture.encoder

    counts, nulls, jump_counts = np.zeros(len(rewrites)), np.zeros(len(null)), jumps.zeros()
    log_likelihoods, by_encoder = np.zeros(len(instances)), np.zeros(len(instances))
    for number, (instance, places) in enumerate(zip(instances, occurrences, strict=True)):
        context, by_types = make_context(instance, shares, settings, encoder), rewrites.take(places.cells)
        transitions = jumps.transitions(instance)
        words = (
            instance.affinity and word_rewrites(instance, by_types, context) * instance.affinity.of_words()
        )
        inputs = make_inputs(instance, places, rewrites, words, null[instance.summary], transitions)
        longer = np.zeros(len(places.entries))
        if null_jumps:
            of_phrases = null_phrases(null, block.table, places) if emits else longer
            expected, longer = expect_with_null_jumps(inputs, of_phrases, settings.beam)
        else:
            expected = forward_backward.expect(inputs, settings.beam)
        if emits:
            add_at(nulls, summary_phrases(block.table, places), longer)
        check_expected(instance.id, inputs, float(expected.word_uses.sum()), expected, longer)
        log_likelihoods[number] = expected.log_likelihood
        uses, by_encoder[number] = _table_uses(instance, by_types, expected.word_uses, context)
        add_at(counts, places.cells.ravel(), uses.ravel())
        add_at(counts, places.entries, expected.phrase_posteriors)
        add_at(nulls, instance.summary, expected.null_posteriors)
        jumps.add(jump_counts, instance, transitions, expected)
    # Every phrase pair is reached by a jump, and every pair of texts ends with one more.
    jump_total = float(counts.sum() + by_encoder.sum() + len(instances) + null_jumps * nulls.sum())
    if len(of_stems):
        of_stems *= np.divide(counts, rewrites, out=np.zeros_like(counts), where=counts > 0)
    parts, by_row, distance = split(*table, rewrites, counts)
    parts = np.array([*parts, by_encoder.sum(), of_stems.sum()])[: len(parameters.mixture.weights)]
    has = row_histogram >= 0
    related = np.bincount(row_histogram[has], by_row[has], len(parameters.norms)).astype(float, copy=False)
    sums = jump_counts, jump_total, parts, related, distance, float(log_likelihoods.sum())
    return Expectations(counts, of_stems, nulls, *sums)


def _table_uses(
    instance: Instance, by_types: Floats, cells: Floats, context: Context | None
) -> tuple[Floats, float]:
    """Split the expected uses of word pairs into the table's, by distinct words, and the encoder's sum.

    `by_types` (U, V): see `word_rewrites`; `cells`: expected uses, as the kernel returns them; `context`: the
    encoder's part of the pair.
    """
    if instance.affinity is None:
        return cells, 0.0
    used = 0.0
    if context is not None:
        part = context.part()
        by_context = cells * (part / (part + word_rewrites(instance, by_types, None)))
        cells, used = cells - by_context, float(by_context.sum())
    sums = np.zeros(by_types.shape)
    gather(cells, instance.summary_types[1], instance.document_types[1], sums)
    return sums, used


def add_up(
    blocks: Sequence[Block], expectations: Iterable[Expectations], counts: Floats, null_size: int
) -> Expectations:
    """Return the sums of the expectations of blocks, in their order and in the numbers of the index.

    Args:
        blocks: with their numbers in the index.
        expectations: one for each block.
        counts: those of the result (E), 0 at first.
        null_size: of the index.
    """
    total, stems, nulls = None, np.empty(0), np.zeros(null_size)
    for block, part in zip(blocks, expectations, strict=True):
        add_at(counts, block.arrays["entry_numbers"], part.counts)
        if len(part.stems):
            stems = stems if len(stems) else np.zeros(len(counts))
            add_at(stems, block.arrays["entry_numbers"], part.stems)
        add_at(nulls, block.arrays["rows"][: len(part.nulls)], part.nulls)
        if total is not None:
            part = replace(part, **{name: getattr(total, name) + getattr(part, name) for name in SUMS})
        total = part
    assert total is not None
    return replace(total, counts=counts, stems=stems, nulls=nulls)
