"""The embedding aligner: words whose contextual vectors are mutual nearest neighbours.

This is the method Argmax of SimAlign (Jalili Sabet et al. 2020): summary word i and document word j of the
extract are linked when j is the word most similar to i and i the word most similar to j, by the cosine of
their vectors in a hidden layer of a pretrained encoder. The vector of a word is the mean of those of its
pieces. Sentences are encoded one by one, as in the paper: words in longer contexts match wrong words more
often.
"""

from vorlage.baselines.system import WordLinks
from vorlage.encoder.encoder import Vectors


def match_mutually(summary: Vectors, document: Vectors) -> WordLinks:
    """Return the mutual best matches of the rows of two matrices: `summary` row → `document` row.

    The best match is the first of the most similar rows; a zero row has no match.
    """
    similarity = summary @ document.T
    best, best_back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return {i: [int(j)] for i, j in enumerate(best) if best_back[j] == i and similarity[i, j] > 0}
