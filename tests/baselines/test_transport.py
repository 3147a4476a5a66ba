"""Alignment by optimal transport: closed forms, and Sinkhorn iterations in plain Python."""

from math import exp, log

import numpy as np
import pytest
from vorlage.baselines.transport import CHOSEN, EPSILON, Settings, match_by_transport, scale, transport

pytest.importorskip("ot", reason="POT is not installed; `make peers` installs it")


def test_balanced_transport_of_two_words_has_its_closed_form():
    e = exp(-0.3 / EPSILON)
    expected = np.array([[1, e], [e, 1]]) / (2 * (1 + e))
    made = transport("balanced", np.array([[0, 0.3], [0.3, 0]]), np.ones(2), np.ones(2))
    assert np.allclose(made, expected, atol=1e-8)


def test_balanced_transport_is_that_of_sinkhorn_iterations():
    rng = np.random.default_rng(2)
    cost, summary, document = rng.random((3, 4)), rng.random(3), rng.random(4)
    kernel = [[exp(-c / EPSILON) for c in row] for row in cost.tolist()]
    u, v = [1.0] * 3, [1.0] * 4
    for _ in range(5000):
        u = [summary[i] / summary.sum() / sum(kernel[i][j] * v[j] for j in range(4)) for i in range(3)]
        v = [document[j] / document.sum() / sum(kernel[i][j] * u[i] for i in range(3)) for j in range(4)]
    expected = [[u[i] * kernel[i][j] * v[j] for j in range(4)] for i in range(3)]
    assert np.allclose(transport("balanced", cost, summary, document), expected, atol=1e-5)


def test_partial_transport_sends_its_share_and_no_more_than_a_word_has():
    rng = np.random.default_rng(3)
    cost, summary, document = rng.random((3, 5)), np.ones(3), np.ones(5)
    for share in (0.3, 0.7, 1.0):
        made = transport("partial", cost, summary, document, share)
        assert made.sum() == pytest.approx(3 * share, abs=1e-6)
        assert (made.sum(axis=1) <= 1 + 1e-3).all() and (made.sum(axis=0) <= 1 + 1e-3).all()
    # A single word sends all to the two words in the ratio of their kernels.
    made = transport("partial", np.array([[0.0, 0.1]]), np.ones(1), np.ones(2), 1.0)
    assert np.allclose(made, np.array([[1, exp(-1)]]) / (1 + exp(-1)), atol=1e-6)


@pytest.mark.parametrize("penalty", [0.05, 0.3, 2.0])
def test_unbalanced_transport_of_one_word_has_its_closed_form(penalty):
    """The derivative of cost·p + ε·(p log p − p) + penalty·(KL(p, a) + KL(p, b)) is zero at this p."""
    a, b, cost = 2.0, 0.5, 0.3
    expected = exp((penalty * (log(a) + log(b)) - cost) / (EPSILON + 2 * penalty))
    made = transport("unbalanced", np.array([[cost]]), np.array([a]), np.array([b]), penalty)
    assert made[0, 0] == pytest.approx(expected, rel=1e-4)


def test_a_matrix_is_scaled_between_0_and_1():
    assert np.allclose(scale(np.array([[2.0, 4.0], [3.0, 2.0]])), [[0, 1], [0.5, 0]], atol=1e-9)
    assert scale(np.full((2, 2), 0.7)).tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("kind", CHOSEN)
def test_equal_words_are_linked_and_words_without_a_vector_are_not(kind):
    document = np.eye(4, dtype=np.float32)[[0, 1, 2, 2]]
    document[3] = 0
    summary = np.eye(4, dtype=np.float32)[[2, 0, 0]]
    summary[2] = 0
    links = match_by_transport(kind, CHOSEN[kind], summary, document)
    assert links == {0: [2], 1: [0]}
    assert match_by_transport(kind, Settings(1.0, 0.5), summary, np.zeros((2, 4), np.float32)) == {}
