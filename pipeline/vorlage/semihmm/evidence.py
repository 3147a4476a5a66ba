"""What two sentences tell about whether a word of one was made from a word of the other.

Every rewrite probability is multiplied by a factor for each summary word: how much more similar the two
sentences are than sentences of the pair are on average, and than related sentences usually are. The first
does by degrees what the extracts (Daumé & Marcu 2005, Section 5.1) do all at once; by the second, words of a
sentence that is like no other come from nothing. The null state has the factor 1. Factors are fixed before
training, so that EM still maximises its objective exactly.
"""

import numpy as np

from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.encoder.similarities import Similarities
from vorlage.semihmm.constants import (
    LEAST_COSINE,
    LENGTH_SUPPORT,
    RELATED_STEMS,
    RELATED_VECTORS,
    VECTOR_POWER,
    VECTOR_SUPPORT,
)
from vorlage.settings import Training
from vorlage.types import AnyArray, Floats, Ints, LongInts


def sentence_factors(
    cosines: Floats,
    lengths: tuple[LongInts, LongInts],
    settings: Training,
    similarities: Similarities | None = None,
    across: bool = False,
) -> Floats | None:
    """Return the factors of a pair by sentences (S, D), None without any.

    Args:
        cosines: of the sentences (S, D), by `stem_cosines`.
        lengths: the words of the summary sentences (S) and of the document sentences (D).
        settings: `sentence_similarity`, the power of the cosines of tf · idf weights relative to those of the
            pair, and `sentence_support`, their power relative to those of related sentences; 0 leaves them
            out.
        similarities: those of an encoder, which add factors by `sentence_baseline`.
        across: whether the texts are in two languages.
    """
    power, support = settings.sentence_similarity, settings.sentence_support
    if not power and not support and similarities is None:
        return None
    factors = np.ones(cosines.shape)
    if power or support:
        factors = relative_similarity(cosines, power)
        if not across:  # translations share names and numbers alone
            factors = factors * absolute_similarity(cosines, support, RELATED_STEMS)
    if similarities is not None:
        baseline = settings.sentence_baseline
        vectors = (similarities.sentences - baseline) / (1.0 - baseline)
        factors = factors * relative_similarity(vectors, VECTOR_POWER)
        factors = factors * absolute_similarity(vectors, VECTOR_SUPPORT * support, RELATED_VECTORS)
        # The words of a long sentence are near to those of a short one by chance; they cannot all have become
        # it.
        ratios = np.minimum(lengths[0][:, None] / lengths[1], 1.0)
        factors = factors * ratios ** (LENGTH_SUPPORT * support)
    return factors


@exact_kernel
def stem_cosines(stems: Ints, summary: Ints, summary_ends: Ints, document: Ints, ends: Ints) -> Floats:
    """Return the cosines of the sentences of a pair (S, D) by tf · idf weights of stems.

    They are those of the extract stage (`vorlage.extract.cosine`). idf is counted over the sentences of the
    extract, so that a pair needs nothing but itself.

    Args:
        stems: of each word number, −1 for a stop word.
        summary: word numbers (T).
        summary_ends: the word after the last one of each sentence (S).
        document: word numbers of the extract (n).
        ends: the same of the document (D).
    """
    size = stems.max() + 2
    idf, met = np.zeros(size), np.full(size, -1, np.int64)
    counts, squares, cosines = (
        np.zeros(size),
        np.zeros(ends.shape[0]),
        np.zeros((len(summary_ends), len(ends))),
    )
    for d in range(ends.shape[0]):
        for j in range(ends[d - 1] if d else 0, ends[d]):
            stem = stems[document[j]]
            if stem >= 0 and met[stem] != d:
                met[stem] = d
                idf[stem] += 1.0
    for stem in range(size):
        if idf[stem] > 0.0:
            idf[stem] = np.log((ends.shape[0] + 1) / (idf[stem] + 1)) + 1
    for d in range(ends.shape[0]):
        words = document[ends[d - 1] if d else 0 : ends[d]]
        squares[d] = _weigh(words, stems, idf, counts)
        for word in words:
            counts[stems[word]] = 0.0
    for s in range(summary_ends.shape[0]):
        words = summary[summary_ends[s - 1] if s else 0 : summary_ends[s]]
        square = _weigh(words, stems, idf, counts)
        for d in range(ends.shape[0]):
            product = 0.0
            for j in range(ends[d - 1] if d else 0, ends[d]):
                stem = stems[document[j]]
                if stem >= 0:
                    product += idf[stem] * idf[stem] * counts[stem]
            if square > 0.0 and squares[d] > 0.0:
                cosines[s, d] = product / np.sqrt(square * squares[d])
        for word in words:
            counts[stems[word]] = 0.0
    return cosines


@inner_kernel
def _weigh(words: Ints, stems: Ints, idf: Floats, counts: Floats) -> float:
    """Count the stems of a sentence, in place, and return the sum of the squares of their weights."""
    square = 0.0
    for word in words:
        stem = stems[word]
        if stem >= 0:
            square += (2.0 * counts[stem] + 1.0) * idf[stem] * idf[stem]
            counts[stem] += 1.0
    return square


def relative_similarity(cosines: AnyArray, power: float) -> Floats:
    """Return cosines to a power, over the geometric mean of their row's and their column's mean: about 1."""
    raised = (np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE) ** power
    return raised / np.sqrt(raised.mean(axis=1, keepdims=True) * raised.mean(axis=0, keepdims=True))


def absolute_similarity(cosines: AnyArray, power: float, related: float) -> Floats:
    """Return cosines to a power, over that of `related`, the cosine of related sentences."""
    similarity: Floats = ((np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE) / related) ** power
    return similarity
