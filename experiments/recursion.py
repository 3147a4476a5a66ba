"""Time of forward–backward over one pair, by document length and against the machine's peak."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.compile import kernel
from vorlage.semihmm.kernels.forward_backward import expect
from vorlage.semihmm.kernels.toeplitz import make_toeplitz_tables
from vorlage.semihmm.kernels.toeplitz_spectra import NO_SPECTRA
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.types import Floats

REPEATS = 5
SUMMARY_WORDS = 128
SENTENCE_WORDS, LABELS = 25, 60
DENSE_LONGEST = 4000
NO_LINKS = np.empty((0, 0))


def recursion_table(lengths: Sequence[int]) -> tuple[pd.DataFrame, float]:
    """Return a row for each document length, and the peak of the machine in GFLOP/s.

    A row has milliseconds, GFLOP/s and the share of the peak for each kind of transitions. `one by one`:
    Toeplitz products without the spectra that long documents have, like those of a Gaussian.
    """
    peak = axpy_peak()
    rows = []
    for n in lengths:
        logs = jump_logarithms(n)
        tables, blocks = make_toeplitz_tables(logs)
        transitions = {
            "relative": toeplitz_transitions(0.15, tables, blocks),
            "one by one": toeplitz_transitions(0.15, tables._replace(spectra=NO_SPECTRA), blocks),
            "syntax": random_walks(n),
        }
        inputs = random_inputs(n, transitions["relative"])
        seconds = {
            name: median_time(expect, inputs._replace(transitions=kind), 1.0, NO_LINKS, True)
            for name, kind in transitions.items()
        }
        # α, β and the counts each take one multiply–add for every entry of the transition matrix; tree walks
        # have such matrices inside sentences only.
        inside = sum(size * size for size in np.diff(transitions["syntax"].blocks).tolist())
        row: dict[str, float] = {"document words": n, "relative ms": 1e3 * seconds["relative"]}
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


def median_time(function: Callable[..., Any], *arguments: Any) -> float:
    """Return the median seconds of a call, after one that does not count."""
    function(*arguments)
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def axpy_peak() -> float:
    """Return GFLOP/s of y ← y + a·x over 1,024 numbers, which fit the first-level cache: the best run."""
    x, y = np.full(1024, 1e-9), np.zeros(1024)
    _axpy(x, y, 10)
    best = 0.0
    for _ in range(20):
        began = time.perf_counter()
        _axpy(x, y, 20_000)
        best = max(best, 2 * 1024 * 20_000 / (time.perf_counter() - began) / 1e9)
    return best


@kernel
def _axpy(x: Floats, y: Floats, repeats: int) -> None:
    for r in range(repeats):
        a = 1.0 + 1e-9 * r
        for i in range(x.shape[0]):
            y[i] += a * x[i]


def random_inputs(n: int, transitions: Transitions) -> KernelInputs:
    """Return the kernel inputs of a random pair without longer phrases."""
    rng = np.random.default_rng(1)
    document, summary = rng.integers(0, 300, n), rng.integers(0, 80, SUMMARY_WORDS)
    none = np.empty((0, 4), dtype=np.int32)
    return KernelInputs(
        document.astype(np.int32),
        summary.astype(np.int32),
        10.0 ** rng.uniform(-6, 0, (80, 300)),
        np.full(SUMMARY_WORDS, 1e-4),
        none,
        np.empty(0, dtype=np.int32),
        np.empty(0),
        transitions,
    )


def jump_logarithms(n: int) -> Floats:
    """Return log J at distances −n … n+1; J falls off like an inverse square, as in trained tables."""
    table = 1.0 / (1.0 + np.abs(np.arange(-n, n + 2) - 1.0)) ** 2
    return np.log(0.85 * table / table.sum())


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
    return tree_walk_transitions(
        0.15, blocks, Forest(rows, end.copy(), label.copy()), factors / factors.sum()
    )


def dense(inputs: KernelInputs, table: Floats) -> Floats:
    """Return the expected jumps by distance, by BLAS products with one (n+1) × n matrix J."""
    document, summary, words, null, *_ = inputs
    n, length, phi = len(document), len(summary), 0.15
    jumps = table[n + np.arange(1, n + 1)[None, :] - np.arange(n + 1)[:, None]]
    final = table[n + n + 1 - np.arange(n + 1)]
    emit = words[summary][:, document]
    alpha, beta = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1))
    alpha[0, 0] = 1.0
    for t in range(length):
        alpha[t + 1] = alpha[t] * (phi * null[t])
        alpha[t + 1, 1:] += (alpha[t] @ jumps) * emit[t]
        alpha[t + 1] /= alpha[t + 1].sum()
    beta[length] = final
    start = np.empty((length, n))
    for t in range(length - 1, -1, -1):
        start[t] = emit[t] * beta[t + 1, 1:]
        beta[t] = beta[t + 1] * (phi * null[t]) + jumps @ start[t]
        beta[t] /= beta[t].sum()
    counts = (alpha[:-1].T @ start) * jumps
    return np.array([np.trace(counts, offset) for offset in range(-n, n)])
