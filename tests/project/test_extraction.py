"""Extracts: features and greedy choices calculated by hand, and where an extract is cut off."""

from dataclasses import replace

import numpy as np
from extraction import choose_greedily, make_extract, make_features
from vorlage.documents.pair import Pair
from vorlage.extract.cosine import StemWeights
from vorlage.text.tokenize import make_text

BODY = make_text(["boats sail", "boats sink sink", "storms rage"], tokenized=True)


def test_the_features_of_three_sentences_in_two_sections():
    stems = ("boat", "sail", "sink", "storm", "rage")
    weights = StemWeights({stem: column for column, stem in enumerate(stems)}, np.ones(5))
    made = make_features(replace(BODY, sections=((0, "One"), (2, "Two"))), weights)
    position = [[0, 0, 0, 0, 1], [1, 1 / 3, 1, 0, 1], [2, 2 / 3, 0, 1, 0]]
    np.testing.assert_allclose(made[:, :5], position)
    np.testing.assert_allclose(made[:, 5], [2, 3, 2])
    np.testing.assert_allclose(made[:, 6], [3 / 14, 2 / 7, 1 / 7])
    # Unit vectors: the cosine of the first two is 1/√10, the third has no stem of theirs.
    near, length = 1 + 1 / np.sqrt(10), np.sqrt(3 + 2 / np.sqrt(10))
    np.testing.assert_allclose(made[:, 7], [near / length, near / length, 1 / length])


def test_the_greedy_choice_stops_where_f_would_fall():
    # F of the first is 0.6, with the second 12/13; with the third as well, 14/28.
    candidates = ["a b", "c d", "a b c x y z w v"]
    assert choose_greedily([words.split() for words in candidates], "a b c d".split()) == [0, 1]
    assert choose_greedily([["x"]], ["a"]) == []


def test_an_extract_has_the_words_of_the_abstract_in_the_order_of_the_body():
    pair = Pair("one", BODY, make_text("storms sink boats today", tokenized=True))
    assert make_extract(pair, np.array([0.1, 0.3, 0.3])) == {1: "boats sink sink", 2: "storms"}
    assert make_extract(pair, np.array([0.2, 0.1, 0.3])) == {0: "boats sail", 2: "storms rage"}
