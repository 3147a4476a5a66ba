"""Applies a trained model to a pair, of the training corpus or new."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.semihmm.decode.copies import join_copies
from vorlage.semihmm.decode.decode import (
    Posteriors,
    decode_posterior,
    decode_viterbi,
    find_candidates,
    in_document,
)
from vorlage.semihmm.decode.decoding import DEFAULTS, Decoding
from vorlage.semihmm.decode.gaps import gaps_of
from vorlage.semihmm.jumps.forest import SentenceTrees, make_forest, sentence_tokens
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.forward_backward import expect
from vorlage.semihmm.kernels.phrase_table import UNLIKE
from vorlage.semihmm.kernels.search import look_up_counts
from vorlage.semihmm.kernels.viterbi import viterbi
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.affinity import Similarities, make_affinity
from vorlage.semihmm.rewrite.contexts import context_part
from vorlage.semihmm.rewrite.instances import Instance, Vocabulary, make_instance
from vorlage.semihmm.rewrite.kernel_inputs import check_expected, link_table, make_inputs, word_rewrites
from vorlage.semihmm.rewrite.lexicon import UNKNOWN, LexiconSearch
from vorlage.semihmm.rewrite.mixture import PARTS, Rewrite, decays, fake_table
from vorlage.semihmm.rewrite.reversed_support import reverse_support
from vorlage.semihmm.rewrite.support import StemClasses, Support, build_support
from vorlage.semihmm.rewrite.table import PADDING, row_chances
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST, WordNetDistances
from vorlage.types import Floats, Ints


class Prepared(NamedTuple):
    """A pair as the kernels take it.

    `unigram` (T, n): the share of the fake counts by frequency in every rewrite of a word by a word.
    `information` (T): −log of the frequency of every summary word in training, natural. `reverse`: the
    same for the model of the other direction, if any.
    """

    instance: Instance
    support: Support
    inputs: KernelInputs
    unigram: Floats
    information: Floats
    reverse: "Prepared | None"


class Aligner:
    """Aligns pairs one at a time; what one pair needs does not depend on the others.

    What the model has not seen: a phrase pair outside the lexical table has only its fake counts; a document
    phrase outside it has the fake counts of this pair as its total; an unknown word joins the class of its
    stem; a null word in no summary has the share of the null state's fake count; a distance outside the jump
    table has the table's smallest value. The posteriors of a model of the other direction are combined with
    those of this one, see `vorlage.semihmm.decode.decode.Posteriors.agree`.
    """

    def __init__(
        self,
        model: Model,
        wordnet: WordNetDistances | None = None,
        trees: Callable[[list[list[str]]], SentenceTrees] | None = None,
        similarities: Callable[[Pair, Sequence[int]], Similarities] | None = None,
    ) -> None:
        """`wordnet`: for a model trained with WordNet.

        `trees`: for a jump model over trees, a function from the sentences of a document, each a list of
        tokens, to their trees. `similarities`: for a model trained with an encoder, a function from a pair
        and the sentences of its extract to their similarities.
        """
        if model.settings["wordnet"] and wordnet is None:
            raise InputError("the model uses WordNet; pass its distances")
        if model.jumps.TREES and trees is None:
            raise InputError("the model uses trees; give those of the documents (--trees)")
        if model.settings["encoder"] and similarities is None:
            raise InputError(
                "the model uses an encoder; give similarities (--similarities) or the encoder (--encoder)"
            )
        self.model = model
        self._trees = trees
        self._similarities = similarities if model.settings["encoder"] else None
        self._reverse = Aligner(model.reverse, wordnet, similarities=similarities) if model.reverse else None
        self._settings = model.settings
        self._wordnet = wordnet if model.settings["wordnet"] else None
        self._classes = StemClasses(model.words, model.settings["language"])
        self._chances = self._classes.chance(model.words)
        self._numbers = Vocabulary(model.words)
        self._lexicon_search = LexiconSearch(model.lexicon)
        # The readings of the summary phrases of training and how many phrases have each.
        self._phrases = self._wordnet.count(model.phrases) if self._wordnet else ([], [])
        self._decay = decays(model.mixture.eta)[:LONGEST]
        self._norms = {-1: 0.0}  # by reading; WordNet bounds their number

    def prepare(self, pair: Pair, sentences: Sequence[int]) -> Prepared:
        """Return a pair and the sentences of its extract as `posteriors` takes them."""
        vocabulary = Vocabulary()
        forest = None
        if self.model.jumps.TREES and self._trees:
            tokens = sentence_tokens(pair, sentences)
            forest = make_forest(self._trees(tokens), tokens, self.model.jumps.labels)
        similar = self._similarities(pair, sentences) if self._similarities else None
        affinity = make_affinity(pair, sentences, self._settings, similar)
        instance = make_instance(pair, sentences, vocabulary, forest, affinity)
        prepared = self._prepare(instance, vocabulary.words, self._support(instance, vocabulary.words))
        if self._reverse is None:
            return prepared
        swapped = instance.reversed()
        if self._settings["max_document_phrase"] == self._settings["max_summary_phrase"]:
            support = reverse_support(prepared.support)
        else:
            support = self._reverse._support(swapped, vocabulary.words)
        return prepared._replace(reverse=self._reverse._prepare(swapped, vocabulary.words, support))

    def _support(self, instance: Instance, words: list[str]) -> Support:
        settings = self._settings
        return build_support(
            [instance],
            words,
            self._wordnet,
            settings["max_document_phrase"],
            settings["max_summary_phrase"],
            settings["language"],
        )

    def _prepare(self, instance: Instance, words: list[str], support: Support) -> Prepared:
        known = np.array([self._numbers.find(word) for word in words], dtype=np.int32)
        chance = self._chances[known]
        unknown = np.flatnonzero(known < 0)
        chance[unknown] = self._classes.chance(words[i] for i in unknown.tolist())
        chances = row_chances(chance, support.table.longer)
        rewrite = Rewrite(
            support.table.layout, support.distance, chances, fake_table(self._settings["fake_counts"])
        )
        counts, totals = self._lexical(support, rewrite, known)
        norms = self._norms_of(support.reading.tolist())
        rewrites = rewrite.rewrites(self.model.mixture, counts, totals, norms)
        null = np.where(known >= 0, self.model.null.probability[known], 0.0)
        null[null == 0.0] = self.model.null.unseen
        frequency = self.model.lexicon.spread(1.0, known)
        context = self._context(instance, frequency)
        inputs = make_inputs(
            instance,
            support.occurrences[0],
            rewrites,
            null[instance.summary],
            self.model.jumps.transitions(instance),
            context,
        )
        of_words = word_rewrites(instance, support.occurrences[0], rewrites)
        if context is not None:
            of_words += context
        unigram = self._unigram(instance, frequency, totals)
        unigram = np.divide(unigram, of_words, out=np.zeros_like(unigram), where=of_words > 0)
        information = -np.log(frequency[instance.summary])
        # Rounded, a share may be above 1.
        return Prepared(instance, support, inputs, np.minimum(unigram, 1.0), information, None)

    def _unigram(self, instance: Instance, frequency: Floats, totals: Floats) -> Floats:
        """Return the part of the fake counts by frequency in the rewrites of words (T, n), weighted.

        `totals`: of the rows; the other arguments are those of `_context`.
        """
        weight = self.model.mixture.weights[PARTS.index("rw")]
        spread = self._settings["fake_counts"]["unigram"] * frequency
        lexical = np.divide(weight, totals, out=np.zeros_like(totals), where=totals > 0)
        return np.outer(spread[instance.summary], lexical[instance.document])

    def _context(self, instance: Instance, frequency: Floats) -> Floats | None:
        """Return the encoder's part of the rewrite model, weighted; None without an encoder.

        `frequency`: the share of each word among the summary words of training.
        """
        part = context_part(instance, frequency, self._settings)
        return None if part is None else self.model.mixture.weights[-1] * part

    def posteriors(self, prepared: Prepared, decoding: Decoding = DEFAULTS) -> tuple[float, Posteriors]:
        """Return log Pr(s|d) and the posteriors that `decode` takes.

        For the posterior decoder, they are those of `own_posteriors` adjusted by
        `vorlage.semihmm.decode.decode.Posteriors.among_neighbours` and
        `vorlage.semihmm.decode.decode.Posteriors.among_nulls`.
        """
        log_likelihood, posteriors = self.own_posteriors(prepared, decoding.unigram_null)
        if decoding.decoder == "posterior":
            posteriors = posteriors.among_neighbours(decoding.phrase_support, decoding.diagonal_discount)
            posteriors = posteriors.among_nulls(decoding.stretch_support, prepared.information)
        return log_likelihood, posteriors

    def own_posteriors(self, prepared: Prepared, unigram_null: float) -> tuple[float, Posteriors]:
        """Return log Pr(s|d) and the posteriors by forward–backward, of both directions if the model has
        both.

        Raise `InputError` for a pair whose numbers float64 cannot hold.
        """
        instance, support, inputs, unigram, _, reverse = prepared
        links = link_table(inputs)
        expected = expect(inputs, self._settings["beam"], links, False)
        check_expected(instance.id, inputs, expected)
        kinds = support.table.kind[support.occurrences[0].entries]
        posteriors = Posteriors.of(
            links,
            expected.null_posteriors,
            inputs.phrases,
            expected.phrase_posteriors,
            kinds,
            unigram_null * unigram * links,
        )
        if reverse and self._reverse:
            posteriors = posteriors.agree(self._reverse.own_posteriors(reverse, unigram_null)[1])
        return expected.log_likelihood, posteriors

    def align(
        self, pair: Pair, sentences: Sequence[int], decoding: Decoding = DEFAULTS, stamp: str = ""
    ) -> Alignment:
        """Return the alignment of a pair, with links in positions of the whole document."""
        return self.finish(pair, self.prepare(pair, sentences), decoding, stamp)

    def finish(self, pair: Pair, prepared: Prepared, decoding: Decoding, stamp: str) -> Alignment:
        """Do the part of `align` after `prepare`, which runs mostly outside Python's lock."""
        log_likelihood, posteriors = self.posteriors(prepared, decoding)
        return self.decode(pair, prepared, log_likelihood, posteriors, decoding, stamp)

    def decode(
        self,
        pair: Pair,
        prepared: Prepared,
        log_likelihood: float,
        posteriors: Posteriors,
        decoding: Decoding,
        stamp: str = "",
    ) -> Alignment:
        """Return the alignment that the decoder reads off the posteriors of a pair."""
        if decoding.decoder == "posterior":
            threshold, gap_threshold = decoding.posterior_threshold, decoding.gap_threshold
            gaps = gaps_of(pair, prepared.instance, posteriors.links > threshold)
            links = decode_posterior(posteriors, threshold, gaps, gap_threshold)
        else:
            links = decode_viterbi(posteriors, viterbi(prepared.inputs)[1])
        candidates = find_candidates(posteriors, links, decoding.candidate_threshold)
        positions = prepared.instance.positions
        links = [in_document(link, positions) for link in links]
        if decoding.decoder == "posterior":
            links = join_copies(links, pair.summary, pair.document)
        return Alignment(
            pair.id,
            f"semihmm-{self.model.jump}",
            log_likelihood,
            pair.document.words,
            pair.summary.words,
            links,
            stamp,
            [in_document(link, positions) for link in candidates],
            posteriors.nulls.tolist(),
        )

    def _norms_of(self, readings: Sequence[int]) -> Floats:
        """Return Z of each reading."""
        new = sorted({reading for reading in readings if reading not in self._norms})
        if new:
            assert self._wordnet is not None
            histograms = self._wordnet.histograms(new, *self._phrases)
            # One by one: rounding in a product of matrices would depend on the other readings.
            self._norms |= {
                reading: float(row @ self._decay) for reading, row in zip(new, histograms, strict=True)
            }
        return np.array([self._norms[reading] for reading in readings])

    def _lexical(self, support: Support, rewrite: Rewrite, known: Ints) -> tuple[Floats, Floats]:
        """Return the counts of the entries and the totals of the rows by the model's lexical table.

        `known`: the model's number of each word, −1 for an unknown word.
        """
        lexicon, table, words = self.model.lexicon, support.table, len(known)
        stored, listed = lexicon.table, len(table.partners)
        counts = np.zeros(len(table.kind))
        look_up_counts(
            table.word_rows, table.partners, known, stored.word_rows, stored.partners, lexicon.counts, counts
        )
        unigram = self._settings["fake_counts"]["unigram"]
        totals = rewrite.totals(counts)
        totals[:words] += unigram
        counts[:listed] += lexicon.spread(unigram, known)[table.partners]
        trained = np.where(known >= 0, lexicon.totals[known], 0.0)
        totals[:words] = np.where(trained > 0, trained, totals[:words])
        longer = np.where(known >= 0, known, UNKNOWN)[table.longer]
        rows = self._lexicon_search.rows(np.where(table.longer == PADDING, PADDING, longer))
        totals[words:] = self._lexicon_search.totals(rows, totals[words:])
        same = np.flatnonzero(table.kind[listed:] != UNLIKE)
        documents, summaries = rows[table.phrase_pairs[same] - words].T
        counts[listed + same] = self._lexicon_search.counts(documents, summaries)
        return counts, totals
