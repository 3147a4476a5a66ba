"""Symmetrization: the heuristics on small matrices, and the command on two files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from vorlage.alignments.alignment import Alignment, Link, read_alignments, write_alignments
from vorlage.workflow.baselines import symmetrize


@pytest.mark.parametrize(
    ("heuristic", "doc", "sum_", "expected"),
    [
        ("intersect", "x... .... ..x. ...x", "x... .x.. ..x. x...", "x... .... ..x. ...."),
        # (1, 1) and (3, 3) are next to the intersection; (3, 0) is not, and word 3 has a link.
        ("gdfa", "x... .... ..x. ...x", "x... .x.. ..x. x...", "x... .x.. ..x. ...x"),
        # (2, 3) joins two words without links; after that (2, 0) does not.
        ("gdfa", "x... .... ...x", "x... .... x...", "x... .... ...x"),
    ],
)
def test_heuristics(heuristic, doc, sum_, expected):
    doc, sum_, expected = (
        np.array([[cell == "x" for cell in row] for row in matrix.split()])
        for matrix in (doc, sum_, expected)
    )
    assert (symmetrize.symmetrize(doc, sum_, heuristic) == expected).all()


cells = arrays(bool, (4, 5))


@given(cells, cells)
def test_the_result_lies_between_intersection_and_union(doc, sum_):
    assert (symmetrize.symmetrize(doc, sum_, "intersect") == (doc & sum_)).all()
    grown = symmetrize.symmetrize(doc, sum_, "gdfa")
    assert (grown >= (doc & sum_)).all() and (grown <= (doc | sum_)).all()
    # No link of the union joins two words that both stay without a link.
    free = ~grown.any(axis=1)[:, None] & ~grown.any(axis=0)
    assert not (free & (doc | sum_)).any()


def alignment(key, system, cells):
    links = [Link((i, i + 1), (j, j + 1)) for i, j in cells]
    return Alignment(key, system, None, ["A", "b", "c"], ["a", "B"], links, system)


def combine(folder, doc, sum_, part="1-of-1"):
    write_alignments(folder / "doc.jsonl", doc)
    write_alignments(folder / "sum.jsonl", sum_)
    files = ["--doc", folder / "doc.jsonl", "--sum", folder / "sum.jsonl", "--output", folder / "out.jsonl"]
    symmetrize.main(["--heuristic", "intersect", "--system", "hmm-x", "--part", part, *map(str, files)])
    return list(read_alignments(folder / "out.jsonl"))


def test_two_files_become_one(tmp_path):
    doc = [alignment("p", "hmm-doc", [(0, 0), (1, 1)]), alignment("q", "hmm-doc", [(0, 2)])]
    sum_ = [alignment("p", "hmm-sum", [(0, 0), (0, 1)]), alignment("q", "hmm-sum", [])]
    p, q = combine(tmp_path, doc, sum_)
    assert p.links == [Link((0, 1), (0, 1)), Link((1, 2), None)]
    assert q.links == [Link((0, 1), None), Link((1, 2), None)]
    assert {p.system, q.system} == {"hmm-x"} and p.fingerprint == q.fingerprint
    assert [combine(tmp_path, doc, sum_, part=f"{n}-of-2") for n in (1, 2)] == [[p], [q]]


def test_files_with_different_pairs_are_refused(tmp_path, stops):
    doc = [alignment("p", "hmm-doc", []), alignment("q", "hmm-doc", [])]
    error = stops(combine, tmp_path, doc, doc[:1])
    assert "have different pairs: pair q in the first where the second has no" in error
    assert not (tmp_path / "out.jsonl").exists()
