"""Forward–backward for several pairs at once, whose jumps depend on the distance alone.

One matrix J serves all pairs, so that a step of theirs in time is a product of matrices (BLAS), which takes a
third of the time of as many products of a row. The recursion is that of
`vorlage.semihmm.kernels.forward_backward`, with one exponent a row, and the end of a document is a word
behind its last one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.compiled import inner_kernel, kernel
from vorlage.semihmm.kernels.forward_backward import Expected, KernelInputs, expect
from vorlage.semihmm.kernels.scaling import LOG_UNIT, dot, factor_into, multiply, power, rescale
from vorlage.semihmm.kernels.toeplitz import Toeplitz
from vorlage.types import Floats, Ints, LongInts

TOGETHER = 8  # pairs at once, more of which would leave the caches
LONGEST = 1_000  # document words, from which on a product of a row may take less than one of a matrix


class Together(NamedTuple):
    """B pairs, those of more summary words first.

    - `sizes` (B, 2) int64: the summary words T and the document words n of each;
    - `at` (B+1, 3) int64: where each pair begins in the arrays of word pairs, of words, and of phrases;
    - `words`: r(s_t | d_j) (T, n) of each; `nulls`: r(s_t | ∅) (T);
    - `phrases`: the longer phrase pairs (m, 4), as in `KernelInputs`; `by_end`, `rewrites`: theirs.
    """

    sizes: LongInts
    at: LongInts
    words: Floats
    nulls: Floats
    phrases: Ints
    by_end: Ints
    rewrites: Floats

    @classmethod
    def of(cls, pairs: Sequence[KernelInputs]) -> "Together":
        """Return some pairs together."""
        sizes = np.array([pair.shape for pair in pairs])
        counts = [(pair.word_rewrites.size, len(pair.null_rewrites), len(pair.phrases)) for pair in pairs]
        return cls(
            sizes,
            np.cumsum([(0, 0, 0), *counts], axis=0),
            np.concatenate([pair.word_rewrites.ravel() for pair in pairs]),
            np.concatenate([pair.null_rewrites for pair in pairs]),
            np.concatenate([pair.phrases for pair in pairs]),
            np.concatenate([pair.by_end for pair in pairs]),
            np.concatenate([pair.phrase_rewrites for pair in pairs]),
        )


def expect_together(inputs: Sequence[KernelInputs], beam: float = 1.0) -> list[Expected]:
    """Return the expected counts of pairs with the same jump model.

    All transitions are counted with those of the longest document, and departures are not counted. Pairs
    without one J are taken one by one.

    Args:
        inputs: the pairs; it saves time if their documents are of like length.
        beam: the share of the states kept at each summary word; 1 keeps all.
    """
    longest = max(range(len(inputs)), key=lambda i: inputs[i].shape[1])
    (phi, *_, matrix), n = inputs[longest].transitions, inputs[longest].shape[1]
    if not isinstance(matrix, Toeplitz) or matrix.scales.any() or len(matrix.scales) > 1:
        return [expect(pair, beam) for pair in inputs]
    if beam < 1.0 or n > LONGEST or len(inputs) == 1:
        return [expect(pair, beam) for pair in inputs]
    order = sorted(range(len(inputs)), key=lambda i: -inputs[i].shape[0])
    pairs = Together.of([inputs[i] for i in order])
    logs, nulls, longer, counts = recur(pairs, phi, matrix.tables[0])
    found = {}
    for i, number in enumerate(order):
        of_words, of_nulls, of_phrases = map(slice, pairs.at[i].tolist(), pairs.at[i + 1].tolist())
        found[number] = Expected(
            logs[i].item(),
            pairs.words[of_words].reshape(inputs[number].shape),
            nulls[of_nulls],
            longer[of_phrases],
            departures=np.empty(0),
            transition_counts=counts if number == longest else np.empty(0),
        )
    return [found[number] for number in range(len(inputs))]


@kernel
def recur(pairs: Together, phi: float, table: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the expected counts of pairs.

    Args:
        pairs: the pairs; their `words` are replaced by the posterior of each pair of words.
        phi: φ.
        table: J at distances −n … n+1, n the words of the longest document.

    Returns:
        the log-likelihoods (B); the posteriors of null words and of longer phrase pairs, flat as in `pairs`;
        the expected jumps at each distance (2n+2).
    """
    phrases, count, times, width = pairs.phrases, pairs.sizes.shape[0], pairs.sizes[0, 0] + 1, len(table) // 2
    jumps, transposed = np.empty((width, width)), np.empty((width, width))
    for p in range(width):
        for j in range(width):  # from position p to word j + 1
            jumps[p, j], transposed[p, j] = table[width + j - p], table[width + p - j]
    alpha, enter = np.empty((times, count, width)), np.empty((times, count, width))
    recent = 2  # rows of β: that of time t is row t % recent, until no phrase ends there
    for e in range(phrases.shape[0]):
        recent = max(recent, phrases[e, 1] + 1)
    beta = np.empty((recent, count, width))
    scale, beta_scale = np.zeros((times, count), np.int64), np.zeros((times, count), np.int64)
    likelihoods, units = np.zeros(count), np.zeros(count, np.int64)
    nulls = np.zeros(pairs.nulls.shape[0])
    longer, q = np.zeros(pairs.rewrites.shape[0]), pairs.at[:-1, 2].copy()
    alpha[0] = 0.0
    alpha[0, :, 0] = 1.0
    for t in range(times):
        some = _active(pairs.sizes, t)
        alpha[t, some:], enter[t, some:] = 0.0, 0.0
        np.dot(alpha[t][:some], jumps, enter[t][:some])
        for i in range(some):
            length, n = pairs.sizes[i, 0], pairs.sizes[i, 1]
            if t == length:
                likelihoods[i], units[i] = enter[t, i, n], scale[t, i]
                enter[t, i] = 0.0
                enter[t, i, n] = 1.0
                continue
            now, after, entering = alpha[t, i], alpha[t + 1, i], enter[t, i]
            emit = pairs.words[pairs.at[i, 0] + t * n : pairs.at[i, 0] + (t + 1) * n]
            stay = phi * pairs.nulls[pairs.at[i, 1] + t]
            scale[t + 1, i], after[0] = scale[t, i], now[0] * stay
            for j in range(n):
                after[j + 1] = now[j + 1] * stay + entering[j] * emit[j]
            while q[i] < pairs.at[i + 1, 2]:
                e = pairs.at[i, 2] + pairs.by_end[q[i]]
                first, k, j, span = phrases[e, 0], phrases[e, 1], phrases[e, 2], phrases[e, 3]
                if first + k != t + 1:
                    break
                gain = factor_into(scale[first, i], after[: n + 1], scale[t + 1], i)
                after[j + span] += enter[first, i, j] * pairs.rewrites[e] * gain
                q[i] += 1
            rescale(after[: n + 1], scale[t + 1], i)
            after[n + 1 :] = 0.0
    start, start_scale = np.zeros(width), np.zeros(count, np.int64)
    q[:] = pairs.at[1:, 2] - 1
    for t in range(times - 1, -1, -1):
        some = _active(pairs.sizes, t)
        for i in range(some):
            length, n = pairs.sizes[i, 0], pairs.sizes[i, 1]
            likelihood, unit = likelihoods[i], units[i]
            start_scale[i] = 0
            if t < length:
                emit = pairs.words[pairs.at[i, 0] + t * n : pairs.at[i, 0] + (t + 1) * n]
                if likelihood == 0.0:
                    emit[:] = 0.0
                    continue
                later, entering = beta[(t + 1) % recent, i], enter[t, i]
                start_scale[i] = beta_scale[t + 1, i]
                factor = power(scale[t, i] + start_scale[i] - unit) / likelihood
                for j in range(n):
                    start[j] = emit[j] * later[j + 1]
                for j in range(n):
                    emit[j] = entering[j] * start[j] * factor
                while q[i] >= pairs.at[i, 2] and phrases[q[i], 0] == t:
                    k, j, span = phrases[q[i], 1], phrases[q[i], 2], phrases[q[i], 3]
                    value = pairs.rewrites[q[i]] * beta[(t + k) % recent, i, j + span]
                    exponent = beta_scale[t + k, i]
                    factor = power(scale[t, i] + exponent - unit) / likelihood
                    longer[q[i]] = entering[j] * value * factor
                    gain = factor_into(exponent, start[:n], start_scale, i)
                    start[j] += value * gain
                    q[i] -= 1
                entering[:n] = start[:n]
                entering[n:] = 0.0
        np.dot(enter[t][:some], transposed, beta[t % recent][:some])
        for i in range(some):
            length, n = pairs.sizes[i, 0], pairs.sizes[i, 1]
            if likelihoods[i] == 0.0:
                alpha[t, i] = 0.0
                continue
            now, beta_scale[t, i] = beta[t % recent, i], start_scale[i]
            if t < length:
                later, later_scale = beta[(t + 1) % recent, i], beta_scale[t + 1, i]
                top, stay = max(start_scale[i], later_scale), phi * pairs.nulls[pairs.at[i, 1] + t]
                gain, keep = power(start_scale[i] - top), stay * power(later_scale - top)
                factor = power(scale[t, i] + later_scale - units[i]) / likelihoods[i]
                nulls[pairs.at[i, 1] + t] = dot(alpha[t, i, : n + 1], later[: n + 1]) * stay * factor
                for p in range(n + 1):
                    now[p] = now[p] * gain + keep * later[p]
                beta_scale[t, i] = top
            rescale(now[: n + 1], beta_scale[t], i)
            multiply(alpha[t, i], power(scale[t, i] + start_scale[i] - units[i]) / likelihoods[i])
    flat = times * count, width
    used, counts = np.dot(alpha.reshape(flat).T, enter.reshape(flat)), np.zeros(2 * width)
    for p in range(width):
        for j in range(width):
            counts[width + j - p] += used[p, j]
    counts *= table
    return np.log(likelihoods) + units * LOG_UNIT, nulls, longer, counts


@inner_kernel
def _active(sizes: LongInts, t: int) -> int:
    """Return how many pairs have at least t summary words."""
    some = sizes.shape[0]
    while sizes[some - 1, 0] < t:
        some -= 1
    return some
