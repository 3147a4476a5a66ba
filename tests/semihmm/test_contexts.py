"""The encoder's part of the rewrite model, against plain Python and by its stated properties."""

import math
from dataclasses import replace

import naive_around
import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis.extra.numpy import arrays
from toy_training import LONGER, Similar, make, settings
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.mixture import EncoderValues
from vorlage.semihmm.pairs import PairArrays
from vorlage.semihmm.phrase_pairs import WordArrays
from vorlage.semihmm.train.training import Resources, train

LEAST = 1e-12
COSINES = strategies.tuples(strategies.integers(1, 6), strategies.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float16, shape, elements=strategies.floats(-1, 1, width=16))
)
TEMPERATURES = strategies.sampled_from([0.001, 0.05, 0.3, 10])
BASELINES = strategies.sampled_from([-1, 0.3, 1])


def part_of(*arguments):
    """Return the encoder's part of all words; the arguments are those of `context_of`."""
    return context_of(*arguments).weighted()


def context_of(cosines, summary, frequency, temperature, baseline):
    """Return the encoder's part of words whose numbers in a summary are `summary`."""
    cosines = np.asarray(cosines, dtype=np.float16)
    length, n = cosines.shape
    # The words of the document come after those of the summary, whose numbers are up to 5.
    numbers = np.arange(6, 6 + n, dtype=np.int32), np.array(summary, dtype=np.int32)
    texts = [
        WordArrays(words, words * 0, np.array([len(words)]), *np.unique(words, return_inverse=True))
        for words in numbers
    ]
    pair = PairArrays("a", *texts, *[np.empty(0, np.int32)] * 3, np.ones((1, 1)), cosines, None)
    chosen = settings(encoder_temperature=temperature, encoder_baseline=baseline)
    return EncoderValues(pair, np.pad(np.asarray(frequency, float), (0, n)), chosen, 1.0)


@strategies.composite
def texts(draw):
    """Return cosines, the words of a summary, and the shares of six words in the summaries of training."""
    cosines = draw(COSINES)
    summary = draw(strategies.lists(strategies.integers(0, 5), min_size=len(cosines), max_size=len(cosines)))
    counts = draw(strategies.lists(strategies.sampled_from([0.5, 1, 20]), min_size=6, max_size=6))
    # With no other words, hardly anything is left for the rest of the vocabulary.
    others = draw(strategies.sampled_from([0, 1, 1e6]))
    return cosines, summary, [count / (sum(counts) + others) for count in counts]


@given(texts(), TEMPERATURES, BASELINES)
def test_the_part_of_the_encoder_is_that_of_plain_loops(given_texts, temperature, baseline):
    cosines, summary, frequency = given_texts
    found = part_of(*given_texts, temperature, baseline)
    assert found.dtype == np.float64 and np.isfinite(found).all() and (found >= LEAST).all()
    expected = naive_around.context_part(cosines.tolist(), summary, frequency, temperature, baseline)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    # A word at several places has its share at each of them if one is like the others.
    assert (found <= len(summary) + LEAST).all()


def test_the_part_of_a_long_pair_is_that_of_whole_matrices():
    """It is computed some columns after others."""
    rng = np.random.default_rng(3)
    cosines = rng.uniform(-0.3, 1, (700, 1500)).astype(np.float16)
    summary, frequency = rng.integers(0, 6, 700), np.array([0.01, 0.02, 0.03, 0.1, 0.2, 0.3])
    exact, places = cosines.astype(float), np.bincount(summary)[summary]
    weighed = frequency[summary][:, None] * np.exp((exact - 0.3) / 0.05)
    norm = 1 - frequency.sum() + (weighed / places[:, None]).sum(axis=0)
    expected = weighed / norm * np.exp((exact - exact.max(axis=1)[:, None]) / 0.1)
    found = part_of(cosines, summary, frequency, 0.05, 0.3)
    np.testing.assert_allclose(found, np.maximum(expected, LEAST), rtol=1e-9)


@given(texts(), strategies.slices(6), strategies.slices(5))
def test_some_words_have_their_part_of_the_whole(given_texts, rows, columns):
    cosines, summary, frequency = given_texts
    found = context_of(cosines, summary, frequency, 0.05, 0.3)
    np.testing.assert_array_equal(found.weighted(rows, columns), found.weighted()[rows, columns])


@pytest.mark.parametrize("reverse", [False, True])
def test_a_word_in_no_summary_of_training_has_half_an_occurrence(reverse):
    corpus = make(LONGER)
    resources = Resources(similarities=Similar())
    chosen = settings(iterations=2, encoder=True, wordnet=False, encoder_temperature=0.2)
    model, _ = train(corpus, "relative", chosen, resources, reverse=reverse)
    # The encoder's part alone generates the words.
    model = replace(model, parameters=replace(model.parameters, weights=np.array([0, 0, 0, 0, 1.0, 0])))
    ((new, extract),) = make(
        [("the quasar of Acme sells\na zyx prints", "a Quasar of quasar\nships for zyx")]
    )
    [pair_input] = Aligner(model, similarities=Similar().get_all).prepare([(new, extract.sentences)])
    summaries = [word for pair in LONGER for word in pair[0 if reverse else 1].split()]
    frequency = {
        word.lower(): (summaries.count(word.lower()) or 0.5) / len(summaries) for word in new.summary.words
    }
    assert {"quasar", "zyx"} <= {word for word, u in frequency.items() if u == 0.5 / len(summaries)}
    summary = [word.lower() for word in new.summary.words]
    cosines = Similar().get(new, extract.sentences).words.tolist()
    expected = naive_around.context_part(cosines, summary, frequency, 0.2, chosen.encoder_baseline)
    one = pair_input.pair
    factors = one.factors[one.summary.sentences][:, one.document.sentences]
    found = pair_input.whole.word_rewrites / factors
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    expected = [-math.log(frequency[word]) for word in summary]
    np.testing.assert_allclose(pair_input.information, expected, rtol=1e-12)
    assert not np.outer(*pair_input.unigram).any()
