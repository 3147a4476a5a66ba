"""Synthetic corpora, one of them with the shape of the 2005 paper's (Daumé & Marcu 2005, Tables 2 and 3)."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

PAIRS = 2033


class Shape(NamedTuple):
    """Words and sentences of a document and, on average, of a summary; words of the vocabulary."""

    document_words: int
    document_sentences: int
    summary_words: float
    summary_sentences: int
    vocabulary: int


PAPER = Shape(511, 21, 128.5, 6, 26_000)
# With so large a vocabulary, new words keep coming.
NEWS = Shape(400, 18, 60, 3, 1_000_000)


def write_corpus(path: Path, pairs: int, shape: Shape = PAPER) -> None:
    """Write pairs of Zipf-distributed words; two thirds of each summary are runs of words of its document."""
    rng = np.random.default_rng(1)
    weights = 1.0 / np.arange(1, shape.vocabulary + 1)
    cumulative = np.cumsum(weights / weights.sum())

    def draw(size: int) -> list[str]:
        return [f"w{x}" for x in np.searchsorted(cumulative, rng.random(size))]

    def sentences(words: list[str], count: int) -> list[str]:
        return [" ".join([*part, "."]) for part in np.array_split(words, count)]

    with open(path, "w") as out:
        for number in range(pairs):
            # The full stops count too.
            document = draw(shape.document_words - shape.document_sentences)
            size = int(shape.summary_words + number % 2 / 2) - shape.summary_sentences
            summary: list[str] = []
            while len(summary) < size:
                first = int(rng.integers(0, len(document) - 8))
                summary += document[first : first + int(rng.integers(1, 8))] + draw(2)
            record = {
                "id": str(number),
                "document": sentences(document, shape.document_sentences),
                "summary": sentences(summary[:size], shape.summary_sentences),
            }
            out.write(json.dumps(record) + "\n")
