"""Apply a trained model to a pair, of the training corpus or new."""

from typing import NamedTuple

import numpy as np

from pipeline.align.decode import Posteriors, candidates, decode_posterior, decode_viterbi
from pipeline.alignments import Alignment, Link
from pipeline.run.errors import InputError
from pipeline.semihmm.checks import check_covered
from pipeline.semihmm.jumps.forest import make_forest, sentence_tokens
from pipeline.semihmm.kernels.arguments import KernelInputs
from pipeline.semihmm.kernels.forward_backward import expect
from pipeline.semihmm.kernels.hypernyms import LONGEST
from pipeline.semihmm.kernels.search import first_rows, look_up_counts
from pipeline.semihmm.kernels.viterbi import viterbi
from pipeline.semihmm.phrases.affinity import context_part, make_affinity
from pipeline.semihmm.phrases.instances import Instance, Vocabulary, make_instance
from pipeline.semihmm.phrases.kernel_inputs import make_inputs
from pipeline.semihmm.phrases.rewrite import Rewrite, decays, fake_table
from pipeline.semihmm.phrases.support import StemClasses, build_support
from pipeline.semihmm.phrases.table import PADDING, UNLIKE, Support, padded, row_chances

# In a phrase, of a word that the model does not know; and after all words.
UNKNOWN, LAST = -2, np.iinfo(np.int32).max


class Decoding(NamedTuple):
    """How links are taken from posteriors: the settings of section ``semihmm`` that only this reads."""

    decoder: str = "posterior"
    posterior_threshold: float = 0.4
    phrase_support: float = 0.4
    diagonal_discount: float = 0.0
    candidate_threshold: float = 0.05


DEFAULTS = Decoding()


class Prepared(NamedTuple):
    """A pair as the kernels want it; ``reverse``: the same for the model of the other direction, or None."""

    instance: Instance
    support: Support
    inputs: KernelInputs
    reverse: "Prepared | None"


class Aligner:
    """Aligns pairs one at a time; what one pair needs does not depend on the others.

    What the model has not seen: a phrase pair outside the lexical table has its fake counts alone, a
    document phrase outside it the fake counts of this pair as its total; an unknown word joins its
    stem's class; a null word in no summary has the share of the null state's fake count; a distance
    outside the jump table has the table's smallest value. A model of the other direction that comes with the
    model has its say, see :meth:`pipeline.align.decode.Posteriors.agree`.
    """

    def __init__(self, model, senses=None, trees=None, similarities=None):
        """``senses``: the :class:`pipeline.semihmm.phrases.wordnet_distance.Senses` that a model trained with WordNet wants.

        ``trees``: for a jump model that wants trees, a function from the sentences of a document, each a
        list of tokens, to a ``Trees`` that has theirs. ``similarities``: for a
        model trained with an encoder, a function from a pair and the sentences of its extract to its
        :class:`pipeline.encode.similarities.Similarities`.
        """
        if model.settings["wordnet"] and senses is None:
            raise InputError("the model uses WordNet; give its folder (--wordnet-data)")
        if model.jumps.TREES and trees is None:
            raise InputError("the model uses trees; give those of the documents (--trees)")
        if model.settings["encoder"] and similarities is None:
            raise InputError(
                "the model uses an encoder; give similarities (--similarities) or it (--encoder)"
            )
        self.model = model
        self._trees = trees
        self._similarities = similarities
        self._reverse = model.reverse and Aligner(model.reverse, senses, similarities=similarities)
        self._settings = model.settings
        self._senses = senses if model.settings["wordnet"] else None
        self._classes = StemClasses(model.words)
        self._numbers = Vocabulary(model.words)
        self._phrases = PhraseTable(model.lexicon)
        self._readings = senses.from_offsets(model.readings) if self._senses else []
        self._decay = decays(model.mixture.eta)[:LONGEST]
        self._norms = {-1: 0.0}  # by reading, of which there are no more than WordNet has

    def prepare(self, pair, sentences):
        """The :class:`Prepared` of a pair and the sentences of its extract, for :meth:`finish`."""
        vocabulary = Vocabulary()
        forest = None
        if self.model.jumps.TREES:
            tokens = sentence_tokens(pair, sentences)
            forest = make_forest(self._trees(tokens), tokens, self.model.jumps.labels)
        similar = self._similarities(pair, sentences) if self.model.settings["encoder"] else None
        affinity = make_affinity(pair, sentences, self._settings, similar)
        instance = make_instance(pair, sentences, vocabulary, forest, affinity)
        prepared = self._prepare(instance, vocabulary.words)
        if self._reverse is None:
            return prepared
        return prepared._replace(reverse=self._reverse._prepare(instance.reversed(), vocabulary.words))

    def _prepare(self, instance, words):
        settings = self._settings
        support = build_support(
            [instance],
            words,
            self._senses,
            settings["max_document_phrase"],
            settings["max_summary_phrase"],
        )
        chances = row_chances(self._classes.chance(words), padded(support.longer))
        rewrite = Rewrite(support, chances, fake_table(settings["fake_counts"]))
        known = np.array([self._numbers.find(word) for word in words], dtype=np.int32)
        counts, totals = self._lexical(support, rewrite, known)
        norms = np.array([self._norm(reading) for reading in support.row_reading.tolist()])
        values = rewrite.values(self.model.mixture, counts, totals, norms)
        null = self.model.null
        probability = np.where(known >= 0, null.probability[known], 0.0)
        probability[probability == 0.0] = null.unseen
        moves = self.model.jumps.moves(instance)
        context = self._context(instance)
        inputs = make_inputs(instance, support, 0, values, probability[instance.summary], moves, context)
        return Prepared(instance, support, inputs, None)

    def _context(self, instance):
        """The encoder's part of the rewrite model, weighted; None without an encoder."""
        if not self._settings["encoder"]:
            return None
        weight = self.model.mixture.weights[-1]
        return weight * context_part(instance.affinity.contexts, self._settings["encoder_temperature"])

    def posteriors(self, prepared, decoding=DEFAULTS):
        """``(log Pr(s|d), Posteriors)`` as :meth:`read_off` wants them, of what :meth:`prepare` returns.

        Those of :meth:`own_posteriors`, for the posterior decoder
        :meth:`pipeline.align.decode.Posteriors.among_neighbours`.
        """
        log_likelihood, found = self.own_posteriors(prepared)
        if decoding.decoder == "posterior":
            found = found.among_neighbours(decoding.phrase_support, decoding.diagonal_discount)
        return log_likelihood, found

    def own_posteriors(self, prepared):
        """``(log Pr(s|d), Posteriors)`` by forward–backward, of both directions where the model has both.

        Raises :class:`InputError` for a pair whose numbers are of no use, see :func:`check_covered`.
        """
        instance, support, inputs, reverse = prepared
        links = np.empty((len(inputs.summary), len(inputs.document)))
        expected = expect(inputs, self._settings["beam"], links)
        check_covered(instance.id, inputs, expected)
        kinds = support.kind[support.place_entries[0]]
        found = Posteriors.of(
            links, expected.null_posteriors, inputs.phrases, expected.phrase_posteriors, kinds
        )
        if reverse:
            found = found.agree(self._reverse.own_posteriors(reverse)[1])
        return expected.log_likelihood, found

    def align(self, pair, sentences, decoding=DEFAULTS, stamp=""):
        """The :class:`pipeline.alignments.Alignment` of a pair, links in whole-document positions."""
        return self.finish(pair, self.prepare(pair, sentences), decoding, stamp)

    def finish(self, pair, prepared, decoding, stamp):
        """The part of :meth:`align` after :meth:`prepare`; runs outside Python's lock for the most part."""
        return self.read_off(pair, prepared, self.posteriors(prepared, decoding), decoding, stamp)

    def read_off(self, pair, prepared, found, decoding, stamp=""):
        """The alignment of a pair by what :meth:`posteriors` has ``found``."""
        instance, inputs = prepared.instance, prepared.inputs
        log_likelihood, posteriors = found
        if decoding.decoder == "posterior":
            taken = decode_posterior(posteriors, decoding.posterior_threshold)
        else:
            taken = decode_viterbi(posteriors, viterbi(inputs)[1])
        others = candidates(posteriors, taken, decoding.candidate_threshold)
        links, others = ([in_document(link, instance.positions) for link in one] for one in (taken, others))
        return Alignment(
            pair.id,
            f"semihmm-{self.model.jump}",
            log_likelihood,
            pair.document.words,
            pair.summary.words,
            links,
            stamp,
            others,
        )

    def _norm(self, reading):
        """Z of a reading."""
        if reading not in self._norms:
            histogram = self._senses.histograms([reading], self._readings, self.model.reading_counts)
            self._norms[reading] = float(histogram[0] @ self._decay)
        return self._norms[reading]

    def _lexical(self, support, rewrite, known):
        """Counts of the entries and totals of the rows from the model's lexical table."""
        lexicon = self.model.lexicon
        counts = np.zeros(len(support.kind))
        look_up_counts(
            support.word_rows, support.summary, known, lexicon.rows, lexicon.summary, lexicon.counts, counts
        )
        unigram = self._settings["fake_counts"]["unigram"]
        totals = rewrite.totals(counts)
        totals[: len(known)] += unigram
        counts[: len(support.summary)] += lexicon.spread(unigram, known)[support.summary]
        trained = np.where(known >= 0, lexicon.totals[known], 0.0)
        words = len(known)
        totals[:words] = np.where(trained > 0, trained, totals[:words])
        longer = padded(support.longer)
        longer = np.where(longer == PADDING, PADDING, np.where(known >= 0, known, UNKNOWN)[longer])
        totals[words:] = self._phrases.totals(longer, totals[words:])
        like = np.flatnonzero(support.kind[len(support.summary) :] != UNLIKE)
        sides = support.phrase_pairs[like] - words
        counts[len(support.summary) + like] = self._phrases.counts(longer[sides[:, 0]], longer[sides[:, 1]])
        return counts, totals


def in_document(link, positions):
    """A link with its document side moved from extract to document positions."""
    if link.document is None:
        return link
    first = int(positions[link.document[0]])
    return Link(link.summary, (first, first + link.document[1] - link.document[0]), link.posterior)


class PhraseTable:
    """The longer phrase pairs of a :class:`pipeline.semihmm.model.Lexicon`, found by their words.

    As sorted arrays: a dict takes some 400 bytes a pair, which is much for millions in each process.
    """

    def __init__(self, lexicon):
        count, _, self._width = lexicon.phrases.shape
        rows = lexicon.phrases.reshape(count, 2 * self._width)
        order = np.lexsort(rows.T[::-1])
        # The last row is no phrase, so that every search ends at a row.
        self._rows = np.concatenate([rows[order], np.full((1, rows.shape[1]), LAST, dtype=np.int32)])
        self._counts, self._totals = (
            np.append(values[order], 0.0) for values in (lexicon.phrase_counts, lexicon.phrase_totals)
        )

    def totals(self, documents, otherwise):
        """The totals of document phrases, padded; ``otherwise`` (an array) of those that it has not."""
        found, at = self._find(documents)
        return np.where(found, self._totals[at], otherwise)

    def counts(self, documents, summaries):
        """The counts of phrase pairs, 0 where there is none."""
        found, at = self._find(documents, summaries)
        return np.where(found, self._counts[at], 0.0)

    def _find(self, *sides):
        """Whether there is a row that begins with these words, and where the first such is."""
        asked = np.concatenate([self._fit(side) for side in sides], axis=1)
        at = first_rows(self._rows, asked)
        return (self._rows[at, : asked.shape[1]] == asked).all(axis=1), at

    def _fit(self, phrases):
        """Padded phrases as wide as those of the table; one that is longer than these is none of them."""
        width = self._width
        fitted = np.full((len(phrases), width), PADDING, dtype=np.int32)
        fitted[:, : phrases.shape[1]] = phrases[:, :width]
        fitted[(phrases[:, width:] != PADDING).any(axis=1)] = UNKNOWN
        return fitted
