"""How alike the words and the sentences of a pair are, by their contextual vectors.

The stage writes a folder of arrays for each part of the corpus, its pairs one behind the other, which
:class:`pipeline.encode.similarity_store.SimilarityStore` reads:

    words, words_at              similarities of words, row by row, and where those of each pair begin
    sentences, sentences_at      likewise of sentences
    shapes                       int32 (pairs, 4), see `shape_of`
    ids, about                   the ids of the pairs; what the encoder was, one line of JSON

Most of it is `words`, 2 bytes for each summary word and word of the extract.
"""

import json
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from pipeline.io.arrays import Written, lines_to_array, replacing_folder, write_arrays


class Similarities(NamedTuple):
    """Cosines of a pair, zero for what has no vector.

    ``words``: float16 (T, n), of summary words and words of the extract, these in the order of
    :meth:`pipeline.extract.extracts.Extract.positions`. ``sentences``: float32 (S, D), of summary sentences
    and sentences of the extract.
    """

    words: np.ndarray
    sentences: np.ndarray


def shape_of(pair, sentences):
    """``(T, n, S, D)`` of the :class:`Similarities` of a pair and document sentences, a list of indices."""
    spans = [pair.document.sentences[s] for s in sentences]
    words = sum(end - start for start, end in spans)
    return len(pair.summary.words), words, len(pair.summary.sentences), len(spans)


def measure(encoder, pair, sentences):
    """The :class:`Similarities` of a pair and some sentences of its document.

    ``encoder``: a :class:`pipeline.encode.encoder.Encoder`; ``sentences``: indices, no other is encoded.
    What it gives depends on nothing but its arguments.
    """
    spans = [pair.document.sentences[s] for s in sentences]
    words = [word for start, end in spans for word in pair.document.words[start:end]]
    ends = accumulate((end - start for start, end in spans), initial=0)
    summary = encoder.encode_both(pair.summary.words, pair.summary.sentences)
    extract = encoder.encode_both(words, list(pairwise(ends)))
    of_words, of_sentences = map(_cosines, summary, extract)
    return Similarities(of_words.astype(np.float16), of_sentences)


def _cosines(summary, extract):
    # Not by BLAS, whose sums may depend on the number of its threads.
    return np.einsum("ik,jk->ij", summary, extract)


def write_similarities(folder, about, ids, shapes, found):
    """Write the similarities of pairs to a folder, one pair after the other, whole or not at all.

    ``about``: a dict, what the encoder was; ``ids`` and ``shapes``: of the pairs, see :func:`shape_of`;
    ``found``: an iterable of their :class:`Similarities`, in the same order.
    """
    shapes = np.array(shapes, dtype=np.int32).reshape(-1, 4)
    words_at, sentences_at = begins(shapes)
    with replacing_folder(folder) as temporary:
        words = Written(temporary / "words.npy", np.float16, int(words_at[-1]))
        sentences = Written(temporary / "sentences.npy", np.float32, int(sentences_at[-1]))
        for similarities in found:
            words.append(similarities.words.ravel())
            sentences.append(similarities.sentences.ravel())
        words.check()
        sentences.check()
        arrays = {"words_at": words_at, "sentences_at": sentences_at, "shapes": shapes}
        lines = {"ids": ids, "about": [json.dumps(about, sort_keys=True)]}
        write_arrays(temporary, arrays | {name: lines_to_array(text) for name, text in lines.items()})


def begins(shapes):
    """Where the words and the sentences of each pair begin, and their number: two int64 arrays."""
    sizes = shapes.astype(np.int64)
    sizes = sizes[:, 0] * sizes[:, 1], sizes[:, 2] * sizes[:, 3]
    return [np.concatenate([[0], np.cumsum(size)]) for size in sizes]
