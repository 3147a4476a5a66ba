"""The doubt of a pair, computed by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy
from vorlage.alignments.alignment import Alignment, Link, binary_entropy, doubt, doubt_first


def alignment(*links):
    return Alignment("a", "toy", None, ["x"] * 9, ["y"] * 9, [Link(*found) for found in links])


@given(st.floats(0, 1))
def test_entropy_is_that_of_scipy(p):
    assert binary_entropy(p) == pytest.approx(scipy_entropy([p, 1 - p], base=2), abs=1e-12)


def test_doubt_is_the_mean_over_summary_words():
    # A phrase of two words with p = 1/4, a null word with p = 1/2, and a word without doubt.
    quarter = 0.25 * 2 + 0.75 * (2 - log2(3))
    found = alignment(((0, 2), (0, 1), 0.25), ((2, 3), None, 0.5), ((3, 4), (5, 6), 1.0))
    assert doubt(found) == pytest.approx((2 * quarter + 1 + 0) / 4, abs=1e-6)


def test_a_system_without_posteriors_has_no_doubt():
    assert doubt(alignment(((0, 1), (0, 1), None))) is None and doubt(alignment()) is None


def test_the_most_doubtful_come_first_and_the_unknown_last():
    doubts = {"a": 0.1, "b": None, "c": 0.7, "d": 0.1, "e": 0.0}
    assert doubt_first(list("abcdef"), doubts) == ["c", "a", "d", "e", "b", "f"]
