"""The recursions of the semi-Markov HMM over one pair, compiled.

Notation (Daumé & Marcu 2005, Figure 5): document d_1 … d_n, summary s_1 … s_T. The state is a position
p ∈ {0 … n}, the end of the last document phrase used; 0 is the start. From p the model moves to the null
state with probability φ, staying at p and emitting one summary word, or jumps with J(p→j) to a phrase
that starts at j and emits one summary phrase:

    a_t(j)              = Σ_p α_t(p) J(p→j)
    α_{t+1}(p)         += α_t(p) · φ · r(s_{t+1} | ∅)
    α_{t+k}(j+l−1)     += a_t(j) · r(s_{t+1..t+k} | d_{j..j+l−1})
    Pr(s | d)           = Σ_p α_T(p) J(p→n+1)

Arrays are C-contiguous; probabilities are linear, float64. Rows over positions and words are cut into the
blocks of :class:`pipeline.semihmm.kernels.transitions.Moves`, each with an exponent of its own, ``scale``
(:mod:`pipeline.semihmm.kernels.scaling`). Column p of ``alpha`` and ``beta`` is position p (0 … n); column j−1 of
``enter`` is document word j.

One-word phrases are dense: ``words[u, v]`` is r(u|v) over the distinct words of the two sides, which
``summary`` and ``document`` index. Longer phrases are few: ``phrases`` is an (m, 4) int32 array of
(t, k, j, l), meaning summary words t … t+k−1 from document words j … j+l−1 counted from 0, sorted by t,
with their r in ``phrase_r``; ``by_end`` sorts the same rows by t+k. No phrase crosses the edge of a sentence.
"""

import numpy as np

from pipeline.semihmm.kernels import transitions as ways
from pipeline.semihmm.kernels.compile import kernel
from pipeline.semihmm.kernels.scaling import LOG_UNIT, NEVER, fit, fitted, power


@kernel
def _keep_best(row, scale, of, share):
    """Zero all but the better ``share`` of the states in a row, in place (the beam of the 2005 paper)."""
    size = row.shape[0]
    keep = int(np.ceil(share * size))
    if keep >= size:
        return
    top, values = scale.max(), np.empty(size)
    for p in range(size):
        values[p] = row[p] * power(scale[of[max(p - 1, 0)]] - top)
    bound = np.partition(values, size - keep)[size - keep]
    for p in range(size):
        if values[p] < bound:
            row[p] = 0.0


@kernel
def _positions(row, blocks, b):
    """The part of a row of positions that is block b."""
    return row[blocks[b] + 1 if b > 0 else 0 : blocks[b + 1] + 1]


@kernel
def _inner(left, left_scale, right, right_scale, blocks):
    """Σ_p left(p) right(p) and its exponent."""
    top, total = (left_scale + right_scale).max(), 0.0
    for b in range(blocks.shape[0] - 1):
        part = (_positions(left, blocks, b) * _positions(right, blocks, b)).sum()
        total += part * power(left_scale[b] + right_scale[b] - top)
    return total, top


@kernel
def forward(
    document,
    summary,
    words,
    null,
    phrases,
    by_end,
    phrase_r,
    moves,
    beam,
    room,
    alpha,
    scale,
    enter,
    enter_scale,
):
    """Fill ``alpha`` (T+1, n+1), ``scale`` (T+1, B), ``enter`` (T, n), ``enter_scale`` (T, B): α_t and a_t.

    ``null``: r(s_t | ∅) for each t, float64 (T). ``beam``: share of states kept, 1 keeps all. Returns Pr(s|d)
    and its exponent.
    """
    n, length = document.shape[0], summary.shape[0]
    blocks, of = moves.blocks, moves.of
    alpha[0, :], scale[0, :] = 0.0, NEVER
    alpha[0, 0], scale[0, 0] = 1.0, 0
    q = 0
    for t in range(length):
        here, there, a = alpha[t], alpha[t + 1], enter[t]
        ways.enter(moves, room, t, here, scale[t], a, enter_scale[t])
        stay, emit = moves.phi * null[t], words[summary[t]]
        for b in range(blocks.shape[0] - 1):
            top = max(scale[t, b], enter_scale[t, b])
            scale[t + 1, b] = top
            keep, gain = stay * power(scale[t, b] - top), power(enter_scale[t, b] - top)
            if b == 0:
                there[0] = here[0] * keep
            for j in range(blocks[b], blocks[b + 1]):
                there[j + 1] = here[j + 1] * keep + a[j] * emit[document[j]] * gain
        while q < by_end.shape[0]:
            e = by_end[q]
            first, k, j, span = phrases[e, 0], phrases[e, 1], phrases[e, 2], phrases[e, 3]
            if first + k != t + 1:
                break
            b = of[j + span - 1]
            gain = fitted(enter_scale[first, of[j]], _positions(there, blocks, b), scale[t + 1], b)
            there[j + span] += enter[first, j] * phrase_r[e] * gain
            q += 1
        if beam < 1.0:
            _keep_best(there, scale[t + 1], of, beam)
        for b in range(blocks.shape[0] - 1):
            fit(_positions(there, blocks, b), scale[t + 1], b)
    last, last_scale = np.empty(n + 1), np.empty(blocks.shape[0] - 1, dtype=np.int64)
    ways.finish(moves, room, last, last_scale)
    return _inner(alpha[length], scale[length], last, last_scale, blocks)


@kernel
def expect(document, summary, words, null, phrases, by_end, phrase_r, moves, beam, links):
    """Forward–backward over one pair: the expected counts of the E-step (τ of Figure 5).

    ``links``: float64 (T, n) to be filled with the posterior of every one-word link, or (0, 0) when only
    counts are wanted. Returns

    - log Pr(s|d), natural; where it is −∞ all else is 0;
    - cells (U, V): expected uses of every one-word rewrite, over distinct words;
    - nulls (T): posterior that summary word t is null-generated;
    - phrase posteriors (m), in the order of ``phrases``;
    - jumps: expected moves, in the layout of the tables or matrices of ``moves``, flat;
    - starts (n): expected phrases that start at each document word.
    """
    n, length = document.shape[0], summary.shape[0]
    blocks, of = moves.blocks, moves.of
    count = blocks.shape[0] - 1
    room = ways.make_room(moves, length)
    alpha, scale = np.empty((length + 1, n + 1)), np.empty((length + 1, count), dtype=np.int64)
    enter, enter_scale = np.empty((length, n)), np.empty((length, count), dtype=np.int64)
    probability, unit = forward(
        document,
        summary,
        words,
        null,
        phrases,
        by_end,
        phrase_r,
        moves,
        beam,
        room,
        alpha,
        scale,
        enter,
        enter_scale,
    )
    cells = np.zeros(words.shape)
    nulls, starts = np.zeros(length), np.zeros(n)
    phrase_posterior = np.zeros(phrases.shape[0])
    jumps = np.zeros(ways.tally_size(moves))
    beta, beta_scale = np.empty((length + 1, n + 1)), np.empty((length + 1, count), dtype=np.int64)
    start, start_scale = np.empty(n), np.empty(count, dtype=np.int64)
    ways.finish(moves, room, beta[length], beta_scale[length])
    _drop(beta[length], alpha[length], beam)
    if probability == 0.0:
        links[:] = 0.0
        return -np.inf, cells, nulls, phrase_posterior, jumps, starts
    q = phrases.shape[0] - 1
    for t in range(length - 1, -1, -1):
        ahead, ahead_scale = beta[t + 1], beta_scale[t + 1]
        back, back_scale = beta[t], beta_scale[t]
        here, a = alpha[t], enter[t]
        stay, emit, cell = moves.phi * null[t], words[summary[t]], cells[summary[t]]
        start_scale[:] = ahead_scale
        for b in range(count):
            factor = power(enter_scale[t, b] + ahead_scale[b] - unit) / probability
            for j in range(blocks[b], blocks[b + 1]):
                start[j] = emit[document[j]] * ahead[j + 1]
                posterior = a[j] * start[j] * factor
                cell[document[j]] += posterior
                starts[j] += posterior
                if links.shape[0] > 0:
                    links[t, j] = posterior
        while q >= 0 and phrases[q, 0] == t:
            k, j, span = phrases[q, 1], phrases[q, 2], phrases[q, 3]
            b = of[j]
            value, value_scale = phrase_r[q] * beta[t + k, j + span], beta_scale[t + k, of[j + span - 1]]
            factor = power(enter_scale[t, b] + value_scale - unit) / probability
            phrase_posterior[q] = a[j] * value * factor
            starts[j] += phrase_posterior[q]
            gain = fitted(value_scale, start[blocks[b] : blocks[b + 1]], start_scale, b)
            start[j] += value * gain
            q -= 1
        ways.leave(moves, room, t, here, scale[t], start, start_scale, unit, back, back_scale, jumps)
        for b in range(count):
            top = max(back_scale[b], ahead_scale[b])
            gain, keep = power(back_scale[b] - top), stay * power(ahead_scale[b] - top)
            factor = power(scale[t, b] + ahead_scale[b] - unit) / probability
            total = 0.0
            for p in range(blocks[b] + 1 if b > 0 else 0, blocks[b + 1] + 1):
                total += here[p] * ahead[p]
                back[p] = back[p] * gain + keep * ahead[p]
            nulls[t] += total * stay * factor
            back_scale[b] = top
        _drop(back, here, beam)
        for b in range(count):
            fit(_positions(back, blocks, b), back_scale, b)
    ways.expected(moves, room, alpha[length], scale[length], unit, probability, jumps)
    return np.log(probability) + unit * LOG_UNIT, cells, nulls, phrase_posterior, jumps, starts


@kernel
def _drop(back, here, beam):
    """With a beam, zero the β of the states that the forward recursion dropped, in place."""
    if beam < 1.0:
        for p in range(back.shape[0]):
            if here[p] == 0.0:
                back[p] = 0.0
