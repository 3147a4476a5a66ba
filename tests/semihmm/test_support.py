"""The phrase pairs of a pair of texts, and of the same pair reversed."""

import random
from itertools import chain

import numpy as np
import pytest
import toy_wordnet
from toy_training import settings
from vorlage.documents.pair import Pair
from vorlage.semihmm.pairs import PairResources, make_pairs
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.text.tokenize import make_text

# Words of phrases of WordNet, and words with equal stems.
WORDS = [*chain(*(lemma.split("_") for lemma in toy_wordnet.LEMMAS)), "printer", "printers", "the"]


def text(rng, words, sentences):
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(sentences)]
    return make_text(lines, tokenized=True)


@pytest.mark.parametrize("seed", range(20))
def test_pairs_reversed_are_those_with_their_texts_swapped(seed):
    rng = random.Random(seed)
    wordnet = WordNetDistances(toy_wordnet.ToyReader()) if seed % 4 else None
    words = rng.sample(WORDS, 7)
    pairs = [Pair(f"p{i}", text(rng, words, 9), text(rng, words, 4)) for i in range(1 + seed % 3)]
    chosen = settings(fake_counts={"phrase": seed % 5 == 0}, max_document_phrase=3, max_summary_phrase=2)
    found = make_pairs([(pair, range(9)) for pair in pairs], PairResources(chosen, wordnet)).reversed()
    swapped = [(Pair(pair.id, pair.summary, pair.document), range(4)) for pair in pairs]
    chosen = chosen.model_copy(update={"max_document_phrase": 2, "max_summary_phrase": 3})
    expected = make_pairs(swapped, PairResources(chosen, wordnet))
    assert len(expected.places.flat) > 0
    for one, other in (
        *zip(found.table, expected.table, strict=True),
        (found.distance, expected.distance),
        *((found.places.flat, expected.places.flat), (found.entries.flat, expected.entries.flat)),
        *((found.pair(i).cells, expected.pair(i).cells) for i in range(len(pairs))),
        (found.document.words.flat, expected.document.words.flat),
    ):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_phrases_that_stand_too_often_on_both_sides_are_left_out():
    often, seldom = "so it goes . " * 201, "it goes on ."
    pair = Pair("p", *(make_text([often + seldom], tokenized=True) for _ in range(2)))
    chosen = settings(max_document_phrase=2, max_summary_phrase=2)
    places = make_pairs([(pair, [0])], PairResources(chosen)).pair(0).places
    words = {tuple(pair.summary.words[t : t + k]) for t, k, _, _ in places.tolist()}
    assert words == {(".", "so"), ("goes", "on"), ("on", "."), (".", "it")}  # 200 times, or once
