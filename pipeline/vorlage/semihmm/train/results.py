"""The results of a training: its model and its table of iterations."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.files.outputs import write_text
from vorlage.semihmm.kernels.phrase_table import UNLIKE
from vorlage.semihmm.model import Model, Null, Origin
from vorlage.semihmm.rewrite.lexicon import Lexicon
from vorlage.semihmm.rewrite.table import make_table, select_entries
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.index import Index, Rows
from vorlage.semihmm.train.parameters import Parameters
from vorlage.types import Bytes, Floats, Ints, JsonObject, LongInts


def make_model(
    jump: str,
    index: Index,
    parameters: Parameters,
    lexicon: Lexicon,
    settings: JsonObject,
    origin: Origin,
    parser: JsonObject,
    encoder: JsonObject,
    reverse: Model | None,
) -> Model:
    """Return the `Model` of the last `parameters` of a training; `reverse`: the other direction.

    Raise `InputError` for a model of the other direction that was trained on another corpus.
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
        lexicon,
        index.words,
        index.phrases,
        settings,
        parser,
        origin,
        encoder,
        reverse,
    )


class Stored(NamedTuple):
    """What the lexical table stores of some rows: of v words, and then of longer phrases.

    `lengths` (v): of the rows in the word block; `partners`, `word_kind`, `word_counts`: of its
    entries; `pairs`, `phrase_kind`, `phrase_counts`: of the entries of the phrase block; `totals`: of
    all rows.
    """

    lengths: LongInts
    partners: Ints
    word_kind: Bytes
    word_counts: Floats
    pairs: Ints
    phrase_kind: Bytes
    phrase_counts: Floats
    totals: Floats


def make_lexicon(index: Index, parts: Iterable[tuple[Rows, Floats]], threshold: float) -> Lexicon:
    """Return the lexical table of an index without counts below `threshold`.

    `parts`: all rows of the index, in order, each with the counts of its entries. Stored are word pairs
    with a count and the longer phrase pairs that are equal, or equal up to stem. The totals are taken after
    smaller counts are removed.
    """
    stored, before = [], 0.0
    for rows, counts in parts:
        stored.append(select_stored(index, rows, counts, threshold))
        before += counts.sum()
    every = Stored(*map(np.concatenate, zip(*stored, strict=True)))
    counts = np.concatenate([every.word_counts, every.phrase_counts])
    lost = (before - counts.sum()) / max(before, np.finfo(float).tiny)
    log.info(f"lexicon: stored {np.count_nonzero(counts)} counts, left out {lost:.2e} of their sum")
    word_rows = np.concatenate([[0], np.cumsum(every.lengths)])
    kind = np.concatenate([every.word_kind, every.phrase_kind])
    table = make_table(index.longer, word_rows, every.partners, every.pairs, kind)
    selected, kept = select_entries(table, np.ones(len(kind), dtype=bool))
    return Lexicon(selected, counts, every.totals[kept], index.frequency)


def select_stored(index: Index, rows: Rows, counts: Floats, threshold: float) -> Stored:
    """Return what `make_lexicon` stores of some rows."""
    kept, listed = np.where(counts >= threshold, counts, 0.0), len(rows.partners)
    totals = index.totals(rows, kept)
    in_document = np.diff(rows.word_rows) + rows.unlisted > 0
    totals[: len(in_document)] *= in_document
    words, phrases = kept[:listed] > 0, rows.kind[listed:] != UNLIKE
    return Stored(
        np.diff(np.searchsorted(np.flatnonzero(words), rows.word_rows)),
        rows.partners[words],
        rows.kind[:listed][words],
        kept[:listed][words],
        rows.phrase_pairs[phrases],
        rows.kind[listed:][phrases],
        kept[listed:][phrases],
        totals,
    )


def write_results(model: Model, iterations: list[Iteration], model_path: str, em_path: str) -> None:
    """Write a model and the table of its iterations, `model.npz` and `em.tsv`."""
    model.save(model_path)
    rows = [Iteration.HEADER, *(iteration.row() for iteration in iterations)]
    write_text(em_path, "\n".join(rows) + "\n")
