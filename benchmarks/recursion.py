"""Forward–backward over one pair: time against the length of the document, and against the machine's peak."""

import statistics
import time

import numba
import numpy as np
import pandas as pd

from pipeline.semihmm.kernels import forward_backward as kernels
from pipeline.semihmm.kernels.arguments import KernelInputs
from pipeline.semihmm.kernels.toeplitz import make_toeplitz_tables
from pipeline.semihmm.kernels.toeplitz_spectra import NO_SPECTRA
from pipeline.semihmm.kernels.transitions import toeplitz_transitions, tree_walk_transitions
from pipeline.semihmm.kernels.tree_walks import Forest

REPEATS = 5
SUMMARY_WORDS = 128
SENTENCE_WORDS, LABELS = 25, 60
DENSE_LONGEST = 4000
NO_LINKS = np.empty((0, 0))


def recursion_table(lengths):
    """A row for each document length: milliseconds of each kind of move, GFLOP/s, share of the peak.

    ``one by one``: moves by a table without the spectra that long documents have, as those of a Gaussian are.
    """
    peak = axpy_peak()
    rows = []
    for n in lengths:
        inputs, logs = random_inputs(n), jump_logarithms(n)
        table, blocks = make_toeplitz_tables(logs)
        moves = {
            "relative": toeplitz_transitions(0.15, table, blocks),
            "one by one": toeplitz_transitions(0.15, table._replace(spectra=NO_SPECTRA), blocks),
            "syntax": random_walks(n),
        }
        seconds = {
            name: median_time(kernels.expect, KernelInputs(*inputs, m), 1.0, NO_LINKS)
            for name, m in moves.items()
        }
        # α, β and the counts each take one multiply-add for every move between two positions; walks
        # move by such a matrix inside a sentence alone.
        inside = sum(size * size for size in np.diff(moves["syntax"].blocks).tolist())
        row = {"document words": n, "relative ms": 1e3 * seconds["relative"]}
        for name, count in (("one by one", n * n), ("syntax", inside)):
            rate = 2 * 3 * SUMMARY_WORDS * count / seconds[name] / 1e9
            row |= {
                f"{name} ms": 1e3 * seconds[name],
                f"{name} GFLOP/s": rate,
                f"{name} % of axpy": 100 * rate / peak,
            }
        if n <= DENSE_LONGEST:
            matrix = np.exp(logs)
            row["dense BLAS / relative"] = median_time(dense, inputs, matrix) / seconds["relative"]
        rows.append(row)
    return pd.DataFrame(rows), peak


def median_time(function, *arguments):
    """Median seconds of a call, after one that does not count."""
    function(*arguments)
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def axpy_peak():
    """GFLOP/s of y ← y + a·x over 1,024 numbers, which stay in the first cache; the best of many runs."""
    x, y = np.full(1024, 1e-9), np.zeros(1024)
    _axpy(x, y, 10)
    best = 0.0
    for _ in range(20):
        began = time.perf_counter()
        _axpy(x, y, 20_000)
        best = max(best, 2 * 1024 * 20_000 / (time.perf_counter() - began) / 1e9)
    return best


@numba.njit(fastmath={"contract"})
def _axpy(x, y, repeats):
    for r in range(repeats):
        a = 1.0 + 1e-9 * r
        for i in range(x.shape[0]):
            y[i] += a * x[i]


def random_inputs(n):
    """Kernel inputs for a random pair without longer phrases."""
    rng = np.random.default_rng(1)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 80, SUMMARY_WORDS)
    none = np.empty((0, 4), dtype=np.int32)
    return (
        document.astype(np.int32),
        summary.astype(np.int32),
        10.0 ** rng.uniform(-6, 0, (80, 300)),
        np.full(SUMMARY_WORDS, 1e-4),
        none,
        np.empty(0, dtype=np.int32),
        np.empty(0),
    )


def jump_logarithms(n):
    """log J at distances −n … n+1 that fall off like an inverse square, as trained tables do."""
    table = 1.0 / (1.0 + np.abs(np.arange(-n, n + 2) - 1.0)) ** 2
    return np.log(0.85 * table / table.sum())


def random_walks(n):
    """Moves over random binary trees of sentences of 25 words."""
    rng = np.random.default_rng(2)
    blocks = np.append(np.arange(0, n, SENTENCE_WORDS), n).astype(np.int32)
    nodes = []

    def grow(first, last):
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
    return tree_walk_transitions(
        0.15, blocks, Forest(rows, end.copy(), label.copy()), factors / factors.sum()
    )


def dense(inputs, table):
    """The same expectations with one (n+1) × n matrix of moves and BLAS products."""
    document, summary, words, null = inputs[:4]
    n, length, phi = len(document), len(summary), 0.15
    moves = table[n + np.arange(1, n + 1)[None, :] - np.arange(n + 1)[:, None]]
    final = table[n + n + 1 - np.arange(n + 1)]
    emit = words[summary][:, document]
    alpha, beta = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1))
    alpha[0, 0] = 1.0
    for t in range(length):
        alpha[t + 1] = alpha[t] * (phi * null[t])
        alpha[t + 1, 1:] += (alpha[t] @ moves) * emit[t]
        alpha[t + 1] /= alpha[t + 1].sum()
    beta[length] = final
    start = np.empty((length, n))
    for t in range(length - 1, -1, -1):
        start[t] = emit[t] * beta[t + 1, 1:]
        beta[t] = beta[t + 1] * (phi * null[t]) + moves @ start[t]
        beta[t] /= beta[t].sum()
    counts = (alpha[:-1].T @ start) * moves
    return np.array([np.trace(counts, offset) for offset in range(-n, n)])
