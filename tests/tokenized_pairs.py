"""Pairs of tokenized sentences, and the weights of their stems."""

from vorlage.documents.pair import Pair
from vorlage.extract import cosine
from vorlage.text.tokenize import make_text


def make_pair(key, document, summary):
    return Pair(key, make_text(document, tokenized=True), make_text(summary, tokenized=True))


def fit_weights(*pairs):
    counts = cosine.StemCounts()
    for pair in pairs:
        counts.add(cosine.sentence_stems(pair.document))
    return cosine.fit_weights(counts)
