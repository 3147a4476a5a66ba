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

import numpy as np
from thot.common import WordAlignmentMatrix

from vorlage.alignments.alignment import Alignment, read_alignments, soft_links, write_alignments
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.parts import WHOLE, Part, add_part_option, parse_part
from vorlage.types import Bools, StrPath
from vorlage.workflow.baselines.system import output_fingerprint, to_links

# The name of each heuristic as a method of sil-thot's alignment matrix.
HEURISTICS = {"gdfa": "grow_diag_final_and", "intersect": "intersect"}


def symmetrize(doc: Bools, sum_: Bools, heuristic: str) -> Bools:
    """Return the links (summary words, document words) of both directions combined.

    Args:
        doc: the links with the document as source (summary words, document words).
        sum_: those with the summary as source.
        heuristic: one of `HEURISTICS`.
    """
    matrices = []
    for links in (doc, sum_):
        matrix = WordAlignmentMatrix(*links.shape)
        for i, j in np.argwhere(links).tolist():
            matrix[i, j] = True
        matrices.append(matrix)
    getattr(matrices[0], HEURISTICS[heuristic])(matrices[1])
    return np.array(matrices[0].to_numpy(), dtype=bool)


def combine(doc: Alignment, sum_: Alignment, heuristic: str, system: str) -> Alignment:
    """Return two alignments of one pair, with the document and the summary as source, as one of `system`."""
    matrices = []
    for alignment in (doc, sum_):
        matrix = np.zeros((len(doc.summary_words), len(doc.document_words)), dtype=bool)
        for i, j in soft_links(alignment.links, doc.summary_words, doc.document_words):
            matrix[i, j] = True
        matrices.append(matrix)
    combined = symmetrize(matrices[0], matrices[1], heuristic)
    word_links = {i: np.flatnonzero(row).tolist() for i, row in enumerate(combined)}
    links = to_links(word_links, len(doc.summary_words))
    fingerprint = output_fingerprint(heuristic, doc.fingerprint, sum_.fingerprint)
    return Alignment(
        id=doc.id,
        system=system,
        log_likelihood=None,
        document_words=doc.document_words,
        summary_words=doc.summary_words,
        links=links,
        fingerprint=fingerprint,
    )


def combine_all(
    doc: StrPath, sum_: StrPath, heuristic: str, system: str, part: Part = WHOLE
) -> Iterator[Alignment]:
    """Yield the combined alignments of two files, or of a part of them.

    Raises:
        InputError: where the files have different pairs.
    """
    for first, second in zip_longest(read_alignments(doc, part), read_alignments(sum_, part)):
        if first is None or second is None or first.id != second.id:
            raise InputError(
                f"{doc} and {sum_} have different pairs: {_describe(first)} in the first where the second "
                f"has {_describe(second)}; align the same corpus in both directions"
            )
        yield combine(first, second, heuristic, system)


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
