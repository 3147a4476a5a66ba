"""From posteriors to links."""

import numpy as np
import pytest

from pipeline.alignments import Link
from pipeline.semihmm.decode import Posteriors, candidates, decode_posterior, decode_viterbi
from pipeline.semihmm.entries import IDENTICAL, SAME_STEM, UNLIKE


def posteriors(places=(), phrases=(), kinds=(), words=None, nulls=(0.1, 0.2, 0.3)):
    return Posteriors.of(
        np.zeros((3, 4)) if words is None else np.array(words),
        np.array(nulls),
        np.array(places, dtype=np.int32).reshape(-1, 4),
        np.array(phrases),
        np.array(kinds, dtype=np.uint8),
    )


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
    links = posteriors([(0, 2, 1, 2)], [0.5], [kind], words).links
    wanted = np.zeros((3, 4))
    for cell in cells:
        wanted[cell] += 0.5
    wanted[0, 1] += 0.25
    np.testing.assert_array_equal(links, wanted)


def test_links_above_the_threshold_are_kept_and_the_rest_is_null():
    words = [[0.6, 0.3, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0.51]]
    assert decode_posterior(posteriors(words=words), 0.5) == [
        Link((0, 1), (0, 1), 0.6),
        Link((1, 2), None, 0.2),
        Link((2, 3), (3, 4), 0.51),
    ]


def test_a_probable_phrase_pair_is_written_whole():
    words = np.zeros((3, 4))
    words[0, 1] = 0.2
    found = decode_posterior(posteriors([(0, 2, 1, 2)], [0.7], [IDENTICAL], words), 0.5)
    assert found == [Link((0, 2), (1, 3), 0.7), Link((2, 3), None, 0.3)]


def test_links_add_up_where_no_phrase_pair_is_probable_alone():
    words = np.zeros((3, 4))
    words[0, 1], words[1, 2] = 0.25, 0.25
    found = decode_posterior(posteriors([(0, 2, 1, 2)], [0.375], [IDENTICAL], words), 0.5)
    assert found == [Link((0, 1), (1, 2), 0.625), Link((1, 2), (2, 3), 0.625), Link((2, 3), None, 0.3)]


def test_a_phrase_pair_equal_up_to_stem_is_written_word_by_word():
    found = decode_posterior(posteriors([(0, 2, 1, 2)], [0.75], [SAME_STEM]), 0.5)
    assert found[:2] == [Link((0, 1), (1, 2), 0.75), Link((1, 2), (2, 3), 0.75)]


def test_viterbi_writes_the_steps_with_their_posteriors():
    words = np.zeros((3, 4))
    words[2, 0] = 0.4
    steps = np.array([(0, 2, 1, 2), (2, 1, 0, 1)], dtype=np.int32)
    given = posteriors([(0, 2, 1, 2)], [0.25], [UNLIKE], words)
    assert decode_viterbi(given, steps) == [Link((0, 2), (1, 3), 0.25), Link((2, 3), (0, 1), 0.4)]
    null_first = np.array([(0, 1, -1, 0), (1, 1, -1, 0), (2, 1, 0, 1)], dtype=np.int32)
    assert decode_viterbi(given, null_first)[:2] == [Link((0, 1), None, 0.1), Link((1, 2), None, 0.2)]


def test_candidates_are_what_the_decoder_left_out():
    words = np.zeros((3, 4))
    words[0, 1], words[0, 3], words[2, 0], words[2, 1] = 0.2, 0.05, 0.04, 0.6
    given = posteriors([(0, 2, 1, 2)], [0.7], [IDENTICAL], words)
    links = decode_posterior(given, 0.5)
    assert candidates(given, links, 0.05) == [Link((0, 1), (3, 4), 0.05)]
    assert candidates(given, links, 0.01) == [Link((0, 1), (3, 4), 0.05), Link((2, 3), (0, 1), 0.04)]
    none = decode_viterbi(given, np.array([(0, 1, -1, 0), (1, 1, -1, 0), (2, 1, -1, 0)], dtype=np.int32))
    assert {(link.summary[0], link.document[0]) for link in candidates(given, none, 0.5)} == {
        *((0, 1), (1, 2), (2, 1))
    }
