"""The recursions of the semi-Markov HMM over one pair, compiled.

Notation (Daumé & Marcu 2005, Figure 5): document d_1 … d_n, summary s_1 … s_T. The state is a position
p ∈ {0 … n}, the end of the last document phrase used; 0 is the start. From p the model moves to the null
state with probability φ, staying at p and emitting one summary word, or jumps with J(p→j) to a phrase
that starts at j and emits one summary phrase:

    a_t(j)              = Σ_p α_t(p) J(p→j)
    α_{t+1}(p)         += α_t(p) · φ · r(s_{t+1} | ∅)
    α_{t+k}(j+l−1)     += a_t(j) · r(s_{t+1..t+k} | d_{j..j+l−1})
    Pr(s | d)           = Σ_p α_T(p) J(p→n+1)

Arrays are C-contiguous; probabilities are linear, float64, and rows are scaled to sum to one with the
natural logarithm of what was divided out kept beside them. Column p of ``alpha`` and ``beta`` is
position p (0 … n); column j−1 of ``enter`` is document word j. Here J(p→j) = table[origin + j − p].

One-word phrases are dense: ``words[u, v]`` is r(u|v) over the distinct words of the two sides, which
``summary`` and ``document`` index. Longer phrases are few: ``phrases`` is an (m, 4) int32 array of
(t, k, j, l), meaning summary words t … t+k−1 from document words j … j+l−1 counted from 0, sorted by t,
with their r in ``phrase_r``; ``by_end`` sorts the same rows by t+k.
"""

import numpy as np
from numba import njit

# Contraction lets the compiler fuse multiply and add; infinities, NaNs and the order of sums stay.
FMA = {"contract"}


@njit(cache=True, nogil=True, fastmath=FMA)
def slide(weights, table, start, out):
    """out[i] += Σ_k weights[k] · table[start − k + i]: a row times a Toeplitz matrix.

    Eight rows of the matrix share one pass over ``out``, so that the sum is bound by arithmetic and
    not by memory. Linear space.
    """
    size, count = out.shape[0], weights.shape[0]
    k = 0
    while k + 8 <= count:
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        w4, w5, w6, w7 = weights[k + 4], weights[k + 5], weights[k + 6], weights[k + 7]
        row = table[start - k - 7 : start - k + size]
        for i in range(size):
            out[i] += (
                (w0 * row[i + 7] + w1 * row[i + 6])
                + (w2 * row[i + 5] + w3 * row[i + 4])
                + ((w4 * row[i + 3] + w5 * row[i + 2]) + (w6 * row[i + 1] + w7 * row[i]))
            )
        k += 8
    while k < count:
        w0 = weights[k]
        row = table[start - k : start - k + size]
        for i in range(size):
            out[i] += w0 * row[i]
        k += 1


@njit(cache=True, nogil=True, fastmath=FMA)
def correlate(weights, padded, out):
    """out[n + δ] += Σ_p weights[p] · b[p + δ], the pair counts of every distance δ = j − p.

    ``weights`` has n+1 entries (p = 0 … n); ``padded`` holds b(1) … b(n) with seven zeros on either
    side; ``out`` has at least 2n+1 entries. Linear space.
    """
    count = weights.shape[0]
    n = count - 1
    p = 0
    while p + 8 <= count:
        w0, w1, w2, w3 = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
        w4, w5, w6, w7 = weights[p + 4], weights[p + 5], weights[p + 6], weights[p + 7]
        row = out[n - 6 - p : 2 * n + 1 - p]
        for i in range(n + 7):
            row[i] += (
                (w0 * padded[i] + w1 * padded[i + 1])
                + (w2 * padded[i + 2] + w3 * padded[i + 3])
                + ((w4 * padded[i + 4] + w5 * padded[i + 5]) + (w6 * padded[i + 6] + w7 * padded[i + 7]))
            )
        p += 8
    while p < count:
        w0 = weights[p]
        row = out[n + 1 - p : 2 * n + 1 - p]
        for i in range(n):
            row[i] += w0 * padded[i + 7]
        p += 1


@njit(cache=True, nogil=True)
def _keep_best(row, share):
    """Zero all but the better ``share`` of a row, in place (the beam of the 2005 paper)."""
    size = row.shape[0]
    keep = int(np.ceil(share * size))
    if keep >= size:
        return
    bound = np.partition(row, size - keep)[size - keep]
    for p in range(size):
        if row[p] < bound:
            row[p] = 0.0


@njit(cache=True, nogil=True, fastmath=FMA)
def forward(
    document, summary, words, null, phrases, by_end, phrase_r, phi, table, origin, beam, alpha, enter
):
    """Fill ``alpha`` (T+1, n+1) and ``enter`` (T, n, the a_t) and return their scales and log Pr(s|d).

    ``null``: r(s_t | ∅) for each t, float64 (T). ``beam``: share of states kept, 1 keeps all.
    Returns ``scale`` (T+1), with α_t = exp(scale[t]) · alpha[t], and the natural log of Pr(s|d).
    """
    n, length = document.shape[0], summary.shape[0]
    scale = np.zeros(length + 1)
    alpha[0, :] = 0.0
    alpha[0, 0] = 1.0
    q = 0
    for t in range(length):
        here, there, a = alpha[t], alpha[t + 1], enter[t]
        a[:] = 0.0
        slide(here, table, origin + 1, a)
        stay = phi * null[t]
        there[0] = here[0] * stay
        emit = words[summary[t]]
        for j in range(n):
            there[j + 1] = here[j + 1] * stay + a[j] * emit[document[j]]
        while q < by_end.shape[0]:
            e = by_end[q]
            first, k, j, span = phrases[e, 0], phrases[e, 1], phrases[e, 2], phrases[e, 3]
            if first + k != t + 1:
                break
            there[j + span] += enter[first, j] * phrase_r[e] * np.exp(scale[first] - scale[t])
            q += 1
        if beam < 1.0:
            _keep_best(there, beam)
        total = there.sum()
        there /= total
        scale[t + 1] = scale[t] + np.log(total)
    last = 0.0
    for p in range(n + 1):
        last += alpha[length, p] * table[origin + n + 1 - p]
    return scale, scale[length] + np.log(last)


@njit(cache=True, nogil=True, fastmath=FMA)
def expect(document, summary, words, null, phrases, by_end, phrase_r, phi, table, origin, beam, links):
    """Forward–backward over one pair: the expected counts of the E-step (τ of Figure 5).

    ``links``: float64 (T, n) to be filled with the posterior of every one-word link, or (0, 0) when only
    counts are wanted. Returns

    - log Pr(s|d), natural;
    - cells (U, V): expected uses of every one-word rewrite, over distinct words;
    - nulls (T): posterior that summary word t is null-generated;
    - phrase posteriors (m), in the order of ``phrases``;
    - jumps (2n+2): expected jumps of distance δ at index n + δ, the final jump to n+1 included.
    """
    n, length = document.shape[0], summary.shape[0]
    alpha = np.empty((length + 1, n + 1))
    enter = np.empty((length, n))
    scale, log_likelihood = forward(
        document, summary, words, null, phrases, by_end, phrase_r, phi, table, origin, beam, alpha, enter
    )
    reverse = table[::-1].copy()
    reverse_origin = table.shape[0] - 1 - origin
    cells = np.zeros(words.shape)
    nulls = np.zeros(length)
    phrase_posterior = np.zeros(phrases.shape[0])
    jumps = np.zeros(2 * n + 2)
    beta = np.empty((length + 1, n + 1))
    beta_scale = np.zeros(length + 1)
    padded = np.zeros(n + 14)
    weights = np.empty(n + 1)
    final = np.exp(scale[length] - log_likelihood)
    for p in range(n + 1):
        beta[length, p] = table[origin + n + 1 - p] if alpha[length, p] > 0.0 else 0.0
    q = phrases.shape[0] - 1
    for t in range(length - 1, -1, -1):
        ahead, back = beta[t + 1], beta[t]
        # β_{t+1} = exp(beta_scale[t+1]) · beta[t+1]; posteriors at t carry this common factor.
        factor = np.exp(scale[t] + beta_scale[t + 1] - log_likelihood)
        emit, cell = words[summary[t]], cells[summary[t]]
        start = padded[7 : 7 + n]
        for j in range(n):
            start[j] = emit[document[j]] * ahead[j + 1]
        for j in range(n):
            posterior = enter[t, j] * start[j] * factor
            cell[document[j]] += posterior
            if links.shape[0] > 0:
                links[t, j] = posterior
        while q >= 0 and phrases[q, 0] == t:
            k, j, span = phrases[q, 1], phrases[q, 2], phrases[q, 3]
            gain = phrase_r[q] * beta[t + k, j + span] * np.exp(beta_scale[t + k] - beta_scale[t + 1])
            phrase_posterior[q] = enter[t, j] * gain * factor
            start[j] += gain
            q -= 1
        stay = phi * null[t]
        for p in range(n + 1):
            back[p] = stay * ahead[p]
            weights[p] = alpha[t, p] * factor
            nulls[t] += weights[p] * back[p]
        correlate(weights, padded, jumps)
        slide(start, reverse, reverse_origin - 1, back)
        if beam < 1.0:
            for p in range(n + 1):
                if alpha[t, p] == 0.0:
                    back[p] = 0.0
        total = back.sum()
        back /= total
        beta_scale[t] = beta_scale[t + 1] + np.log(total)
    for i in range(2 * n + 1):
        jumps[i] *= table[origin + i - n]
    for p in range(n + 1):
        jumps[2 * n + 1 - p] += alpha[length, p] * table[origin + n + 1 - p] * final
    return log_likelihood, cells, nulls, phrase_posterior, jumps


@njit(cache=True, nogil=True)
def viterbi(document, summary, words, null, phrases, by_end, phrase_r, phi, table, origin):
    """The best alignment (ζ of Figure 5): maxima for the sums of the forward recursion, log space.

    Returns the natural log probability of the best path and its steps as an (m, 4) int32 array of
    (t, k, j, l) in summary order, as in ``phrases``; a null-generated word has j = −1. Ties go to the
    null state, then to a one-word phrase, then to the earlier phrase; among origins to the earlier.
    """
    n, length = document.shape[0], summary.shape[0]
    best = np.full((length + 1, n + 1), -np.inf)
    how = np.full((length + 1, n + 1), -2, dtype=np.int32)
    enter = np.full((length, n), -np.inf)
    origins = np.zeros((length, n), dtype=np.int32)
    best[0, 0] = 0.0
    moves = np.log(table)
    q = 0
    for t in range(length):
        here, there, a, came = best[t], best[t + 1], enter[t], origins[t]
        for p in range(n + 1):
            base = here[p]
            if base == -np.inf:
                continue
            row = moves[origin + 1 - p : origin + 1 - p + n]
            for j in range(n):
                value = base + row[j]
                if value > a[j]:
                    a[j] = value
                    came[j] = p
        stay = np.log(phi * null[t])
        emit = words[summary[t]]
        there[0] = here[0] + stay
        for j in range(n):
            there[j + 1] = here[j + 1] + stay
            value = a[j] + np.log(emit[document[j]])
            if value > there[j + 1]:
                there[j + 1] = value
                how[t + 1, j + 1] = -1
        while q < by_end.shape[0]:
            e = by_end[q]
            if phrases[e, 0] + phrases[e, 1] != t + 1:
                break
            value = enter[phrases[e, 0], phrases[e, 2]] + np.log(phrase_r[e])
            p = phrases[e, 2] + phrases[e, 3]
            if value > there[p]:
                there[p] = value
                how[t + 1, p] = e
            q += 1
    end = 0
    value = -np.inf
    for p in range(n + 1):
        if best[length, p] + moves[origin + n + 1 - p] > value:
            value = best[length, p] + moves[origin + n + 1 - p]
            end = p
    steps = np.empty((length, 4), dtype=np.int32)
    count, t, p = 0, length, end
    while t > 0:
        choice = how[t, p]
        step = steps[count]
        if choice == -2:
            step[0], step[1], step[2], step[3] = t - 1, 1, -1, 0
        elif choice == -1:
            step[0], step[1], step[2], step[3] = t - 1, 1, p - 1, 1
            p = origins[t - 1, p - 1]
        else:
            step[:] = phrases[choice]
            p = origins[step[0], step[2]]
        t -= step[1]
        count += 1
    return value, steps[:count][::-1].copy()
