"""Applies a trained model to a pair, of the training corpus or new."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.progress import describe_step
from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import Measure, Similarities
from vorlage.semihmm.constants import ACROSS_GAP
from vorlage.semihmm.decode.direction import Direction, Prepared
from vorlage.semihmm.decode.links import (
    decode_posterior,
    decode_viterbi,
    find_candidates,
    gaps_of,
    in_document,
    join_copies,
)
from vorlage.semihmm.decode.posteriors import LinkFinder, Posteriors, agreed_phrases
from vorlage.semihmm.decode.rescore import digest_of, make_cells, open_rescorer, warn_of_gold
from vorlage.semihmm.kernels.forward_backward import KernelInputs
from vorlage.semihmm.model import Model
from vorlage.semihmm.pairs import Sources, make_pairs
from vorlage.semihmm.rewrite import ALL, CELLS
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import SEMIHMM, Decoding
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Ints

DEFAULTS = Decoding()


class Aligner:
    """Aligns pairs one at a time; what one pair needs does not depend on the others.

    The posteriors of a model of the other direction are combined with those of this one, see
    `vorlage.semihmm.decode.posteriors.Posteriors.combine`. `decoding`: the settings that the decoder reads.
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
        self._trees = trees if model.jumps.TREES else None
        self._similarities = similarities if model.settings.encoder else None

    def prepare(self, pair: Pair, sentences: Sequence[int]) -> Prepared:
        """Return a pair and the sentences of its extract as `posteriors` takes them."""
        return self.prepare_all([(pair, sentences)])[0]

    def prepare_all(self, extracted: Sequence[tuple[Pair, Sequence[int]]]) -> list[Prepared]:
        """Return pairs of the same languages, each as `prepare` returns it."""
        for pair, _ in extracted:
            describe_step("words are compared", len(pair.document.tokens) * len(pair.summary.tokens))
        similar = self._similarities(extracted) if self._similarities else []
        by_id = {id(pair): found for (pair, _), found in zip(extracted, similar, strict=False)}
        pairs = make_pairs(extracted, self._sources(extracted[0][0], by_id, len(extracted) > 1))
        across = self._across(extracted[0][0])
        swapped: Sequence[Prepared | None] = [None] * len(extracted)
        if self._backward is not None:
            swapped = self._backward.prepare(pairs.reversed(), across)
        prepared = self._forward.prepare(pairs, across)
        return [
            one._replace(
                positions=np.concatenate(
                    [np.arange(*pair.document.sentences[s], dtype=np.int32) for s in sentences]
                ),
                similarities=by_id.get(id(pair)),
                reverse=other_one,
            )
            for (pair, sentences), one, other_one in zip(extracted, prepared, swapped, strict=True)
        ]

    def _sources(self, pair: Pair, similar: Mapping[int, Similarities], several: bool) -> Sources:
        """Return what pairs of the languages of this one are made with; WordNet is for English alone.

        `similar`: the similarities by the `id` of a pair; `several`: whether there are others.
        """
        return Sources(
            self.model.settings,
            self._forward.wordnet if pair.language == "en" else None,
            self._trees,
            self.model.jumps.tree_labels(),
            (lambda pair, _: similar[id(pair)]) if self._similarities else None,
            self._shared if several else None,
        )

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

    def unadjusted(
        self, prepared: Prepared, unigram_null: float, least: float = 0.0, cells: int = CELLS
    ) -> tuple[float, Posteriors]:
        """Return log Pr(s|d) and the posteriors by forward–backward, those of both directions combined.

        Args:
            prepared: the pair.
            unigram_null: the share of rewrites by fake counts alone that have no source.
            least: links with a smaller posterior may be left out.
            cells: how many pairs of words are in memory at once.

        Raises:
            InputError: for a pair whose numbers float64 cannot hold.
        """
        # The sources of a word take the place of what the other direction has of it.
        sources, nulls = np.empty(prepared.inputs.shape), np.empty(len(prepared.information))
        swapped, words = prepared.reverse, None if prepared.reverse else np.empty(prepared.inputs.shape)
        if self._backward and swapped:
            for columns, reverse in self._backward.expect(swapped, cells):
                sources[:, columns] = reverse.word_uses.T
        finder = LinkFinder(prepared.inputs.shape, least)
        for rows, expected in self._forward.expect(prepared, cells):
            found = self._forward.posteriors(prepared, expected, unigram_null, rows)
            if words is not None:
                words[rows] = expected.word_uses
            if self._backward and swapped:
                others = reverse._replace(word_uses=np.ascontiguousarray(sources[rows].T))
                found = found.combine(self._backward.posteriors(swapped, others, unigram_null, ALL, rows))
            sources[rows], nulls[rows] = found.sources, found.nulls
            finder.add(rows, found.links)
        places, phrases = prepared.inputs.phrases, expected.phrase_posteriors
        if swapped:
            phrases = agreed_phrases(places, phrases, swapped.inputs.phrases, reverse.phrase_posteriors)
        longer = places, phrases, prepared.kinds
        posteriors = Posteriors(finder.links(), words, sources, nulls, *longer, found.adjusted)
        return expected.log_likelihood, posteriors

    def posteriors(
        self, prepared: Prepared, decoding: Decoding = DEFAULTS, whole: bool = False
    ) -> tuple[float, Posteriors]:
        """Return log Pr(s|d) and the posteriors that `decode` takes, adjusted except for the best path.

        `whole`: whether those of all links are needed, and not only of those that may be chosen.
        """
        thresholds = decoding.posterior_threshold, decoding.gap_threshold, decoding.candidate_threshold
        rest = 1.0 - decoding.phrase_support  # the least power of an adjusted link
        whole = whole or decoding.decoder == "rescored" or not rest
        least = 0.0 if whole else min(thresholds) ** (1.0 / rest)
        log_likelihood, posteriors = self.unadjusted(prepared, decoding.unigram_null, least)
        if decoding.decoder != "viterbi":
            posteriors = posteriors.adjust_links(decoding.phrase_support, decoding.diagonal_discount)
            posteriors = posteriors.smooth_nulls(decoding.stretch_support, prepared.information)
        return log_likelihood, posteriors

    def align(self, pair: Pair, sentences: Sequence[int], decoding: Decoding = DEFAULTS) -> Alignment:
        """Return the alignment of a pair, with links in positions of the whole document."""
        prepared = self.prepare(pair, sentences)
        return self.decode(pair, prepared, *self.posteriors(prepared, decoding), decoding)

    def best_path(self, prepared: Prepared) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l)."""
        return self._forward.best_path(prepared)

    def parts(self, pair: Pair, sentences: Sequence[int]) -> dict[str, KernelInputs]:
        """Return the inputs of a pair by each part of the rewrite model alone."""
        similar = {id(pair): self._similarities([(pair, sentences)])[0]} if self._similarities else {}
        pairs = make_pairs([(pair, sentences)], self._sources(pair, similar, False))
        return self._forward.parts(pairs, self._across(pair))

    def decode(
        self,
        pair: Pair,
        prepared: Prepared,
        log_likelihood: float,
        posteriors: Posteriors,
        decoding: Decoding = DEFAULTS,
    ) -> Alignment:
        """Return the alignment that the decoder reads off the posteriors of a pair."""
        if decoding.decoder == "posterior":
            threshold, gap_threshold = decoding.posterior_threshold, decoding.gap_threshold
            if self._across(pair):
                gap_threshold = max(gap_threshold, ACROSS_GAP)
            gaps = gaps_of(prepared.gap_sides, posteriors.links, threshold)
            links = decode_posterior(posteriors, threshold, gaps, gap_threshold)
        elif decoding.decoder == "rescored" and decoding.rescorer:
            rescorer = open_rescorer(decoding.rescorer, self.model.encoder)
            posteriors = rescorer.rescore(posteriors, make_cells(pair, prepared, posteriors.links.dense()))
            links = decode_posterior(posteriors, rescorer.link_threshold)
            if digest_of(pair) in rescorer.pairs:
                warn_of_gold(decoding.rescorer)
        else:
            links = decode_viterbi(posteriors, self.best_path(prepared)[1])
        candidates = find_candidates(posteriors, links, decoding.candidate_threshold)
        positions = prepared.positions
        links = [in_document(link, positions) for link in links]
        if decoding.decoder != "viterbi":
            links = join_copies(links, pair.summary, pair.document)
        return Alignment(
            pair.id,
            system_name(self.model, decoding),
            log_likelihood,
            pair.document.written,
            pair.summary.written,
            links,
            candidates=[in_document(link, positions) for link in candidates],
            nulls=posteriors.nulls.tolist(),
        )


def system_name(model: Model, decoding: Decoding, name: str | None = None) -> str:
    """Return the name of the system in alignments and on pages; it says where gold was used.

    `name`: that of another system than the jump model of the semi-HMM.
    """
    gold = " (trained with gold)" if decoding.decoder == "rescored" else ""
    return f"{name or f'{SEMIHMM}-{model.jump}'}{gold}"
