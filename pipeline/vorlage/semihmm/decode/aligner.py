"""Applies a trained model to pairs, of the training corpus or new, and takes their links."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress, zip_longest
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.progress import count_steps, describe_step, warn_once
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import Measure
from vorlage.semihmm.constants import ACROSS_GAP
from vorlage.semihmm.decode.links import (
    Side,
    decode_posterior,
    decode_viterbi,
    find_candidates,
    find_gaps,
    join_copies,
    make_links,
)
from vorlage.semihmm.decode.posteriors import (
    LinkFinder,
    Posteriors,
    WordPosteriors,
    agreed_phrases,
    by_one_direction,
)
from vorlage.semihmm.decode.rescore import digest_of, make_cells, open_rescorer
from vorlage.semihmm.kernels.forward_backward import Expected, KernelInputs, expect_in_turn
from vorlage.semihmm.model import Model
from vorlage.semihmm.null import null_of_words, null_state
from vorlage.semihmm.pairs import OnePair, PairSet, Sources, make_pairs
from vorlage.semihmm.rewrite import (
    ALL,
    CELLS,
    PARTS,
    Parameters,
    Rewrites,
    WordRewrites,
    check_expected,
    decays,
    locate,
)
from vorlage.semihmm.wordnet import LONGEST, WordNetDistances
from vorlage.settings import SEMIHMM, Decoding
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Bytes, Floats, Ints

DEFAULTS = Decoding()


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
    - `reverse`: the same for the model of the other direction, if any.
    """

    pair: OnePair
    gap_sides: tuple[Side, Side]
    kinds: Bytes
    inputs: KernelInputs
    words: WordRewrites
    unigram: tuple[Floats, Floats]
    information: Floats
    document_information: Floats
    positions: Ints = np.empty(0, dtype=np.int32)
    reverse: "Prepared | None" = None

    @property
    def whole(self) -> KernelInputs:
        """The inputs with the word rewrites of the whole pair."""
        return self.inputs._replace(word_rewrites=self.words.of())


class Direction:
    """A model of one direction, with what its pairs share."""

    def __init__(self, model: Model, wordnet: WordNetDistances | None) -> None:
        self.model, self._known, self.null = model, model.known, null_state(model.settings)
        self.wordnet = wordnet if model.settings.wordnet else None
        self._readings = self.wordnet.add(model.readings) if self.wordnet else np.empty(0, dtype=np.int32)
        self._norms = {-1: 0.0}  # Z by reading; WordNet bounds their number

    def parameters(self, across: bool) -> Parameters:
        """Return the parameters; `across`: those for pairs in two languages by a model not for these two."""
        parameters = self.model.parameters
        return parameters.across_languages() if across else parameters

    def prepare(self, pairs: PairSet, parameters: Parameters) -> list[Prepared]:
        """Return pairs as the kernels take them, with some parameters."""
        located = locate(pairs, self._known, self.model.table, self.model.stems)
        rewrites = Rewrites(pairs, located, parameters, self._norms_of(pairs), self.model.settings)
        spread, information = rewrites.factors.spread, -np.log(located.shares)
        stems, prepared = np.where(pairs.punctuation, -1, pairs.stems), []
        for pair, inputs, words in rewrites.inputs(range(len(pairs))):
            prepared.append(
                Prepared(
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

    def expect(self, prepared: Sequence[Prepared], cells: int) -> list[Iterator[tuple[slice, Expected]]]:
        """Return what forward–backward tells about the words of each pair.

        It tells about all words of a pair at once, or, of a pair with more than `cells` pairs of words and no
        null state that jumps, about some words after others, from the end of the summary. See
        `check_expected`, too.
        """
        beam, jumps, every = self.model.settings.beam, self.null.jumps, []
        are_short = [jumps or np.prod(one.inputs.shape) <= cells for one in prepared]
        short = [one.whole for one in compress(prepared, are_short)]
        found = iter(self.null.expect(short, beam, counted=False))
        for one, is_short in zip(prepared, are_short, strict=True):
            length, n = one.inputs.shape
            if is_short:
                every.append(self._checked(one, [(slice(0, length), next(found))]))
            else:
                size = max(cells // n, 1)
                in_turn = expect_in_turn(one.inputs, one.words.of, size, beam, count_steps)
                every.append(self._checked(one, in_turn))
        return every

    def _checked(
        self, prepared: Prepared, stretches: Iterable[tuple[slice, Expected]]
    ) -> Iterator[tuple[slice, Expected]]:
        """Yield the stretches of a pair, and check them after the last one."""
        total = 0.0
        for rows, expected in stretches:
            total += float(expected.word_uses.sum())
            yield rows, expected
        check_expected(prepared.pair.id, prepared.inputs, total, expected)

    def posteriors(
        self, prepared: Prepared, expected: Expected, share: float, rows: slice = ALL, columns: slice = ALL
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

    def prepare(self, pair: Pair, sentences: Sequence[int]) -> Prepared:
        """Return a pair and the sentences of its extract as `posteriors` takes them."""
        return self.prepare_all([(pair, sentences)])[0]

    def prepare_all(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> list[Prepared]:
        """Return pairs of the same languages, each as `prepare` returns it."""
        for pair, _ in extracted:
            describe_step("words are compared", len(pair.document.tokens) * len(pair.summary.tokens))
        pairs, across = self._make_pairs(extracted), self._across(extracted[0][0])
        prepared = self._forward.prepare(pairs, self._forward.parameters(across))
        swapped: Sequence[Prepared | None] = [None] * len(extracted)
        if self._backward is not None:
            swapped = self._backward.prepare(pairs.reversed(), self._backward.parameters(across))
        spans = [[pair.document.sentences[s] for s in sentences] for pair, sentences in extracted]
        positions = [
            np.concatenate([np.arange(*span, dtype=np.int32) for span in of_pair]) for of_pair in spans
        ]
        return [
            one._replace(positions=places, reverse=other)
            for one, places, other in zip(prepared, positions, swapped, strict=True)
        ]

    def _make_pairs(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> PairSet:
        """Return pairs of the same languages; WordNet is for English alone."""
        sources = Sources(
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
        self, prepared: Sequence[Prepared], decoding: Decoding = DEFAULTS, whole: bool = False
    ) -> Iterator[tuple[float, Posteriors]]:
        """Yield log Pr(s|d) and the posteriors of each pair that `decode` takes.

        They are adjusted except for the best path. `whole`: whether those of all links are needed, and not
        only of those that may be chosen.
        """
        thresholds = decoding.posterior_threshold, decoding.gap_threshold, decoding.candidate_threshold
        rest = 1.0 - decoding.phrase_support  # the least power of an adjusted link
        whole = whole or decoding.decoder == "rescored" or not rest
        least = 0.0 if whole else min(thresholds) ** (1.0 / rest)
        every = self.unadjusted(prepared, decoding.unigram_null, least)
        for one, (log_likelihood, posteriors) in zip(prepared, every, strict=True):
            if decoding.decoder != "viterbi":
                posteriors = posteriors.adjust_links(decoding.phrase_support, decoding.diagonal_discount)
                posteriors = posteriors.smooth_nulls(decoding.stretch_support, one.information)
            yield log_likelihood, posteriors

    def unadjusted(
        self, prepared: Sequence[Prepared], unigram_null: float, least: float = 0.0, cells: int = CELLS
    ) -> Iterator[tuple[float, Posteriors]]:
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
        swapped = [one.reverse for one in prepared if one.reverse]
        backward = self._backward.expect(swapped, cells) if self._backward else []
        for one, of_pair, reverse in zip_longest(prepared, forward, backward):
            yield self._unadjusted(one, of_pair, reverse, unigram_null, least)

    def _unadjusted(
        self,
        prepared: Prepared,
        forward: Iterator[tuple[slice, Expected]],
        backward: Iterator[tuple[slice, Expected]] | None,
        unigram_null: float,
        least: float,
    ) -> tuple[float, Posteriors]:
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
        posteriors = Posteriors(finder.links(), sources, nulls, places, phrases, prepared.kinds, words)
        return expected.log_likelihood, posteriors

    def align(self, pair: Pair, sentences: Sequence[int], decoding: Decoding = DEFAULTS) -> Alignment:
        """Return the alignment of a pair, with links in positions of the whole document."""
        prepared = self.prepare(pair, sentences)
        [found] = self.posteriors([prepared], decoding)
        return self.decode(pair, prepared, *found, decoding)

    def best_path(self, prepared: Prepared) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l)."""
        return self._forward.null.best_path(prepared.whole)

    def parts(self, pair: Pair, sentences: Sequence[int]) -> dict[str, KernelInputs]:
        """Return the inputs of a pair by each part of the rewrite model alone."""
        pairs, parts = self._make_pairs([(pair, sentences)]), {}
        parameters = self._forward.parameters(self._across(pair))
        for number in np.flatnonzero(parameters.weights).tolist():
            alone = np.where(np.arange(len(PARTS)) == number, parameters.weights, 0.0)
            [of_part] = self._forward.prepare(pairs, replace(parameters, weights=alone))
            parts[PARTS[number]] = of_part.whole
        return parts

    def decode(
        self,
        pair: Pair,
        prepared: Prepared,
        log_likelihood: float,
        posteriors: Posteriors,
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
                rescorer = open_rescorer(decoding.rescorer, self.model.encoder)
                posteriors = rescorer.rescore(
                    posteriors, make_cells(pair, prepared, posteriors.links.dense())
                )
                chosen = decode_posterior(posteriors, rescorer.link_threshold)
                if digest_of(pair) in rescorer.pairs:
                    warn_once(
                        f"{decoding.rescorer}: was fitted to the gold of some of these pairs, so that scores "
                        "of them are too high"
                    )
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
