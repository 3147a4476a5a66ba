"""The interface of an encoder; `vorlage.encoder.transformer` implements it."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vorlage.types import JsonObject, Span

# One vector a row.
Vectors: TypeAlias = NDArray[np.float32]


class Encoder(Protocol):
    """Contextual vectors of the words and the sentences of a text."""

    @property
    def about(self) -> JsonObject:
        """What decides the vectors: `model`, a digest of the files of the model, and `layer`."""

    def encode(self, words: Sequence[str], sentences: Sequence[Span]) -> Vectors:
        """Return unit vectors of the words of a text, (words, size); zero for a word without pieces.

        `sentences`: half-open spans that cover `words` in order.
        """

    def encode_both(self, words: Sequence[str], sentences: Sequence[Span]) -> tuple[Vectors, Vectors]:
        """Return what `encode` returns, and unit vectors of the sentences, (sentences, size).

        The vector of a sentence is zero if none of its words has pieces.
        """
