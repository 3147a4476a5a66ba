"""Similarities of the words and of the sentences of a pair, by their contextual vectors.

The stage writes a folder for each part of the corpus, in which the pairs are concatenated;
`vorlage.encoder.similarity_store.SimilarityStore` reads it:

    words.f2, sentences.f4     float16 and float32, similarities of words and of sentences, row by row
    pairs.json                 the `ids` of the pairs, the `Shape` of each, and what describes the `encoder`

`words.f2` takes most of the space: 2 bytes for each summary word and word of the extract.
"""

import json
from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vorlage.corpus.pair import Pair
from vorlage.encoder.encoder import Encoder, Vectors
from vorlage.files.outputs import replacing_folder
from vorlage.types import JsonObject, StrPath


class Similarities(NamedTuple):
    """Cosines of a pair, zero for what has no vector.

    `words`: float16 (T, n), of summary words and words of the extract, the latter in the order of
    `vorlage.extract.extracts.Extract.positions`. `sentences`: float32 (S, D), of summary sentences
    and sentences of the extract.
    """

    words: NDArray[np.float16]
    sentences: NDArray[np.float32]


class Shape(NamedTuple):
    """The shapes (T, n) and (S, D) of the `Similarities` of a pair."""

    summary_words: int
    extract_words: int
    summary_sentences: int
    extract_sentences: int


def shape_of(pair: Pair, sentences: Iterable[int]) -> Shape:
    """Return the `Shape` of a pair and some sentences (indices) of its document."""
    spans = [pair.document.sentences[s] for s in sentences]
    words = sum(end - start for start, end in spans)
    return Shape(len(pair.summary.words), words, len(pair.summary.sentences), len(spans))


def measure(encoder: Encoder, pair: Pair, sentences: Iterable[int]) -> Similarities:
    """Return the `Similarities` of a pair and some sentences (indices) of its document.

    No other document sentence is encoded. The result depends on the arguments only.
    """
    spans = [pair.document.sentences[s] for s in sentences]
    words = [word for start, end in spans for word in pair.document.words[start:end]]
    ends = accumulate((end - start for start, end in spans), initial=0)
    summary = encoder.encode_both(pair.summary.words, pair.summary.sentences)
    extract = encoder.encode_both(words, list(pairwise(ends)))
    word_cosines, sentence_cosines = map(_cosines, summary, extract)
    return Similarities(word_cosines.astype(np.float16), sentence_cosines)


def _cosines(summary: Vectors, extract: Vectors) -> NDArray[np.float32]:
    # Not by BLAS, whose sums may depend on the number of its threads.
    cosines: NDArray[np.float32] = np.einsum("ik,jk->ij", summary, extract)
    return cosines


def write_similarities(
    folder: StrPath, about: JsonObject, similarities: Iterable[tuple[str, Similarities]]
) -> None:
    """Write the similarities of pairs to a folder, whole or not at all.

    Args:
        folder: to write, named after the part.
        about: what decides the vectors of the encoder.
        similarities: the id of each pair and its similarities.
    """
    ids, shapes = [], []
    with replacing_folder(folder) as temporary:
        with open(temporary / "words.f2", "wb") as words, open(temporary / "sentences.f4", "wb") as sentences:
            for name, pair_similarities in similarities:
                ids.append(name)
                shapes.append([*pair_similarities.words.shape, *pair_similarities.sentences.shape])
                pair_similarities.words.astype("<f2").tofile(words)
                pair_similarities.sentences.astype("<f4").tofile(sentences)
        pairs = {"encoder": about, "ids": ids, "shapes": shapes}
        (temporary / "pairs.json").write_text(json.dumps(pairs) + "\n")
