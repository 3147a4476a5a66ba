"""The identity baseline: one-to-one links between equal words, the nearest first."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import read_alignments
from vorlage.baselines import identity
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.text.tokenize import join_sentences


def test_the_nearest_relative_positions_are_linked_first():
    # Four words against eight: the second `a` of the summary is at 5/8, of the document at 11/16.
    assert identity.match("a b a c".split(), "a x b x x a x d".split()) == {0: 0, 1: 2, 2: 5}
    # One `a` of the document for two of the summary: the nearer one gets it.
    assert identity.match("a b a".split(), "b b a".split()) == {1: 1, 2: 2}


def test_ties_go_to_the_earlier():
    assert identity.match(["a"], ["a", "a"]) == {0: 0}
    assert identity.match(["a", "a"], ["a"]) == {0: 0}


words = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)


@given(words, words)
def test_links_equal_those_from_all_pairs_sorted(summary, document):
    m, n = len(summary), len(document)
    pairs = [(i, j) for i, j in itertools.product(range(m), range(n)) if summary[i] == document[j]]
    expected = {}
    for i, j in sorted(pairs, key=lambda p: (abs((2 * p[0] + 1) * n - (2 * p[1] + 1) * m), *p)):
        if i not in expected and j not in expected.values():
            expected[i] = j
    assert identity.match(summary, document) == expected


def test_the_command_keeps_to_the_extract(tmp_path):
    texts = (
        join_sentences(text, tokenized=True) for text in (["Red boats .", "A red boat ."], ["RED boat ?"])
    )
    pair = Pair("p", *texts)
    write_pairs(tmp_path / "corpus.jsonl", [pair])
    write_extracts(tmp_path / "extracts.jsonl", [Extract("p", (1,), ((1,),))])
    arguments = ["--corpus", "corpus.jsonl", "--extracts", "extracts.jsonl", "--output", "out.jsonl"]
    identity.main([str(tmp_path / text) if text.endswith("jsonl") else text for text in arguments])
    (made,) = read_alignments(tmp_path / "out.jsonl")
    assert [(link.summary, link.document) for link in made.links] == [
        ((0, 1), (4, 5)),
        ((1, 2), (5, 6)),
        ((2, 3), None),
    ]
    assert made.system == "identity"


def test_parts_add_up_to_the_whole(tmp_path):
    texts = [(["Red boats .", "A red boat ."], ["RED boat ?"]), (["a b", "b"], ["b"]), (["c"], ["c c"])]
    sides = [[join_sentences(side, tokenized=True) for side in pair] for pair in texts]
    write_pairs(tmp_path / "corpus.jsonl", [Pair(str(i), *both) for i, both in enumerate(sides)])
    write_extracts(tmp_path / "extracts.jsonl", [Extract(str(i), (0,), ((0,),)) for i in range(3)])
    names = ["1-of-1", *(f"{number}-of-5" for number in range(1, 6))]
    for name in names:
        files = ["--corpus", tmp_path / "corpus.jsonl", "--extracts", tmp_path / "extracts.jsonl"]
        identity.main([*map(str, files), "--part", name, "--output", str(tmp_path / name)])
    whole, *parts = [(tmp_path / name).read_text() for name in names]
    assert whole.count("\n") == 3 and "".join(parts) == whole
