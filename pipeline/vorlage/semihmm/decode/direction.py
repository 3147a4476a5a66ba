"""Applies a model of one direction to pairs: from their words to posteriors."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.encoder.similarities import Similarities
from vorlage.semihmm.decode.posteriors import Posteriors
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.forward_backward import expect
from vorlage.semihmm.kernels.phrase_table import rewrite_values, row_totals
from vorlage.semihmm.kernels.search import look_up_counts
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.instances import Instance, Vocabulary
from vorlage.semihmm.rewrite.kernel_inputs import check_expected, context_part, make_inputs, word_rewrites
from vorlage.semihmm.rewrite.lexicon import UNKNOWN, LexiconSearch
from vorlage.semihmm.rewrite.mixture import decays, fake_table, make_factors
from vorlage.semihmm.rewrite.support import StemClasses, Support, build_support
from vorlage.semihmm.rewrite.table import PADDING, row_chances
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST, WordNetDistances
from vorlage.types import Floats, Ints


class Prepared(NamedTuple):
    """A pair as the kernels take it.

    `unigram` (T, n): the share of the fake counts by frequency in every rewrite of a word by a word.
    `information` (T), `document_information` (n): −log of the frequency that every summary word and every
    document word has in the summaries of training, natural. `reverse`: the same for the model of the other
    direction, if any. `similarities`: those of the encoder, if any.
    """

    instance: Instance
    support: Support
    inputs: KernelInputs
    unigram: Floats
    information: Floats
    document_information: Floats
    reverse: "Prepared | None" = None
    similarities: Similarities | None = None


class Direction:
    """A model of one direction, with what its pairs share.

    What the model has not seen: a phrase pair outside the lexical table has only its fake counts; a document
    phrase outside it has the fake counts of this pair as its total; an unknown word joins the class of its
    stem; a null word in no summary has the share of the null state's fake count; a distance outside the jump
    table has the table's smallest value.
    """

    def __init__(self, model: Model, wordnet: WordNetDistances | None) -> None:
        self.model = model
        self._settings = model.settings
        self._wordnet = wordnet if model.settings.wordnet else None
        self._classes = StemClasses(model.words, model.language)
        self._chances = self._classes.chance(model.words)
        self._numbers = Vocabulary(model.words)
        self._lexicon_search = LexiconSearch(model.lexicon)
        # The readings of the summary phrases of training and how many phrases have each.
        self._phrases = self._wordnet.count(model.phrases) if self._wordnet else ([], [])
        self._decay = decays(model.mixture.eta)[:LONGEST]
        self._norms = {-1: 0.0}  # by reading; WordNet bounds their number

    def support(self, instance: Instance, words: list[str], language: str) -> Support:
        """Return the phrase table of a pair with these distinct words.

        `language`: of the pair; WordNet is for English alone.
        """
        longest = self._settings.max_document_phrase, self._settings.max_summary_phrase
        wordnet = self._wordnet if language == "en" else None
        full = self._settings.fake_counts.phrase > 0
        return build_support([instance], words, wordnet, *longest, language, full)

    def prepare(
        self, instance: Instance, words: list[str], support: Support, across: bool = False
    ) -> Prepared:
        """Return a pair as the kernels take it.

        Args:
            instance: the pair.
            words: its distinct words.
            support: its phrase table.
            across: whether its texts are in two languages and the model is not for these two.
        """
        mixture = self.model.mixture.across_languages() if across else self.model.mixture
        known = np.array([self._numbers.find(word) for word in words], dtype=np.int32)
        chance = self._chances[known]
        unknown = np.flatnonzero(known < 0)
        chance[unknown] = self._classes.chance(words[i] for i in unknown.tolist())
        chances = row_chances(chance, support.table.longer)
        fake = fake_table(self._settings.fake_counts)
        counts, totals = self._lexical(support, fake, known)
        norms = self._norms_of(support.reading.tolist())
        factors = make_factors(mixture, chances, totals, norms)
        rewrites = rewrite_values(support.table, support.distance, fake, factors, counts)
        null = np.where(known >= 0, self.model.null.probability[known], 0.0)
        null[null == 0.0] = self.model.null.unseen
        frequency = self.model.lexicon.spread(1.0, known)
        context = context_part(instance, frequency, self._settings)
        if context is not None:
            context = mixture.weights[-1] * context
        transitions = self.model.jumps.transitions(instance)
        occurrences = support.occurrences[0]
        inputs = make_inputs(instance, occurrences, rewrites, null[instance.summary], transitions, context)
        of_words = word_rewrites(instance, occurrences, rewrites)
        if context is not None:
            of_words += context
        # The part of the fake counts by frequency in the rewrites of words, weighted.
        spread = self._settings.fake_counts.unigram * frequency
        unigram = np.outer(spread[instance.summary], factors.lexical[instance.document])
        unigram = np.divide(unigram, of_words, out=np.zeros_like(unigram), where=of_words > 0)
        information = -np.log(frequency[instance.summary]), -np.log(frequency[instance.document])
        # Rounded, a share may be above 1.
        return Prepared(instance, support, inputs, np.minimum(unigram, 1.0), *information)

    def posteriors(self, prepared: Prepared, unigram_null: float) -> tuple[float, Posteriors]:
        """Return log Pr(s|d) and the posteriors by forward–backward; see `check_expected`."""
        instance, support, inputs = prepared.instance, prepared.support, prepared.inputs
        links = np.empty((len(inputs.summary), len(inputs.document)))
        expected = expect(inputs, self._settings.beam, links, False)
        check_expected(instance.id, inputs, expected)
        kinds = support.table.kind[support.occurrences[0].entries]
        sourceless = unigram_null * prepared.unigram
        sourceless *= links
        found = expected.null_posteriors, inputs.phrases, expected.phrase_posteriors
        return expected.log_likelihood, Posteriors.of(links, *found, kinds, sourceless)

    def _norms_of(self, readings: Sequence[int]) -> Floats:
        """Return Z of each reading."""
        new = sorted({reading for reading in readings if reading not in self._norms})
        if new:
            assert self._wordnet is not None
            histograms = self._wordnet.histograms(new, *self._phrases)
            # One by one: rounding in a product of matrices would depend on the other readings.
            norms = (float(row @ self._decay) for row in histograms)
            self._norms |= zip(new, norms, strict=True)
        return np.array([self._norms[reading] for reading in readings])

    def _lexical(self, support: Support, fake: Floats, known: Ints) -> tuple[Floats, Floats]:
        """Return the counts of the entries and the totals of the rows by the model's lexical table.

        `fake`: see `fake_table`; `known`: the model's number of each word, −1 for an unknown word.
        """
        lexicon, table, words = self.model.lexicon, support.table, len(known)
        stored, listed = lexicon.table, len(table.partners)
        counts = np.zeros(len(table.kind))
        look_up_counts(
            table.word_rows, table.partners, known, stored.word_rows, stored.partners, lexicon.counts, counts
        )
        unigram = self._settings.fake_counts.unigram
        totals = row_totals(table, fake, counts)
        totals[:words] += unigram
        counts[:listed] += lexicon.spread(unigram, known)[table.partners]
        trained = np.where(known >= 0, lexicon.totals[known], 0.0)
        totals[:words] = np.where(trained > 0, trained, totals[:words])
        longer = np.where(known >= 0, known, UNKNOWN)[table.longer]
        rows = self._lexicon_search.rows(np.where(table.longer == PADDING, PADDING, longer))
        totals[words:] = self._lexicon_search.totals(rows, totals[words:])
        documents, summaries = np.concatenate([known, rows])[table.phrase_pairs].T
        counts[listed:] = self._lexicon_search.counts(documents, summaries)
        return counts, totals
