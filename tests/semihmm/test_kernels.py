"""The compiled recursions against plain enumeration, and on long pairs against dense log-space sums."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import naive
import naive_jumps
import numpy as np
import pytest
from long_pairs import (
    LABELS,
    forest_of,
    narrow_gaussian,
    normalised_walks,
    random_jumps,
    random_spans,
    tree_walks,
)
from scipy.special import logsumexp
from twins import nulls_of
from vorlage.semihmm.kernels import toeplitz
from vorlage.semihmm.kernels.forward_backward import KernelInputs, expect
from vorlage.semihmm.kernels.transitions import (
    toeplitz_transitions,
    tree_walk_transitions,
)
from vorlage.semihmm.kernels.tree_walks import TreeWalks, add_uses_of_departures, count_labels
from vorlage.semihmm.kernels.viterbi import log_jump, viterbi
from vorlage.semihmm.null import NullState, null_of_words


class Case(NamedTuple):
    """A tiny pair: its kernel inputs, and the sums by enumeration."""

    inputs: KernelInputs
    sums: naive.Sums
    features: Callable  # (p, j) → the features of a jump
    counts: Callable  # transition counts of the kernel → {feature: expected count}


def random_inputs(rng, breaks, unrelated=0.0):
    """Return kernel inputs, without transitions, of a random pair and its rewrite function.

    `breaks`: where the sentences of its document end; `unrelated`: the share of the pairs of words with a
    rewrite probability of 0.
    """
    n, length = breaks[-1], int(rng.integers(1, 5))
    words, null = rng.random((length, n)) ** 3, rng.random(length)
    words[rng.random((length, n)) < unrelated] = 0.0
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
        return words[t, j] if k == span == 1 else longer.get((t, k, j, span), 0.0)

    return (words, null, phrases, by_end, phrase_r), rewrite


def toeplitz_case(seed, spread, unrelated=0.0, **limits):
    """Return a pair with random jump probabilities by distance, which span e^spread.

    `unrelated`: the share of the word pairs with a rewrite probability of 0; `limits`: those of the blocks.
    """
    rng = np.random.default_rng(seed)
    logs, phi = rng.random(10) * -spread, float(rng.random())
    return case_by_distance(rng, logs, phi, unrelated, **limits)


def case_by_distance(rng, longest, phi, unrelated=0.0, shared=None, **limits):
    """Return a random pair; `longest`: log J at distances −4 … 5; `shared`: transitions of several pairs."""
    n = int(rng.integers(1, 5))
    inputs, rewrite = random_inputs(rng, [n], unrelated)
    logs = longest[4 - n : 6 + n]
    transitions = shared or toeplitz_transitions(phi, toeplitz.make_toeplitz(logs, **limits))

    def counts(transition_counts):
        found = np.zeros(10)
        toeplitz.add_counts_by_distance(found, -4, transitions.matrix, transition_counts)
        return dict(zip(range(-4, 6), found, strict=True))

    sums = naive.expectations(
        n,
        len(inputs[1]),
        (3, 3),
        phi,
        lambda p, j: np.exp(logs[n + j - p]),
        lambda t, k: inputs[1][t],
        rewrite,
    )
    return Case(KernelInputs(*inputs, transitions), sums, lambda p, j: [j - p], counts)


def check_expected_counts(expected, case):
    """Compare all but the transitions with the sums by enumeration."""
    inputs, sums = case.inputs, case.sums
    if sums.total == 0.0:
        assert expected.log_likelihood == -np.inf
        assert not expected.word_uses.any() and not expected.phrase_posteriors.any()
        return
    assert np.exp(expected.log_likelihood) == pytest.approx(sums.total, rel=1e-10)
    places = map(tuple, inputs.phrases.tolist())
    found = dict(zip(places, expected.phrase_posteriors, strict=True))
    found |= {(t, 1, j, 1): value for (t, j), value in np.ndenumerate(expected.word_uses)}
    assert found == pytest.approx({place: sums.phrases.get(place, 0.0) for place in found}, rel=1e-10)
    assert expected.null_posteriors == pytest.approx(nulls_of(sums, len(inputs.null_rewrites)), rel=1e-10)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_pairs_together_agree_with_enumeration(seed):
    rng = np.random.default_rng(seed)
    logs, phi = rng.random(10) * -rng.choice([3.0, 200.0]), float(rng.random())
    shared = toeplitz_transitions(phi, toeplitz.make_toeplitz(logs))
    cases = [case_by_distance(rng, logs, phi, 0.9 * (i == 1), shared) for i in range(2 + seed % 8)]
    found = expect([case.inputs for case in cases])
    for expected, case in zip(found, cases, strict=True):
        check_expected_counts(expected, case)
    sums, jumps = np.zeros(10), np.zeros(10)
    for case in cases:
        for (p, j), count in case.sums.jumps.items():
            sums[4 + j - p] += count
    for expected, case in zip(found, cases, strict=True):
        if len(expected.transition_counts):
            jumps += list(case.counts(expected.transition_counts).values())
    np.testing.assert_allclose(jumps, sums, rtol=1e-10, atol=1e-300)


def tree_walk_case(seed, normalised):
    """Return a pair with random trees over one to three sentences.

    `normalised`: whether the walks are a distribution, with a factor of the next word.
    """
    rng = np.random.default_rng(seed)
    breaks = np.cumsum(rng.integers(1, 4, rng.integers(1, 4)))[:3]
    breaks = [int(b) for b in breaks if b <= 5] or [int(breaks[0])]
    n = breaks[-1]
    inputs, rewrite = random_inputs(rng, breaks)
    words, null, phrases, _, phrase_r = inputs
    words, null = words[:3], null[:3]
    fits = phrases[:, 0] + phrases[:, 1] <= len(null)
    phrases = np.ascontiguousarray(phrases[fits])
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    inputs = (words, null, phrases, by_end, phrase_r[fits])
    spans = {}
    for first, last in zip([0, *breaks], breaks, strict=False):
        spans |= random_spans(rng, first, last)
    factors, phi = rng.random((LABELS + 1, 2)), float(rng.random())
    factors[-1] = 5 * rng.random() if normalised else 1.0
    forest, blocks = forest_of(spans, n), np.array([0, *breaks], dtype=np.int32)
    transitions = tree_walk_transitions(phi, blocks, forest, factors, normalised)

    def features(p, j):
        is_next = j == p + 1 and p not in blocks
        return [(LABELS, "f")] if is_next else naive_jumps.walk(p, j, spans)

    def weight(p, j):
        return np.prod([factors[label, "fb".index(way)] for label, way in features(p, j)])

    def jump(p, j):
        norm = sum(weight(p, i) for i in range(1, n + 2)) if normalised else 1.0
        return (1 - phi) * weight(p, j) / norm

    def counts(transition_counts):
        found = np.zeros_like(factors)
        count_labels(forest, blocks, transition_counts, found)
        return {(label, way): found[label, i] for label in range(LABELS + 1) for i, way in enumerate("fb")}

    sums = naive.expectations(n, len(null), (3, 3), phi, jump, lambda t, k: null[t], rewrite)
    return Case(KernelInputs(*inputs, transitions), sums, features, counts)


CASES = {
    "one block": partial(toeplitz_case, spread=5.0),
    "many blocks": partial(toeplitz_case, spread=60.0, span=2.0, narrowest=1, deepest=-1000.0),
    "unrelated words": partial(toeplitz_case, spread=5.0, unrelated=0.6),
    "tree walks": partial(tree_walk_case, normalised=False),
    "normalised tree walks": partial(tree_walk_case, normalised=True),
}


@pytest.fixture(params=CASES)
def case(request):
    """A function that returns a case for a seed, for each kind of transitions."""
    return CASES[request.param]


@pytest.mark.parametrize("seed", range(40))
def test_expectations_agree_with_enumeration(case, seed):
    inputs, sums, features, counts = of_seed = case(seed)
    expected, n = expect([inputs])[0], inputs.shape[1]
    check_expected_counts(expected, of_seed)
    uses = {}
    for jump, count in sums.jumps.items():
        for feature in features(*jump):
            uses[feature] = uses.get(feature, 0.0) + count
    for feature, count in counts(expected.transition_counts).items():
        assert count == pytest.approx(uses.get(feature, 0.0), rel=1e-10)
    if isinstance(inputs.transitions.matrix, TreeWalks):
        departures = np.zeros(n + 1)
        for (p, _), count in sums.jumps.items():
            departures[p] += count
        np.testing.assert_allclose(expected.departures, departures, rtol=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_uses_of_departures_agree_with_enumeration(seed):
    rng, bounds = np.random.default_rng(seed), [0, 4, 5, 9]
    spans = {}
    for first, last in itertools.pairwise(bounds):
        spans |= random_spans(rng, first, last)
    factors, departures = rng.random((LABELS + 1, 2)), rng.random(10) * 3
    factors[-1] *= 5
    plain = naive_jumps.NaiveSyntax([spans], 0.0, 0.1)
    for feature in plain.factors:
        label, way = (LABELS, "f") if feature == plain.NEXT else feature
        plain.factors[feature] = factors[label, "fb".index(way)]
    total, uses = 0.0, np.zeros_like(factors)
    for p, count in enumerate(departures):
        weights = {j: plain.weight(0, p, j) for j in range(1, 11)}
        total += count * np.log(sum(weights.values()))
        for j, weight in weights.items():
            assert plain.probability(0, p, j) == pytest.approx(0.9 * weight / sum(weights.values()))
            for feature in plain.of(0, p, j):
                label, way = (LABELS, "f") if feature == plain.NEXT else feature
                uses[label, "fb".index(way)] += count * weight / sum(weights.values())
    found = np.zeros_like(factors)
    blocks = np.array(bounds, dtype=np.int32)
    value = add_uses_of_departures(forest_of(spans, 9), blocks, factors, departures, found)
    assert value == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(found, uses, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_viterbi_finds_the_best_path(case, seed):
    inputs, sums, *_ = case(seed)
    value, steps = viterbi(inputs)
    assert np.exp(value) == pytest.approx(sums.best, rel=1e-10)
    assert tuple(map(tuple, steps.tolist())) in sums.best_paths


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_null_states_that_jump_agree_with_enumeration(seed):
    rng, n = np.random.default_rng(seed), 3
    (words, null, *_), _ = random_inputs(rng, [n])
    length = len(null)
    # All phrase pairs, because the null state emits each phrase beside each document word.
    places = [
        (t, k, j, span)
        for t in range(length)
        for k in range(1, min(3, length - t) + 1)
        for j in range(n)
        for span in range(1, n - j + 1)
        if k * span > 1
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    emitted = rng.random((length, 4)) * 0.3
    phrase_r, logs, phi = rng.random(len(phrases)) * 0.1, rng.random(2 * n + 2) * -3.0, 0.3
    longer = dict(zip(places, phrase_r, strict=True))
    transitions = toeplitz_transitions(phi, toeplitz.make_toeplitz(logs))
    sums = naive.expectations(
        *(n, length, (3, 3), phi, lambda p, j: np.exp(logs[n + j - p])),
        lambda t, k: null[t] if k == 1 else emitted[t, k],
        lambda t, k, j, span: longer.get((t, k, j, span), words[t, j]),
        True,
    )
    of_phrases = np.where(phrases[:, 3] == 1, emitted[phrases[:, 0], phrases[:, 1]], 0.0)
    inputs = KernelInputs(words, null, phrases, by_end, phrase_r, transitions, of_phrases)
    state = NullState(jumps=True, emits_phrases=True)
    [expected] = state.expect([inputs], 1.0)
    assert np.exp(expected.log_likelihood) == pytest.approx(sums.total, rel=1e-10)
    found = dict(zip(places, expected.phrase_posteriors, strict=True))
    found |= {(t, 1, j, 1): expected.word_uses[t, j] for t in range(length) for j in range(n)}
    assert found == pytest.approx({place: sums.phrases[place] for place in found}, rel=1e-10)
    assert null_of_words(expected, phrases) == pytest.approx(nulls_of(sums, length), rel=1e-10)
    emitted_alone = [sums.nulls[t, 1] for t in range(length)]
    assert expected.null_posteriors == pytest.approx(emitted_alone, rel=1e-10)
    jumps, uses = np.zeros(2 * n + 2), np.zeros(2 * n + 2)
    toeplitz.add_counts_by_distance(jumps, -n, transitions.matrix, expected.transition_counts)
    for (p, j), count in sums.jumps.items():
        uses[n + j - p] += count
    np.testing.assert_allclose(jumps, uses, rtol=1e-10)
    value, steps = state.best_path(inputs)
    assert np.exp(value) == pytest.approx(sums.best, rel=1e-10)
    # The enumeration does not say at which word a null state stands.
    steps[steps[:, 3] == 0, 2] = -1
    assert tuple(map(tuple, steps.tolist())) in sums.best_paths


def long_inputs(n, length, transitions):
    rng = np.random.default_rng(3)
    document = rng.integers(0, 50, n).astype(np.int32)
    summary = rng.integers(0, 50, length).astype(np.int32)
    words = 10.0 ** rng.uniform(-9, 0, (50, 50))
    null = 10.0 ** rng.uniform(-6, 0, length)
    # Two words made from one or two, within sentences of 29 words.
    places = [
        (t, k, j, span)
        for t in range(length - 1)
        for j in range(n - 1)
        for k, span in ((2, 1), (2, 2))
        if j % 29 != 28 and rng.random() < 0.05
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    phrase_r = 10.0 ** rng.uniform(-12, -1, len(phrases))
    words = words[summary][:, document]
    return KernelInputs(words, null, phrases, by_end, phrase_r, transitions)


@pytest.mark.parametrize("make", [random_jumps, narrow_gaussian, tree_walks, normalised_walks])
@pytest.mark.parametrize("n", [5, 8, 9, 15, 16, 17, 203])
def test_long_pairs_agree_with_dense_log_space(make, n):
    transitions, log_jump = make(n)
    inputs = long_inputs(n, 60, transitions)
    words, null, phrases, _, phrase_r, *_ = inputs
    dense = np.array([[log_jump(p, j) for j in range(1, n + 2)] for p in range(n + 1)])
    alpha, best = (np.full((61, n + 1), -np.inf) for _ in range(2))
    alpha[0, 0] = best[0, 0] = 0.0
    for t in range(60):
        for rows, over, add in ((alpha, logsumexp, np.logaddexp), (best, np.max, np.maximum)):
            enter = over(rows[t][:, None] + dense[:, :n], axis=0)
            rows[t + 1] = add(rows[t + 1], rows[t] + np.log(0.1 * null[t]))
            rows[t + 1, 1:] = add(rows[t + 1, 1:], enter + np.log(words[t]))
            for (_, k, j, span), r in zip(
                phrases[phrases[:, 0] == t], phrase_r[phrases[:, 0] == t], strict=True
            ):
                rows[t + k, j + span] = add(rows[t + k, j + span], enter[j] + np.log(r))
    log_likelihood, uses, nulls, longer, transition_counts, departures, _ = expect([inputs])[0]
    assert log_likelihood == pytest.approx(logsumexp(alpha[60] + dense[:, n]), rel=1e-12)
    # Every summary word is covered once; every phrase takes one jump, and there is one more to the end.
    assert nulls.sum() + uses.sum() + (longer * phrases[:, 1]).sum() == pytest.approx(60, rel=1e-9)
    jumps = departures if isinstance(transitions.matrix, TreeWalks) else transition_counts
    assert jumps.sum() == pytest.approx(uses.sum() + longer.sum() + 1, rel=1e-9)
    value, steps = viterbi(inputs)
    assert value == pytest.approx((best[60] + dense[:, n]).max(), rel=1e-12)
    assert steps[:, 1].sum() == 60


@pytest.mark.parametrize("make", [random_jumps, narrow_gaussian, tree_walks, normalised_walks])
def test_beam_keeps_the_better_states_and_loses_likelihood(make):
    inputs = long_inputs(140, 30, make(140)[0])
    exact, beamed = (expect([inputs], beam)[0] for beam in (1.0, 0.5))
    assert beamed.log_likelihood < exact.log_likelihood
    covered = beamed.null_posteriors.sum() + beamed.word_uses.sum()
    covered += (beamed.phrase_posteriors * inputs.phrases[:, 1]).sum()
    assert covered == pytest.approx(30, rel=1e-12)


def test_normalised_walks_are_a_distribution_in_which_the_next_word_has_its_factor():
    transitions, log_probability = normalised_walks(40)
    found = np.array([[log_jump(transitions, p, j) for j in range(1, 42)] for p in range(41)])
    expected = [[log_probability(p, j) for j in range(1, 42)] for p in range(41)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 0.9, rtol=1e-12)
    # Its factor multiplies the odds of the next word of a sentence; there are two sentences.
    shares, alone = (
        np.exp([log_probability(p, p + 1) for p in range(41)]) / 0.9
        for _, log_probability in (normalised_walks(40), normalised_walks(40, 1.0))
    )
    odds = shares / (1 - shares) / (alone / (1 - alone))
    np.testing.assert_allclose(odds, [1.0, *[20.0] * 28, 1.0, *[20.0] * 10, 1.0], rtol=1e-9)


@pytest.mark.parametrize("beam", [1.0, 0.7])
def test_what_is_found_of_a_pair_does_not_depend_on_those_taken_with_it(beam):
    logs = np.log(10) * np.random.default_rng(4).uniform(-12, 0, 602)
    shared = toeplitz_transitions(0.2, toeplitz.make_toeplitz(logs))
    sizes = [(300, 150), (280, 400), (300, 260), (17, 1), (90, 30), (233, 31), (300, 150)]
    sizes += [(11, 90), (5, 300), (121, 77), (64, 5)]
    pairs = [long_inputs(n, length, shared) for n, length in sizes]
    rewrites = "word_rewrites", "null_rewrites", "phrase_rewrites"
    pairs = [pair._replace(**{name: 1e-6 * getattr(pair, name) for name in rewrites}) for pair in pairs]
    together, one_by_one = expect(pairs, beam, False), [expect([pair], beam, False)[0] for pair in pairs]
    for (n, length), pair, found, expected in zip(sizes, pairs, together, one_by_one, strict=True):
        assert found.log_likelihood == expected.log_likelihood
        assert length < 90 or found.log_likelihood < -700  # below what float64 holds
        for name in ("word_uses", "null_posteriors", "phrase_posteriors"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        own = toeplitz_transitions(0.2, toeplitz.make_toeplitz(logs[300 - n : 302 + n]))
        [alone] = expect([pair._replace(transitions=own)], beam)
        np.testing.assert_allclose(found.word_uses, alone.word_uses, rtol=1e-9, atol=1e-290)
    together, one_by_one = expect(pairs, beam), [expect([pair], beam)[0] for pair in pairs]
    counted = [found.transition_counts for found in together if len(found.transition_counts)]
    assert len(counted) == 2  # of eight pairs, and of three
    counts = sum(expected.transition_counts for expected in one_by_one)
    np.testing.assert_allclose(sum(counted), counts, rtol=1e-9)
