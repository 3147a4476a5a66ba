"""Apply a trained model to a pair, of the training corpus or new."""

from typing import NamedTuple

import numpy as np
from numba import njit

from pipeline.alignments import Alignment, Link
from pipeline.errors import InputError
from pipeline.semihmm import kernels
from pipeline.semihmm.decode import Posteriors, candidates, decode_posterior, decode_viterbi
from pipeline.semihmm.entries import PADDING, UNLIKE, padded, row_chances
from pipeline.semihmm.forest import make_forest, sentence_tokens
from pipeline.semihmm.instances import Vocabulary, make_instance
from pipeline.semihmm.pairs import Inputs
from pipeline.semihmm.rewrite import Rewrite, decays, fake_table
from pipeline.semihmm.senses import LONGEST
from pipeline.semihmm.support import StemClasses, build_support
from pipeline.semihmm.viterbi import viterbi


class Decoding(NamedTuple):
    """How links are taken from posteriors: the settings of section ``semihmm`` that only this reads."""

    decoder: str = "posterior"
    posterior_threshold: float = 0.5
    candidate_threshold: float = 0.05


DEFAULTS = Decoding()


class Aligner:
    """Aligns pairs one at a time; what one pair needs does not depend on the others.

    What the model has not seen: a phrase pair outside the lexical table has its fake counts alone, a
    document phrase outside it the fake counts of this pair as its total; an unknown word joins its
    stem's class; a null word in no summary has the share of the null state's fake count; a distance
    outside the jump table has the table's smallest value.
    """

    def __init__(self, model, senses=None, trees=None):
        """``senses``: the :class:`pipeline.semihmm.senses.Senses` that a model trained with WordNet wants.

        ``trees``: for a jump model that wants trees, a function from the sentences of a document, each a
        list of tokens, to a :class:`pipeline.parse.arrays.Trees` that has theirs.
        """
        if model.settings["wordnet"] and senses is None:
            raise InputError("the model uses WordNet; give its folder (--wordnet-data)")
        if model.jumps.TREES and trees is None:
            raise InputError("the model uses trees; give those of the documents (--trees)")
        self.model = model
        self._trees = trees
        self._settings = model.settings
        self._senses = senses if model.settings["wordnet"] else None
        self._classes = StemClasses(model.words)
        self._numbers = Vocabulary(model.words)
        self._phrases = _phrase_table(model.lexicon)
        self._readings = senses.from_offsets(model.readings) if self._senses else []
        self._decay = decays(model.mixture.eta)[:LONGEST]
        self._norms = {-1: 0.0}  # by reading, of which there are no more than WordNet has

    def prepare(self, pair, sentences):
        """``(instance, support, inputs)`` of a pair and the sentences of its extract, for :meth:`finish`."""
        vocabulary = Vocabulary()
        forest = None
        if self.model.jumps.TREES:
            tokens = sentence_tokens(pair, sentences)
            forest = make_forest(self._trees(tokens), tokens, self.model.jumps.labels)
        instance = make_instance(pair, sentences, vocabulary, forest)
        settings = self._settings
        support = build_support(
            [instance],
            vocabulary.words,
            self._senses,
            settings["max_document_phrase"],
            settings["max_summary_phrase"],
        )
        chances = row_chances(self._classes.chance(vocabulary.words), padded(support.longer))
        rewrite = Rewrite(support, chances, fake_table(settings["fake_counts"]))
        known = np.array([self._numbers.find(word) for word in vocabulary.words], dtype=np.int32)
        counts, totals = self._lexical(support, rewrite, known)
        norms = np.array([self._norm(reading) for reading in support.row_reading.tolist()])
        values = rewrite.values(self.model.mixture, counts, totals, norms)
        null = self.model.null
        probability = np.where(known >= 0, null.probability[known], 0.0)
        probability[probability == 0.0] = null.unseen
        inputs = Inputs(
            instance.document_types[1],
            instance.summary_types[1],
            values[support.cells[0]],
            probability[instance.summary],
            support.places[0],
            support.by_end[0],
            values[support.place_entries[0]],
            self.model.jumps.moves(instance),
        )
        return instance, support, inputs

    def posteriors(self, support, inputs):
        """``(log Pr(s|d), Posteriors)`` by forward–backward."""
        n, length = len(inputs.document), len(inputs.summary)
        links = np.empty((length, n))
        log_likelihood, _, nulls, phrases, *_ = kernels.expect(*inputs, self._settings["beam"], links)
        kinds = support.kind[support.place_entries[0]]
        return log_likelihood, Posteriors(links, nulls, inputs.phrases, phrases, kinds)

    def align(self, pair, sentences, decoding=DEFAULTS, stamp=""):
        """The :class:`pipeline.alignments.Alignment` of a pair, links in whole-document positions."""
        return self.finish(pair, self.prepare(pair, sentences), decoding, stamp)

    def finish(self, pair, prepared, decoding, stamp):
        """The part of :meth:`align` after :meth:`prepare`; runs outside Python's lock for the most part."""
        return self.read_off(pair, prepared, self.posteriors(*prepared[1:]), decoding, stamp)

    def read_off(self, pair, prepared, found, decoding, stamp=""):
        """The alignment of a pair by what :meth:`posteriors` has ``found``."""
        instance, _, inputs = prepared
        log_likelihood, posteriors = found
        if decoding.decoder == "posterior":
            taken = decode_posterior(posteriors, decoding.posterior_threshold)
        else:
            taken = decode_viterbi(posteriors, viterbi(*inputs)[1])
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
        _look_up(
            support.word_rows, support.summary, known, lexicon.rows, lexicon.summary, lexicon.counts, counts
        )
        totals = rewrite.totals(counts)
        trained = np.where(known >= 0, lexicon.totals[known], 0.0)
        words = len(known)
        totals[:words] = np.where(trained > 0, trained, totals[:words])
        known = known.tolist()
        longer = [tuple(known[w] for w in phrase) for phrase in support.longer]
        for i, phrase in enumerate(longer):
            totals[words + i] = self._phrases.get(phrase, totals[words + i])
        like = np.flatnonzero(support.kind[len(support.summary) :] != UNLIKE)
        for e, (d, s) in zip(like.tolist(), support.phrase_pairs[like].tolist(), strict=True):
            counts[len(support.summary) + e] = self._phrases.get((longer[d - words], longer[s - words]), 0.0)
        return counts, totals


def in_document(link, positions):
    """A link with its document side moved from extract to document positions."""
    if link.document is None:
        return link
    first = int(positions[link.document[0]])
    return Link(link.summary, (first, first + link.document[1] - link.document[0]), link.posterior)


def _phrase_table(lexicon):
    """Counts by (document phrase, summary phrase) and totals by document phrase, in model word numbers."""
    table = {}
    rows = zip(lexicon.phrases.tolist(), lexicon.phrase_counts, lexicon.phrase_totals, strict=True)
    for pair, count, total in rows:
        document, summary = (tuple(w for w in side if w != PADDING) for side in pair)
        table[document, summary] = float(count)
        table[document] = float(total)
    return table


@njit(cache=True)
def _look_up(word_rows, summary, known, rows, partners, counts, out):
    """out[e] = the stored count of the word pair of entry e, 0 where there is none."""
    for row in range(known.shape[0]):
        d = known[row]
        if d < 0:
            continue
        listed = partners[rows[d] : rows[d + 1]]
        for e in range(word_rows[row], word_rows[row + 1]):
            s = known[summary[e]]
            at = np.searchsorted(listed, s)
            if at < listed.shape[0] and listed[at] == s:
                out[e] = counts[rows[d] + at]
