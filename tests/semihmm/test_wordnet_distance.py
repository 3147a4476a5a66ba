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
    senses = WordNetDistances(toy_wordnet.ToyReader())
    for d, s in itertools.product(phrases(), repeat=2):
        wanted = toy_wordnet.distance(d, s)
        found = senses.distances([senses.reading(d)], [senses.reading(s)])[0]
        assert found == (FAR if wanted is None else wanted), (d, s)


def test_histograms_count_the_distances():
    senses = WordNetDistances(toy_wordnet.ToyReader())
    known = sorted({senses.reading(p) for p in phrases()} - {-1})
    counts = np.arange(1.0, len(known) + 1)
    histograms = senses.histograms(known, known, counts)
    for row, reading in zip(histograms, known, strict=True):
        wanted = np.zeros(len(row))
        for other, count in zip(known, counts, strict=True):
            far = senses.distances([reading], [other])[0]
            if far != FAR:
                wanted[far] += count
        np.testing.assert_array_equal(row, wanted)


def test_offsets_bring_readings_back():
    senses = WordNetDistances(toy_wordnet.ToyReader())
    known = sorted({senses.reading(p) for p in phrases()} - {-1})
    again = WordNetDistances(toy_wordnet.ToyReader())
    back = again.from_offsets(senses.offsets(known))
    np.testing.assert_array_equal(
        senses.distances(np.repeat(known, len(known)), known * len(known)),
        again.distances(np.repeat(back, len(back)), back * len(back)),
    )


NOUNS = ["dog", "cat", "printer", "computer", "laptop", "price", "cost", "purchase", "run", "red", "1"]
WORDS = [*NOUNS, "buy", "sell", "quickly", "fast", "slow", "in", "about", "zqx"]


def test_distances_agree_with_nltk(wordnet_folder):
    from pipeline.wordnet.reader import open_wordnet

    reader = open_wordnet(wordnet_folder)
    senses = WordNetDistances(reader)
    checked = 0
    for d, s in itertools.product(WORDS, repeat=2):
        found = senses.distances([senses.reading((d,))], [senses.reading((s,))])[0]
        for part in "nvar":
            left, right = reader.synsets(d, part), reader.synsets(s, part)
            if left and right:
                wanted = left[0].shortest_path_distance(right[0])
                assert found == (FAR if wanted is None else wanted), (d, s)
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

    senses = WordNetDistances(open_wordnet(wordnet_folder))
    assert senses.distances([senses.reading(phrase)], [senses.reading(same)])[0] == 0
