"""Pairs too long for enumeration: moves of each kind, with their logarithms for dense arithmetic."""

import numpy as np

from pipeline.semihmm.kernels.toeplitz import make_toeplitz_tables
from pipeline.semihmm.kernels.transitions import toeplitz_transitions, tree_walk_transitions
from pipeline.semihmm.kernels.tree_walks import Forest

LABELS = 3


def random_spans(rng, first, last):
    """A random tree over words first … last−1: {span: label}, distinct spans, single words included."""
    spans = {(first, last): int(rng.integers(LABELS))}
    if last - first > 1:
        cuts = sorted(rng.choice(np.arange(first + 1, last), rng.integers(1, last - first), replace=False))
        for a, b in zip([first, *cuts], [*cuts, last], strict=True):
            spans |= random_spans(rng, int(a), int(b))
    return spans


def forest_of(spans, n):
    """The arrays of spans, smaller first."""
    nodes = sorted((a, b, label) for (a, b), label in spans.items())
    rows = [sum(a < word for a, _, _ in nodes) for word in range(n + 1)]
    columns = np.array(nodes, dtype=np.int32).reshape(-1, 3)
    return Forest(np.array(rows, dtype=np.int32), columns[:, 1].copy(), columns[:, 2].copy())


def relative_moves(n):
    logs = np.log(10) * np.random.default_rng(4).uniform(-12, 0, 2 * n + 2)
    return toeplitz_transitions(0.1, *make_toeplitz_tables(logs)), lambda p, j: logs[n + j - p]


def narrow_moves(n):
    """A Gaussian so narrow that the far ends of the table are no float64."""
    logs = -0.5 * ((np.arange(-n, n + 2) - 1.0) / 3.0) ** 2
    return toeplitz_transitions(0.1, *make_toeplitz_tables(logs)), lambda p, j: logs[n + j - p]


def smooth_moves(n):
    """Distances that fall off by a power, which long documents sum by spectra."""
    logs = -1.5 * np.log1p(np.abs(np.arange(-n, n + 2) - 1.0))
    return toeplitz_transitions(0.1, *make_toeplitz_tables(logs)), lambda p, j: logs[n + j - p]


def wide_moves(n):
    """A Gaussian of 300 words, of which a long document wants several blocks."""
    logs = -0.5 * ((np.arange(-n, n + 2) - 1.0) / 300.0) ** 2
    return toeplitz_transitions(0.1, *make_toeplitz_tables(logs)), lambda p, j: logs[n + j - p]


def walk_moves(n):
    """Trees of long sentences with factors so small that a walk over all of them is no float64."""
    rng = np.random.default_rng(5)
    breaks = [*range(29, n, 29), n]
    spans = {}
    for first, last in zip([0, *breaks], breaks, strict=False):
        spans |= random_spans(rng, first, last)
    factors = 10.0 ** rng.uniform(-40, -2, (LABELS, 2))
    forest, blocks = forest_of(spans, n), np.array([0, *breaks], dtype=np.int32)
    starting = {a: sorted((b, label) for (c, b), label in spans.items() if c == a) for a in range(n)}

    def skip(a, b, way):
        total = 0.0
        while a < b:
            a, label = max(node for node in starting[a] if node[0] <= b)
            total += np.log(factors[label, way])
        return total

    def jump(p, j):
        return np.log(0.9) + (skip(p, j - 1, 0) if j > p else skip(j - 1, p, 1))

    return tree_walk_transitions(0.1, blocks, forest, factors), jump
