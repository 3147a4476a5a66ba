"""A model of one direction: pairs as the kernels take them, and what forward–backward tells about them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from vorlage.command.progress import count_steps
from vorlage.semihmm.decode.links import GapSide
from vorlage.semihmm.decode.posteriors import WordPosteriors, by_one_direction
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts, KernelInputs, expect_in_turn
from vorlage.semihmm.mixture import ALL, Parameters
from vorlage.semihmm.model import Model
from vorlage.semihmm.null import null_of_words, null_state
from vorlage.semihmm.pairs import PairArrays, PairSet
from vorlage.semihmm.rewrite import Rewrites, WordRewrites, check_expected, decays
from vorlage.semihmm.table import number_phrases
from vorlage.semihmm.wordnet import LONGEST, WordNetDistances
from vorlage.types import Bytes, Floats, Ints


class AlignmentInput(NamedTuple):
    """A pair as the kernels and a decoder take it.

    - `gap_sides`: its summary and its document, for gaps between links;
    - `kinds` (m): of the longer phrase pairs, UNLIKE, SAME_STEM or IDENTICAL;
    - `inputs`: without the word rewrites, which `words` has;
    - `unigram` (T), (n): their products are the rewrites by fake counts by frequency;
    - `information` (T), `document_information` (n): −log of the frequency that every summary word and every
      document word has in the summaries of training, natural;
    - `positions` (n): the position of each extract token in the whole document;
    - `reverse`: the same for the model of the other direction, if any.
    """

    pair: PairArrays
    gap_sides: tuple[GapSide, GapSide]
    kinds: Bytes
    inputs: KernelInputs
    words: WordRewrites
    unigram: tuple[Floats, Floats]
    information: Floats
    document_information: Floats
    positions: Ints = np.empty(0, dtype=np.int32)
    reverse: "AlignmentInput | None" = None

    @property
    def whole(self) -> KernelInputs:
        """The inputs with the word rewrites of the whole pair."""
        return self.inputs._replace(word_rewrites=self.words.matrix())


class Direction:
    """A model of one direction, with what its pairs share."""

    def __init__(self, model: Model, wordnet: WordNetDistances | None) -> None:
        self.model, self.null = model, null_state(model.settings)
        self.wordnet = wordnet if model.settings.wordnet else None
        self._readings = self.wordnet.add(model.readings) if self.wordnet else np.empty(0, dtype=np.int32)
        self._norms = {-1: 0.0}  # Z by reading; WordNet bounds their number

    def parameters(self, across: bool) -> Parameters:
        """Return the parameters; `across`: those for pairs in two languages by a model not for these two."""
        parameters = self.model.parameters
        return parameters.across_languages() if across else parameters

    def prepare(self, pairs: PairSet, parameters: Parameters) -> list[AlignmentInput]:
        """Return pairs as the kernels take them, with some parameters."""
        model, stems = self.model, np.where(pairs.punctuation, -1, pairs.stems)
        numbers = number_phrases(pairs.words, pairs.table, model.vocabulary, model.table, model.stems)
        rewrites = Rewrites(pairs, numbers, parameters, self._norms_of(pairs), model.settings)
        spread, information = rewrites.factors.spread, -np.log(numbers.shares)
        return [
            AlignmentInput(
                pair=pair,
                gap_sides=(
                    (pair.summary.sentences, stems[pair.summary.words]),
                    (pair.document.sentences, stems[pair.document.words]),
                ),
                kinds=pairs.table.kind[pair.entries],
                inputs=inputs,
                words=words,
                unigram=(spread[pair.summary.words], rewrites.factors.lexical[pair.document.words]),
                information=information[pair.summary.words],
                document_information=information[pair.document.words],
            )
            for pair, inputs, words in rewrites.inputs(range(len(pairs.ids)))
        ]

    def expect(
        self, inputs: Sequence[AlignmentInput], cells: int
    ) -> list[Iterator[tuple[slice, ExpectedCounts]]]:
        """Return what forward–backward tells about the words of each pair, which is checked at the end.

        It tells about all words of a pair at once, or, of a pair with more than `cells` pairs of words and no
        null state that jumps, about some words after others, from the end of the summary.
        """
        beam, jumps, expected = self.model.settings.beam, self.null.jumps, []
        are_short = [jumps or np.prod(pair_input.inputs.shape) <= cells for pair_input in inputs]
        short = [pair_input.whole for pair_input in compress(inputs, are_short)]
        found = iter(self.null.expect(short, beam, counted=False))
        for pair_input, is_short in zip(inputs, are_short, strict=True):
            length, n = pair_input.inputs.shape
            if is_short:
                expected.append(self._checked(pair_input, [(slice(0, length), next(found))]))
            else:
                size = max(cells // n, 1)
                in_turn = expect_in_turn(pair_input.inputs, pair_input.words.matrix, size, beam, count_steps)
                expected.append(self._checked(pair_input, in_turn))
        return expected

    def _checked(
        self, pair_input: AlignmentInput, stretches: Iterable[tuple[slice, ExpectedCounts]]
    ) -> Iterator[tuple[slice, ExpectedCounts]]:
        """Yield the stretches of a pair, and check them after the last one."""
        total = 0.0
        for rows, expected in stretches:
            total += float(expected.word_uses.sum())
            yield rows, expected
        check_expected(pair_input.pair.id, pair_input.inputs, total, expected)

    def posteriors(
        self,
        pair_input: AlignmentInput,
        expected: ExpectedCounts,
        share: float,
        rows: slice = ALL,
        columns: slice = ALL,
    ) -> WordPosteriors:
        """Return the posteriors of some summary words and document words, those of `word_uses`.

        `share`: of the rewrites by fake counts alone, those that have no source.
        """
        unigram = pair_input.unigram[0][rows], pair_input.unigram[1][columns], share
        rewrites = pair_input.words.by_type(rows, columns)
        places = pair_input.inputs.phrases - np.array([rows.start or 0, 0, columns.start or 0, 0], np.int32)
        longer = places, expected.phrase_posteriors, pair_input.kinds
        nulls = null_of_words(expected, pair_input.inputs.phrases)[rows]
        return by_one_direction(expected.word_uses, nulls, rewrites, unigram, longer)

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
