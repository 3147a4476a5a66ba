"""Transitions for pairs too long for enumeration.

Each maker takes n, the words of a document, and returns its transitions, with φ = 0.1, and a function
(p, j) → log J(p→j) for dense arithmetic.
"""

import itertools
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
from scipy.special import logsumexp
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.transitions import Transitions, toeplitz_transitions, tree_walk_transitions
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.types import Floats

LABELS = 3
Constituents: TypeAlias = dict[tuple[int, int], int]  # half-open span of words → number of the label
Jumps: TypeAlias = tuple[Transitions, Callable[[int, int], float]]


def random_spans(rng: np.random.Generator, first: int, last: int) -> Constituents:
    """Return a random tree over words first … last−1: distinct spans, single words included."""
    spans = {(first, last): int(rng.integers(LABELS))}
    if last - first > 1:
        cuts = sorted(rng.choice(np.arange(first + 1, last), rng.integers(1, last - first), replace=False))
        for a, b in zip([first, *cuts], [*cuts, last], strict=True):
            spans |= random_spans(rng, int(a), int(b))
    return spans


def forest_of(spans: Constituents, n: int) -> Forest:
    """Return the arrays of the constituents of a document of n words."""
    nodes = sorted((a, b, label) for (a, b), label in spans.items())
    rows = [sum(a < word for a, _, _ in nodes) for word in range(n + 1)]
    columns = np.array(nodes, dtype=np.int32).reshape(-1, 3)
    return Forest(np.array(rows, dtype=np.int32), columns[:, 1].copy(), columns[:, 2].copy())


def by_distance(logs: Floats) -> Jumps:
    """Jumps with the probabilities e^logs at distances −n … n+1."""
    n = len(logs) // 2 - 1
    return toeplitz_transitions(0.1, make_toeplitz(logs)), lambda p, j: float(logs[n + j - p])


def random_jumps(n: int) -> Jumps:
    """Random probabilities by distance over twelve orders of magnitude."""
    logs = np.log(10) * np.random.default_rng(4).uniform(-12, 0, 2 * n + 2)
    return by_distance(logs)


def narrow_gaussian(n: int) -> Jumps:
    """A Gaussian so narrow that float64 cannot hold the far ends of its table."""
    logs = -0.5 * ((np.arange(-n, n + 2) - 1.0) / 3.0) ** 2
    return by_distance(logs)


def power_law(n: int) -> Jumps:
    """A power of the distance."""
    logs = -1.5 * np.log1p(np.abs(np.arange(-n, n + 2) - 1.0))
    return by_distance(logs)


def wide_gaussian(n: int) -> Jumps:
    """A Gaussian of 300 words, for which a long document needs several blocks."""
    logs = -0.5 * ((np.arange(-n, n + 2) - 1.0) / 300.0) ** 2
    return by_distance(logs)


def tree_walks(n: int) -> Jumps:
    """Walks over long sentences with factors so small that float64 cannot hold one over all of them."""
    return _walks(n, (-40, -2), None)


def normalised_walks(n: int, next_word: float = 20.0) -> Jumps:
    """Walks that are a distribution, with a factor of the next word."""
    return _walks(n, (-6, 0), next_word)


def _walks(n: int, exponents: tuple[float, float], next_word: float | None) -> Jumps:
    """Return walks with factors between two powers of 10 and that of the next word; None: not normalised."""
    rng = np.random.default_rng(5)
    breaks = [*range(29, n, 29), n]
    spans: Constituents = {}
    for first, last in zip([0, *breaks], breaks, strict=False):
        spans |= random_spans(rng, first, last)
    factors = 10.0 ** rng.uniform(*exponents, (LABELS, 2))
    forest, blocks = forest_of(spans, n), np.array([0, *breaks], dtype=np.int32)
    logs = np.log(factors).tolist()
    starting = {a: sorted((b, label) for (c, b), label in spans.items() if c == a) for a in range(n)}

    def skip(a: int, b: int, way: int) -> float:
        total = 0.0
        while a < b:
            a, label = max(node for node in starting[a] if node[0] <= b)
            total += logs[label][way]
        return total

    @cache
    def weight(p: int, j: int) -> float:
        if j == p + 1:
            return float(np.log(next_word or 1.0)) * (p not in blocks)
        return skip(p, j - 1, 0) if j > p else skip(j - 1, p, 1)

    # Of all words, over whole sentences and then to the word, from the first word on; the same backward.
    edges = [0, *breaks]
    ahead, behind = np.zeros(n + 1), np.zeros(n + 1)
    for first, last in itertools.pairwise(edges):
        ahead[first + 1 : last + 1] = [ahead[first] + skip(first, i, 0) for i in range(first + 1, last + 1)]
    for first, last in itertools.pairwise(edges[::-1]):
        behind[last:first] = [behind[first] + skip(i, first, 1) for i in range(last, first)]

    @cache
    def norm(p: int) -> float:
        b = max(int(np.searchsorted(breaks, p)), 0)
        first, last = edges[b], edges[b + 1]
        own = [weight(p, j) for j in range(first + 1, last + 1)]
        after, before = ahead[last:] - ahead[last] + skip(p, last, 0), behind[:first] - behind[first]
        return float(logsumexp([*own, *after, *(before + skip(first, p, 1))]))

    every = np.vstack([factors, [[next_word or 1.0, 1.0]]])
    transitions = tree_walk_transitions(0.1, blocks, forest, every, bool(next_word))
    return transitions, lambda p, j: np.log(0.9) + weight(p, j) - (norm(p) if next_word else 0.0)
