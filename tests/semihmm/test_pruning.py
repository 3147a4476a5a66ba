"""Pruned recursions against whole ones in which nothing may come from the sentences left out."""

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.semihmm.jumps.base import ByDistance
from pipeline.semihmm.jumps.pruning import kept_next, kept_spans, prune_forest, prune_inputs, words_in
from pipeline.semihmm.kernels.arguments import KernelInputs
from pipeline.semihmm.kernels.forward_backward import expect
from pipeline.semihmm.kernels.toeplitz import (
    add_counts_by_distance,
    make_pruned_toeplitz_tables,
    make_toeplitz_tables,
)
from pipeline.semihmm.kernels.transitions import toeplitz_transitions, tree_walk_transitions
from pipeline.semihmm.kernels.tree_walks import Forest, count_labels
from pipeline.semihmm.phrases.instances import Instance

LABELS = 5
NO_LINKS = np.empty((0, 0))


def random_case(seed):
    """Return an instance with trees, kernel inputs without transitions, and the sentences to keep."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 9, rng.integers(2, 7))
    edges = np.concatenate([[0], np.cumsum(lengths)]).tolist()
    n, length = edges[-1], int(rng.integers(2, 9))
    breaks = tuple(zip(edges[:-1], edges[1:], strict=True))
    nodes = []

    def grow(first, last):
        nodes.append((first, last, int(rng.integers(LABELS))))
        if last - first > 1:
            cut = int(rng.integers(first + 1, last))
            grow(first, cut)
            grow(cut, last)

    for span in breaks:
        grow(*span)
    start, end, label = np.array(sorted(nodes), dtype=np.int32).T
    rows = np.searchsorted(start, np.arange(n + 1)).astype(np.int32)
    document, summary = rng.integers(0, 6, n).astype(np.int32), rng.integers(0, 4, length).astype(np.int32)
    forest = Forest(rows, end.copy(), label.copy())
    instance = Instance("x", document, summary, np.arange(n), breaks, ((0, length),), forest)
    places = [
        (t, 2, j, 2)
        for t in range(length - 1)
        for first, last in breaks
        for j in range(first, last - 1)
        if rng.random() < 0.4
    ]
    phrases = np.array(places, dtype=np.int32).reshape(-1, 4)
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    null, phrase_r = rng.random(length) * 0.1, rng.random(len(phrases)) * 0.1
    # Every word has a column of its own, so that those left out can be made impossible.
    words = rng.random((4, 6)).take(document, axis=1)
    own = np.arange(n, dtype=np.int32)
    inputs = KernelInputs(own, summary, words, null, phrases, by_end, phrase_r, None)
    kept = rng.random(len(breaks)) < 0.5
    kept[0] = True
    return rng, instance, inputs, kept


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize("kind", ["distances", "walks"])
@pytest.mark.parametrize("seed", range(30))
def test_pruned_is_whole_without_what_is_left_out(kind, seed):
    rng, instance, inputs, kept = random_case(seed)
    n = len(instance.document)
    if kind == "walks":
        factors = rng.random((LABELS, 2))
        blocks = np.array([0, *(last for _, last in instance.document_breaks)], dtype=np.int32)
        whole = tree_walk_transitions(0.2, blocks, instance.forest, factors)
        words, blocks, forest = prune_forest(instance, instance.forest, kept)
        part = tree_walk_transitions(0.2, blocks, forest, factors)
    else:
        logs = rng.random(2 * n + 2) * -6
        whole = toeplitz_transitions(0.2, *make_toeplitz_tables(logs))
        spans = kept_spans(instance, kept)
        words, part = words_in(spans), toeplitz_transitions(0.2, *make_pruned_toeplitz_tables(logs, spans))
    pruned, there = prune_inputs(inputs._replace(transitions=part), words, part)
    found = expect(pruned, 1.0, NO_LINKS, True)
    left = np.isin(np.arange(n), words)
    forbidden = inputs._replace(
        word_rewrites=inputs.word_rewrites * left,
        phrase_rewrites=inputs.phrase_rewrites * left[inputs.phrases[:, 2]],
        transitions=whole,
    )
    expected = expect(forbidden, 1.0, NO_LINKS, True)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(found.word_uses[:, :-1], expected.word_uses, rtol=1e-9, atol=1e-15)
    assert not found.word_uses[:, -1].any()
    np.testing.assert_allclose(found.null_posteriors, expected.null_posteriors, rtol=1e-9)
    np.testing.assert_allclose(
        found.phrase_posteriors, expected.phrase_posteriors[there], rtol=1e-9, atol=1e-15
    )
    if kind == "walks":
        counts = np.zeros((2, LABELS, 2))
        count_labels(forest, part.blocks, found.transition_counts, counts[0])
        count_labels(instance.forest, whole.blocks, expected.transition_counts, counts[1])
    else:
        counts = np.zeros((2, 2 * n + 2))
        add_counts_by_distance(counts[0], -n, part.toeplitz, found.transition_counts)
        add_counts_by_distance(counts[1], -n, whole.toeplitz, expected.transition_counts)
    np.testing.assert_allclose(counts[0], counts[1], rtol=1e-9, atol=1e-13)
    starts = np.zeros(n)
    starts[words[words >= 0]] = found.phrase_starts[words >= 0]
    np.testing.assert_allclose(starts, expected.phrase_starts, rtol=1e-9, atol=1e-15)


def test_sentences_are_kept_by_what_is_expected_of_them():
    _, instance, _, _ = random_case(3)
    n, count = len(instance.document), len(instance.document_breaks)
    starts = np.zeros(n)
    first, last = instance.document_breaks[-1]
    starts[first:last] = 0.5 / (last - first)
    kept = np.ones(count, dtype=bool)
    again = kept_next(instance, kept, np.arange(n), starts, 0.4)
    assert again.tolist() == [True] + [False] * (count - 2) + [True]
    assert kept_next(instance, kept, np.arange(n), starts, 0.6).tolist() == [True] + [False] * (count - 1)
    kept[-1] = False
    assert not kept_next(instance, kept, np.arange(n), starts, 0.4)[-1]


def test_a_long_document_of_which_enough_is_left_stays_whole():
    n, size = 16 * 200, 200
    breaks = [(first, first + size) for first in range(0, n, size)]
    instance = SimpleNamespace(document=np.zeros(n, dtype=np.int32), document_breaks=breaks)
    kept = np.arange(16) < 6
    uniform, narrow = np.zeros(2 * n + 2), -0.5 * (np.arange(-n, n + 2) / 3.0) ** 2
    for logs, share, left in ((uniform, 6, n), (uniform, 5, 5 * size), (narrow, 6, 6 * size)):
        model = ByDistance()
        model.null, model.logarithms = 0.1, lambda _, logs=logs: logs
        whole = model.transitions(instance)
        words, pruned = model.pruned_transitions(instance, kept & (np.arange(16) < share), whole)
        assert len(words) == left == pruned.blocks[-1]
