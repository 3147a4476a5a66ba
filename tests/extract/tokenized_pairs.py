"""Pairs of tokenized sentences, and the weights of their stems."""

from vorlage.documents.pair import Pair
from vorlage.extract import cosine
from vorlage.extract.stem_counts import StemCounts, sentence_stems
from vorlage.text.tokenize import make_text


def make_pair(key, document, summary):
    return Pair(key, make_text(document, tokenized=True), make_text(summary, tokenized=True))


def fit_weights(*pairs):
    counts = StemCounts()
    for pair in pairs:
        counts.add(sentence_stems(pair.document))
    return cosine.fit_weights(counts)
