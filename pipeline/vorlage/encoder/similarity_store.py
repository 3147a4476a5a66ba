"""The similarities of a corpus, read from disk one pair at a time."""

import re
from pathlib import Path

import numpy as np

from vorlage.command.errors import InputError
from vorlage.encoder.similarities import Shape, Similarities
from vorlage.files.jsonl import read_json
from vorlage.files.parts import part_files
from vorlage.types import AnyArray, JsonObject, StrPath

MAKER = "`vorlage encode`"


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
            self.about = pairs["encoder"]
            words, sentences = _map(path / "words.f2"), _map(path / "sentences.f4")
            for pair_id, (t, n, s, d) in zip(pairs["ids"], pairs["shapes"], strict=True):
                self._by_id[pair_id] = Similarities(
                    words[: t * n].reshape(t, n), sentences[: s * d].reshape(s, d)
                )
                words, sentences = words[t * n :], sentences[s * d :]

    def __reduce__(self) -> tuple[type, tuple[Path]]:
        return SimilarityStore, (self.folder,)

    def get(self, pair_id: str, shape: Shape) -> Similarities:
        """Return the `Similarities` of a pair, read-only.

        Args:
            pair_id: the pair.
            shape: the shape that they must have.

        Raises:
            InputError: for another shape and for an unknown pair.
        """
        similarities = self._by_id.get(pair_id)
        if similarities is None:
            raise InputError(f"{self.folder}: has no pair {pair_id}; encode the corpus again with {MAKER}")
        if (*similarities.words.shape, *similarities.sentences.shape) != tuple(shape):
            raise InputError(
                f"{self.folder}: pair {pair_id} was encoded with another extract; encode the corpus again "
                f"with {MAKER}"
            )
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
