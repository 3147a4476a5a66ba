"""Make one alignment of two: ``python -m pipeline.baselines.symmetrize``.

    python -m pipeline.baselines.symmetrize --doc hmm-doc.jsonl --sum hmm-sum.jsonl --heuristic gdfa \\
        --system hmm-gdfa --output alignments.jsonl

The alignments of the same pairs with the document and with the summary as source, put together by a heuristic
of Koehn, Och & Marcu (2003): their intersection, or grow-diag-final-and, which begins with it and adds links
of the union next to one that is there, then those between words that are both free. By sil-thot.
"""

import argparse
from itertools import zip_longest

import numpy as np

from pipeline.alignments import Alignment, read_alignments, write_alignments
from pipeline.baselines.system import word_links
from pipeline.fingerprint import digest, fingerprint
from pipeline.io.parts import WHOLE, add_part, parse_part
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log

# The name of each heuristic as a method of sil-thot's alignment matrix.
HEURISTICS = {"gdfa": "grow_diag_final_and", "intersect": "intersect"}


def symmetrize(doc, sum_, heuristic):
    """One bool matrix (summary words, document words) of two, with document and summary as source."""
    made = _matrix(doc)
    getattr(made, HEURISTICS[heuristic])(_matrix(sum_))
    return np.array(made.to_numpy(), dtype=bool)


def _matrix(cells):
    from thot.common import WordAlignmentMatrix

    matrix = WordAlignmentMatrix(*cells.shape)
    for i, j in np.argwhere(cells).tolist():
        matrix[i, j] = True
    return matrix


def combine(doc, sum_, heuristic, system):
    """The :class:`Alignment` made of those of one pair, the document and the summary as source."""
    shape = len(doc.summary_words), len(doc.document_words)
    both = [np.zeros(shape, dtype=bool) for _ in range(2)]
    for matrix, alignment in zip(both, (doc, sum_), strict=True):
        for link in alignment.links:
            for i, j in link.cells(alignment.summary_words, alignment.document_words):
                matrix[i, j] = True
    made = symmetrize(*both, heuristic)
    cells = {i: np.flatnonzero(row).tolist() for i, row in enumerate(made)}
    mark = digest(
        (fingerprint("pipeline.baselines.symmetrize"), heuristic, doc.fingerprint, sum_.fingerprint)
    )
    return Alignment(
        doc.id, system, None, doc.document_words, doc.summary_words, word_links(cells, shape[0]), mark
    )


def combine_all(doc, sum_, heuristic, system, part=WHOLE):
    """Yield the alignments made of those of two files, or of a part of them.

    Raises :class:`InputError` for different pairs.
    """
    for one, other in zip_longest(read_alignments(doc, part), read_alignments(sum_, part)):
        if one is None or other is None or one.id != other.id:
            raise InputError(
                f"{doc} and {sum_} are not of the same pairs: {one.id if one else 'the end'} stands "
                f"where {other.id if other else 'the end'} does; align the same corpus in both directions"
            )
        yield combine(one, other, heuristic, system)


@command
def main(arguments=None):
    """Make one alignment of those in the two directions."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.baselines.symmetrize", description=main.__doc__)
    parser.add_argument("--doc", required=True, help="alignments.jsonl with the document as source")
    parser.add_argument("--sum", required=True, help="alignments.jsonl with the summary as source")
    parser.add_argument("--heuristic", required=True, choices=HEURISTICS, help="how")
    parser.add_argument("--system", required=True, help="name of the system, such as hmm-gdfa")
    add_part(parser)
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    made = combine_all(given.doc, given.sum, given.heuristic, given.system, parse_part(given.part))
    write_alignments(given.output, made)


if __name__ == "__main__":
    main()
