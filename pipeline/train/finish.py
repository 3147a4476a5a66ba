"""From the last parameters of a training to its model."""

import numpy as np

from pipeline.run.errors import InputError
from pipeline.run.progress import log
from pipeline.semihmm.model import Lexicon, Model, Null
from pipeline.semihmm.phrases.table import UNLIKE


def make_model(jump, index, parameters, settings, parser, origin, encoder=None, reverse=None):
    """The :class:`Model` of ``parameters``; the other arguments are as there.

    Raises :class:`InputError` for a ``reverse`` of another corpus.
    """
    if reverse and reverse.origin.corpus != origin.corpus:
        raise InputError(
            "the model of the other direction was trained on another corpus; train it anew (--reverse)"
        )
    return Model(
        jump,
        parameters.jumps,
        parameters.mixture,
        Null(parameters.null, parameters.unseen),
        make_lexicon(index, parameters.counts, settings["lexical_threshold"]),
        index.words,
        index.readings,
        index.reading_counts,
        settings,
        parser,
        origin,
        encoder or {},
        reverse,
    )


def make_lexicon(index, counts, threshold):
    """The lexical table without the counts below ``threshold``, totals taken after they are gone."""
    kept = np.where(counts >= threshold, counts, 0.0)
    lost = (counts.sum() - kept.sum()) / max(counts.sum(), np.finfo(float).tiny)
    log.info(f"lexicon: {np.count_nonzero(kept)} counts kept, {lost:.2e} of the mass left out")
    totals = index.totals(kept)
    words, listed = len(index.words), len(index.partners)
    block = kept[:listed]
    stored = block > 0
    rows = np.concatenate([[0], np.cumsum(stored)])[index.word_rows]
    like = np.flatnonzero(index.kind[listed:] != UNLIKE)
    pairs = index.phrase_pairs[like]
    in_document = np.diff(index.word_rows) + index.unlisted > 0
    return Lexicon(
        rows.astype(np.int64),
        index.partners[stored],
        block[stored],
        np.where(in_document, totals[:words], 0.0),
        index.longer[pairs - words],
        kept[listed:][like],
        totals[pairs[:, 0]],
        index.frequency,
    )
