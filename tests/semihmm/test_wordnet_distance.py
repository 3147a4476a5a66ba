"""WordNet distances against NLTK's own search and against the toy."""

import itertools
import math

import numpy as np
import pytest
import toy_wordnet

from pipeline.semihmm.kernels.hypernyms import FAR
from pipeline.semihmm.phrases.wordnet_distance import WordNetDistances
from pipeline.wordnet.reader import open_wordnet


def phrases():
    return [tuple(lemma.split("_")) for lemma in toy_wordnet.LEMMAS] + [("the",), ("personal", "sells")]


@pytest.fixture(scope="module")
def reader(wordnet_folder):
    return open_wordnet(wordnet_folder)


@pytest.fixture(scope="module")
def wordnet(reader):
    return WordNetDistances(reader)


@pytest.mark.parametrize("senses", ["all", "first"])
def test_distances_agree_with_every_climb(senses):
    wordnet = WordNetDistances(toy_wordnet.ToyReader(), senses)
    for d, s in itertools.product(phrases(), repeat=2):
        expected = toy_wordnet.distance(d, s, senses)
        found = wordnet.distances([wordnet.reading(d)], [wordnet.reading(s)])[0]
        assert found == (FAR if expected is None else expected), (d, s)


def test_histograms_count_the_distances():
    wordnet = WordNetDistances(toy_wordnet.ToyReader())
    known = sorted({wordnet.reading(p) for p in phrases()} - {-1})
    counts = np.arange(1.0, len(known) + 1)
    histograms = wordnet.histograms(known, known, counts)
    for row, reading in zip(histograms, known, strict=True):
        expected = np.zeros(len(row))
        for other, count in zip(known, counts, strict=True):
            far = wordnet.distances([reading], [other])[0]
            if far != FAR:
                expected[far] += count
        np.testing.assert_array_equal(row, expected)


def test_readings_are_counted():
    wordnet = WordNetDistances(toy_wordnet.ToyReader())
    readings, counts = wordnet.count(["pc", "the", "personal computer", "personal sells", "sell"])
    assert readings == [wordnet.reading(("pc",)), wordnet.reading(("sell",))]
    assert counts == [2.0, 1.0]
    assert wordnet.count([]) == ([], [])


NOUNS = ["dog", "cat", "printer", "computer", "laptop", "price", "cost", "purchase", "run", "red", "1"]
WORDS = [*NOUNS, "buy", "sell", "quickly", "fast", "slow", "in", "about", "zqx"]


def test_distances_of_first_senses_agree_with_nltk(reader):
    wordnet = WordNetDistances(reader, "first")
    checked = 0
    for d, s in itertools.product(WORDS, repeat=2):
        found = wordnet.distances([wordnet.reading((d,))], [wordnet.reading((s,))])[0]
        for part in "nvar":
            left, right = reader.synsets(d, part), reader.synsets(s, part)
            if left and right:
                expected = left[0].shortest_path_distance(right[0])
                assert found == (FAR if expected is None else expected), (d, s)
                checked += 1
                break
        else:
            assert found == FAR
    assert checked > 100


def losses(synset, contents):
    """Return {the synset or one above it: content lost, or links from an adjective}, by NLTK's search."""
    if synset.pos() not in contents:
        return {synset: 0} | ({main: 1 for main in synset.similar_tos()} if synset.pos() == "s" else {})
    above = [synset, *synset.closure(lambda x: x.hypernyms() + x.instance_hypernyms())]
    of = contents[synset.pos()]
    return {x: of[synset.offset()] - of[x.offset()] for x in above}


CLOSED = ["in", "about", "at", "as", "he", "it", ","]


def test_distances_of_all_senses_agree_with_nltk(reader, wordnet):
    words = ["dog", "printer", "price", "cost", "buy", "purchase", "saw", "fast", "large", "1", "one", "zqx"]
    contents = reader.contents()
    senses = {
        (word, part): [(i, losses(x, contents)) for i, x in enumerate(reader.synsets(word, part))]
        for word, part in itertools.product(words, "nvar")
    }
    finite = 0
    for d, s in itertools.combinations_with_replacement([*words, *CLOSED], 2):
        found = wordnet.distances([wordnet.reading((d,))], [wordnet.reading((s,))])[0]
        if not {d, s} <= set(words):
            assert found == FAR
            continue
        far = [
            above[x] + also[x] + toy_wordnet.rare(i) + toy_wordnet.rare(j)
            for part in "nvar"
            for (i, above), (j, also) in itertools.product(*(senses[word, part] for word in (d, s)))
            for x in above.keys() & also.keys()
        ]
        assert found == min(far, default=FAR), (d, s)
        finite += bool(far)
    assert finite > 20


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("buy", "purchase", 0),
        ("bought", "purchases", 0),
        ("begin", "starts", 0),
        ("big", "large", 0),
        ("said", "told", 0),
        ("show", "reveal", 4),
        ("company", "firm", 11),
        ("was", "is", 0),
        ("one", "1", 0),
        ("at", "as", FAR),
        ("he", "as", FAR),
    ],
)
def test_synonyms_are_near_and_closed_classes_far(wordnet, left, right, distance):
    assert wordnet.distances([wordnet.reading((left,))], [wordnet.reading((right,))])[0] == distance


@pytest.mark.parametrize(
    "name",
    ["furniture.n.01", "city.n.01", "buy.v.01"],
)
def test_information_content_counts_what_is_below(reader, name):
    synset = reader.synset(name)
    below = {synset, *synset.closure(lambda x: x.hyponyms() + x.instance_hyponyms())}
    every = sum(1 for _ in reader.all_synsets(synset.pos()))
    assert reader.contents()[synset.pos()][synset.offset()] == round(math.log2(every / len(below)))


@pytest.mark.parametrize(
    "phrase, same",
    [
        (("personal", "computer"), ("pc",)),
        (("hard", "disk"), ("fixed", "disk")),
        (("laser", "printers"), ("laser", "printer")),
    ],
)
def test_compounds_are_found(wordnet, phrase, same):
    assert wordnet.distances([wordnet.reading(phrase)], [wordnet.reading(same)])[0] == 0
