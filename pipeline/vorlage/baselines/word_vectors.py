"""Links between words by their contextual vectors: mutual nearest neighbours, and probabilities both ways."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from scipy.special import softmax

from vorlage.baselines.system import WordLinks
from vorlage.types import Bools, Floats, Span, Vectors

# The links between the words of two texts, by the words and the spans of the sentences of each.
Match: TypeAlias = Callable[[Sequence[str], Sequence[Span], Sequence[str], Sequence[Span]], WordLinks]
# The threshold of awesome-align, as published.
THRESHOLD = 0.001


def match_mutually(summary: Vectors, document: Vectors) -> WordLinks:
    """Return the links between rows of two matrices that are each the most similar row to the other.

    The best match is the first of the most similar rows; a zero row has no match. This is the method Argmax
    of SimAlign (Jalili Sabet et al. 2020).

    Args:
        summary: unit vectors of words (m, size).
        document: unit vectors of words (n, size).
    """
    similarity = summary @ document.T
    best, best_back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return {i: [int(j)] for i, j in enumerate(best) if best_back[j] == i and similarity[i, j] > 0}


def match_both_ways(summary: Vectors, document: Vectors, threshold: float = THRESHOLD) -> WordLinks:
    """Return the links between rows of two matrices whose probabilities are above `threshold` both ways.

    The score of two words is the product of their vectors. A softmax over the document words gives the
    probabilities of each summary word, one over the summary words those of each document word. This is the
    extraction of awesome-align (Dou & Neubig 2021), which links pieces of words where this links words.

    Args:
        summary: vectors of words (m, size), with their lengths.
        document: vectors of words (n, size), with their lengths.
        threshold: the least probability.
    """
    scores = products(summary, document)
    return links_where((softmax(scores, axis=1) > threshold) & (softmax(scores, axis=0) > threshold))


def products(summary: Vectors, document: Vectors) -> Floats:
    """Return the products of all rows of two matrices, (m, n), in double precision.

    Not by BLAS, whose sums may depend on the number of its threads.
    """
    return np.einsum("ik,jk->ij", summary.astype(np.float64), document.astype(np.float64))


def links_where(linked: Bools) -> WordLinks:
    """Return the true cells of a matrix (m, n) as links: row → columns."""
    return {int(i): np.flatnonzero(linked[i]).tolist() for i in np.flatnonzero(linked.any(axis=1))}
