"""Symmetrization: the heuristics on small matrices, and the command on two files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from vorlage.alignments.alignment import Alignment, Link, read_alignments, write_alignments
from vorlage.baselines import symmetrize


def matrix(*rows):
    return np.array([[cell == "x" for cell in row] for row in rows])


DOC = matrix("x...", "....", "..x.", "...x")
SUM = matrix("x...", ".x..", "..x.", "x...")


def test_the_intersection():
    assert (symmetrize.symmetrize(DOC, SUM, "intersect") == matrix("x...", "....", "..x.", "....")).all()


def test_grow_diag_final_and():
    """(1, 1) and (3, 3) are next to the intersection; (3, 0) is not, and word 3 has a link."""
    assert (symmetrize.symmetrize(DOC, SUM, "gdfa") == matrix("x...", ".x..", "..x.", "...x")).all()


def test_final_and_links_only_free_words():
    doc, sum_ = matrix("x...", "....", "...x"), matrix("x...", "....", "x...")
    # (2, 3) joins two free words; after that (2, 0) does not.
    assert (symmetrize.symmetrize(doc, sum_, "gdfa") == matrix("x...", "....", "...x")).all()


cells = arrays(bool, (4, 5))


@given(cells, cells)
def test_the_result_lies_between_intersection_and_union(doc, sum_):
    both = symmetrize.symmetrize(doc, sum_, "intersect")
    assert (both == (doc & sum_)).all()
    grown = symmetrize.symmetrize(doc, sum_, "gdfa")
    assert (grown >= both).all() and (grown <= (doc | sum_)).all()
    # No link of the union joins two words that both stay without a link.
    free = ~grown.any(axis=1)[:, None] & ~grown.any(axis=0)
    assert not (free & (doc | sum_)).any()


def alignment(key, system, cells):
    links = [Link((i, i + 1), (j, j + 1)) for i, j in cells]
    return Alignment(key, system, None, ["A", "b", "c"], ["a", "B"], links, system)


def combine(folder, doc, sum_, heuristic="intersect", part="1-of-1"):
    for name, made in (("doc", doc), ("sum", sum_)):
        write_alignments(folder / f"{name}.jsonl", made)
    files = ["--doc", str(folder / "doc.jsonl"), "--sum", str(folder / "sum.jsonl")]
    output = folder / "out.jsonl"
    symmetrize.main(
        [*files, "--heuristic", heuristic, "--system", "hmm-x", "--part", part, "--output", str(output)]
    )
    return list(read_alignments(output))


def test_two_files_become_one(tmp_path):
    doc = [alignment("p", "hmm-doc", [(0, 0), (1, 1)]), alignment("q", "hmm-doc", [(0, 2)])]
    sum_ = [alignment("p", "hmm-sum", [(0, 0), (0, 1)]), alignment("q", "hmm-sum", [])]
    p, q = combine(tmp_path, doc, sum_)
    assert p.links == [Link((0, 1), (0, 1)), Link((1, 2), None)]
    assert q.links == [Link((0, 1), None), Link((1, 2), None)]
    assert {p.system, q.system} == {"hmm-x"} and p.fingerprint == q.fingerprint
    assert combine(tmp_path, doc, sum_, part="1-of-2") == [p]
    assert combine(tmp_path, doc, sum_, part="2-of-2") == [q]


def test_files_with_different_pairs_are_refused(tmp_path, capsys):
    doc = [alignment("p", "hmm-doc", []), alignment("q", "hmm-doc", [])]
    with pytest.raises(SystemExit):
        combine(tmp_path, doc, doc[:1])
    assert (
        "have different pairs: pair q in the first where the second has no more pairs"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "out.jsonl").exists()
