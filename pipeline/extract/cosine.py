"""Which document sentences are most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

Sentences are bags of stems, stop words left out. A stem weighs tf · idf, where idf =
1 + ln((1 + N) / (1 + df)) counts in how many of the N sentences of all documents of the corpus the stem
occurs: sentences, because they are what is told apart, and of the whole corpus, because a single
document is small. Stems of no document are left out; they would not change any order.
"""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from pipeline.run.errors import InputError
from pipeline.text.words import is_stop_word, stem

# Similarities are compared to this many digits, so that rounding decides no tie.
DIGITS = 12


def sentences(text):
    """The sentences of a :class:`pipeline.corpus.tokenize.Text`, each a list of words."""
    return [text.words[start:end] for start, end in text.sentences]


def fit_weights(counts):
    """A vectorizer for :func:`weigh`, of the :class:`~pipeline.extract.stems.StemCounts` of a corpus.

    Raises :class:`InputError` when no document holds a word that is not a stop word.
    """
    if not counts.stems:
        raise InputError(
            "no document of the corpus has a word outside the stop list, so no sentences can be compared; "
            "check the corpus (it must be English)"
        )
    stems = sorted(counts.stems)
    vectorizer = TfidfVectorizer(analyzer=terms, norm=None, vocabulary=stems)
    frequencies = np.array([counts.stems[stem] for stem in stems], dtype=float)
    # As sklearn computes it, to the last bit.
    vectorizer.idf_ = np.log((counts.sentences + 1) / (frequencies + 1)) + 1
    return vectorizer


def weigh(vectorizer, text):
    """The tf · idf weights of a text: sparse, one row a sentence, one column a stem, not normalised."""
    return vectorizer.transform(sentences(text))


def similarities(summary, document):
    """Cosines of two weight matrices: a dense array, summary sentences × document sentences.

    A sentence of stop words alone has similarity 0 to every other.
    """
    return cosine_similarity(summary, document).round(DIGITS)


def most_similar(similarity, count):
    """The ``count`` columns with the largest values in each row, largest first: a list of int arrays.

    Ties go to the earlier column. A row of zeros so gets the first columns (the lead of the document), and
    a row of fewer than ``count`` columns gets them all.
    """
    return list(np.argsort(-similarity, axis=1, kind="stable")[:, :count])


def terms(sentence):
    """The stems of a sentence that count, with repetitions."""
    return [stem(word) for word in sentence if not is_stop_word(word)]
