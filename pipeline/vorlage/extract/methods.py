"""Chooses the document sentences that a summary is aligned to.

With the method `cosine` each summary sentence chooses the document sentences most similar to it, and the
extract is their union (Daumé & Marcu 2005, Section 5.1 and Figure 7). With `deletion` Marcu's algorithm
deletes sentences from the document until what is left is most similar to the summary; with `deletion-each`,
for each summary sentence until three are left, which is how the 2005 paper reads. With `unit: clause` all
methods compare units like clauses (`vorlage.extract.clauses`) with the summary, as Marcu (1999) does; the
extract is the sentences of the units that are chosen.

Marcu, Daniel. 1999. The automatic construction of large-scale corpora for summarization research.
SIGIR 22, 137–144.
"""

from typing import TYPE_CHECKING

import numpy as np

from vorlage.documents.pair import Pair
from vorlage.extract import cosine
from vorlage.extract.clauses import find_clauses
from vorlage.extract.extracts import Extract
from vorlage.settings import Extraction
from vorlage.types import Floats, LongInts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# A smaller difference of two cosines is a rounding error, so they are a tie.
TOLERANCE = 1e-12


def choose_extract(pair: Pair, weights: cosine.StemWeights, settings: Extraction) -> Extract:
    """Return the extract of a pair.

    With any method, `by_summary_sentence` holds for each summary sentence the `sentences` sentences of
    the extract most similar to it. With the `unit` clause, the similarity of a document sentence is that of
    the most similar of its clauses, and deletion keeps the sentences of which it keeps a clause.
    """
    text = pair.document
    units = find_clauses(text) if settings.unit == "clause" else [[span] for span in text.sentences]
    first = np.cumsum([0, *map(len, units)])  # unit of each sentence, and the number of units
    words = (text.words[slice(*span)] for sentence_units in units for span in sentence_units)
    document = cosine.weigh_stems(weights, [cosine.content_stems(unit, text.language) for unit in words])
    summary = cosine.weigh_stems(weights, cosine.sentence_stems(pair.summary))
    similarity = np.maximum.reduceat(cosine.compute_similarities(summary, document), first[:-1], axis=1)

    if not settings.enabled:
        chosen = np.arange(len(units))
    elif settings.method == "cosine":
        chosen = np.unique(cosine.choose_most_similar(similarity, settings.sentences))
    else:
        per_sentence = settings.method == "deletion-each"
        matrix, count = document.matrix(), settings.sentences if per_sentence else None
        texts = summary.matrix() if per_sentence else [summary.matrix()]
        kept = np.concatenate([keep_units(matrix, text, count) for text in texts])
        chosen = np.unique(np.searchsorted(first, kept, "right") - 1)
    ranked = chosen[cosine.choose_most_similar(similarity[:, chosen], settings.sentences)]
    return Extract(pair.id, tuple(chosen.tolist()), tuple(map(tuple, ranked.tolist())))


def keep_units(document: "csr_matrix", summary: "csr_matrix", count: int | None = None) -> LongInts:
    """Return the document units that Marcu's algorithm (1999) keeps, ascending and never empty.

    Each round deletes the unit without which the rest is most similar to the summary, by the cosine of the
    summed weights, until every deletion would lower the similarity, or until `count` units are left. A
    deletion that changes nothing is made too. Of equally good deletions the last unit is deleted; one unit is
    always kept. A round costs O(units), because the products of the rest with each unit, with the summary and
    with itself are updated instead of computed again.

    Args:
        document: weights (document units × stems), sparse and not normalised.
        summary: weights of the same form (summary sentences × stems).
        count: how many units to keep; None leaves it to the similarity.
    """
    products = (document @ document.T).toarray()
    summary_norm = np.sqrt((summary @ summary.T).sum()) or 1.0
    with_summary = (document @ summary.T).toarray().sum(axis=1) / summary_norm
    squares = products.diagonal()

    kept = np.ones(len(products), dtype=bool)
    with_rest = products.sum(axis=0)
    rest_square, rest_summary = products.sum(), with_summary.sum()
    similarity = _cosine(rest_summary, rest_square)
    for _ in range(len(products) - (count or 1)):
        after = _cosine(rest_summary - with_summary, rest_square - 2 * with_rest + squares)
        after[~kept] = -np.inf
        deleted = np.flatnonzero(after >= after.max() - TOLERANCE)[-1]
        if count is None and after[deleted] < similarity - TOLERANCE:
            break
        similarity = after[deleted]
        kept[deleted] = False
        rest_square += squares[deleted] - 2 * with_rest[deleted]
        rest_summary -= with_summary[deleted]
        with_rest = with_rest - products[deleted]
    return np.flatnonzero(kept)


def _cosine(product: Floats, square: Floats) -> Floats:
    # Weights are at least 1, so a smaller square is the rounding error of a text without content words.
    empty = np.asarray(square) < 0.5
    return np.where(empty, 0.0, product / np.sqrt(np.where(empty, 1.0, square)))
