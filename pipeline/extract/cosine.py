"""Finds the document sentences most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

A sentence is a bag of stems without stop words. A stem weighs tf · idf, where idf = 1 + ln((1 + N) / (1 +
df)) and df is how many of the N sentences of all documents of the corpus contain the stem: of sentences,
because sentences are compared, and of the whole corpus, because a single document is small. Stems that no
document contains are left out; they would not change any order.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from pipeline.corpus.tokenize import Text
from pipeline.extract.stem_counts import StemCounts, content_stems
from pipeline.run.errors import InputError
from pipeline.types import Floats, LongInts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Similarities are rounded to this many digits before they are compared: rounding errors decide no tie.
DIGITS = 12


def fit_weights(counts: StemCounts) -> TfidfVectorizer:
    """Return the vectorizer for :func:`weigh` from the counts of a corpus.

    Raise :class:`InputError` if every word of the documents is a stop word.
    """
    if not counts.stems:
        raise InputError(
            "no document of the corpus has a word outside the stop list, so no sentences can be compared; "
            "check the corpus and its `language`"
        )
    stems = sorted(counts.stems)
    vectorizer = TfidfVectorizer(analyzer=list, norm=None, vocabulary=stems)
    frequencies = np.array([counts.stems[stem] for stem in stems], dtype=float)
    # The formula of sklearn, equal to the last bit.
    vectorizer.idf_ = np.log((counts.sentences + 1) / (frequencies + 1)) + 1
    return vectorizer


def weigh(vectorizer: TfidfVectorizer, text: Text) -> "csr_matrix":
    """Return the tf · idf weights of a text: sparse, sentences × stems, not normalised."""
    return weigh_sentences(vectorizer, text.sentence_words(), text.language)


def weigh_sentences(
    vectorizer: TfidfVectorizer, sentences: Iterable[list[str]], language: str
) -> "csr_matrix":
    """Return the tf · idf weights of some sentences, given as lists of words."""
    return vectorizer.transform(content_stems(words, language) for words in sentences)


def similarities(summary: "csr_matrix", document: "csr_matrix") -> Floats:
    """Return the cosines of two weight matrices: a dense array, summary sentences × document sentences.

    A sentence of stop words alone has similarity 0 to every other.
    """
    return cosine_similarity(summary, document).round(DIGITS)


def most_similar(similarity: Floats, count: int) -> list[LongInts]:
    """Return the ``count`` columns with the largest values of each row, largest first.

    Ties go to the earlier column. A row of zeros gets the first columns (the lead of the document), and a row
    of fewer than ``count`` columns gets them all.
    """
    return list(np.argsort(-similarity, axis=1, kind="stable")[:, :count])
