"""Forward–backward over one pair beside the same sums by BLAS, for `bench.py`."""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
from vorlage.semihmm.kernels.forward_backward import KernelInputs, expect
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.train.training import one_thread
from vorlage.types import Floats

REPEATS = 5
SUMMARY_WORDS = 128
SENTENCE_WORDS, LABELS = 25, 60
NULL = 0.15


def recursion_rows() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield rows: by distance beside BLAS with a dense matrix, and by trees beside by distance."""
    for n in (511, 4000):
        logs = jump_logarithms(n)
        inputs = random_inputs(n, toeplitz_transitions(NULL, make_toeplitz(logs)))
        ours, what = median_ms(expect, [inputs]), f"forward–backward, {n:,} × {SUMMARY_WORDS} words"
        peer = median_ms(dense, inputs, np.exp(logs))
        yield f"{what}, by distance", ours, "ms", "dense matrix, BLAS", peer
        walks = median_ms(expect, [inputs._replace(transitions=random_walks(n))])
        yield f"{what}, by trees", walks, "ms", "by distance", ours


def median_ms(function: Callable[..., Any], *arguments: Any) -> float:
    """Return the median processor milliseconds of a call in one thread, after one that does not count."""
    times = []
    with one_thread():
        function(*arguments)
        for _ in range(REPEATS):
            began = time.process_time()
            function(*arguments)
            times.append(time.process_time() - began)
    return 1e3 * median(times)


def random_inputs(n: int, transitions: Transitions) -> KernelInputs:
    """Return the kernel inputs of a random pair without longer phrases."""
    rng = np.random.default_rng(1)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 80, SUMMARY_WORDS)
    return KernelInputs(
        (10.0 ** rng.uniform(-6, 0, (80, 300)))[summary][:, document],
        np.full(SUMMARY_WORDS, 1e-4),
        np.empty((0, 4), dtype=np.int32),
        np.empty(0, dtype=np.int32),
        np.empty(0),
        transitions,
    )


def jump_logarithms(n: int) -> Floats:
    """Return log J at distances −n … n+1; J falls off like an inverse square, as in trained tables."""
    table = 1.0 / (1.0 + np.abs(np.arange(-n, n + 2) - 1.0)) ** 2
    return np.log((1 - NULL) * table / table.sum())


def random_walks(n: int) -> Transitions:
    """Return walks over random binary trees of sentences of 25 words."""
    rng = np.random.default_rng(2)
    blocks = np.append(np.arange(0, n, SENTENCE_WORDS), n).astype(np.int32)
    nodes = []

    def grow(first: int, last: int) -> None:
        nodes.append((first, last, int(rng.integers(LABELS))))
        if last - first > 1:
            cut = int(rng.integers(first + 1, last))
            grow(first, cut)
            grow(cut, last)

    for first, last in zip(blocks[:-1].tolist(), blocks[1:].tolist(), strict=True):
        grow(first, last)
    start, end, label = np.array(sorted(nodes), dtype=np.int32).T
    rows = np.searchsorted(start, np.arange(n + 1)).astype(np.int32)
    factors = rng.random((LABELS, 2))
    forest = Forest(rows, end.copy(), label.copy())
    return tree_walk_transitions(NULL, blocks, forest, factors / factors.sum())


def dense(inputs: KernelInputs, table: Floats) -> Floats:
    """Return the expected jumps by distance, by BLAS products with one (n+1) × n matrix J."""
    emit, null, *_ = inputs
    length, n = inputs.shape
    jumps = table[n + np.arange(1, n + 1)[None, :] - np.arange(n + 1)[:, None]]
    final = table[n + n + 1 - np.arange(n + 1)]
    alpha, beta = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1))
    alpha[0, 0] = 1.0
    for t in range(length):
        alpha[t + 1] = alpha[t] * (NULL * null[t])
        alpha[t + 1, 1:] += (alpha[t] @ jumps) * emit[t]
        alpha[t + 1] /= alpha[t + 1].sum()
    beta[length] = final
    start = np.empty((length, n))
    for t in range(length - 1, -1, -1):
        start[t] = emit[t] * beta[t + 1, 1:]
        beta[t] = beta[t + 1] * (NULL * null[t]) + jumps @ start[t]
        beta[t] /= beta[t].sum()
    counts = (alpha[:-1].T @ start) * jumps
    return np.array([np.trace(counts, offset) for offset in range(-n, n)])
