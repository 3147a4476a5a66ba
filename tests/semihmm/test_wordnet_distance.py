"""WordNet distances against NLTK's own search and against the toy."""

import itertools

import numpy as np
import pytest
import toy_wordnet

from pipeline.semihmm.kernels.hypernyms import FAR
from pipeline.semihmm.phrases.wordnet_distance import WordNetDistances


def phrases():
    return [tuple(lemma.split("_")) for lemma in toy_wordnet.LEMMAS] + [("the",), ("personal", "sells")]


def test_distances_agree_with_every_climb():
    wordnet = WordNetDistances(toy_wordnet.ToyReader())
    for d, s in itertools.product(phrases(), repeat=2):
        expected = toy_wordnet.distance(d, s)
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


def test_offsets_bring_readings_back():
    wordnet = WordNetDistances(toy_wordnet.ToyReader())
    known = sorted({wordnet.reading(p) for p in phrases()} - {-1})
    again = WordNetDistances(toy_wordnet.ToyReader())
    back = again.from_offsets(wordnet.offsets(known))
    np.testing.assert_array_equal(
        wordnet.distances(np.repeat(known, len(known)), known * len(known)),
        again.distances(np.repeat(back, len(back)), back * len(back)),
    )


NOUNS = ["dog", "cat", "printer", "computer", "laptop", "price", "cost", "purchase", "run", "red", "1"]
WORDS = [*NOUNS, "buy", "sell", "quickly", "fast", "slow", "in", "about", "zqx"]


def test_distances_agree_with_nltk(wordnet_folder):
    from pipeline.wordnet.reader import open_wordnet

    reader = open_wordnet(wordnet_folder)
    wordnet = WordNetDistances(reader)
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


@pytest.mark.parametrize(
    "phrase, same",
    [
        (("personal", "computer"), ("pc",)),
        (("hard", "disk"), ("fixed", "disk")),
        (("laser", "printers"), ("laser", "printer")),
    ],
)
def test_compounds_are_found(wordnet_folder, phrase, same):
    from pipeline.wordnet.reader import open_wordnet

    wordnet = WordNetDistances(open_wordnet(wordnet_folder))
    assert wordnet.distances([wordnet.reading(phrase)], [wordnet.reading(same)])[0] == 0
