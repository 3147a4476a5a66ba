"""The interface of an encoder; :mod:`pipeline.encode.transformer` implements it."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pipeline.types import Span

# Rows of vectors, or of cosines.
Vectors: TypeAlias = NDArray[np.float32]


class Encoder(Protocol):
    """Returns contextual vectors of the words and the sentences of a text."""

    @property
    def about(self) -> dict[str, Any]:
        """What decides the vectors, as a JSON object: ``model``, a digest of its files, and ``layer``."""

    def encode(self, words: Sequence[str], sentences: Sequence[Span]) -> Vectors:
        """Return unit vectors of the words of a text, (words, size); zero for a word without pieces.

        ``sentences``: half-open spans that cover ``words`` in order.
        """

    def encode_both(self, words: Sequence[str], sentences: Sequence[Span]) -> tuple[Vectors, Vectors]:
        """Return what :meth:`encode` returns, and unit vectors of the sentences, (sentences, size)."""
