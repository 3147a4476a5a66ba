"""What two sentences tell about whether a word of one was made from a word of the other.

Every rewrite probability is multiplied by a factor for each summary word: how much more similar the two
sentences are than sentences of the pair are on average, and than related sentences usually are. The first
does by degrees what the extracts (Daumé & Marcu 2005, Section 5.1) do all at once; by the second, words of a
sentence that is like no other come from nothing. The null state has the factor 1. Factors are fixed before
training, so that EM still maximises its objective exactly.
"""

from collections.abc import Sequence

import numpy as np

from vorlage.corpus.pair import Pair
from vorlage.encoder.similarities import Similarities
from vorlage.extract import cosine
from vorlage.extract.stem_counts import StemCounts, content_stems
from vorlage.semihmm.constants import (
    LEAST_COSINE,
    LENGTH_SUPPORT,
    RELATED_STEMS,
    RELATED_VECTORS,
    VECTOR_POWER,
    VECTOR_SUPPORT,
)
from vorlage.settings import Training
from vorlage.types import AnyArray, Floats, Span


def sentence_factors(
    pair: Pair, sentences: Sequence[int], settings: Training, similarities: Similarities | None = None
) -> Floats | None:
    """Return the factors of a pair by sentences (S, D), None without any.

    Args:
        pair: the pair.
        sentences: the document sentences of its extract.
        settings: `sentence_similarity`, the power of the cosines of tf · idf weights relative to those of the
            pair, and `sentence_support`, their power relative to those of related sentences; 0 leaves them
            out.
        similarities: those of an encoder, which add factors by `sentence_baseline`.
    """
    power, support = settings.sentence_similarity, settings.sentence_support
    if not power and not support and similarities is None:
        return None
    spans = [pair.document.sentences[s] for s in sentences]
    factors = np.ones((len(pair.summary.sentences), len(spans)))
    if power or support:
        cosines = _stem_cosines(pair, sentences)
        factors = relative_similarity(cosines, power)
        if pair.language:  # translations share names and numbers alone
            factors = factors * absolute_similarity(cosines, support, RELATED_STEMS)
    if similarities is not None:
        baseline = settings.sentence_baseline
        vectors = (similarities.sentences - baseline) / (1.0 - baseline)
        factors = factors * relative_similarity(vectors, VECTOR_POWER)
        factors = factors * absolute_similarity(vectors, VECTOR_SUPPORT * support, RELATED_VECTORS)
        factors = factors * _length_ratio(pair.summary.sentences, spans) ** (LENGTH_SUPPORT * support)
    return factors


def _stem_cosines(pair: Pair, sentences: Sequence[int]) -> Floats:
    """Return the cosines (S, D) of the tf · idf weights of stems that the extract stage uses.

    idf is counted over the sentences of the extract, so that a pair needs nothing but itself.
    """
    document = pair.document.sentence_words()
    chosen = [content_stems(document[s], pair.language) for s in sentences]
    counts = StemCounts()
    counts.add(chosen)
    if not counts.stems:
        return np.zeros((len(pair.summary.sentences), len(chosen)))
    weights = cosine.fit_weights(counts)
    stems = [content_stems(words, pair.language) for words in pair.summary.sentence_words()]
    summary = cosine.weigh(weights, stems)
    return cosine.similarities(summary, cosine.weigh(weights, chosen))


def relative_similarity(cosines: AnyArray, power: float) -> Floats:
    """Return cosines to a power, over the geometric mean of their row's and their column's mean: about 1."""
    raised = (np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE) ** power
    return raised / np.sqrt(raised.mean(axis=1, keepdims=True) * raised.mean(axis=0, keepdims=True))


def absolute_similarity(cosines: AnyArray, power: float, related: float) -> Floats:
    """Return cosines to a power, over that of `related`, the cosine of related sentences."""
    similarity: Floats = ((np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE) / related) ** power
    return similarity


def _length_ratio(summary: Sequence[Span], document: Sequence[Span]) -> Floats:
    """Return how much shorter each summary sentence is than each document sentence (S, D), at most 1.

    The words of a long sentence are near to those of a short one by chance; they cannot all have become it.
    """
    lengths = [np.array([last - first for first, last in spans], float) for spans in (summary, document)]
    return np.minimum(lengths[0][:, None] / lengths[1], 1.0)
