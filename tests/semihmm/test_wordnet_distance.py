"""WordNet distances against NLTK's own search and against the toy."""

import itertools
import math
import random
from collections import Counter

import nltk
import numpy as np
import pytest
import toy_wordnet
from vorlage.semihmm.wordnet import FAR, WordNetDistances
from vorlage.text.wordnet import open_wordnet


def phrases():
    return [tuple(lemma.split("_")) for lemma in toy_wordnet.LEMMAS] + [("the",), ("personal", "sells")]


@pytest.fixture(scope="module")
def nltk_wordnet():
    """NLTK's reader of its own WordNet, an independent judge."""
    try:
        nltk.corpus.wordnet.ensure_loaded()
    except LookupError:
        pytest.skip("NLTK's WordNet is not installed: python -m nltk.downloader wordnet")
    return nltk.corpus.wordnet


@pytest.fixture(scope="module")
def contents(nltk_wordnet):
    """Return the information content of nouns and verbs by their synsets, counted by NLTK's search."""
    bits = {}
    for part in "nv":
        synsets = list(nltk_wordnet.all_synsets(part))
        below = Counter(x for synset in synsets for x in {synset, *synset.closure(hypernyms)})
        bits |= {synset: round(math.log2(len(synsets) / below[synset])) for synset in synsets}
    return bits


def hypernyms(synset):
    return synset.hypernyms() + synset.instance_hypernyms()


@pytest.mark.parametrize("first_senses", [False, True])
def test_distances_agree_with_every_climb(first_senses):
    wordnet = WordNetDistances(toy_wordnet.ToyReader(), first_senses)
    for d, s in itertools.product(phrases(), repeat=2):
        expected = toy_wordnet.distance(d, s, first_senses)
        found = wordnet.distances(wordnet.readings(["_".join(d)]), wordnet.readings(["_".join(s)]))[0, 0]
        assert found == (FAR if expected is None else expected), (d, s)


NOUNS = ["dog", "cat", "printer", "computer", "laptop", "price", "cost", "purchase", "run", "red", "1"]
WORDS = [*NOUNS, "buy", "sell", "quickly", "fast", "slow", "in", "about", "zqx"]


def test_distances_of_first_senses_agree_with_nltk(nltk_wordnet):
    wordnet = WordNetDistances(open_wordnet(), first_senses=True)
    checked = 0
    for d, s in itertools.product(WORDS, repeat=2):
        found = wordnet.distances(wordnet.readings([d]), wordnet.readings([s]))[0, 0]
        for part in "nvar":
            left, right = nltk_wordnet.synsets(d, part), nltk_wordnet.synsets(s, part)
            if left and right:
                expected = left[0].shortest_path_distance(right[0])
                assert found == (FAR if expected is None else expected), (d, s)
                checked += 1
                break
        else:
            assert found == FAR
    assert checked > 100


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("buy", "purchase", 0),
        ("begin", "starts", 0),
        ("said", "told", 0),
        ("show", "reveal", 4),
        ("was", "is", 0),
        ("one", "1", 0),
        ("at", "as", FAR),
        ("personal computer", "pc", 0),
        ("laser printers", "laser printer", 0),
    ],
)
def test_synonyms_are_near_and_closed_classes_far(left, right, distance):
    wordnet = WordNetDistances(open_wordnet())
    readings = [wordnet.readings([phrase]) for phrase in (left, right)]
    assert wordnet.distances(*readings)[0, 0] == distance


def test_the_tables_are_those_of_nltk(nltk_wordnet, contents):
    """Every lemma and synset, and forms with every ending, by NLTK's reading of WordNet."""
    tables, numbers = open_wordnet(), {}
    assert sorted(set(nltk_wordnet.all_lemma_names())) == tables.lemmas
    words = random.Random(1).sample(tables.lemmas, 2000)
    forms = [word + ending for word in words for ending in ("", "s", "es", "ies", "ed", "ing", "er", "men")]
    exceptions = [form for part in "nvar" for form in nltk_wordnet._exception_map[part]]
    for form, part in itertools.product([*forms, *tables.lemmas, *exceptions], "nvar"):
        by_nltk, found = nltk_wordnet.synsets(form, part), tables.senses(form, part)
        assert len(by_nltk) == len(found), (form, part)
        for synset, number in zip(by_nltk, found, strict=True):
            assert numbers.setdefault(synset, number) == number
    assert len(set(numbers.values())) == len(numbers) == len(list(nltk_wordnet.all_synsets()))
    for synset, number in numbers.items():
        links = {numbers[x]: contents[synset] - contents[x] for x in hypernyms(synset)}
        assert sorted(tables.above(number, only_hypernyms=True)) == sorted(links.items())
        if synset.pos() == "s":
            links = {numbers[x]: 1 for x in synset.similar_tos()}
        assert sorted(tables.above(number)) == sorted(links.items()), synset


@pytest.mark.parametrize("first_senses", [False, True])
def test_histograms_count_the_distances(first_senses):
    wordnet = WordNetDistances(toy_wordnet.ToyReader(), first_senses)
    known = sorted(set(wordnet.readings(["_".join(phrase) for phrase in phrases()]).tolist()) - {-1})
    counts = np.arange(1.0, len(known) + 1)
    histograms = wordnet.histograms(known, known, counts)
    for row, reading in zip(histograms, known, strict=True):
        expected = np.zeros(len(row))
        for other, count in zip(known, counts, strict=True):
            far = wordnet.distances([reading], [other])[0, 0]
            if far != FAR:
                expected[far] += count
        np.testing.assert_array_equal(row, expected)
