"""What the texts around two words say about whether one was made from the other.

Two kinds, both fixed before training, so that EM maximises its objective exactly as without them:

- *factors*: every rewrite probability is multiplied by how much more similar the two sentences are than
  sentences of the pair are on average, once for each summary word. What the extracts do once and for all
  (Daumé & Marcu 2005, Section 5.1), this does by degrees; the null state has the factor 1.
- *contexts*: cosines of contextual word vectors, from which the fifth part of the rewrite model is made, see
  :func:`context_part`. Daumé & Marcu (2005, Section 7) propose such a part as future work.
"""

from typing import NamedTuple

import numpy as np

# Added to a cosine, so that a sentence without a word in common is unlikely and not impossible.
LEAST_COSINE = 0.03
# The power of the cosine of two sentence vectors: they are similar to each other at all.
VECTOR_POWER = 2.0
LEAST = 1e-12


class Affinity(NamedTuple):
    """Of one pair: ``factors`` (S, D) float64 by summary and document sentence; ``contexts`` (T, n) float16.

    ``summary_sentence`` (T) and ``document_sentence`` (n) int32: the sentence of each word. ``contexts`` is
    None without an encoder.
    """

    factors: np.ndarray
    contexts: np.ndarray | None
    summary_sentence: np.ndarray
    document_sentence: np.ndarray

    def reversed(self):
        """The same with the sides swapped."""
        contexts = None if self.contexts is None else self.contexts.T
        return Affinity(self.factors.T, contexts, self.document_sentence, self.summary_sentence)

    def of_words(self):
        """The factor of every pair of words, float64 (T, n)."""
        return self.factors[self.summary_sentence][:, self.document_sentence]

    def of_phrases(self, places):
        """The factor of longer phrase pairs (t, k, j, l), float64: that of their sentences to the power k."""
        t, k, j, _ = places.T
        return self.factors[self.summary_sentence[t], self.document_sentence[j]] ** k


def make_affinity(pair, sentences, settings, similarities=None):
    """The :class:`Affinity` of a pair and the document ``sentences`` of its extract, None for none.

    ``settings``: ``sentence_similarity`` of the section ``semihmm``, the power of the cosines of tf · idf
    weights; 0 leaves them out. ``similarities``: those of an encoder
    (:class:`pipeline.encode.similarities.Similarities`), which add a factor and the contexts.
    """
    power = settings["sentence_similarity"]
    if not power and similarities is None:
        return None
    spans = [pair.document.sentences[s] for s in sentences]
    factors = np.ones((len(pair.summary.sentences), len(spans)))
    if power:
        factors = factors * relative(stem_cosines(pair, sentences), power)
    if similarities is not None:
        factors = factors * relative(similarities.sentences, VECTOR_POWER)
    contexts = None if similarities is None else similarities.words
    return Affinity(factors, contexts, sentence_of(pair.summary.sentences), sentence_of(spans))


def stem_cosines(pair, sentences):
    """Cosines of tf · idf weights of stems, float64 (S, D), as the extract stage takes them.

    idf counts in the sentences of the extract, so that a pair needs nothing but itself.
    """
    # Here alone: the many jobs of an E-step have no use for it.
    from pipeline.extract import cosine
    from pipeline.extract.stem_counts import StemCounts

    counts = StemCounts()
    document = pair.document.sentence_words()
    chosen = [document[s] for s in sentences]
    counts.add_sentences(chosen)
    if not counts.stems:
        return np.zeros((len(pair.summary.sentences), len(chosen)))
    vectorizer = cosine.fit_weights(counts)
    return cosine.similarities(cosine.weigh(vectorizer, pair.summary), vectorizer.transform(chosen))


def relative(cosines, power):
    """Cosines to a power, over the means of their row and of their column: float64, about 1 in the mean."""
    raised = (np.maximum(cosines.astype(float), 0.0) + LEAST_COSINE) ** power
    return raised / np.sqrt(raised.mean(axis=1, keepdims=True) * raised.mean(axis=0, keepdims=True))


def context_part(contexts, temperature):
    """The encoder's part of the rewrite model, float64 (T, n), from cosines of word vectors.

        e(i|j) = softmax_i(cos(i, j) / τ) · exp((cos(i, j) − max_j' cos(i, j')) / τ)

    The first factor is a distribution over the words of the summary; the second takes away where another
    document word is more similar to the summary word. τ: the ``temperature``.
    """
    scaled = contexts.astype(float) / temperature
    chosen = np.exp(scaled - scaled.max(axis=0, keepdims=True))
    chosen /= chosen.sum(axis=0, keepdims=True)
    return np.maximum(chosen * np.exp(scaled - scaled.max(axis=1, keepdims=True)), LEAST)


def sentence_of(spans):
    """The number of the sentence of each word, int32; ``spans``: half-open, one after another."""
    return np.repeat(np.arange(len(spans), dtype=np.int32), [last - first for first, last in spans])
