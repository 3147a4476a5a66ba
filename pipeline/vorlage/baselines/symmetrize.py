"""Combine the alignments in both directions into one: `vorlage symmetrize`.

    vorlage symmetrize --doc hmm-doc.jsonl --sum hmm-sum.jsonl --heuristic gdfa \\
        --system hmm-gdfa --output alignments.jsonl

One alignment of each pair has the document as source, the other the summary. A heuristic of Koehn, Och &
Marcu (2003) combines them: the intersection, or grow-diag-final-and, which starts with the intersection and
adds links of the union that are next to a link, and then links between words that are both unlinked.
sil-thot implements both.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import numpy as np

from vorlage.alignments.alignment import Alignment, read_alignments, write_alignments
from vorlage.baselines.system import stamp, to_links
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.parts import WHOLE, Part, add_part_option, parse_part
from vorlage.types import Bools, StrPath

# The name of each heuristic as a method of sil-thot's alignment matrix.
HEURISTICS = {"gdfa": "grow_diag_final_and", "intersect": "intersect"}


def symmetrize(doc: Bools, sum_: Bools, heuristic: str) -> Bools:
    """Combine two matrices (summary words, document words), with document and summary as source, into one."""
    combined = _thot_matrix(doc)
    getattr(combined, HEURISTICS[heuristic])(_thot_matrix(sum_))
    return np.array(combined.to_numpy(), dtype=bool)


def _thot_matrix(links: Bools) -> Any:
    from thot.common import WordAlignmentMatrix

    matrix = WordAlignmentMatrix(*links.shape)
    for i, j in np.argwhere(links).tolist():
        matrix[i, j] = True
    return matrix


def _link_matrix(alignment: Alignment) -> Bools:
    """Return the word links of an alignment as a matrix (summary words, document words)."""
    matrix = np.zeros((len(alignment.summary_words), len(alignment.document_words)), dtype=bool)
    for link in alignment.links:
        for i, j in link.cells(alignment.summary_words, alignment.document_words):
            matrix[i, j] = True
    return matrix


def combine(doc: Alignment, sum_: Alignment, heuristic: str, system: str) -> Alignment:
    """Combine two alignments of one pair, with the document and the summary as source."""
    matrix = symmetrize(_link_matrix(doc), _link_matrix(sum_), heuristic)
    word_links = {i: np.flatnonzero(row).tolist() for i, row in enumerate(matrix)}
    links = to_links(word_links, len(doc.summary_words))
    mark = stamp(heuristic, doc.fingerprint, sum_.fingerprint)
    return Alignment(doc.id, system, None, doc.document_words, doc.summary_words, links, mark)


def combine_all(
    doc: StrPath, sum_: StrPath, heuristic: str, system: str, part: Part = WHOLE
) -> Iterator[Alignment]:
    """Yield the combined alignments of two files, or of a part of them.

    Raise `InputError` where the files have different pairs.
    """
    for one, other in zip_longest(read_alignments(doc, part), read_alignments(sum_, part)):
        if one is None or other is None or one.id != other.id:
            raise InputError(
                f"{doc} and {sum_} have different pairs: {_describe(one)} in the first where the second has "
                f"{_describe(other)}; align the same corpus in both directions"
            )
        yield combine(one, other, heuristic, system)


def _describe(alignment: Alignment | None) -> str:
    return f"pair {alignment.id}" if alignment else "no more pairs"


@command
def main(arguments: list[str] | None = None) -> None:
    """Combine the alignments in both directions into one."""
    parser = CommandParser("symmetrize", main)
    parser.add_argument("--doc", required=True, help="alignments.jsonl with the document as source")
    parser.add_argument("--sum", required=True, help="alignments.jsonl with the summary as source")
    parser.add_argument("--heuristic", required=True, choices=HEURISTICS, help="how to combine them")
    parser.add_argument("--system", required=True, help="name of the system, such as hmm-gdfa")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    options = parser.parse(arguments)
    part = parse_part(options.part)
    combined = combine_all(options.doc, options.sum, options.heuristic, options.system, part)
    write_alignments(options.output, combined)
