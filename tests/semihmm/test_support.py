"""The phrase pairs of a pair of texts, and of the same pair reversed."""

import random
from itertools import chain

import numpy as np
import pytest
import toy_wordnet
from vorlage.corpus.pair import Pair
from vorlage.semihmm.rewrite.instances import Vocabulary, make_instance
from vorlage.semihmm.rewrite.support import build_support, reverse_support
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.text.tokenize import join_sentences

# Words of phrases of WordNet, and words with equal stems.
WORDS = [*chain(*(lemma.split("_") for lemma in toy_wordnet.LEMMAS)), "printer", "printers", "the"]


def text(rng, words, sentences):
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(sentences)]
    return join_sentences(lines, tokenized=True)


@pytest.mark.parametrize("seed", range(20))
def test_it_is_that_of_the_reversed_instance(seed):
    rng, vocabulary = random.Random(seed), Vocabulary()
    wordnet = WordNetDistances(toy_wordnet.ToyReader()) if seed % 4 else None
    words = rng.sample(WORDS, 7)
    instance = make_instance(Pair("p", text(rng, words, 9), text(rng, words, 4)), range(9), vocabulary)
    full = seed % 5 == 0
    found = reverse_support(build_support([instance], vocabulary.words, wordnet, 3, 3, full=full))
    expected = build_support([instance.reversed()], vocabulary.words, wordnet, 3, 3, full=full)
    assert len(expected.occurrences[0].places) > 0
    for one, other in zip(
        chain(found.table, found.occurrences[0], (found.distance, found.reading)),
        chain(expected.table, expected.occurrences[0], (expected.distance, expected.reading)),
        strict=True,
    ):
        assert one.dtype == other.dtype and one.flags.c_contiguous
        np.testing.assert_array_equal(one, other)


def test_phrases_that_stand_too_often_on_both_sides_are_left_out():
    vocabulary, often, seldom = Vocabulary(), "so it goes . " * 201, "it goes on ."
    pair = Pair("p", *(join_sentences([often + seldom], tokenized=True) for _ in range(2)))
    support = build_support([make_instance(pair, [0], vocabulary)], vocabulary.words, None, 2, 2)
    words = {tuple(pair.summary.words[t : t + k]) for t, k, _, _ in support.occurrences[0].places.tolist()}
    assert words == {(".", "so"), ("goes", "on"), ("on", "."), (".", "it")}  # 200 times, or once
