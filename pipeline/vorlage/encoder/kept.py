"""Similarities kept for later runs, found by the encoder, its code and the content of a pair.

`FOLDER/<encoder>/<two digits>/<pair>.npz` contains the similarities of one pair. Whoever writes a file
replaces it whole, so jobs that run at the same time may write the same one.
"""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.encoder.encoder import Encoder
from vorlage.encoder.similarities import Similarities, measure, shape_of
from vorlage.files.arrays import load_arrays
from vorlage.files.outputs import replacing
from vorlage.fingerprint import digest, fingerprint
from vorlage.types import StrPath


class KeptSimilarities:
    """The similarities of one encoder so far; `folder` is `results/encodings`.

    `taken`: how many were found there.
    """

    def __init__(self, folder: StrPath, encoder: Encoder) -> None:
        code = fingerprint("vorlage.encoder.transformer", "vorlage.encoder.similarities")
        self.folder = Path(folder, digest((code, encoder.about)))
        self.taken = 0
        self._encoder = encoder

    def measure(self, pair: Pair, sentences: Sequence[int]) -> Similarities:
        """Return what `vorlage.encoder.similarities.measure` returns."""
        path = self._path(pair, sentences)
        with contextlib.suppress(InputError, ValueError, TypeError):
            arrays = load_arrays(path, "kept similarities", "vorlage encode")
            found = Similarities(**arrays)
            shape = shape_of(pair, sentences)
            if (*found.words.shape, *found.sentences.shape) == tuple(shape):
                self.taken += 1
                return found
        made = measure(self._encoder, pair, sentences)
        with replacing(path) as new, open(new, "wb") as file:
            np.savez(file, **made._asdict())
        return made

    def _path(self, pair: Pair, sentences: Sequence[int]) -> Path:
        document = pair.document.sentence_words()
        texts = pair.summary.sentence_words(), [document[sentence] for sentence in sentences]
        name = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:20]
        return self.folder / name[:2] / f"{name}.npz"
