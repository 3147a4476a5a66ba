"""Similarities of the words and of the sentences of a pair, by their contextual vectors.

The stage writes a folder of arrays for each part of the corpus, in which the pairs are concatenated;
`vorlage.encoder.similarity_store.SimilarityStore` reads it:

    words, words_at              similarities of words, row by row, and where those of each pair begin
    sentences, sentences_at      the same for sentences
    shapes                       int32 (pairs, 4), a `Shape` a row
    ids, about                   the ids of the pairs; a description of the encoder, one line of JSON

`words` takes most of the space: 2 bytes for each summary word and word of the extract.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vorlage.corpus.pair import Pair
from vorlage.encoder.encoder import Encoder, Vectors
from vorlage.files.arrays import array_writer, lines_to_array
from vorlage.files.outputs import replacing_folder
from vorlage.types import AnyArray, Ints, JsonObject, LongInts, StrPath


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
    of_words, of_sentences = map(_cosines, summary, extract)
    return Similarities(of_words.astype(np.float16), of_sentences)


def _cosines(summary: Vectors, extract: Vectors) -> NDArray[np.float32]:
    # Not by BLAS, whose sums may depend on the number of its threads.
    cosines: NDArray[np.float32] = np.einsum("ik,jk->ij", summary, extract)
    return cosines


def write_similarities(
    folder: StrPath,
    about: JsonObject,
    ids: Sequence[str],
    shapes: ArrayLike,
    similarities: Iterable[Similarities],
) -> None:
    """Write the similarities of pairs to a folder, whole or not at all.

    `about`: what decides the vectors of the encoder. `ids`, `shapes` (four numbers per pair, see
    `Shape`) and `similarities` are those of the pairs, in the same order.
    """
    rows: Ints = np.array(shapes, dtype=np.int32).reshape(-1, 4)
    words_at, sentences_at = offsets(rows)
    with replacing_folder(folder) as temporary:
        with (
            array_writer(temporary / "words.npy", np.float16, int(words_at[-1])) as write_words,
            array_writer(temporary / "sentences.npy", np.float32, int(sentences_at[-1])) as write_sentences,
        ):
            for pair_similarities in similarities:
                write_words(pair_similarities.words)
                write_sentences(pair_similarities.sentences)
        arrays: dict[str, AnyArray] = {"words_at": words_at, "sentences_at": sentences_at, "shapes": rows}
        lines = {"ids": ids, "about": [json.dumps(about, sort_keys=True)]}
        for name, array in (arrays | {name: lines_to_array(text) for name, text in lines.items()}).items():
            np.save(temporary / f"{name}.npy", array, allow_pickle=False)


def offsets(shapes: Ints) -> tuple[LongInts, LongInts]:
    """Return where the words and the sentences of each pair begin, each array with the total at its end.

    `shapes`: (pairs, 4), see `Shape`.
    """
    sizes = shapes.astype(np.int64)
    words, sentences = sizes[:, 0] * sizes[:, 1], sizes[:, 2] * sizes[:, 3]
    return np.concatenate([[0], np.cumsum(words)]), np.concatenate([[0], np.cumsum(sentences)])
