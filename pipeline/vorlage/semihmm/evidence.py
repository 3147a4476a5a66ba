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
from vorlage.settings import Training
from vorlage.types import AnyArray, Floats, Ints, LongInts

# Tuned, see docs/model.md.
LEAST_COSINE = 0.03  # added to a cosine: sentences without a common word are unlikely, not impossible
VECTOR_POWER = 2.0  # power of the cosine of two sentence vectors, which is high for all sentences
RELATED_STEMS = 0.4  # cosine of related sentences, by stems
RELATED_VECTORS = 0.78  # the same by sentence vectors
VECTOR_SUPPORT = 4.5  # exponent of sentence vectors as support, relative to that of stems
LENGTH_SUPPORT = 2.0  # the same of the ratio of lengths


def sentence_factors(
    cosines: Floats,
    lengths: tuple[LongInts, LongInts],
    settings: Training,
    similarities: Similarities | None = None,
    across: bool = False,
) -> Floats:
    """Return the factors of a pair by sentences (S, D), all 1 without any.

    Args:
        cosines: of the sentences (S, D), by `stem_cosines`.
        lengths: the words of the summary sentences (S) and of the document sentences (D).
        settings: `sentence_similarity`, the power of the cosines relative to those of the pair, and
            `sentence_support`, that relative to related sentences; 0 leaves them out.
        similarities: those of an encoder, which add factors by `sentence_baseline`.
        across: whether the texts are in two languages.
    """
    power, support = settings.sentence_similarity, settings.sentence_support
    cosines = _above_0(cosines)
    factors = _relative(cosines, power)
    if not across:  # translations share names and numbers alone
        factors = factors * (cosines / RELATED_STEMS) ** support
    if similarities is not None:
        baseline = settings.sentence_baseline
        vectors = _above_0((similarities.sentences - baseline) / (1.0 - baseline))
        factors = factors * _relative(vectors, VECTOR_POWER)
        factors = factors * (vectors / RELATED_VECTORS) ** (VECTOR_SUPPORT * support)
        # The words of a long sentence are near to those of a short one by chance; they cannot all have become
        # it.
        ratios = np.minimum(lengths[0][:, None] / lengths[1], 1.0)
        factors = factors * ratios ** (LENGTH_SUPPORT * support)
    return factors


def _above_0(cosines: AnyArray) -> Floats:
    return np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE


def _relative(cosines: Floats, power: float) -> Floats:
    """Return cosines to a power, over the geometric mean of their row's and their column's mean: about 1."""
    raised = cosines**power
    return raised / np.sqrt(raised.mean(axis=1, keepdims=True) * raised.mean(axis=0, keepdims=True))


@exact_kernel
def stem_cosines(stems: Ints, summary: Ints, summary_ends: Ints, document: Ints, ends: Ints) -> Floats:
    """Return the cosines of the sentences of a pair (S, D) by tf · idf weights of stems.

    They are those of the extract stage (`vorlage.extract.cosine`). idf is counted over the sentences of the
    extract, so that a pair needs nothing but itself.

    `stems`: of each word number, −1 for a stop word; `summary` (T), `document` (n): word numbers;
    `summary_ends` (S), `ends` (D): the word after the last one of each sentence.
    """
    size = 0
    for word in range(len(stems)):
        size = max(size, stems[word] + 2)
    idf, counts, met = np.zeros(size), np.zeros(size), np.zeros(size, np.int64)  # the last one is that of −1
    for d in range(len(ends)):
        for j in range(ends[d - 1] if d else 0, ends[d]):
            stem = stems[document[j]]
            idf[stem] += met[stem] != d + 1
            met[stem] = d + 1
    for stem in range(size):
        idf[stem] = np.log((len(ends) + 1) / (idf[stem] + 1)) + 1 if idf[stem] else 0.0
    idf[-1] = 0.0
    squares, cosines = np.zeros(len(ends)), np.zeros((len(summary_ends), len(ends)))
    for d in range(len(ends)):
        squares[d] = _weigh(stems, document, ends, d, idf, counts)
        for j in range(ends[d - 1] if d else 0, ends[d]):
            counts[stems[document[j]]] = 0.0
    for s in range(len(summary_ends)):
        square = _weigh(stems, summary, summary_ends, s, idf, counts)
        for d in range(len(ends)):
            product = 0.0
            for j in range(ends[d - 1] if d else 0, ends[d]):
                stem = stems[document[j]]
                product += idf[stem] * idf[stem] * counts[stem]
            if product > 0.0:
                cosines[s, d] = product / np.sqrt(square * squares[d])
        for t in range(summary_ends[s - 1] if s else 0, summary_ends[s]):
            counts[stems[summary[t]]] = 0.0
    return cosines


@inner_kernel
def _weigh(stems: Ints, words: Ints, ends: Ints, number: int, idf: Floats, counts: Floats) -> float:
    """Count the stems of a sentence, in place, and return the sum of the squares of their weights."""
    square = 0.0
    for word in range(ends[number - 1] if number else 0, ends[number]):
        stem = stems[words[word]]
        square += (2.0 * counts[stem] + 1.0) * idf[stem] * idf[stem]
        counts[stem] += 1.0
    return square
