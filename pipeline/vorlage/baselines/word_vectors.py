"""Aligners that link words by their contextual vectors, each with its own rule for which vectors match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.baselines.system import WordLinks, make_alignment, to_links
from vorlage.corpus.pair import Pair
from vorlage.encoder.encoder import Vectors
from vorlage.extract.extracts import Extract
from vorlage.types import Floats, Span

# The vectors of words, by the spans of their sentences: (words, size).
Encode: TypeAlias = Callable[[Sequence[str], Sequence[Span]], Vectors]
# The links between the rows of two matrices of vectors, those of the summary and those of the document.
Match: TypeAlias = Callable[[Vectors, Vectors], WordLinks]


@dataclass(frozen=True)
class VectorAligner:
    """Links the summary words of a pair to words of its extract by their vectors.

    Sentences are encoded one by one: words in longer contexts match wrong words more often (Jalili Sabet et
    al. 2020).
    """

    encode: Encode
    match: Match
    system: str
    fingerprint: str = ""

    def align(self, pair: Pair, extract: Extract) -> Alignment:
        """Return the alignment of a pair."""
        positions, summary = extract.positions(pair.document), pair.summary
        words, sentences = extract_sentences(pair, extract)
        matches = self.match(self.encode(summary.words, summary.sentences), self.encode(words, sentences))
        word_links = {i: [int(positions[j]) for j in matched] for i, matched in matches.items()}
        return make_alignment(self, pair, to_links(word_links, len(summary.words)))


def extract_sentences(pair: Pair, extract: Extract) -> tuple[list[str], list[Span]]:
    """Return the words of an extract, and the spans of its sentences among them."""
    words = [pair.document.words[position] for position in extract.positions(pair.document)]
    spans = [pair.document.sentences[sentence] for sentence in extract.sentences]
    return words, list(pairwise(accumulate((end - start for start, end in spans), initial=0)))


def products(summary: Vectors, document: Vectors) -> Floats:
    """Return the products of all rows of two matrices, (m, n), in double precision.

    Not by BLAS, whose sums may depend on the number of its threads.
    """
    return np.einsum("ik,jk->ij", summary.astype(np.float64), document.astype(np.float64))


def links_where(linked: np.ndarray) -> WordLinks:
    """Return the true cells of a matrix (m, n) as links: row → columns."""
    return {int(i): np.flatnonzero(linked[i]).tolist() for i in np.flatnonzero(linked.any(axis=1))}
