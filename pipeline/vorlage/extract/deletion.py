"""Makes an extract by Marcu's algorithm, which deletes the units that do not help.

Marcu, Daniel. 1999. The automatic construction of large-scale corpora for summarization research.
SIGIR 22, 137–144. His units are clauses; here they are sentences or units like clauses.
"""

import numpy as np
from scipy.sparse import csr_matrix

from vorlage.types import Floats, LongInts

# A smaller difference of two cosines is a rounding error, so they are a tie.
TOLERANCE = 1e-12


def kept_units(document: csr_matrix, summary: csr_matrix, count: int | None = None) -> LongInts:
    """Return the document units that Marcu's algorithm keeps, ascending and never empty.

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
