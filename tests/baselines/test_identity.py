"""The identity baseline, one-to-one links between equal words, and what all systems share as a command."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_pairs import make_pair, run, spans, write
from vorlage.extract.extracts import Extract
from vorlage.workflow.baselines.identity import match


@pytest.mark.parametrize(
    ("summary", "document", "links"),
    [
        # Four words against eight: the second `a` of the summary is at 5/8, of the document at 11/16.
        ("a b a c", "a x b x x a x d", {0: 0, 1: 2, 2: 5}),
        # One `a` of the document for two of the summary: the nearer one gets it.
        ("a b a", "b b a", {1: 1, 2: 2}),
        # Ties go to the earlier.
        ("a", "a a", {0: 0}),
        ("a a", "a", {0: 0}),
    ],
)
def test_the_nearest_relative_positions_are_linked_first(summary, document, links):
    assert match(summary.split(), document.split()) == links


words = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)


@given(words, words)
def test_no_pair_of_equal_words_is_nearer_than_the_links(summary, document):
    links, m, n = match(summary, document), len(summary), len(document)

    def rank(i, j):
        return abs((2 * i + 1) * n - (2 * j + 1) * m), i, j

    assert len(set(links.values())) == len(links)
    assert all(summary[i] == document[j] for i, j in links.items())
    for i, j in itertools.product(range(m), range(n)):
        if summary[i] == document[j]:
            ranks = [rank(*link) for link in links.items() if link[0] == i or link[1] == j]
            assert ranks and min(ranks) <= rank(i, j)


def test_the_command_keeps_to_the_extract(tmp_path):
    pair = make_pair(["Red boats .", "A red boat ."], ["RED boat ?"])
    files = write(tmp_path, [pair], [Extract("p", (1,), ((1,),))])
    (made,) = run(tmp_path, "identity", files)
    assert spans(made.links) == [((0, 1), (4, 5)), ((1, 2), (5, 6)), ((2, 3), None)]
    assert (made.id, made.system, made.log_likelihood) == ("p", "identity", None)
    assert (made.document_words, made.summary_words) == (pair.document.words, pair.summary.words)
