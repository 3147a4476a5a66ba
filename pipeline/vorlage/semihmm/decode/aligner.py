"""Applies a trained model to pairs, of the training corpus or new, and takes their links."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from itertools import compress, zip_longest
from typing import Protocol, cast

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.progress import describe_step, warn_once
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import Measure
from vorlage.extensions import offers
from vorlage.semihmm import mixture
from vorlage.semihmm.decode.direction import AlignmentInput, Direction
from vorlage.semihmm.decode.links import (
    decode_posterior,
    decode_viterbi,
    find_candidates,
    find_gaps,
    join_copies,
    make_links,
)
from vorlage.semihmm.decode.posteriors import LinkFinder, PairPosteriors, agreed_phrases
from vorlage.semihmm.kernels.forward_backward import KernelInputs
from vorlage.semihmm.mixture import ALL, CELLS
from vorlage.semihmm.model import Model
from vorlage.semihmm.pairs import PairResources, PairSet, make_pairs
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import SEMIHMM, Decoding
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Ints, JsonObject, StrPath

DEFAULTS = Decoding()
# Tuned, see docs/model.md: the least `gap_threshold` across languages, whose order of words differs more.
ACROSS_GAP = 0.3


class LinkScorer(Protocol):
    """The decoder `rescored`: scores the links of a pair, which are links above its `link_threshold`.

    It is no part of the model: a package around the core offers it, and it is imported where it is asked for.
    """

    @property
    def link_threshold(self) -> float:
        """What the posterior of a link must exceed."""

    def knows(self, pair: Pair) -> bool:
        """Return whether it was fitted to the gold of a pair."""

    def rescore(self, pair: Pair, pair_input: AlignmentInput, posteriors: PairPosteriors) -> PairPosteriors:
        """Return the posteriors of a pair with its scores as those of the links."""


def open_link_scorer(path: StrPath, encoder: JsonObject) -> LinkScorer:
    """Return the scorer of a file; raise `InputError` if it is none, or of a model with another `encoder`."""
    [module] = offers("LINK_SCORER")
    return cast(LinkScorer, import_module(module).open_rescorer(path, encoder))


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
        """Prepare a model; the other arguments are those of `PairResources`, if the model needs them."""
        self.model = model
        self._forward = Direction(model, wordnet)
        self._backward = Direction(model.reverse, wordnet) if model.reverse else None
        self._trees = trees if model.jumps.needs_trees else None
        self._similarities = similarities if model.settings.encoder else None

    def prepare(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> list[AlignmentInput]:
        """Return pairs of the same languages, with the sentences of their extracts, as they are aligned."""
        for pair, _ in extracted:
            describe_step("words are compared", len(pair.document.tokens) * len(pair.summary.tokens))
        pairs, across = self._make_pairs(extracted), self._across(extracted[0][0])
        forward = self._forward.prepare(pairs, self._forward.parameters(across))
        backward: Sequence[AlignmentInput | None] = [None] * len(extracted)
        if self._backward is not None:
            backward = self._backward.prepare(pairs.reversed(), self._backward.parameters(across))
        inputs = []
        for (pair, sentences), pair_input, reverse in zip(extracted, forward, backward, strict=True):
            spans = [pair.document.sentences[s] for s in sentences]
            positions = np.concatenate([np.arange(*span, dtype=np.int32) for span in spans])
            inputs.append(pair_input._replace(positions=positions, reverse=reverse))
        return inputs

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
        models = filter(None, (self.model, self.model.reverse))
        words = [set(compress(model.vocabulary.words, model.parameters.totals > 0)) for model in models]
        return frozenset(set.intersection(*words))

    def _across(self, pair: Pair) -> bool:
        """Return whether a pair is in two languages, and the model was not trained on such pairs."""
        return not pair.language and bool(self.model.language)

    def posteriors(
        self, inputs: Sequence[AlignmentInput], decoding: Decoding = DEFAULTS, whole: bool = False
    ) -> Iterator[tuple[float, PairPosteriors]]:
        """Yield log Pr(s|d) and the posteriors of each pair that `decode` takes.

        They are adjusted except for the best path. `whole`: whether those of all links are needed, and not
        only of those that may be chosen.
        """
        thresholds = decoding.posterior_threshold, decoding.gap_threshold, decoding.candidate_threshold
        rest = 1.0 - decoding.phrase_support  # the least power of an adjusted link
        whole = whole or decoding.decoder == "rescored" or not rest
        least = 0.0 if whole else min(thresholds) ** (1.0 / rest)
        unadjusted = self.unadjusted(inputs, decoding.unigram_null, least)
        for pair_input, (log_likelihood, posteriors) in zip(inputs, unadjusted, strict=True):
            if decoding.decoder != "viterbi":
                posteriors = posteriors.adjust_links(decoding.phrase_support, decoding.diagonal_discount)
                posteriors = posteriors.smooth_nulls(decoding.stretch_support, pair_input.information)
            yield log_likelihood, posteriors

    def unadjusted(
        self, inputs: Sequence[AlignmentInput], unigram_null: float, least: float = 0.0, cells: int = CELLS
    ) -> Iterator[tuple[float, PairPosteriors]]:
        """Yield log Pr(s|d) and the posteriors by forward–backward of each pair, those of both directions
        combined.

        Args:
            inputs: of `prepare`.
            unigram_null: the share of rewrites by fake counts alone that have no source.
            least: links with a smaller posterior may be left out.
            cells: how many pairs of words of a pair are in memory at once.

        Raises:
            InputError: for a pair whose numbers float64 cannot hold.
        """
        forward = self._forward.expect(inputs, cells)
        swapped = [pair_input.reverse for pair_input in inputs if pair_input.reverse]
        backward = self._backward.expect(swapped, cells) if self._backward else []
        for pair_input, of_forward, of_backward in zip_longest(inputs, forward, backward):
            shape, reverse = pair_input.inputs.shape, pair_input.reverse
            # The sources of a word take the place of what the other direction has of it.
            sources, nulls, words = np.empty(shape), np.empty(shape[0]), None
            if not reverse and not (unigram_null and pair_input.unigram[0].any()):
                words = np.empty(shape)
            for columns, of_reverse in of_backward or ():
                sources[:, columns] = of_reverse.word_uses.T
            finder = LinkFinder(shape, least)
            for rows, expected in of_forward:
                found = self._forward.posteriors(pair_input, expected, unigram_null, rows)
                if self._backward and reverse:
                    others = of_reverse._replace(word_uses=np.ascontiguousarray(sources[rows].T))
                    found = found.combine(self._backward.posteriors(reverse, others, unigram_null, ALL, rows))
                sources[rows], nulls[rows] = found.sources, found.nulls
                if words is not None:
                    words[rows] = expected.word_uses
                finder.add(rows, found.links)
            places, phrases = pair_input.inputs.phrases, expected.phrase_posteriors
            if reverse:
                phrases = agreed_phrases(phrases, reverse.inputs.phrases, of_reverse.phrase_posteriors)
            links, kinds = finder.links(), pair_input.kinds
            posteriors = PairPosteriors(links, sources, nulls, places, phrases, kinds, words)
            yield expected.log_likelihood, posteriors

    def align(self, pair: Pair, sentences: Sequence[int], decoding: Decoding = DEFAULTS) -> Alignment:
        """Return the alignment of a pair, with links in positions of the whole document."""
        [pair_input] = self.prepare([(pair, sentences)])
        [found] = self.posteriors([pair_input], decoding)
        return self.decode(pair, pair_input, *found, decoding)

    def best_path(self, pair_input: AlignmentInput) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l)."""
        return self._forward.null.best_path(pair_input.whole)

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
        pair_input: AlignmentInput,
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
                gaps = find_gaps(*posteriors.links.above(threshold), *pair_input.gap_sides)
                chosen = decode_posterior(posteriors, threshold, gaps, gap_threshold)
            case "viterbi":
                chosen = decode_viterbi(posteriors, self.best_path(pair_input)[1])
            case "rescored":
                assert decoding.rescorer is not None
                scorer = open_link_scorer(decoding.rescorer, self.model.encoder)
                if scorer.knows(pair):
                    warn_once(
                        f"{decoding.rescorer}: was fitted to the gold of some of these pairs, so that scores "
                        "of them are too high"
                    )
                posteriors = scorer.rescore(pair, pair_input, posteriors)
                chosen = decode_posterior(posteriors, scorer.link_threshold)
        candidates = find_candidates(posteriors, chosen, decoding.candidate_threshold)
        nulls = posteriors.nulls.tolist()
        if decoding.decoder != "viterbi":
            chosen = join_copies(chosen, pair_input.pair)
        return Alignment(
            pair.id,
            system_name(self.model, decoding),
            log_likelihood,
            pair.document.written,
            pair.summary.written,
            make_links(chosen, pair_input.positions, nulls),
            candidates=make_links(candidates, pair_input.positions),
            nulls=nulls,
        )


def system_name(model: Model, decoding: Decoding, name: str | None = None) -> str:
    """Return the name of the system in alignments and on pages; it says where gold was used.

    `name`: that of another system than the jump model of the semi-HMM.
    """
    gold = " (trained with gold)" if decoding.decoder == "rescored" else ""
    return f"{name or f'{SEMIHMM}-{model.jump}'}{gold}"
