"""Applies a model of one direction to pairs: from their words to posteriors."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vorlage.command.progress import count_steps
from vorlage.encoder.similarities import Similarities
from vorlage.semihmm.decode.posteriors import WordPosteriors
from vorlage.semihmm.kernels.arguments import Expected, KernelInputs
from vorlage.semihmm.kernels.forward_backward import expect_in_turn
from vorlage.semihmm.kernels.phrase_table import PhraseTable, look_up_counts, rewrite_values, row_totals
from vorlage.semihmm.kernels.viterbi import viterbi
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.instances import Instance, Vocabulary
from vorlage.semihmm.rewrite.kernel_inputs import (
    ALL,
    Context,
    check_expected,
    make_context,
    make_inputs,
    word_rewrites,
)
from vorlage.semihmm.rewrite.mixture import PARTS, Mixture, decays, fake_table, make_factors
from vorlage.semihmm.rewrite.null_jumps import (
    emits_phrases,
    expect_with_null_jumps,
    null_of_words,
    null_phrases,
    viterbi_with_null_jumps,
)
from vorlage.semihmm.rewrite.stems import StemTable
from vorlage.semihmm.rewrite.support import StemClasses, Support, build_support
from vorlage.semihmm.rewrite.table import PADDING, UNKNOWN, LexiconSearch, count_words, row_chances
from vorlage.semihmm.rewrite.wordnet_distance import LONGEST, WordNetDistances
from vorlage.types import Bytes, Floats, Ints, LongInts


class Prepared(NamedTuple):
    """A pair as the kernels take it, with its distinct `words`, by the weights of a `mixture`.

    `kinds` (m): of the longer phrase pairs, UNLIKE, SAME_STEM or IDENTICAL. `inputs`: without the word
    rewrites, which follow from `by_types` (U, V), see `word_rewrites`, and the encoder's part, `context`; the
    products of `unigram` (T), (n) are those by fake counts by frequency.
    `information` (T), `document_information` (n): −log of the frequency that every summary word and every
    document word has in the summaries of training, natural. `reverse`: the same for the model of the other
    direction, if any. `similarities`: those of the encoder, if any. `null_phrases` (m): what the null state
    of the 2004 paper emits, see `vorlage.semihmm.rewrite.null_jumps`; None for that of the 2005 paper.
    """

    instance: Instance
    words: list[str]
    kinds: Bytes
    mixture: Mixture
    inputs: KernelInputs
    by_types: Floats
    context: Context | None
    unigram: tuple[Floats, Floats]
    information: Floats
    document_information: Floats
    reverse: "Prepared | None" = None
    similarities: Similarities | None = None
    null_phrases: Floats | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """The summary and the document words."""
        return len(self.inputs.summary), len(self.inputs.document)

    @property
    def whole(self) -> KernelInputs:
        """The inputs with the word rewrites of the whole pair."""
        return self.inputs._replace(word_rewrites=self.rewrites(ALL))

    def rewrites(self, rows: slice) -> Floats:
        """Return the word rewrites of some summary words."""
        words = word_rewrites(self.instance, self.by_types, self.context, rows)
        return words if self.instance.affinity is None else words * self.instance.affinity.of_words(rows)


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
        self._classes = StemClasses(model.words, model.word_stems, model.language)
        self._chances = self._classes.chance(model.words)
        self._numbers = Vocabulary(model.words)
        self._lexicon_search = LexiconSearch(model.lexicon)
        self._readings = self._wordnet.add(model.readings) if self._wordnet else np.empty(0, dtype=np.int32)
        self._decay = decays(model.mixture.eta)[:LONGEST]
        # Z by reading + 1, NaN for a reading that was not met; WordNet bounds their number.
        self._norms = np.zeros(1)

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
        rows = self._rows(support.table, known)
        counts, totals = self._lexical(support, fake, rows)
        # Only the rows of document words and phrases have entries.
        documents = np.concatenate([instance.document_types[0], support.table.phrase_pairs[:, 0]])
        norms = np.zeros(len(support.reading))
        norms[documents] = self._norms_of(support.reading[documents])
        factors = make_factors(mixture, chances, totals, norms)
        rewrites = rewrite_values(support.table, support.distance, fake, factors, counts)
        if self.model.stems and mixture.stems:
            rewrites += mixture.stems * self._by_stems(self.model.stems, support, words, chances)
        null = self._null(known, rows)
        frequency = self.model.lexicon.spread(1.0, known)
        transitions, occurrences = self.model.jumps.transitions(instance), support.occurrences[0]
        context = make_context(instance, frequency, self._settings, mixture.encoder)
        # The part of the fake counts by frequency in the rewrites of words, weighted.
        spread = self._settings.fake_counts.unigram * frequency[instance.summary]
        unigram = spread, factors.lexical[instance.document]
        nothing, of_null = np.empty((0, 0)), null[instance.summary]
        inputs = make_inputs(instance, occurrences, rewrites, nothing, of_null, transitions)
        information = -np.log(frequency[instance.summary]), -np.log(frequency[instance.document])
        of_phrases = None
        if self._settings.paper == 2004:
            of_phrases = np.zeros(len(occurrences.entries))
            if emits_phrases(self._settings):
                of_phrases = null_phrases(null, support.table, occurrences)
        kinds, by_types = support.table.kind[occurrences.entries], rewrites.take(occurrences.cells)
        found = instance, words, kinds, mixture, inputs, by_types, context, unigram
        return Prepared(*found, *information, null_phrases=of_phrases)

    def parts(self, prepared: Prepared, language: str) -> dict[str, KernelInputs]:
        """Return the inputs of a pair by each part of the rewrite model alone; `language`: of the pair."""
        parts, weights = {}, prepared.mixture.weights
        support = self.support(prepared.instance, prepared.words, language)
        for number in np.flatnonzero(weights).tolist():
            mixture = replace(
                prepared.mixture, weights=np.where(np.arange(len(weights)) == number, weights, 0.0)
            )
            direction = Direction(replace(self.model, mixture=mixture), self._wordnet)
            of_part = direction.prepare(prepared.instance, prepared.words, support)
            parts[PARTS[number]] = of_part.whole
        return parts

    def best_path(self, prepared: Prepared) -> tuple[float, Ints]:
        """Return the log probability of the best alignment, natural, and its steps (t, k, j, l).

        A phrase of the null state has l = 0; see `vorlage.semihmm.kernels.viterbi.viterbi`.
        """
        if prepared.null_phrases is None:
            return viterbi(prepared.whole)
        return viterbi_with_null_jumps(prepared.whole, prepared.null_phrases)

    def expect(self, prepared: Prepared, cells: int) -> Iterator[tuple[slice, Expected]]:
        """Yield what forward–backward tells about some words of a pair after others, see `expect_in_turn`.

        `cells`: how many pairs of words are in memory at once. See `check_expected`, too.
        """
        inputs, beam, name, total = prepared.inputs, self._settings.beam, prepared.instance.id, 0.0
        if prepared.null_phrases is not None:
            links = np.empty(prepared.shape)
            both = expect_with_null_jumps(prepared.whole, prepared.null_phrases, beam, links, False)
            check_expected(name, inputs, float(links.sum()), *both)
            nulls = null_of_words(both[0].null_posteriors, both[1], inputs.phrases)
            yield slice(0, len(links)), both[0]._replace(word_uses=links, null_posteriors=nulls)
            return
        size = max(cells // len(inputs.document), 1)
        for rows, expected in expect_in_turn(inputs, prepared.rewrites, size, beam, show=count_steps):
            total += float(expected.word_uses.sum())
            yield rows, expected
        check_expected(name, inputs, total, expected)

    def posteriors(
        self, prepared: Prepared, expected: Expected, share: float, rows: slice = ALL, columns: slice = ALL
    ) -> WordPosteriors:
        """Return the posteriors of some summary words and document words, those of `word_uses`.

        `share`: of the rewrites by fake counts alone, those that have no source.
        """
        parts, (spread, lexical) = (prepared.instance, prepared.by_types, prepared.context), prepared.unigram
        rewrites, sourceless = word_rewrites(*parts, rows, columns), np.outer(spread[rows], lexical[columns])
        np.divide(sourceless, rewrites, out=sourceless, where=rewrites > 0)
        np.minimum(sourceless, 1.0, out=sourceless)  # rounded, it may be above 1
        sourceless *= share
        sourceless *= expected.word_uses
        places = prepared.inputs.phrases - np.array([rows.start or 0, 0, columns.start or 0, 0], np.int32)
        longer = places, expected.phrase_posteriors, prepared.kinds
        return WordPosteriors.of(expected.word_uses, expected.null_posteriors[rows], *longer, sourceless)

    def _null(self, known: Ints, rows: LongInts) -> Floats:
        """Return r(word | ∅) of each word, or of each phrase if the null state emits longer ones.

        `known`, `rows`: the model's number of each word and of each phrase, −1 for an unknown one.
        """
        probability, unseen = self.model.null.probability, self.model.null.unseen
        if not emits_phrases(self._settings):
            null = np.where(known >= 0, probability[known], 0.0)
            return np.where(null == 0.0, unseen, null)
        null = np.where(rows >= 0, probability[rows], 0.0)
        # A new phrase has the fake count of phrases, a new word that of words.
        share = self._settings.fake_counts.phrase / self._settings.null_smoothing
        return np.where(null > 0.0, null, np.where(np.arange(len(rows)) < len(known), 1.0, share) * unseen)

    def _norms_of(self, readings: Ints) -> Floats:
        """Return Z of each reading, 0 for −1."""
        norms, places = self._norms, readings + 1
        if (size := places.max(initial=0) + 1) > len(norms):
            norms = np.concatenate([norms, np.full(size, np.nan)])
        new = np.unique(readings[np.isnan(norms[places])])
        if len(new):
            assert self._wordnet is not None
            # One by one: rounding in a product of matrices would depend on the other readings.
            histograms = self._wordnet.histograms(new, self._readings, self.model.readings.counts)
            norms[new + 1] = [row @ self._decay for row in histograms]
            self._norms = norms
        return norms[places]

    def _rows(self, table: PhraseTable, known: Ints) -> LongInts:
        """Return the model's number of each phrase, −1 for an unknown one; `known`: those of the words."""
        longer = np.where(known >= 0, known, UNKNOWN)[table.longer]
        rows = self._lexicon_search.rows(np.where(table.longer == PADDING, PADDING, longer))
        return np.concatenate([known, rows])

    def _by_stems(self, trained: StemTable, support: Support, words: list[str], chances: Floats) -> Floats:
        """Return the part of every entry by the table over stems; `chances`: see `row_chances`."""
        table = support.table
        stems, groups = StemTable.of(words, table, self.model.language, self._settings.fake_counts)
        summaries = np.concatenate([table.partners, table.phrase_pairs[:, 1]])
        by_stems: Floats = stems.trained_as(trained).probabilities()[groups] * chances[summaries]
        return by_stems

    def _lexical(self, support: Support, fake: Floats, rows: LongInts) -> tuple[Floats, Floats]:
        """Return the counts of the entries and the totals of the rows by the model's lexical table.

        `fake`: see `fake_table`; `rows`: the model's number of each phrase, −1 for an unknown one.
        """
        lexicon, table, words = self.model.lexicon, support.table, count_words(support.table)
        stored, listed, known = lexicon.table, len(table.partners), rows[:words].astype(np.int32)
        counts = np.zeros(len(table.kind))
        stored_counts = stored.word_rows, stored.partners, lexicon.counts
        counts[:listed] = look_up_counts(table.word_rows, table.partners, known, *stored_counts)
        unigram = self._settings.fake_counts.unigram
        totals = row_totals(table, fake, counts)
        totals[:words] += unigram
        counts[:listed] += lexicon.spread(unigram, known)[table.partners]
        trained = np.where(known >= 0, lexicon.totals[known], 0.0)
        totals[:words] = np.where(trained > 0, trained, totals[:words])
        totals[words:] = self._lexicon_search.totals(rows[words:], totals[words:])
        documents, summaries = rows[table.phrase_pairs].T
        counts[listed:] = self._lexicon_search.counts(documents, summaries)
        return counts, totals
