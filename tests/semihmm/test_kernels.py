"""The compiled recursions against plain enumeration, and at length against dense log-space arithmetic."""

from typing import NamedTuple

import naive
import naive_jumps
import numpy as np
import pytest
from long_pairs import LABELS, forest_of, narrow_moves, random_spans, relative_moves, walk_moves
from scipy.special import logsumexp

from pipeline.semihmm.kernels import forward_backward as kernels
from pipeline.semihmm.kernels import toeplitz as distances
from pipeline.semihmm.kernels.transitions import Moves, by_distance, by_walk
from pipeline.semihmm.kernels.tree_walks import count_labels
from pipeline.semihmm.kernels.viterbi import viterbi

NO_LINKS = np.empty((0, 0))


class Case(NamedTuple):
    """A tiny pair: kernel inputs, moves, and what enumeration says."""

    inputs: tuple
    moves: Moves
    sums: naive.Sums
    features: object  # of a jump (p, j)
    counts: object  # from the kernel's tally to {feature: count}


def random_inputs(rng, breaks):
    """Kernel inputs of a random pair whose document has these sentences, and its rewrite function."""
    n, length = breaks[-1], int(rng.integers(1, 5))
    document = rng.integers(0, 3, n).astype(np.int32)
    summary = rng.integers(0, 3, length).astype(np.int32)
    words, null = rng.random((3, 3)) ** 3, rng.random(length)
    places = [
        (t, k, j, span)
        for t in range(length)
        for k in range(1, min(3, length - t) + 1)
        for j in range(n)
        for span in range(1, min(3, min(b for b in breaks if b > j) - j) + 1)
        if k * span > 1 and rng.random() < 0.6
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    phrase_r = rng.random(len(phrases)) * 0.1
    longer = dict(zip(places, phrase_r, strict=True))

    def rewrite(t, k, j, span):
        return words[summary[t], document[j]] if k == span == 1 else longer.get((t, k, j, span), 0.0)

    return (document, summary, words, null, phrases, by_end, phrase_r), rewrite


def case_by_distance(seed, spread):
    """A pair with a random table of distances that spans e^spread."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    inputs, rewrite = random_inputs(rng, [n])
    logs, phi = rng.random(2 * n + 2) * -spread, float(rng.random())
    moves = by_distance(phi, *distances.make_distances(logs))

    def counts(tally):
        found = np.zeros(2 * n + 2)
        distances.add_jumps(found, -n, moves.distances, tally)
        return dict(zip(range(-n, n + 2), found, strict=True))

    sums = naive.expectations(
        n, len(inputs[1]), (3, 3), phi, lambda p, j: np.exp(logs[n + j - p]), inputs[3].__getitem__, rewrite
    )
    return Case(inputs, moves, sums, lambda p, j: [j - p], counts)


def case_by_walk(seed):
    """A pair with random trees over one to three sentences."""
    rng = np.random.default_rng(seed)
    breaks = np.cumsum(rng.integers(1, 4, rng.integers(1, 4)))[:3]
    breaks = [int(b) for b in breaks if b <= 5] or [int(breaks[0])]
    n = breaks[-1]
    inputs, rewrite = random_inputs(rng, breaks)
    inputs = (inputs[0], inputs[1][:3], inputs[2], inputs[3][:3], *inputs[4:])
    fits = inputs[4][:, 0] + inputs[4][:, 1] <= len(inputs[1])
    phrases = np.ascontiguousarray(inputs[4][fits])
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    inputs = (*inputs[:4], phrases, by_end, inputs[6][fits])
    spans = {}
    for first, last in zip([0, *breaks], breaks, strict=False):
        spans |= random_spans(rng, first, last)
    factors, phi = rng.random((LABELS, 2)), float(rng.random())
    forest, blocks = forest_of(spans, n), np.array([0, *breaks], dtype=np.int32)
    moves = by_walk(phi, blocks, forest, factors)

    def features(p, j):
        return naive_jumps.walk(p, j, spans)

    def jump(p, j):
        return (1 - phi) * np.prod([factors[label, "fb".index(way)] for label, way in features(p, j)])

    def counts(tally):
        found = np.zeros((LABELS, 2))
        count_labels(forest, blocks, tally, found)
        return {(label, way): found[label, i] for label in range(LABELS) for i, way in enumerate("fb")}

    sums = naive.expectations(n, len(inputs[1]), (3, 3), phi, jump, inputs[3].__getitem__, rewrite)
    return Case(inputs, moves, sums, features, counts)


CASES = {
    "one block": lambda seed, _: case_by_distance(seed, 5.0),
    "many blocks": lambda seed, narrow: narrow() or case_by_distance(seed, 60.0),
    "walks": lambda seed, _: case_by_walk(seed),
}


@pytest.fixture(params=CASES)
def case(request, monkeypatch):
    """A function from a seed to a case of each kind."""

    def narrow():
        monkeypatch.setattr(distances, "RANGE", 2.0)
        monkeypatch.setattr(distances, "NARROWEST_BLOCK", 1)
        monkeypatch.setattr(distances, "DEEPEST", -1000.0)

    return lambda seed: CASES[request.param](seed, narrow)


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize("seed", range(40))
def test_expectations_agree_with_enumeration(case, seed):
    inputs, moves, sums, features, counts = case(seed)
    document, summary, words, _, phrases, *_ = inputs
    n = len(document)
    links = np.empty((len(summary), n))
    log_likelihood, cells, nulls, phrase_posterior, tally, starts = kernels.expect(*inputs, moves, 1.0, links)
    assert np.exp(log_likelihood) == pytest.approx(sums.total, rel=1e-10)
    for t in range(len(summary)):
        assert nulls[t] == pytest.approx(sums.nulls[t], rel=1e-10)
        for j in range(n):
            assert links[t, j] == pytest.approx(sums.phrases.get((t, 1, j, 1), 0.0), rel=1e-10, abs=1e-200)
    for place, posterior in zip(phrases.tolist(), phrase_posterior, strict=True):
        assert posterior == pytest.approx(sums.phrases[tuple(place)], rel=1e-10)
    wanted = {}
    for move, count in sums.jumps.items():
        for feature in features(*move):
            wanted[feature] = wanted.get(feature, 0.0) + count
    for feature, count in counts(tally).items():
        assert count == pytest.approx(wanted.get(feature, 0.0), rel=1e-10)
    wanted = np.zeros_like(words)
    np.add.at(wanted, (summary[:, None], document[None, :]), links)
    np.testing.assert_allclose(cells, wanted, rtol=1e-12)
    wanted = links.sum(axis=0)
    np.add.at(wanted, phrases[:, 2], phrase_posterior)
    np.testing.assert_allclose(starts, wanted, rtol=1e-12)


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize("seed", range(40))
def test_viterbi_finds_the_best_path(case, seed):
    inputs, moves, sums, *_ = case(seed)
    value, steps = viterbi(*inputs, moves)
    assert np.exp(value) == pytest.approx(sums.best, rel=1e-10)
    assert tuple(tuple(step) for step in steps.tolist()) == sums.best_path


def test_posteriors_of_every_summary_word_sum_to_one(case):
    inputs, moves, *_ = case(7)
    phrases, length = inputs[4], len(inputs[1])
    links = np.empty((length, len(inputs[0])))
    _, _, nulls, phrase_posterior, *_ = kernels.expect(*inputs, moves, 1.0, links)
    covered = nulls + links.sum(axis=1)
    for (t, k, _, _), posterior in zip(phrases, phrase_posterior, strict=True):
        covered[t : t + k] += posterior
    np.testing.assert_allclose(covered, 1.0, rtol=1e-12)


def long_inputs(n, length):
    rng = np.random.default_rng(3)
    document = rng.integers(0, 50, n).astype(np.int32)
    summary = rng.integers(0, 50, length).astype(np.int32)
    words = 10.0 ** rng.uniform(-9, 0, (50, 50))
    null = 10.0 ** rng.uniform(-6, 0, length)
    # Two words from one or two, up to the edge of a sentence.
    places = [
        (t, k, j, span)
        for t in range(length - 1)
        for j in range(n - 1)
        for k, span in ((2, 1), (2, 2))
        if j % 29 != 28 and rng.random() < 0.05
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    return document, summary, words, null, phrases, by_end, 10.0 ** rng.uniform(-12, -1, len(phrases))


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize("make", [relative_moves, narrow_moves, walk_moves])
@pytest.mark.parametrize("n", [5, 8, 9, 15, 16, 17, pytest.param(203, marks=pytest.mark.compiled)])
def test_long_pairs_agree_with_dense_log_space(make, n):
    inputs = long_inputs(n, 60)
    document, summary, words, null, phrases, _, phrase_r = inputs
    moves, log_jump = make(n)
    dense = np.array([[log_jump(p, j) for j in range(1, n + 2)] for p in range(n + 1)])
    alpha, best = (np.full((61, n + 1), -np.inf) for _ in range(2))
    alpha[0, 0] = best[0, 0] = 0.0
    for t in range(60):
        for rows, over, add in ((alpha, logsumexp, np.logaddexp), (best, np.max, np.maximum)):
            enter = over(rows[t][:, None] + dense[:, :n], axis=0)
            rows[t + 1] = add(rows[t + 1], rows[t] + np.log(0.1 * null[t]))
            rows[t + 1, 1:] = add(rows[t + 1, 1:], enter + np.log(words[summary[t], document]))
            for (_, k, j, span), r in zip(
                phrases[phrases[:, 0] == t], phrase_r[phrases[:, 0] == t], strict=True
            ):
                rows[t + k, j + span] = add(rows[t + k, j + span], enter[j] + np.log(r))
    log_likelihood, cells, nulls, longer, tally, _ = kernels.expect(*inputs, moves, 1.0, NO_LINKS)
    assert log_likelihood == pytest.approx(logsumexp(alpha[60] + dense[:, n]), rel=1e-12)
    # Every summary word is covered once; every phrase is one move, and there is one more to the end.
    assert nulls.sum() + cells.sum() + (longer * phrases[:, 1]).sum() == pytest.approx(60, rel=1e-9)
    if moves.walks.matrices.size == 0:
        assert tally.sum() == pytest.approx(cells.sum() + longer.sum() + 1, rel=1e-9)
    value, steps = viterbi(*inputs, moves)
    assert value == pytest.approx((best[60] + dense[:, n]).max(), rel=1e-12)
    assert steps[:, 1].sum() == 60


@pytest.mark.parametrize("make", [relative_moves, narrow_moves, walk_moves])
def test_a_beam_keeps_the_better_states_and_loses_likelihood(make):
    inputs, moves = long_inputs(140, 30), make(140)[0]
    exact = kernels.expect(*inputs, moves, 1.0, NO_LINKS)
    beamed = kernels.expect(*inputs, moves, 0.5, NO_LINKS)
    assert beamed[0] < exact[0]
    covered = beamed[2].sum() + beamed[1].sum() + (beamed[3] * inputs[4][:, 1]).sum()
    assert covered == pytest.approx(30, rel=1e-12)
