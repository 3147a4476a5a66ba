"""Similarities of the words and of the sentences of a pair, by their contextual vectors.

The stage writes a folder for each part of the corpus, in which the pairs are concatenated;
`SimilarityStore` reads it:

    words.f2, sentences.f4     float16 and float32, similarities of words and of sentences, row by row
    pairs.json                 `ids` of the pairs, `shapes` (T, n, S, D), and what describes the `encoder`

`words.f2` takes most of the space: 2 bytes for each summary word and word of the extract.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Annotated, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from vorlage.command.errors import InputError
from vorlage.command.progress import count_steps
from vorlage.documents.pair import Pair
from vorlage.encoder.installed import PACKAGED
from vorlage.files.arrays import Form, check_arrays
from vorlage.files.jsonl import parse_form, read_json
from vorlage.files.outputs import replacing_folder
from vorlage.files.parts import part_files
from vorlage.types import AnyArray, JsonObject, Span, StrPath, Vectors

MAKER = "`vorlage encode`"
ROWS = 64  # summary words that are compared at once
LARGEST = 1.01  # of a cosine, rounded


class Encoding(BaseModel):
    """What decides the vectors of an encoder: `model`, a digest of its files, and `layer`.

    Any encoder but the default one has a `name`.
    """

    model_config = ConfigDict(extra="forbid")

    layer: Annotated[int, Field(ge=0, le=1000)]
    model: str
    name: str = PACKAGED


class Encoder(Protocol):
    """Contextual vectors of the words and the sentences of a text, see `TransformerEncoder`."""

    @property
    def about(self) -> JsonObject:
        """The fields of `Encoding`."""

    def encode_both(self, words: Sequence[str], sentences: Sequence[Span]) -> tuple[Vectors, Vectors]:
        """Return unit vectors of the words, and of the sentences."""


class Similarities(NamedTuple):
    """Cosines of a pair, zero for what has no vector.

    `words`: float16 (T, n), of summary words and words of the extract, the latter in the order of
    `vorlage.extract.extracts.Extract.positions`. `sentences`: float32 (S, D), of summary sentences
    and sentences of the extract.
    """

    words: NDArray[np.float16]
    sentences: NDArray[np.float32]


# From pairs and the sentences (indices) of their extracts to their similarities.
Measure: TypeAlias = Callable[[Sequence[tuple[Pair, Sequence[int]]]], list[Similarities]]


def measure(encoder: Encoder, pair: Pair, sentences: Iterable[int]) -> Similarities:
    """Return the `Similarities` of a pair and some sentences (indices) of its document."""
    return measure_all(encoder, [(pair, sentences)])[0]


def measure_all(encoder: Encoder, extracted: Iterable[tuple[Pair, Iterable[int]]]) -> list[Similarities]:
    """Return the `Similarities` of pairs and some sentences (indices) of their documents.

    No other document sentence is encoded. Those of a pair depend on the pair and its sentences only.
    """
    texts = []  # the sentences of each side
    for pair, chosen in extracted:
        extract = [pair.document.sentences[s] for s in chosen]
        texts.append([pair.summary.words[start:end] for start, end in pair.summary.sentences])
        texts.append([pair.document.words[start:end] for start, end in extract])
    sentences = list(chain(*texts))
    spans = list(pairwise(accumulate(map(len, sentences), initial=0)))
    cuts = np.cumsum([(sum(map(len, text)), len(text)) for text in texts], axis=0)[:-1].T
    vectors = encoder.encode_both(list(chain(*sentences)), spans)
    sides = list(zip(*map(np.split, vectors, cuts), strict=True))
    return [_compare(*both) for both in zip(sides[::2], sides[1::2], strict=True)]


def _compare(summary: tuple[Vectors, Vectors], document: tuple[Vectors, Vectors]) -> Similarities:
    """Return the cosines of the unit vectors of words and sentences of a pair."""
    cosines = np.empty((len(summary[0]), len(document[0])), dtype=np.float16)
    for first in count_steps("compare", range(0, len(cosines), ROWS)):
        # Not by BLAS, whose sums may depend on the number of its threads.
        cosines[first : first + ROWS] = np.einsum("ik,jk->ij", summary[0][first : first + ROWS], document[0])
    return Similarities(cosines, np.einsum("ik,jk->ij", summary[1], document[1]))


def write_similarities(
    folder: StrPath, about: JsonObject, similarities: Iterable[tuple[str, Similarities]]
) -> None:
    """Write the similarities of pairs, by their ids, to the folder of a part, whole or not at all."""
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


class SimilarityStore:
    """The similarities of a corpus, from a folder with a subfolder for each part, such as `3-of-10`.

    They are mapped from disk. `about`: what decides the vectors of the encoder. Raises `InputError` for a
    folder without parts, with parts missing, or of different divisions. Pickles as its path.
    """

    about: JsonObject

    def __init__(self, folder: StrPath) -> None:
        self.folder = Path(folder)
        self._by_id: dict[str, Similarities] = {}
        for path in _part_folders(self.folder):
            pairs = read_json(path / "pairs.json", "the pairs of similarities", MAKER)
            try:
                words, sentences = _map(path / "words.f2"), _map(path / "sentences.f4")
                self.about = parse_form(Encoding, pairs["encoder"], str(path)).model_dump(exclude_unset=True)
                for pair_id, (t, n, s, d) in zip(pairs["ids"], pairs["shapes"], strict=True):
                    self._by_id[pair_id] = Similarities(
                        words[: t * n].reshape(t, n), sentences[: s * d].reshape(s, d)
                    )
                    words, sentences = words[t * n :], sentences[s * d :]
                if len(words) + len(sentences):
                    raise ValueError("more numbers than those of its pairs")
            except (KeyError, TypeError, ValueError):
                raise InputError(f"{path}: its files do not fit; encode again with {MAKER}") from None

    def __reduce__(self) -> tuple[type, tuple[Path]]:
        return SimilarityStore, (self.folder,)

    def get_all(self, extracted: Iterable[tuple[Pair, Sequence[int]]]) -> list[Similarities]:
        """Return what `get` returns for pairs, in order."""
        return [self.get(pair, sentences) for pair, sentences in extracted]

    def get(self, pair: Pair, sentences: Sequence[int]) -> Similarities:
        """Return the `Similarities` of a pair and some sentences of its document, read-only.

        Raise `InputError` for another number of sentences or words, and for an unknown pair.
        """
        similarities, spans = self._by_id.get(pair.id), [pair.document.sentences[s] for s in sentences]
        if similarities is None:
            raise InputError(f"{self.folder}: has no pair {pair.id}; encode the corpus again with {MAKER}")
        words = len(pair.summary.words), sum(end - start for start, end in spans)
        sentences_of_both = len(pair.summary.sentences), len(spans)
        forms = {
            "words": Form(np.float16, words, -LARGEST, LARGEST),
            "sentences": Form(np.float32, sentences_of_both, -LARGEST, LARGEST),
        }
        try:
            check_arrays(similarities._asdict(), forms.items())
        except ValueError as error:
            raise InputError(
                f"{self.folder}: pair {pair.id} was encoded with another extract ({error}); encode the "
                f"corpus again with {MAKER}"
            ) from None
        return similarities


def _map(path: Path) -> AnyArray:
    """Return the numbers of a file, whose ending is their type, mapped from disk."""
    dtype = np.dtype(f"<{path.suffix[1:]}")
    try:
        return np.asarray(np.memmap(path, dtype, "r")) if path.stat().st_size else np.empty(0, dtype)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; encode the corpus again with {MAKER}") from None


def _part_folders(folder: Path) -> list[Path]:
    """Return the folders of the parts of a corpus, in order; folders with other names are ignored."""
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    counts = {int(match[1]) for name in names if (match := re.fullmatch(r"\d+-of-(\d+)", name))}
    if not counts:
        raise InputError(f"{folder}: has no similarities of words; make them with {MAKER}")
    if len(counts) > 1:
        raise InputError(f"{folder}: mixes parts of different divisions; remove the folder and encode again")
    return part_files(folder, counts.pop())
