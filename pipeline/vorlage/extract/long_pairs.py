"""Chooses the document sentences that a text is aligned to if the two are too long to align as a whole."""

from collections.abc import Sequence

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.documents.records import pair_label
from vorlage.extract import cosine


# On 2026-11-27, 20 sentences from 1,000,000, 300,000 or 200,000 pairs of words on were compared with 50 from
# ten million on: with 300,000, spark-dev, verifiability-dev and wice-dev lose nothing; with 200,000, the last
# two do. Up to 60 million pairs, aligning takes 1.2 GB.
def choose_sentences(
    pair: Pair, whole: int = 300_000, most: int = 60_000_000, candidates: int = 20
) -> Sequence[int]:
    """Return the document sentences to align a text to: all, or the most similar ones of a long pair.

    They are similar by the cosine of the extract stage (`vorlage.extract.cosine`). A pair of a word of the
    text and one of the document takes 8 bytes, and 2 more with the encoder.

    Args:
        pair: the text and its document.
        whole: the most pairs of words that are aligned as a whole.
        most: the most pairs of words that are aligned at all.
        candidates: the number of document sentences for each sentence of the text of a longer pair.

    Raises:
        InputError: if the pair is too long even so.
    """
    text, document = pair.summary, pair.document
    if len(text.tokens) * len(document.tokens) <= whole:
        return range(len(document.sentences))
    chosen: list[int] = []
    if len(text.sentences) * len(document.sentences) <= most:
        counts = cosine.StemCounts()
        stems = cosine.sentence_stems(document)
        counts.add(stems)
        weights = cosine.fit_weights(counts)
        text_weights = cosine.weigh_stems(weights, cosine.sentence_stems(text))
        similarity = cosine.compute_similarities(text_weights, cosine.weigh_stems(weights, stems))
        chosen = np.unique(cosine.choose_most_similar(similarity, candidates)).tolist()
    words = sum(end - start for start, end in (document.sentences[s] for s in chosen))
    if not words or len(text.tokens) * words > most:
        raise InputError(
            f"{pair_label(pair.id)}: a text of {len(text.tokens):,} words and a document of "
            f"{len(document.tokens):,} are too long to align at once; split the text"
        )
    return chosen
