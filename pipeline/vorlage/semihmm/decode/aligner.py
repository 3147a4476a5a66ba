"""Applies a trained model to pairs, of the training corpus or new, and takes their links."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress, zip_longest

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.progress import count_steps, describe_step, warn_once
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import Measure
from vorlage.semihmm import mixture
from vorlage.semihmm.constants import ACROSS_GAP
from vorlage.semihmm.decode.alignment_input import AlignmentInput
from vorlage.semihmm.decode.link_scorer import open_link_scorer
from vorlage.semihmm.decode.links import (
    decode_posterior,
    decode_viterbi,
    find_candidates,
    find_gaps,
    join_copies,
    make_links,
)
from vorlage.semihmm.decode.posteriors import (
    LinkFinder,
    PairPosteriors,
    WordPosteriors,
    agreed_phrases,
    by_one_direction,
)
from vorlage.semihmm.encoder_values import ALL, CELLS
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts, KernelInputs, expect_in_turn
from vorlage.semihmm.model import Model
from vorlage.semihmm.null import null_of_words, null_state
from vorlage.semihmm.pairs import PairResources, PairSet, make_pairs
from vorlage.semihmm.parameters import Parameters
from vorlage.semihmm.rewrite import Rewrites, check_expected, decays
from vorlage.semihmm.vocabulary import number_phrases
from vorlage.semihmm.wordnet import LONGEST, WordNetDistances
from vorlage.settings import SEMIHMM, Decoding
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Floats, Ints

DEFAULTS = Decoding()


class Direction:
    """A model of one direction, with what its pairs share."""

    def __init__(self, model: Model, wordnet: WordNetDistances | None) -> None:
        self.model, self._vocabulary, self.null = model, model.vocabulary, null_state(model.settings)
        self.wordnet = wordnet if model.settings.wordnet else None
        self._readings = self.wordnet.add(model.readings) if self.wordnet else np.empty(0, dtype=np.int32)
        self._norms = {-1: 0.0}  # Z by reading; WordNet bounds their number

    def parameters(self, across: bool) -> Parameters:
        """Return the parameters; `across`: those for pairs in two languages by a model not for these two."""
        parameters = self.model.parameters
        return parameters.across_languages() if across else parameters

    def prepare(self, pairs: PairSet, parameters: Parameters) -> list[AlignmentInput]:
        """Return pairs as the kernels take them, with some parameters."""
        numbers = number_phrases(pairs, self._vocabulary, self.model.table, self.model.stems)
        rewrites = Rewrites(pairs, numbers, parameters, self._norms_of(pairs), self.model.settings)
        spread, information = rewrites.factors.spread, -np.log(numbers.shares)
        stems, prepared = np.where(pairs.punctuation, -1, pairs.stems), []
        for pair, inputs, words in rewrites.inputs(range(len(pairs))):
            prepared.append(
                AlignmentInput(
                    pair=pair,
                    gap_sides=(
                        (pair.summary_sentences, stems[pair.summary]),
                        (pair.document_sentences, stems[pair.document]),
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

    def expect(
        self, prepared: Sequence[AlignmentInput], cells: int
    ) -> list[Iterator[tuple[slice, ExpectedCounts]]]:
        """Return what forward–backward tells about the words of each pair.

        It tells about all words of a pair at once, or, of a pair with more than `cells` pairs of words and no
        null state that jumps, about some words after others, from the end of the summary. See
        `check_expected`, too.
        """
        beam, jumps, expected = self.model.settings.beam, self.null.jumps, []
        are_short = [jumps or np.prod(pair_input.inputs.shape) <= cells for pair_input in prepared]
        short = [pair_input.whole for pair_input in compress(prepared, are_short)]
        found = iter(self.null.expect(short, beam, counted=False))
        for pair_input, is_short in zip(prepared, are_short, strict=True):
            length, n = pair_input.inputs.shape
            if is_short:
                expected.append(self._checked(pair_input, [(slice(0, length), next(found))]))
            else:
                size = max(cells // n, 1)
                in_turn = expect_in_turn(pair_input.inputs, pair_input.words.matrix, size, beam, count_steps)
                expected.append(self._checked(pair_input, in_turn))
        return expected

    def _checked(
        self, prepared: AlignmentInput, stretches: Iterable[tuple[slice, ExpectedCounts]]
    ) -> Iterator[tuple[slice, ExpectedCounts]]:
        """Yield the stretches of a pair, and check them after the last one."""
        total = 0.0
        for rows, expected in stretches:
            total += float(expected.word_uses.sum())
            yield rows, expected
        check_expected(prepared.pair.id, prepared.inputs, total, expected)

    def posteriors(
        self,
        prepared: AlignmentInput,
        expected: ExpectedCounts,
        share: float,
        rows: slice = ALL,
        columns: slice = ALL,
    ) -> WordPosteriors:
        """Return the posteriors of some summary words and document words, those of `word_uses`.

        `share`: of the rewrites by fake counts alone, those that have no source.
        """
        unigram = prepared.unigram[0][rows], prepared.unigram[1][columns], share
        rewrites = prepared.words.by_type(rows, columns)
        places = prepared.inputs.phrases - np.array([rows.start or 0, 0, columns.start or 0, 0], np.int32)
        longer = places, expected.phrase_posteriors, prepared.kinds
        nulls = null_of_words(expected, prepared.inputs.phrases)[rows]
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


class Aligner:
    """Aligns pairs; what is found of a pair does not depend on the others.

    The posteriors of a model of the other direction are combined with those of this one, see
    `vorlage.semihmm.decode.posteriors.WordPosteriors.combine`. `decoding`: the settings of the decoder.
    """

    def __init__(
        self,
        model: Model,
        wordnet: WordNetDistances | None = None,
        trees: Callable[[list[list[str]]], Trees] | None = None,
        similarities: Measure | None = None,
    ) -> None:
        """Prepare a model.

        Args:
            model: the model.
            wordnet: for a model trained with WordNet.
            trees: for a jump model over trees, a function from the sentences of a document, each a list of
                tokens, to their trees.
            similarities: for a model trained with an encoder.
        """
        self.model = model
        self._forward = Direction(model, wordnet)
        self._backward = Direction(model.reverse, wordnet) if model.reverse else None
        self._trees = trees if model.jumps.needs_trees else None
        self._similarities = similarities if model.settings.encoder else None

    def prepare(self, pair: Pair, sentences: Sequence[int]) -> AlignmentInput:
        """Return a pair and the sentences of its extract as `posteriors` takes them."""
        return self.prepare_all([(pair, sentences)])[0]

    def prepare_all(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> list[AlignmentInput]:
        """Return pairs of the same languages, each as `prepare` returns it."""
        for pair, _ in extracted:
            describe_step("words are compared", len(pair.document.tokens) * len(pair.summary.tokens))
        pairs, across = self._make_pairs(extracted), self._across(extracted[0][0])
        prepared = self._forward.prepare(pairs, self._forward.parameters(across))
        swapped: Sequence[AlignmentInput | None] = [None] * len(extracted)
        if self._backward is not None:
            swapped = self._backward.prepare(pairs.reversed(), self._backward.parameters(across))
        spans = [[pair.document.sentences[s] for s in sentences] for pair, sentences in extracted]
        positions = [
            np.concatenate([np.arange(*span, dtype=np.int32) for span in of_pair]) for of_pair in spans
        ]
        return [
            pair_input._replace(positions=places, reverse=reverse)
            for pair_input, places, reverse in zip(prepared, positions, swapped, strict=True)
        ]

    def _make_pairs(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> PairSet:
        """Return pairs of the same languages; WordNet is for English alone."""
        sources = PairResources(
            self.model.settings,
            self._forward.wordnet if extracted[0][0].language == "en" else None,
            self._trees,
            self.model.jumps.tree_labels(),
            self._similarities,
            self._shared if len(extracted) > 1 else None,
        )
        return make_pairs(extracted, sources)

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The words that have a row in both directions."""
        models = [self.model, self.model.reverse] if self.model.reverse else [self.model]
        words = [
            {word for word, total in zip(model.words, model.parameters.totals, strict=False) if total > 0}
            for model in models
        ]
        return frozenset(set.intersection(*words))

    def _across(self, pair: Pair) -> bool:
        """Return whether a pair is in two languages, and the model was not trained on such pairs."""
        return not pair.language and bool(self.model.language)

    def posteriors(
        self, prepared: Sequence[AlignmentInput], decoding: Decoding = DEFAULTS, whole: bool = False
    ) -> Iterator[tuple[float, PairPosteriors]]:
        """Yield log Pr(s|d) and the posteriors of each pair that `decode` takes.

        They are adjusted except for the best path. `whole`: whether those of all links are needed, and not
        only of those that may be chosen.
        """
        thresholds = decoding.posterior_threshold, decoding.gap_threshold, decoding.candidate_threshold
        rest = 1.0 - decoding.phrase_support  # the least power of an adjusted link
        whole = whole or decoding.decoder == "rescored" or not rest
        least = 0.0 if whole else min(thresholds) ** (1.0 / rest)
        unadjusted = self.unadjusted(prepared, decoding.unigram_null, least)
        for pair_input, (log_likelihood, posteriors) in zip(prepared, unadjusted, strict=True):
            if decoding.decoder != "viterbi":
                posteriors = posteriors.adjust_links(decoding.phrase_support, decoding.diagonal_discount)
                posteriors = posteriors.smooth_nulls(decoding.stretch_support, pair_input.information)
            yield log_likelihood, posteriors

    def unadjusted(
        self, prepared: Sequence[AlignmentInput], unigram_null: float, least: float = 0.0, cells: int = CELLS
    ) -> Iterator[tuple[float, PairPosteriors]]:
        """Yield log Pr(s|d) and the posteriors by forward–backward of each pair, those of both directions
        combined.

        Args:
            prepared: the pairs.
            unigram_null: the share of rewrites by fake counts alone that have no source.
            least: links with a smaller posterior may be left out.
            cells: how many pairs of words of a pair are in memory at once.

        Raises:
            InputError: for a pair whose numbers float64 cannot hold.
        """
        forward = self._forward.expect(prepared, cells)
        swapped = [pair_input.reverse for pair_input in prepared if pair_input.reverse]
        backward = self._backward.expect(swapped, cells) if self._backward else []
        for pair_input, forward_counts, reverse in zip_longest(prepared, forward, backward):
            yield self._unadjusted(pair_input, forward_counts, reverse, unigram_null, least)

    def _unadjusted(
        self,
        prepared: AlignmentInput,
        forward: Iterator[tuple[slice, ExpectedCounts]],
        backward: Iterator[tuple[slice, ExpectedCounts]] | None,
        unigram_null: float,
        least: float,
    ) -> tuple[float, PairPosteriors]:
        """Return log Pr(s|d) and the posteriors by forward–backward, those of both directions combined.

        Args:
            prepared: the pair.
            forward: of `Direction.expect`.
            backward: the same of the other direction, if any.
            unigram_null: the share of rewrites by fake counts alone that have no source.
            least: links with a smaller posterior may be left out.
        """
        # The sources of a word take the place of what the other direction has of it.
        sources, nulls = np.empty(prepared.inputs.shape), np.empty(len(prepared.information))
        swapped, words = prepared.reverse, None
        if not swapped and not (unigram_null and prepared.unigram[0].any()):
            words = np.empty(prepared.inputs.shape)
        for columns, reverse in backward or ():
            sources[:, columns] = reverse.word_uses.T
        finder = LinkFinder(prepared.inputs.shape, least)
        for rows, expected in forward:
            found = self._forward.posteriors(prepared, expected, unigram_null, rows)
            if self._backward and swapped:
                others = reverse._replace(word_uses=np.ascontiguousarray(sources[rows].T))
                found = found.combine(self._backward.posteriors(swapped, others, unigram_null, ALL, rows))
            sources[rows], nulls[rows] = found.sources, found.nulls
            if words is not None:
                words[rows] = expected.word_uses
            finder.add(rows, found.links)
        places, phrases = prepared.inputs.phrases, expected.phrase_posteriors
        if swapped:
            phrases = agreed_phrases(phrases, swapped.inputs.phrases, reverse.phrase_posteriors)
        posteriors = PairPosteriors(finder.links(), sources, nulls, places, phrases, prepared.kinds, words)
        return expected.log_likelihood, posteriors

    def align(self, pair: Pair, sentences: Sequence[int], decoding: Decoding = DEFAULTS) -> Alignment:
        """Return the alignment of a pair, with links in positions of the whole document."""
        prepared = self.prepare(pair, sentences)
        [found] = self.posteriors([prepared], decoding)
        return self.decode(pair, prepared, *found, decoding)

    def best_path(self, prepared: AlignmentInput) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l)."""
        return self._forward.null.best_path(prepared.whole)

    def by_part(self, pair: Pair, sentences: Sequence[int]) -> dict[mixture.Part, KernelInputs]:
        """Return the inputs of a pair by each part of the mixture alone that has a weight."""
        pairs, inputs = self._make_pairs([(pair, sentences)]), {}
        parameters = self._forward.parameters(self._across(pair))
        for part in filter(parameters.weight, mixture.PARTS):
            [of_part] = self._forward.prepare(pairs, parameters.alone(part))
            inputs[part] = of_part.whole
        return inputs

    def decode(
        self,
        pair: Pair,
        prepared: AlignmentInput,
        log_likelihood: float,
        posteriors: PairPosteriors,
        decoding: Decoding = DEFAULTS,
    ) -> Alignment:
        """Return the alignment that the decoder reads off the posteriors of a pair."""
        match decoding.decoder:
            case "posterior":
                threshold, gap_threshold = decoding.posterior_threshold, decoding.gap_threshold
                if self._across(pair):
                    gap_threshold = max(gap_threshold, ACROSS_GAP)
                gaps = find_gaps(*posteriors.links.above(threshold), *prepared.gap_sides)
                chosen = decode_posterior(posteriors, threshold, gaps, gap_threshold)
            case "viterbi":
                chosen = decode_viterbi(posteriors, self.best_path(prepared)[1])
            case "rescored":
                assert decoding.rescorer is not None
                scorer = open_link_scorer(decoding.rescorer, self.model.encoder)
                if scorer.knows(pair):
                    warn_once(
                        f"{decoding.rescorer}: was fitted to the gold of some of these pairs, so that scores "
                        "of them are too high"
                    )
                posteriors = scorer.rescore(pair, prepared, posteriors)
                chosen = decode_posterior(posteriors, scorer.link_threshold)
        candidates = find_candidates(posteriors, chosen, decoding.candidate_threshold)
        nulls = posteriors.nulls.tolist()
        if decoding.decoder != "viterbi":
            chosen = join_copies(chosen, prepared.pair)
        return Alignment(
            pair.id,
            system_name(self.model, decoding),
            log_likelihood,
            pair.document.written,
            pair.summary.written,
            make_links(chosen, prepared.positions, nulls),
            candidates=make_links(candidates, prepared.positions),
            nulls=nulls,
        )


def system_name(model: Model, decoding: Decoding, name: str | None = None) -> str:
    """Return the name of the system in alignments and on pages; it says where gold was used.

    `name`: that of another system than the jump model of the semi-HMM.
    """
    gold = " (trained with gold)" if decoding.decoder == "rescored" else ""
    return f"{name or f'{SEMIHMM}-{model.jump}'}{gold}"
