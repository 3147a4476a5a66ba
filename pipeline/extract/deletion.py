"""Marcu's deletion algorithm: the extract is what is left when sentences that do not help are deleted.

Marcu, Daniel. 1999. The automatic construction of large-scale corpora for summarization research.
SIGIR 22, 137–144. His units are clauses; here they are sentences.
"""

import numpy as np

# A difference of cosines below this is rounding: the two are a tie.
TOLERANCE = 1e-12


def kept_sentences(document, summary):
    """The document sentences that Marcu's algorithm leaves: an ascending int array, never empty.

    ``document``: weights, document sentences × stems; ``summary``: weights, summary sentences × stems
    (sparse matrices, not normalised). Starting from the whole document, the sentence whose deletion leaves
    the rest most similar (cosine of the summed weights) to the summary is deleted, again and again, until
    every deletion lowers the similarity. Among equally good deletions the last sentence goes, so that
    the earlier stay; one sentence always stays.

    A round costs O(sentences): the rest is known by its products with each sentence, the summary and itself.
    """
    products = (document @ document.T).toarray()
    summary_norm = np.sqrt((summary @ summary.T).sum()) or 1.0
    with_summary = (document @ summary.T).toarray().sum(axis=1) / summary_norm
    squares = products.diagonal()

    kept = np.ones(len(products), dtype=bool)
    with_rest = products.sum(axis=0)
    rest_square, rest_summary = products.sum(), with_summary.sum()
    similarity = _cosine(rest_summary, rest_square)
    for _ in range(len(products) - 1):
        after = _cosine(rest_summary - with_summary, rest_square - 2 * with_rest + squares)
        after[~kept] = -np.inf
        gone = np.flatnonzero(after >= after.max() - TOLERANCE)[-1]
        if after[gone] < similarity - TOLERANCE:
            break
        similarity = after[gone]
        kept[gone] = False
        rest_square += squares[gone] - 2 * with_rest[gone]
        rest_summary -= with_summary[gone]
        with_rest = with_rest - products[gone]
    return np.flatnonzero(kept)


def _cosine(product, square):
    # Weights are at least 1, so a smaller square is what rounding left of a text without content words.
    empty = np.asarray(square) < 0.5
    return np.where(empty, 0.0, product / np.sqrt(np.where(empty, 1.0, square)))
