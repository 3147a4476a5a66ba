"""What a system to compare with is: a function from a pair and its extract to links; and what they share."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.types import Bools, Floats, Span, Vectors
from vorlage.workflow.fingerprint import digest

# The document words that each linked summary word of a pair is linked to.
WordLinks: TypeAlias = dict[int, list[int]]
# The links between the words of two texts, by the words and the spans of the sentences of each.
Match: TypeAlias = Callable[[Sequence[str], Sequence[Span], Sequence[str], Sequence[Span]], WordLinks]


class Baseline(NamedTuple):
    """A system to compare with.

    `align` returns the links of a pair, in positions of the whole document and in order of the summary; it is
    called for the pairs of a corpus in order. `decisive`: what decides the links besides texts and code, such
    as settings and the digest of a model.
    """

    align: Callable[[Pair, Extract], list[Link]]
    decisive: tuple[object, ...] = ()


def output_fingerprint(*parts: object) -> str:
    """Return the fingerprint of the output of a system: of the version and of what decides it."""
    return digest((version("vorlage"), *parts))


def to_links(word_links: Mapping[int, list[int]], summary_words: int) -> list[Link]:
    """Return word links in order of the summary; a word without a link gets a null link.

    Args:
        word_links: the document words of each linked summary word.
        summary_words: the number of words of the summary.
    """
    links = []
    for i in range(summary_words):
        positions = sorted(set(word_links.get(i, ())))
        links += [Link((i, i + 1), (j, j + 1)) for j in positions] or [Link((i, i + 1), None)]
    return links


def products(summary: Vectors, document: Vectors) -> Floats:
    """Return the products of all rows of two matrices, (m, n), in double precision.

    Not by BLAS, whose sums may depend on the number of its threads.
    """
    return np.einsum("ik,jk->ij", summary.astype(np.float64), document.astype(np.float64))


def links_where(linked: Bools) -> WordLinks:
    """Return the true cells of a matrix (m, n) as links: row → columns."""
    return {int(i): np.flatnonzero(linked[i]).tolist() for i in np.flatnonzero(linked.any(axis=1))}
