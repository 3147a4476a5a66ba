"""From posteriors to links."""

import numpy as np
import pytest
from toy_training import CORPUS, make, settings
from vorlage.alignments.alignment import Link
from vorlage.semihmm.decode import links as decoders
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.links import make_links
from vorlage.semihmm.table import IDENTICAL, SAME_STEM, UNLIKE
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import UNREAD_BY_VITERBI, Decoding, validate
from whole_posteriors import agreed, no_phrases, whole


def posteriors(places=(), phrases=(), kinds=(), words=None, nulls=(0.1, 0.2, 0.3), sourceless=0.0):
    return whole(
        np.zeros((3, 4)) if words is None else np.array(words),
        np.array(nulls),
        np.array(places, dtype=np.int32).reshape(-1, 4),
        np.array(phrases),
        np.array(kinds, dtype=np.uint8),
        sourceless,
    )


def decode_posterior(given, threshold):
    """Return the links of a pair that is its own extract."""
    return make_links(decoders.decode_posterior(given, threshold), np.arange(4), given.nulls.tolist())


def decode_viterbi(given, steps):
    return make_links(decoders.decode_viterbi(given, steps), np.arange(4), given.nulls.tolist())


def find_candidates(given, chosen, threshold):
    return make_links(decoders.find_candidates(given, chosen, threshold), np.arange(4))


def adjusted(links, phrase_support, diagonal_discount):
    """Return links adjusted by the links around them."""
    given = whole(links, np.zeros(len(links)), *no_phrases())
    return given.adjust_links(phrase_support, diagonal_discount).links.dense()


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        (IDENTICAL, {(0, 1), (1, 2)}),
        (SAME_STEM, {(0, 1), (1, 2)}),
        (UNLIKE, {(0, 1), (0, 2), (1, 1), (1, 2)}),
    ],
)
def test_a_phrase_pair_gives_its_posterior_to_the_links_it_covers(kind, cells):
    words = np.zeros((3, 4))
    words[0, 1] = 0.25
    links = posteriors([(0, 2, 1, 2)], [0.5], [kind], words).links.dense()
    expected = np.zeros((3, 4))
    for cell in cells:
        expected[cell] += 0.5
    expected[0, 1] += 0.25
    np.testing.assert_array_equal(links, expected)


@pytest.mark.parametrize("kind", [IDENTICAL, SAME_STEM, UNLIKE])
def test_the_words_of_a_phrase_share_its_posterior_as_sources(kind):
    words = np.zeros((3, 4))
    words[0, 1], words[2, 3] = 0.25, 0.75
    sourceless = np.zeros((3, 4))
    sourceless[0, 1], sourceless[2, 3] = 0.125, 0.5
    given = posteriors([(0, 2, 1, 2)], [0.5], [kind], words, (0.25, 0.5, 0.25), sourceless)
    halves = [[0.25, 0.25], [0.25, 0.25]] if kind == UNLIKE else [[0.5, 0], [0, 0.5]]
    expected = np.zeros((3, 4))
    expected[:2, 1:3] = halves
    expected[0, 1] += 0.125
    expected[2, 3] = 0.25
    np.testing.assert_array_equal(given.sources, expected)
    np.testing.assert_array_equal(given.nulls, [0.375, 0.5, 0.75])
    np.testing.assert_array_equal(given.sources.sum(axis=1) + given.nulls, 1.0)
    # The decoder takes links whatever they come from; they are written with what has a source.
    assert given.links.dense()[2, 3] == 0.75
    assert find_candidates(given, [], 0.2)[-1] == Link((2, 3), (3, 4), 0.25)
    # Nothing is moved where the fake counts rewrite nothing.
    plain = posteriors([(0, 2, 1, 2)], [0.5], [kind], words, (0.25, 0.5, 0.25))
    assert find_candidates(plain, [], 0.75)[-1] == Link((2, 3), (3, 4), 0.75)
    assert given.written(0) == 0.5
    assert decode_posterior(given, 0.6)[-1] == Link((2, 3), (3, 4), 0.25)
    steps = np.array([(0, 2, 1, 2), (2, 1, 3, 1)], dtype=np.int32)
    assert decode_viterbi(given, steps) == [Link((0, 2), (1, 3), 0.5), Link((2, 3), (3, 4), 0.25)]


def plain_among_nulls(nulls, information, share):
    mixed = []
    for t in range(len(nulls)):
        near = [u for u in range(len(nulls)) if abs(u - t) <= 15]
        weights = [0.7 ** abs(u - t) * information[u] for u in near]
        mean = sum(w * nulls[u] for w, u in zip(weights, near, strict=True)) / sum(weights)
        mixed.append((1 - share) * nulls[t] + share * mean)
    return mixed


@pytest.mark.parametrize("length", [1, 2, 15, 16, 31, 50])
@pytest.mark.parametrize("share", [0.2, 1])
def test_null_posteriors_of_a_stretch_agree_with_plain_loops(length, share):
    rng = np.random.default_rng(length)
    words = rng.random((length, 4)) ** 3
    words[::5] = 0.0
    nulls = rng.random(length)
    nulls[::5] = 1.0
    words *= ((1 - nulls) / np.maximum(words.sum(axis=1), 1e-9))[:, None]
    information = rng.exponential(size=length) + 0.1
    given = posteriors(words=words, nulls=nulls)
    found = given.smooth_nulls(share, information)
    expected = np.array(plain_among_nulls(nulls.tolist(), information.tolist(), share))
    has = words.any(axis=1)
    np.testing.assert_allclose(found.nulls, np.where(has, expected, 1.0), rtol=1e-12)
    np.testing.assert_allclose(found.sources.sum(axis=1) + found.nulls, 1.0, rtol=1e-12)
    # The sources of a word keep their shares, and the links that the decoder takes stay what they were.
    shares = [x / np.maximum(x.sum(axis=1), 1e-300)[:, None] for x in (found.sources, words)]
    np.testing.assert_allclose(*shares, rtol=1e-9)
    np.testing.assert_array_equal(found.links.dense(), given.links.dense())
    assert given.smooth_nulls(0, information) is given


def test_rounded_posteriors_do_not_leave_the_range_of_probabilities():
    words = np.full((3, 4), 1e-310)
    words[1] = (1e-17, 0, 0, 0)
    one = words, np.array([1.0, 1 + 1e-15, 0.5]), *no_phrases()
    both = agreed(one, (words.T.copy(), np.ones(4), *no_phrases()))
    for found in (whole(*one).smooth_nulls(0.2, np.ones(3)), both):
        assert ((found.nulls >= 0) & (found.nulls <= 1)).all()
        assert ((found.sources >= 0) & (found.sources <= 1)).all()
        np.testing.assert_allclose(found.sources.sum(axis=1) + found.nulls, 1.0, rtol=1e-12)


def test_links_above_the_threshold_are_kept_and_the_rest_is_null():
    words = [[0.6, 0.3, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0.51]]
    assert decode_posterior(posteriors(words=words), 0.5) == [
        Link((0, 1), (0, 1), 0.6),
        Link((1, 2), None, 0.2),
        Link((2, 3), (3, 4), 0.51),
    ]


def test_a_probable_phrase_pair_is_written_as_one_link():
    words = np.zeros((3, 4))
    words[0, 1] = 0.2
    found = decode_posterior(posteriors([(0, 2, 1, 2)], [0.7], [IDENTICAL], words), 0.5)
    assert found == [Link((0, 2), (1, 3), 0.7), Link((2, 3), None, 0.3)]


def test_a_phrase_pair_inside_another_is_not_written():
    places = [(0, 2, 1, 2), (0, 3, 1, 3), (1, 2, 2, 2), (2, 1, 0, 2)]
    found = decode_posterior(posteriors(places, [0.7, 0.6, 0.8, 0.9], [IDENTICAL] * 3 + [UNLIKE]), 0.5)
    # The last one is not inside the second.
    assert found == [Link((0, 3), (1, 4), 0.6), Link((2, 3), (0, 2), 0.9)]
    found = decode_posterior(posteriors(places[::2], [0.7, 0.8], [IDENTICAL] * 2), 0.5)
    # Of two that overlap, both are written.
    assert found == [Link((0, 2), (1, 3), 0.7), Link((1, 3), (2, 4), 0.8)]


def around(links, t, j):
    """Return the support and the diagonal of a link, cell by cell."""

    def at(row, column):
        inside = 0 <= row < links.shape[0] and 0 <= column < links.shape[1]
        return links[row, column] if inside else 0.0

    free_summary = 1 - max((at(t, other) for other in range(links.shape[1]) if other != j), default=0.0)
    free_document = 1 - max((at(other, j) for other in range(links.shape[0]) if other != t), default=0.0)
    support = max(
        max(at(t, j - 1), at(t, j + 1)) * free_document, max(at(t - 1, j), at(t + 1, j)) * free_summary
    )
    return support, max(at(t - 1, j - 1), at(t + 1, j + 1)) * free_summary * free_document


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 2), (5, 7)])
def test_posteriors_among_neighbours_agree_with_plain_loops(shape):
    links = np.random.default_rng(7).random(shape) ** 2
    found = adjusted(links, 0.3, 0.8)
    for t, j in np.ndindex(shape):
        support, diagonal = around(links, t, j)
        expected = links[t, j] ** (1 - 0.3 * support + 0.8 * diagonal * (1 - support))
        assert found[t, j] == pytest.approx(expected, rel=1e-12)


def test_a_phrase_pair_is_written_with_its_least_posterior_among_neighbours():
    words = np.zeros((3, 4))
    words[1, 1] = 0.125
    both = posteriors([(0, 2, 0, 2)], [0.45], [IDENTICAL], words).adjust_links(0.4, 0.5)
    assert both.links.dense()[1, 1] == 0.575 ** (1 + 0.5 * 0.45) and both.links.dense()[0, 0] < 0.45
    # A word comes from its source with the same probability, whatever the links around it.
    assert both.written(0) == both.sources[0, 0] == 0.45 and both.sources[1, 1] == 0.575
    both = posteriors([(0, 2, 0, 2)], [0.45], [IDENTICAL], np.zeros((3, 4))).adjust_links(0.4, 0.5)
    assert both.links.dense()[0, 0] == 0.45 ** (1 + 0.5 * 0.45)
    assert decode_posterior(both, 0.3)[0] == Link((0, 2), (0, 2), both.written(0))
    assert decode_posterior(both, 0.4) == [Link((t, t + 1), None, p) for t, p in enumerate([0.1, 0.2, 0.3])]


def test_viterbi_writes_steps_with_their_posteriors():
    words = np.zeros((3, 4))
    words[2, 0] = 0.4
    steps = np.array([(0, 2, 1, 2), (2, 1, 0, 1)], dtype=np.int32)
    given = posteriors([(0, 2, 1, 2)], [0.25], [UNLIKE], words)
    assert decode_viterbi(given, steps) == [Link((0, 2), (1, 3), 0.25), Link((2, 3), (0, 1), 0.4)]
    null_first = np.array([(0, 1, -1, 0), (1, 1, -1, 0), (2, 1, 0, 1)], dtype=np.int32)
    assert decode_viterbi(given, null_first)[:2] == [Link((0, 1), None, 0.1), Link((1, 2), None, 0.2)]


def test_the_best_path_does_without_some_settings():
    model, _ = train(make(CORPUS), "relative", settings(wordnet=False), Resources())
    others = {"posterior_threshold": 0.9, "gap_threshold": 1, "stretch_support": 1, "phrase_support": 1}
    others |= {"diagonal_discount": 3, "rescorer": "missing.npz"}
    best, moved = ({"decoder": "viterbi"} | changes for changes in ({}, others))
    assert others.keys() == UNREAD_BY_VITERBI
    assert set(validate(Decoding, best).settings_read) == Decoding.model_fields.keys() - UNREAD_BY_VITERBI
    for pair, extract in make(CORPUS):
        found = [
            Aligner(model).align(pair, extract.sentences, validate(Decoding, one)) for one in (best, moved)
        ]
        assert found[0] == found[1] and found[0].links


def test_candidates_are_the_links_that_the_decoder_did_not_choose():
    words = np.zeros((3, 4))
    words[0, 1], words[0, 3], words[2, 0], words[2, 1] = 0.2, 0.05, 0.04, 0.6
    given = posteriors([(0, 2, 1, 2)], [0.7], [IDENTICAL], words)
    links = decoders.decode_posterior(given, 0.5)
    assert find_candidates(given, links, 0.05) == [Link((0, 1), (3, 4), 0.05)]
    assert find_candidates(given, links, 0.01) == [Link((0, 1), (3, 4), 0.05), Link((2, 3), (0, 1), 0.04)]
    none = decoders.decode_viterbi(
        given, np.array([(0, 1, -1, 0), (1, 1, -1, 0), (2, 1, -1, 0)], dtype=np.int32)
    )
    assert {(link.summary[0], link.document[0]) for link in find_candidates(given, none, 0.5)} == {
        *((0, 1), (1, 2), (2, 1))
    }


def test_a_link_of_an_extract_has_as_many_words_of_the_document():
    chosen = {(2, 1, 5, 1): 0.25, (0, 1, 2, 3): 0.5}
    found = make_links(chosen, np.array([0, 1, 7, 8, 9, 14]), [0.1, 0.2, 0.3])
    assert found == [Link((0, 1), (7, 10), 0.5), Link((1, 2), None, 0.2), Link((2, 3), (14, 15), 0.25)]
