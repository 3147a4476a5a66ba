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
from vorlage.text.words import stem

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


def places_one_by_one(pair, longest):
    """Every place of two phrases of two words or more with equal stems, each inside a sentence."""
    sides = [
        [
            (start, [stem(word) for word in side.words[start : start + size]])
            for first, end in side.sentences
            for start in range(first, end)
            for size in range(2, min(longest, end - start) + 1)
        ]
        for side in (pair.summary, pair.document)
    ]
    return sorted(
        (t, len(own), j, len(other)) for t, own in sides[0] for j, other in sides[1] if own == other
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_phrases_with_equal_stems_are_found_where_they_are(seed, longest):
    rng, vocabulary = random.Random(seed), Vocabulary()
    pair = Pair("p", text(rng, WORDS[-4:], 6), text(rng, WORDS[-4:], 4))
    instance = make_instance(pair, range(6), vocabulary)
    support = build_support([instance], vocabulary.words, None, longest, longest)
    assert support.occurrences[0].places.tolist() == [list(p) for p in places_one_by_one(pair, longest)]


def test_phrases_that_stand_too_often_on_both_sides_are_left_out():
    vocabulary, often, seldom = Vocabulary(), "so it goes . " * 201, "it goes on ."
    pair = Pair("p", *(join_sentences([often + seldom], tokenized=True) for _ in range(2)))
    support = build_support([make_instance(pair, [0], vocabulary)], vocabulary.words, None, 2, 2)
    words = {tuple(pair.summary.words[t : t + k]) for t, k, _, _ in support.occurrences[0].places.tolist()}
    assert words == {(".", "so"), ("goes", "on"), ("on", "."), (".", "it")}  # 200 times, or once
