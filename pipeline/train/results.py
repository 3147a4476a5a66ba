"""The results of a training: its model and its table of iterations."""

import numpy as np

from pipeline.io.outputs import write_text
from pipeline.run.errors import InputError
from pipeline.run.progress import log
from pipeline.semihmm.kernels.phrase_table import UNLIKE
from pipeline.semihmm.lexicon import Lexicon
from pipeline.semihmm.model import Model, Null, Origin
from pipeline.semihmm.phrases.table import select_entries
from pipeline.train.em import Iteration
from pipeline.train.index import Index
from pipeline.train.parameters import Parameters
from pipeline.types import Floats, JsonObject


def make_model(
    jump: str,
    index: Index,
    parameters: Parameters,
    settings: JsonObject,
    origin: Origin,
    parser: JsonObject,
    encoder: JsonObject,
    reverse: Model | None,
) -> Model:
    """Return the :class:`Model` of the last ``parameters`` of a training; ``reverse``: the other direction.

    Raise :class:`InputError` for a model of the other direction that was trained on another corpus.
    """
    if reverse and reverse.origin.corpus != origin.corpus:
        raise InputError(
            "the model of the other direction was trained on another corpus; train it again (--reverse)"
        )
    return Model(
        jump,
        parameters.jumps,
        parameters.mixture,
        Null(parameters.null, parameters.unseen),
        make_lexicon(index, parameters.counts, settings["lexical_threshold"]),
        index.words,
        index.phrases,
        settings,
        parser,
        origin,
        encoder,
        reverse,
    )


def make_lexicon(index: Index, counts: Floats, threshold: float) -> Lexicon:
    """Return the lexical table of the counts (E) of an index without those below ``threshold``.

    Stored are word pairs with a count and the longer phrase pairs that are equal, or equal up to stem. The
    totals are taken after smaller counts are removed.
    """
    kept = np.where(counts >= threshold, counts, 0.0)
    lost = (counts.sum() - kept.sum()) / max(counts.sum(), np.finfo(float).tiny)
    log.info(f"lexicon: stored {np.count_nonzero(kept)} counts, left out {lost:.2e} of their sum")
    table, words = index.table, len(index.words)
    listed = len(table.partners)
    stored = np.concatenate([kept[:listed] > 0, table.kind[listed:] != UNLIKE])
    selected, rows = select_entries(table, stored)
    totals = index.totals(kept)
    in_document = np.diff(table.word_rows) + index.unlisted > 0
    totals[:words] = np.where(in_document, totals[:words], 0.0)
    return Lexicon(selected, kept[stored], totals[rows], index.frequency)


def write_results(model: Model, iterations: list[Iteration], model_path: str, em_path: str) -> None:
    """Write a model and the table of its iterations, ``model.npz`` and ``em.tsv``."""
    model.save(model_path)
    rows = [Iteration.HEADER, *(iteration.row() for iteration in iterations)]
    write_text(em_path, "\n".join(rows) + "\n")
