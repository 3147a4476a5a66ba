"""The compiled recursions against plain enumeration, and at length against dense log-space arithmetic."""

import naive
import numpy as np
import pytest
from scipy.special import logsumexp

from pipeline.semihmm import kernels

NO_LINKS = np.empty((0, 0))


def random_pair(seed):
    """A random tiny pair: kernel inputs and the functions that enumeration wants."""
    rng = np.random.default_rng(seed)
    n, length = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    document = rng.integers(0, 3, n).astype(np.int32)
    summary = rng.integers(0, 3, length).astype(np.int32)
    words = rng.random((3, 3)) ** 3
    null = rng.random(length)
    table = rng.random(2 * n + 2) ** 2
    phi = float(rng.random())
    places = [
        (t, k, j, span)
        for t in range(length)
        for k in range(1, min(3, length - t) + 1)
        for j in range(n)
        for span in range(1, min(3, n - j) + 1)
        if k * span > 1 and rng.random() < 0.6
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    phrase_r = rng.random(len(phrases)) * 0.1
    longer = dict(zip(places, phrase_r, strict=True))

    def rewrite(t, k, j, span):
        return words[summary[t], document[j]] if k == span == 1 else longer.get((t, k, j, span), 0.0)

    kernel = (document, summary, words, null, phrases, by_end, phrase_r, phi, table, n)
    plain = (n, length, (3, 3), phi, lambda d: table[n + d], null.__getitem__, rewrite)
    return kernel, naive.expectations(*plain)


@pytest.mark.parametrize("seed", range(40))
def test_expectations_agree_with_enumeration(seed):
    kernel, sums = random_pair(seed)
    document, summary, words, null, phrases, *_, table, n = kernel
    links = np.empty((len(summary), n))
    log_likelihood, cells, nulls, phrase_posterior, jumps = kernels.expect(*kernel, 1.0, links)
    assert np.exp(log_likelihood) == pytest.approx(sums.total, rel=1e-10)
    for t in range(len(summary)):
        assert nulls[t] == pytest.approx(sums.nulls[t], rel=1e-10)
        for j in range(n):
            assert links[t, j] == pytest.approx(sums.phrases.get((t, 1, j, 1), 0.0), rel=1e-10)
    for place, posterior in zip(phrases.tolist(), phrase_posterior, strict=True):
        assert posterior == pytest.approx(sums.phrases[tuple(place)], rel=1e-10)
    for distance in range(1 - n, n + 2):
        assert jumps[n + distance] == pytest.approx(sums.jumps.get(distance, 0.0), rel=1e-10)
    wanted = np.zeros_like(words)
    np.add.at(wanted, (summary[:, None], document[None, :]), links)
    np.testing.assert_allclose(cells, wanted, rtol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_viterbi_finds_the_best_path(seed):
    kernel, sums = random_pair(seed)
    value, steps = kernels.viterbi(*kernel)
    assert np.exp(value) == pytest.approx(sums.best, rel=1e-10)
    assert tuple(tuple(step) for step in steps.tolist()) == sums.best_path


def test_posteriors_of_every_summary_word_sum_to_one():
    kernel, _ = random_pair(7)
    phrases, length = kernel[4], len(kernel[1])
    links = np.empty((length, len(kernel[0])))
    _, _, nulls, phrase_posterior, _ = kernels.expect(*kernel, 1.0, links)
    covered = nulls + links.sum(axis=1)
    for (t, k, _, _), posterior in zip(phrases, phrase_posterior, strict=True):
        covered[t : t + k] += posterior
    np.testing.assert_allclose(covered, 1.0, rtol=1e-12)


def long_pair(n, length):
    rng = np.random.default_rng(3)
    document = rng.integers(0, 50, n).astype(np.int32)
    summary = rng.integers(0, 50, length).astype(np.int32)
    words = 10.0 ** rng.uniform(-9, 0, (50, 50))
    null = 10.0 ** rng.uniform(-6, 0, length)
    table = 10.0 ** rng.uniform(-12, 0, 2 * n + 2)
    none = np.empty((0, 4), dtype=np.int32)
    return document, summary, words, null, none, np.empty(0, np.int32), np.empty(0), 0.1, table, n


@pytest.mark.parametrize("n", [5, 8, 9, 15, 16, 17, 203])
def test_long_pairs_agree_with_dense_log_space(n):
    pair = long_pair(n, 60)
    document, summary, words, null, *_, phi, table, origin = pair
    moves = np.log(table[origin + np.arange(n + 2)[None, :] - np.arange(n + 1)[:, None]])[:, 1:]
    alpha = np.full(n + 1, -np.inf)
    alpha[0] = 0.0
    for t in range(60):
        enter = logsumexp(alpha[:, None] + moves[:, :n], axis=0)
        alpha = alpha + np.log(phi * null[t])
        alpha[1:] = np.logaddexp(alpha[1:], enter + np.log(words[summary[t], document]))
    log_likelihood, _, nulls, _, jumps = kernels.expect(*pair, 1.0, NO_LINKS)
    assert log_likelihood == pytest.approx(logsumexp(alpha + moves[:, n]), rel=1e-12)
    # Every summary word is one move, and there is one more to the end.
    assert nulls.sum() + jumps.sum() == pytest.approx(61, rel=1e-12)


def test_a_beam_keeps_the_better_states_and_loses_likelihood():
    pair = long_pair(40, 30)
    exact = kernels.expect(*pair, 1.0, NO_LINKS)
    beamed = kernels.expect(*pair, 0.5, NO_LINKS)
    assert beamed[0] < exact[0]
    assert beamed[2].sum() + beamed[4].sum() == pytest.approx(31, rel=1e-12)
