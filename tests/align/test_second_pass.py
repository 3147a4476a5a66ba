"""The second pass: its weights against plain loops, and its posteriors against weighted rewrites."""

from dataclasses import replace

import numpy as np
import pytest
from toy_training import make, settings

from pipeline.align.aligner import Aligner
from pipeline.align.decoding import DEFAULTS
from pipeline.align.second_pass import LEAST_SHARE, second_pass, sentence_shares, share_weights
from pipeline.train.resources import Resources
from pipeline.train.training import train

SUMMARY, DOCUMENT = ((0, 2), (2, 5)), ((0, 1), (1, 4), (4, 6))


@pytest.mark.parametrize("seed", range(5))
def test_shares_equal_plain_loops(seed):
    rng = np.random.default_rng(seed)
    sources, information = rng.random((5, 6)) / 6, rng.random(5)
    found = sentence_shares(sources, information, SUMMARY, DOCUMENT)
    for s, (a, b) in enumerate(SUMMARY):
        for d, (x, y) in enumerate(DOCUMENT):
            mass = sum(information[t] * sources[t, j] for t in range(a, b) for j in range(x, y))
            assert found[s, d] == pytest.approx(mass / sum(information[a:b]), rel=1e-12)


def test_words_without_information_have_no_shares():
    assert not sentence_shares(np.full((5, 6), 0.1), np.zeros(5), SUMMARY, DOCUMENT).any()


@pytest.mark.parametrize("power", [0.5, 1, 3])
def test_the_mean_weight_of_what_has_a_source_is_one(power):
    shares = np.array([[0.6, 0.1, 0.0], [0.0, 0.0, 0.0], [0.3, 0.3, 0.3]])
    weights = share_weights(shares, power)
    assert (shares * weights).sum(axis=1) == pytest.approx(shares.sum(axis=1), rel=1e-12)
    # Two weights of a row differ by the power of the ratio of their shares.
    assert weights[0, 0] / weights[0, 2] == pytest.approx(
        ((0.6 + LEAST_SHARE) / LEAST_SHARE) ** power, rel=1e-12
    )
    assert weights[1] == pytest.approx(1) and weights[2] == pytest.approx(1)


@pytest.fixture(scope="module")
def prepared():
    """A trained model of both directions, and a pair with sentences that it prepared."""
    corpus = make(
        [("the printer sells\nacme ships printers", "acme sells\nprinters"), ("a printer", "a ship")]
    )
    chosen = settings(iterations=2, wordnet=False)
    model = train(corpus, "relative", chosen, Resources(None, None, None, None))[0]
    aligner = Aligner(model)
    return aligner, [aligner.prepare(pair, extract.sentences) for pair, extract in corpus]


def test_every_rewrite_is_multiplied_by_the_weight_of_its_sentences(prepared):
    aligner, (pair, _) = prepared
    sources = aligner.own_posteriors(pair, DEFAULTS.unigram_null)[1].sources
    again = second_pass(pair, sources, 2.0)
    instance = pair.instance
    weights = share_weights(
        sentence_shares(sources, pair.information, instance.summary_breaks, instance.document_breaks), 2.0
    )

    def sentence(breaks, word):
        return next(s for s, (first, end) in enumerate(breaks) if first <= word < end)

    for t in range(len(instance.summary)):
        for j in range(len(instance.document)):
            s, d = sentence(instance.summary_breaks, t), sentence(instance.document_breaks, j)
            expected = pair.inputs.word_rewrites[t, j] * weights[s, d]
            assert again.inputs.word_rewrites[t, j] == pytest.approx(expected, rel=1e-12)
    for (t, k, j, _), before, after in zip(
        pair.inputs.phrases, pair.inputs.phrase_rewrites, again.inputs.phrase_rewrites, strict=True
    ):
        s, d = sentence(instance.summary_breaks, t), sentence(instance.document_breaks, j)
        assert after == pytest.approx(before * weights[s, d] ** k, rel=1e-12)
    _, found = aligner.posteriors(
        pair, DEFAULTS._replace(second_pass=2.0, stretch_support=0, phrase_support=0)
    )
    _, expected = aligner.own_posteriors(again, DEFAULTS.unigram_null)
    assert np.array_equal(found.links, expected.links)


def test_a_document_of_one_sentence_needs_no_second_pass(prepared):
    aligner, (pair, single) = prepared
    sources = aligner.own_posteriors(single, 0.0)[1].sources
    assert second_pass(single, sources, 1.0) is None
    sources = aligner.own_posteriors(pair, 0.0)[1].sources
    assert second_pass(pair, sources, 0.0) is None
    without = pair._replace(instance=replace(pair.instance, affinity=None))
    assert second_pass(without, sources, 1.0) is None
