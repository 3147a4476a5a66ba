"""The HMM of Cut & Paste: Viterbi by enumeration of all sequences, phrases, and post-editing.

`tests/project/test_decomposition_figure.py` compares it with the figures of the paper.
"""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from toy_pairs import make_pair
from vorlage.workflow.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_lone_stop_words,
    cancel_short,
    find_phrases,
    find_sources,
    occurrences,
)

EVENLY = [Fraction(n, 10) for n in (10, 9, 8, 7, 6, 5)]
WEIGHTS = [float(weight) for weight in EVENLY]


def number(sentences):
    """Return the words of a document and their sentence numbers."""
    lengths = [len(sentence) for sentence in sentences]
    return list(itertools.chain(*sentences)), np.repeat(np.arange(len(lengths)), lengths)


def bigram(here, there, sentences, weights, window):
    """Return PROB(there | here) by the rules of Section 3.2, tried in turn."""
    s1, s2, w1, w2 = sentences[here], sentences[there], here, there
    if s1 == s2 and w1 == w2 - 1:
        return weights[0]
    if s1 == s2 and w1 < w2 - 1:
        return weights[1]
    if s1 == s2 and w1 > w2:
        return weights[2]
    if s2 - window < s1 < s2:
        return weights[3]
    if s2 < s1 < s2 + window:
        return weights[4]
    return weights[5]


@st.composite
def problems(draw):
    letters = st.sampled_from("abc")
    document = draw(st.lists(st.lists(letters, min_size=1, max_size=4), min_size=1, max_size=5))
    summary = draw(st.lists(st.sampled_from("abcx"), max_size=5))
    tenths = st.integers(1, 10).map(lambda n: Fraction(n, 10))
    weights = draw(st.lists(tenths, min_size=6, max_size=6) | st.just(EVENLY))
    return document, summary, weights, draw(st.integers(1, 4))


@given(problems())
# Ties that rounding would decide: the same weights are added in another order.
@example(([["a", "b", "a"], ["b", "b"]], ["a"] * 5, EVENLY, 2))
@example(([["b"], ["a"], ["b"]], ["a", "b", "a", "a"], EVENLY, 2))
def test_viterbi_is_the_best_of_all_sequences(problem):
    document, summary, weights, window = problem
    words, sentences = number(document)
    candidates = [[p for p, other in enumerate(words) if other == word] for word in summary]
    present = [places for places in candidates if places]

    def likelihood(sequence):
        return prod(bigram(*step, sentences, weights, window) for step in itertools.pairwise(sequence))

    # The most likely, of equally likely ones the first in the order of positions.
    best = min(itertools.product(*present), key=lambda sequence: (-likelihood(sequence), sequence))
    found = best_positions(
        [np.array(places, dtype=int) for places in candidates],
        sentences,
        [float(weight) for weight in weights],
        window,
    )
    assert [p for p in found if p != NOWHERE] == list(best)
    assert [p == NOWHERE for p in found] == [not places for places in candidates]


def test_a_long_sentence_does_not_underflow():
    """6,000 steps of P6 = 0.5 multiply to less than any float; both ends must still be decided by P1."""
    document = [["b"], ["a"], ["-"], ["-"], ["-"], ["z"], ["-"], ["-"], ["-"], ["b", "c"]]
    words, sentences = number(document)
    places = occurrences(words)
    summary = ["b", "c"] + ["a", "z"] * 3000 + ["b", "c"]
    found = best_positions([places[word] for word in summary], sentences, WEIGHTS, 3)
    assert list(found[:2]) == list(found[-2:]) == [9, 10]


def test_words_without_positions_do_not_separate_their_neighbours():
    words, sentences = number([["b"], ["x"], ["x"], ["a", "b"]])
    places = occurrences(words)
    found = best_positions([places["a"], np.array([], dtype=int), places["b"]], sentences, WEIGHTS, 3)
    assert list(found) == [3, NOWHERE, 4]
    assert find_phrases(found, sentences) == [(0, 1), (2, 3)]


# Four sentences of three words: positions 0–2, 3–5, 6–8, 9–11.
SENTENCES = np.repeat(np.arange(4), 3)


@pytest.mark.parametrize(
    "positions, expected",
    [
        ([], []),
        ([-1, -1], []),
        ([0, 1, 2], [(0, 3)]),
        ([1, 2, 3], [(0, 2), (2, 3)]),  # a phrase does not cross the end of a sentence
        ([0, -1, 1], [(0, 1), (2, 3)]),
        ([-1, 0, 1, -1, 7, 7], [(1, 3), (4, 5), (5, 6)]),
        ([2, 1, 0], [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_phrases_are_runs_of_adjacent_positions(positions, expected):
    assert find_phrases(np.array(positions, dtype=int), SENTENCES) == expected


@pytest.mark.parametrize(
    "summary, links, sources",
    [
        ("red boat", {0: 0, 1: 1}, {0: 2}),  # two content words
        ("the red", {0: 2, 1: 0}, {}),  # a single one, with a stop word
        ("the of", {0: 2, 1: 3}, {}),  # stop words only
        ("red boat the", {0: 0, 1: 1, 2: 7}, {0: 2}),  # a stop word of another sentence
        ("red boat the", {0: 0, 1: 1, 2: 2}, {0: 2}),
        ("red ship boat", {0: 0, 1: 6, 2: 1}, {0: 2}),  # a single word of another sentence
        ("blue boat", {0: 1, 1: 1}, {0: 2}),  # two words from the same one
        ("red boat", {0: 2, 1: 1}, {}),  # a content word linked to a stop word
        ("red ,", {0: 0, 1: 4}, {}),  # the stop words have punctuation
        ("red $", {0: 0, 1: 5}, {0: 2}),  # but not all signs
        ("", {}, {}),
    ],
)
def test_a_source_gives_two_content_words(summary, links, sources):
    pair = make_pair(["red boat the of , $", "ship the"], [summary or "x"])
    assert find_sources(pair, links.items()) == sources


@pytest.mark.parametrize(
    "positions, content, expected",
    [
        ([0, 1, 2, 0], [1, 1, 0, 0], [0, 1, 2, -1]),  # a stop word alone
        ([0, 1, 2, 0, 1], [1, 1, 0, 0, 0], [0, 1, 2, 0, 1]),  # not alone
        ([0, -1, 4], [1, 0, 1], [0, -1, 4]),  # content words alone
        ([-1], [1], [-1]),
        ([], [], []),
    ],
)
def test_lone_stop_words_are_cancelled(positions, content, expected):
    array = np.array(positions, dtype=int)
    assert list(cancel_lone_stop_words(array, SENTENCES, np.array(content, dtype=bool))) == expected
    assert list(array) == positions  # a copy is edited


@pytest.mark.parametrize(
    "run, expected", [(1, [0, 1, 2, 5, 7, 8]), (2, [0, 1, 2, -1, 7, 8]), (3, [0, 1, 2] + [-1] * 3)]
)
def test_short_phrases_are_cancelled(run, expected):
    assert list(cancel_short(np.array([0, 1, 2, 5, 7, 8]), SENTENCES, run)) == expected
