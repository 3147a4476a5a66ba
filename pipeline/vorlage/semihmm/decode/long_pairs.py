"""Chooses the document sentences that a text is aligned to if the two are too long to align as a whole."""

from collections.abc import Sequence

import numpy as np

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import place_of
from vorlage.extract import cosine
from vorlage.extract.stem_counts import StemCounts, sentence_stems

# Pairs of a word of the text and one of the document: those that are aligned as a whole, and the most that
# are aligned at all. Each takes 8 bytes, and 2 more with the encoder.
WHOLE, MOST = 10_000_000, 60_000_000
# Document sentences for each sentence of the text of a longer pair.
CANDIDATES = 50


def choose_sentences(pair: Pair) -> Sequence[int]:
    """Return the document sentences to align a text to: all, or the most similar ones of a long pair.

    For a pair with more than `WHOLE` pairs of words, these are the `CANDIDATES` sentences most similar
    to each sentence of the text, by the cosine of the extract stage (`vorlage.extract.cosine`). Raise
    `InputError` for a pair that is too long for that, too.
    """
    text, document = pair.summary, pair.document
    if len(text.tokens) * len(document.tokens) <= WHOLE:
        return range(len(document.sentences))
    chosen: list[int] = []
    if len(text.sentences) * len(document.sentences) <= MOST:
        counts = StemCounts()
        stems = sentence_stems(document)
        counts.add(stems)
        weights = cosine.fit_weights(counts)
        text_weights = cosine.weigh(weights, sentence_stems(text))
        similarity = cosine.similarities(text_weights, cosine.weigh(weights, stems))
        chosen = np.unique(cosine.most_similar(similarity, CANDIDATES)).tolist()
    words = sum(end - start for start, end in (document.sentences[s] for s in chosen))
    if not words or len(text.tokens) * words > MOST:
        raise InputError(
            f"{place_of(pair.id)}: a text of {len(text.tokens):,} words and a document of "
            f"{len(document.tokens):,} are too long to align at once; split the text"
        )
    return chosen
