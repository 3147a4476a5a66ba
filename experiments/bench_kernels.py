"""The kernels beside what bounds them: the same sums by BLAS, axpy in cache, products of matrices."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numba
import numpy as np
from vorlage.encoder.transformer import open_encoder
from vorlage.files.jsonl import read_jsonl
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.forward_backward import expect
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.toeplitz_fft import SHORTEST
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.settings import Embed
from vorlage.text.tokenize import make_text
from vorlage.types import Floats, Vectors

REPEATS = 5
SUMMARY_WORDS = 128
SENTENCE_WORDS, LABELS = 25, 60
NULL = 0.15
TEXTS = 8
IN_CACHE, TIMES = 1024, 10_000  # numbers of axpy, and how often


HEADING = ["what", "value", "unit", "peer or limit", "its value", "ratio"]


class Row(NamedTuple):
    """A row of the table; `its`: the value of the `peer`, or the limit."""

    what: str
    value: float
    unit: str
    peer: str = ""
    its: float | None = None

    def texts(self) -> list[str]:
        """Return the cells of the row, with the ratio of the two values."""
        its, ratio = (shown(self.its), f"{self.value / self.its:.2f}") if self.its else ("", "")
        return [self.what, shown(self.value), self.unit, self.peer, its, ratio]


def shown(value: float) -> str:
    """Return a value with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def recursion_rows() -> Iterator[Row]:
    """Yield forward–backward over one pair, beside BLAS with a dense matrix and beside axpy in cache."""
    for n in (511, 4000):
        logs = jump_logarithms(n)
        inputs = random_inputs(n, toeplitz_transitions(NULL, make_toeplitz(logs)))
        ours, what = median_ms(expect, inputs), f"forward–backward, {n:,} × {SUMMARY_WORDS} words"
        yield Row(
            f"{what}, by distance", ours, "ms", "dense matrix, BLAS", median_ms(dense, inputs, np.exp(logs))
        )
        walks = median_ms(expect, inputs._replace(transitions=random_walks(n)))
        yield Row(f"{what}, by trees", walks, "ms", "by distance", ours)
        if n < SHORTEST:  # forward, backward and counts: all pairs of positions, three times
            rate = 2 * 3 * SUMMARY_WORDS * n * (n + 1) / ours / 1e6
            x, y = np.ones(IN_CACHE), np.zeros(IN_CACHE)
            bound = 2 * IN_CACHE * TIMES / median_ms(axpy, 0.5, x, y, TIMES) / 1e6
            yield Row(f"{what}, by distance", rate, "GFLOP/s", "axpy in cache", bound)


@numba.njit
def axpy(a: float, x: Floats, y: Floats, times: int) -> None:
    """Add a · x to y, several times."""
    for _ in range(times):
        for i in range(x.shape[0]):
            y[i] += a * x[i]


def encoder_row(corpus: Path) -> Row:
    """Return the sentences a second of the encoder, beside those of its products of matrices alone."""
    encoder = open_encoder(Embed().model, Embed().layer)
    texts = [make_text(record["document"]) for _, record in read_jsonl(corpus)][:TEXTS]
    network, sizes = encoder._network, []
    run = network.hidden_states

    def counted(pieces: Sequence[Sequence[int]], layers: Sequence[int]) -> Vectors:
        sizes.append(sum(map(len, pieces)))
        return run(pieces, layers)

    def encode() -> None:
        sizes.clear()
        for text in texts:  # only the last two are remembered
            encoder.encode_both(text.words, text.sentences)

    network.hidden_states = counted
    ours, size = median_ms(encode), network.size
    maps = [np.ones(shape, np.float32) for shape in ((size, 3 * size), (size, size), (size, 4 * size))]
    rows = {n: (np.ones((n, size), np.float32), np.ones((n, 4 * size), np.float32)) for n in sizes}

    def products() -> None:
        for n in sizes * network.layers:
            for matrix in maps:
                rows[n][0] @ matrix
            rows[n][1] @ maps[2].T

    sentences = sum(len(text.sentences) for text in texts)
    rates = [1e3 * sentences / ms for ms in (ours, median_ms(products))]
    return Row("encoder", rates[0], "sentences/s", "its products of matrices alone, BLAS", rates[1])


def median_ms(function: Callable[..., Any], *arguments: Any) -> float:
    """Return the median processor milliseconds of a call, after one that does not count."""
    function(*arguments)
    times = []
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
        document.astype(np.int32),
        summary.astype(np.int32),
        10.0 ** rng.uniform(-6, 0, (80, 300)),
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
    document, summary, words, null, *_ = inputs
    n, length = len(document), len(summary)
    jumps = table[n + np.arange(1, n + 1)[None, :] - np.arange(n + 1)[:, None]]
    final = table[n + n + 1 - np.arange(n + 1)]
    emit = words[summary][:, document]
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
