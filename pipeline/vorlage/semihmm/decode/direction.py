"""Applies a model of one direction to pairs: from their words to posteriors, or to the best path."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vorlage.encoder.similarities import Similarities
from vorlage.semihmm.decode.links import GapSide
from vorlage.semihmm.decode.posteriors import WordPosteriors, find_sourceless
from vorlage.semihmm.kernels.forward_backward import Expected, KernelInputs
from vorlage.semihmm.model import Model
from vorlage.semihmm.null import null_state
from vorlage.semihmm.pairs import OnePair, PairSet
from vorlage.semihmm.rewrite import (
    ALL,
    PARTS,
    Parameters,
    WordRewrites,
    check_expected,
    decays,
    locate,
    make_rewrites,
    pair_inputs,
)
from vorlage.semihmm.wordnet import LONGEST, WordNetDistances
from vorlage.types import Bytes, Floats, Ints


class Prepared(NamedTuple):
    """A pair as the kernels take it.

    - `pair`: its arrays;
    - `gap_sides`: its summary and its document, for gaps between links;
    - `kinds` (m): of the longer phrase pairs, UNLIKE, SAME_STEM or IDENTICAL;
    - `inputs`: without the word rewrites, which `words` has;
    - `unigram` (T), (n): their products are the rewrites by fake counts by frequency;
    - `information` (T), `document_information` (n): −log of the frequency that every summary word and every
      document word has in the summaries of training, natural;
    - `positions` (n): the position of each extract token in the whole document;
    - `reverse`: the same for the model of the other direction, if any;
    - `similarities`: those of the encoder, if any.
    """

    pair: OnePair
    gap_sides: tuple[GapSide, GapSide]
    kinds: Bytes
    inputs: KernelInputs
    words: WordRewrites
    unigram: tuple[Floats, Floats]
    information: Floats
    document_information: Floats
    positions: Ints = np.empty(0, dtype=np.int32)
    reverse: "Prepared | None" = None
    similarities: Similarities | None = None

    @property
    def whole(self) -> KernelInputs:
        """The inputs with the word rewrites of the whole pair."""
        return self.inputs._replace(word_rewrites=self.words.of())


class Direction:
    """A model of one direction, with what its pairs share."""

    def __init__(self, model: Model, wordnet: WordNetDistances | None) -> None:
        self.model, self._known, self._null = model, model.known, null_state(model.settings)
        self.wordnet = wordnet if model.settings.wordnet else None
        self._readings = self.wordnet.add(model.readings) if self.wordnet else np.empty(0, dtype=np.int32)
        self._norms = {-1: 0.0}  # Z by reading; WordNet bounds their number

    def prepare(self, pairs: PairSet, across: bool = False) -> list[Prepared]:
        """Return pairs as the kernels take them.

        `across`: whether their texts are in two languages and the model is not for these two.
        """
        return self._prepare(pairs, self._parameters(across))

    def _parameters(self, across: bool) -> Parameters:
        parameters = self.model.parameters
        return parameters.across_languages() if across else parameters

    def _prepare(self, pairs: PairSet, parameters: Parameters) -> list[Prepared]:
        settings = self.model.settings
        located = locate(pairs, self._known, self.model.table, self.model.stems)
        rewrites = make_rewrites(pairs, located, parameters, self._norms_of(pairs), settings, self._null)
        spread, information = settings.fake_counts.unigram * rewrites.shares, -np.log(rewrites.shares)
        prepared = []
        every = range(len(pairs))
        for pair, inputs, words in pair_inputs(pairs, rewrites, parameters, settings, self._null, every):
            prepared.append(
                Prepared(
                    pair=pair,
                    gap_sides=(
                        GapSide.of(pairs, pair.summary, pair.summary_sentences),
                        GapSide.of(pairs, pair.document, pair.document_sentences),
                    ),
                    kinds=pairs.table.kind[pair.entries],
                    inputs=inputs,
                    words=words,
                    unigram=(spread[pair.summary], rewrites.factors.lexical[pair.document]),
                    information=information[pair.summary],
                    document_information=information[pair.document],
                )
            )
        return prepared

    def parts(self, pairs: PairSet, across: bool = False) -> dict[str, KernelInputs]:
        """Return the inputs of a pair, a set of one, by each part of the rewrite model alone."""
        parts, parameters = {}, self._parameters(across)
        for number in np.flatnonzero(parameters.weights).tolist():
            alone = np.where(np.arange(len(PARTS)) == number, parameters.weights, 0.0)
            [of_part] = self._prepare(pairs, replace(parameters, weights=alone))
            parts[PARTS[number]] = of_part.whole
        return parts

    def best_path(self, prepared: Prepared) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l)."""
        return self._null.best_path(prepared.whole)

    def expect(self, prepared: Prepared, cells: int) -> Iterator[tuple[slice, Expected]]:
        """Yield what forward–backward tells about some words of a pair after others, from the end.

        `cells`: how many pairs of words are in memory at once. See `check_expected`, too.
        """
        inputs, total = prepared.inputs, 0.0
        size = max(cells // len(prepared.pair.document), 1)
        for rows, expected in self._null.expect_in_turn(
            inputs, prepared.words.of, size, self.model.settings.beam
        ):
            total += float(expected.word_uses.sum())
            yield rows, expected
        check_expected(prepared.pair.id, inputs, total, expected)

    def posteriors(
        self, prepared: Prepared, expected: Expected, share: float, rows: slice = ALL, columns: slice = ALL
    ) -> WordPosteriors:
        """Return the posteriors of some summary words and document words, those of `word_uses`.

        `share`: of the rewrites by fake counts alone, those that have no source.
        """
        spread, lexical = prepared.unigram
        rewrites = prepared.words.without_factors(rows, columns)
        find_sourceless(rewrites, expected.word_uses, spread[rows], lexical[columns], share)
        places = prepared.inputs.phrases - np.array([rows.start or 0, 0, columns.start or 0, 0], np.int32)
        longer = places, expected.phrase_posteriors, prepared.kinds
        return WordPosteriors.of(expected.word_uses, expected.null_posteriors[rows], *longer, rewrites)

    def _norms_of(self, pairs: PairSet) -> Floats:
        """Return Z of each row of a table (V+P), 0 for one without entries or without a reading."""
        readings = np.where(np.diff(pairs.table.rows) > 0, pairs.readings, -1)
        if new := sorted(set(readings.tolist()) - self._norms.keys()):
            assert self.wordnet is not None
            decay = decays(self.model.parameters.eta)[:LONGEST]
            histograms = self.wordnet.histograms(new, self._readings, self.model.readings.counts)
            # One by one: rounding in a product of matrices would depend on the other readings.
            self._norms |= {reading: float(row @ decay) for reading, row in zip(new, histograms, strict=True)}
        return np.array([self._norms[reading] for reading in readings.tolist()])
