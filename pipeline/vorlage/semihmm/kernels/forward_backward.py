"""Forward–backward for the semi-Markov HMM over one pair, compiled.

Notation (Daumé & Marcu 2005, Figure 5): document d_1 … d_n, summary s_1 … s_T. The state is a position
p ∈ {0 … n}, the end of the last document phrase used; 0 is the start. From p the model moves to the null
state with probability φ, staying at p and emitting one summary word, or jumps with J(p→j) to a phrase that
starts at j and emits one summary phrase:

    a_t(j)              = Σ_p α_t(p) J(p→j)
    α_{t+1}(p)         += α_t(p) · φ · r(s_{t+1} | ∅)
    α_{t+k}(j+l−1)     += a_t(j) · r(s_{t+1..t+k} | d_{j..j+l−1})
    Pr(s | d)           = Σ_p α_T(p) J(p→n+1)

    β_T(p)              = J(p→n+1)
    b_t(j)              = Σ_{k,l} r(s_{t+1..t+k} | d_{j..j+l−1}) · β_{t+k}(j+l−1)
    β_t(p)              = β_{t+1}(p) · φ · r(s_{t+1} | ∅) + Σ_j J(p→j) b_t(j)

Arrays are C-contiguous; probabilities are linear, float64. Rows over positions and words are cut into the
blocks of `vorlage.semihmm.kernels.transitions.Transitions`, each with an exponent of its own,
`…_scale` (`vorlage.semihmm.kernels.scaling`). Column p of α and β is position p (0 … n); column j−1
of a and b is document word j. Rewrites of one word by one word are dense, longer phrase pairs are few and
listed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from vorlage.semihmm.kernels.arguments import Expected, KernelInputs, Trellis, Uses
from vorlage.semihmm.kernels.compile import inner_kernel, kernel
from vorlage.semihmm.kernels.scaling import (
    EMPTY,
    LOG_UNIT,
    Scaled,
    factor_into,
    make_rows,
    power,
    rescale,
    row_at,
)
from vorlage.semihmm.kernels.transitions import (
    Workspace,
    add_counts,
    backward_product,
    entries,
    final_column,
    finish_counts,
    forward_product,
    make_workspace,
)
from vorlage.types import Floats, Ints, LongInts


@inner_kernel
def _keep_best(row: Floats, scale: LongInts, block_of: Ints, share: float | None) -> None:
    """Zero all but the better `share` of the states in a row, in place (the beam of the 2005 paper)."""
    if share is None:
        return
    size = row.shape[0]
    keep = int(np.ceil(share * size))
    if keep >= size:
        return
    top, values = scale.max(), np.empty(size)
    for p in range(size):
        values[p] = row[p] * power(scale[block_of[max(p - 1, 0)]] - top)
    bound = np.partition(values, size - keep)[size - keep]
    for p in range(size):
        if values[p] < bound:
            row[p] = 0.0


@inner_kernel
def _drop_pruned(beta: Floats, alpha: Floats, beam: float | None) -> None:
    """With a beam, zero the β of the states that the forward recursion dropped, in place."""
    if beam is not None:
        for p in range(beta.shape[0]):
            if alpha[p] == 0.0:
                beta[p] = 0.0


@inner_kernel
def _inner_product(left: Scaled, right: Scaled, positions: Ints) -> tuple[float, int]:
    """Return Σ_p left(p) right(p) and its exponent."""
    count, top, total = positions.shape[0] - 1, left.scale[0] + right.scale[0], 0.0
    for b in range(1, count):
        top = max(top, left.scale[b] + right.scale[b])
    for b in range(count):
        part = 0.0
        for p in range(positions[b], positions[b + 1]):
            part += left.values[p] * right.values[p]
        total += part * power(left.scale[b] + right.scale[b] - top)
    return total, top


@kernel
def forward(
    inputs: KernelInputs,
    beam: float | None,
    workspace: Workspace,
    trellis: Trellis,
    times: tuple[int, int, int],
    ends: Scaled,
) -> tuple[float, int]:
    """Fill the trellis with a_t and α_{t+1} after α_t for some times t.

    Return Pr(s|d) and its exponent, if the last of them is T − 1.

    Args:
        inputs: of the pair.
        beam: the share of states kept at each time; None keeps all.
        workspace: for products.
        trellis: with α at the first time, and with a at the times before it at which a phrase that ends
            later may start.
        times: the first time, the one after the last, and that of row 0 of the trellis and of `workspace`.
        ends: filled with J(p→n+1), for every position p.
    """
    document, summary, phrases, by_end = inputs.document, inputs.summary, inputs.phrases, inputs.by_end
    word_rewrites, phrase_rewrites = inputs.word_rewrites, inputs.phrase_rewrites
    null_rewrites, transitions = inputs.null_rewrites, inputs.transitions
    alpha, scale = trellis.alpha
    enter, enter_scale = trellis.enter
    start, stop, base = times
    toeplitz, walks = transitions.toeplitz, transitions.tree_walks
    blocks, block_of, positions = transitions.blocks, transitions.block_of, transitions.positions
    q = 0
    while q < by_end.shape[0] and phrases[by_end[q], 0] + phrases[by_end[q], 1] <= start:
        q += 1
    for t in range(start - base, stop - base):
        now, after, entering = alpha[t], alpha[t + 1], enter[t]
        rows = row_at(trellis.alpha, t), row_at(trellis.enter, t)
        forward_product(toeplitz, walks, blocks, workspace, t, *rows)
        stay, emit = transitions.phi * null_rewrites[base + t], word_rewrites[summary[base + t]]
        for b in range(blocks.shape[0] - 1):
            top = max(scale[t, b], enter_scale[t, b])
            scale[t + 1, b] = top
            keep, gain = stay * power(scale[t, b] - top), power(enter_scale[t, b] - top)
            if b == 0:
                after[0] = now[0] * keep
            for j in range(blocks[b], blocks[b + 1]):
                after[j + 1] = now[j + 1] * keep + entering[j] * emit[document[j]] * gain
        while q < by_end.shape[0]:
            e = by_end[q]
            first, k, j, span = phrases[e, 0] - base, phrases[e, 1], phrases[e, 2], phrases[e, 3]
            if first + k != t + 1:
                break
            b = block_of[j + span - 1]
            exponent = enter_scale[first, block_of[j]]
            gain = factor_into(exponent, after[positions[b] : positions[b + 1]], scale[t + 1], b)
            after[j + span] += enter[first, j] * phrase_rewrites[e] * gain
            q += 1
        _keep_best(after, scale[t + 1], block_of, beam)
        for b in range(blocks.shape[0] - 1):
            rescale(after[positions[b] : positions[b + 1]], scale[t + 1], b)
    final_column(toeplitz, walks, blocks, workspace, ends)
    return _inner_product(row_at(trellis.alpha, stop - base), ends, positions)


def expect(
    inputs: KernelInputs, beam: float = 1.0, links: Floats | None = None, counted: bool = True
) -> Expected:
    """Return the expected counts of one pair, the E-step.

    What a pair does not need is not compiled: a beam, the counts, the other kind of transitions.

    Args:
        inputs: the pair.
        beam: the share of the states kept at each summary word; 1 keeps all.
        links: float64 (T, n), filled with the posterior of every link of one word to one word; None if only
            counts are needed.
        counted: whether to compute the transition counts, a third of the work; otherwise they are empty.
    """
    words = len(inputs.summary)
    [(_, expected)] = expect_in_turn(inputs, lambda _: inputs.word_rewrites, words, beam, links, counted)
    return expected


def expect_in_turn(
    inputs: KernelInputs,
    rewrites: Callable[[slice], Floats],
    size: int,
    beam: float = 1.0,
    links: Floats | None = None,
    counted: bool = False,
    show: Callable[[str, Sequence[Any]], Iterable[Any]] = lambda _, steps: steps,
) -> Iterator[tuple[slice, Expected]]:
    """Yield the expected counts of one stretch of the summary after another, from its end, and their words.

    Only α before each stretch is kept; the backward recursion computes the others again, by the same steps.
    Null and phrase posteriors are complete from the first word of a stretch on, departures after the last.

    Args:
        inputs: the pair, without word rewrites.
        rewrites: returns those of some summary words, a row for each if there are several stretches.
        size: the words of a stretch; it begins later by those that phrases may reach into it.
        beam: as for `expect`, and so are `links` and `counted`, for a single stretch.
        links: see `beam`.
        counted: see `beam`.
        show: shows how far it is, see `vorlage.command.progress.count_steps`.
    """
    transitions, length, n = inputs.transitions, len(inputs.summary), len(inputs.document)
    share, count, several = beam if beam < 1.0 else None, len(transitions.blocks) - 1, size < length
    # So many rows of the trellis before and after a stretch are kept, for the phrases that cross its bounds.
    reach = int(inputs.phrases[:, 1].max(initial=1)) - 1 if several else 0
    times = min(size, length) + 2 * reach
    workspace = make_workspace(transitions, times, counted)
    alpha, enter, beta = (make_rows(times + 1, width, count) for width in (n + 1, n, n + 1))
    trellis = Trellis(alpha, enter, beta)
    ends = Scaled(np.empty(n + 1), np.empty(count, dtype=np.int64))
    alpha.values[reach], alpha.scale[reach] = 0.0, EMPTY
    alpha.values[reach, 0], alpha.scale[reach, 0] = 1.0, 0

    def go_forward(words: slice) -> tuple[KernelInputs, tuple[int, int, int], tuple[float, int]]:
        """Fill the trellis over a stretch, whose first rows it has."""
        part = inputs._replace(summary=inputs.summary - words.start, word_rewrites=rewrites(words))
        bounds = words.start, words.stop, words.start - reach
        return part, bounds, forward(part, share, workspace, trellis, bounds, ends)

    kept = []
    for first in show("forward", range(0, length, size)):
        words = slice(first, min(first + size, length))
        crossing = inputs.phrases[
            (inputs.phrases[:, 0] < first) & (inputs.phrases[:, :2].sum(axis=1) > first), 2
        ]
        known = (alpha.values[reach], alpha.scale[reach], enter.values[:reach, crossing], enter.scale[:reach])
        kept.append((words, crossing, [rows.copy() for rows in known]))
        part, bounds, probability = go_forward(words)
        if words.stop < length:
            for rows in alpha:
                rows[reach] = rows[reach + size]
            for rows in enter:
                rows[:reach] = rows[size : size + reach]
    log_likelihood = np.log(probability[0]) + probability[1] * LOG_UNIT if probability[0] > 0.0 else -np.inf
    counts = np.zeros(entries(transitions).size) if counted else None
    nulls, longer, departures = np.zeros(length), np.zeros(len(inputs.phrases)), np.zeros(n + 1)
    later = np.empty((0, n))
    for words, crossing, known in show("backward", kept[::-1]):
        last, first = reach + words.stop - words.start, reach if words.start else 0
        if words.stop < length:
            alpha.values[reach], alpha.scale[reach], enter.values[:reach, crossing], enter.scale[:reach] = (
                known
            )
            part, bounds, _ = go_forward(words)
        for array, end in zip(beta, ends, strict=True):
            array[last : last + reach + 1] = (
                array[reach : 2 * reach + 1].copy() if words.stop < length else end
            )
        uses = Uses(np.zeros(part.word_rewrites.shape), nulls, longer, departures, counts, links)
        if probability[0] > 0.0:
            backward(part, share, workspace, trellis, bounds, probability, uses)
        elif links is not None:
            links[:] = 0.0
        # Phrases that start before the stretch may still use its first words.
        found = np.concatenate([uses.words, later]) if several else uses.words
        if len(found) > first:
            jumps = np.empty(0) if counts is None else counts
            expected = Expected(log_likelihood, found[first:], nulls, longer, departures, jumps)
            yield slice(words.start + first, words.start + len(found)), expected
        later = found[:first].copy()


@inner_kernel
def _put(links: Floats | None, t: int, j: int, posterior: float) -> None:
    """Write the posterior of a link, if links are asked for."""
    if links is not None:
        links[t, j] = posterior


@kernel
def backward(
    inputs: KernelInputs,
    beam: float | None,
    workspace: Workspace,
    trellis: Trellis,
    times: tuple[int, int, int],
    probability: tuple[float, int],
    uses: Uses,
) -> None:
    """Fill the rest of the trellis and what `expect` returns for some times, after `forward`.

    `times`: as in `forward`; β is known at the time after the last and at those after it at which a phrase
    that starts before may end. `probability`: Pr(s|d) and its exponent. `uses`: those at these times are
    added.
    """
    document, summary, phrases = inputs.document, inputs.summary, inputs.phrases
    word_rewrites, phrase_rewrites = inputs.word_rewrites, inputs.phrase_rewrites
    null_rewrites, transitions = inputs.null_rewrites, inputs.transitions
    toeplitz, walks = transitions.toeplitz, transitions.tree_walks
    blocks, block_of, positions = transitions.blocks, transitions.block_of, transitions.positions
    begin, stop, base = times
    count = blocks.shape[0] - 1
    alpha, scale = trellis.alpha
    enter, enter_scale = trellis.enter
    beta, beta_scale = trellis.beta
    likelihood, unit = probability
    start_row = Scaled(np.empty(document.shape[0]), np.empty(count, dtype=np.int64))
    start, start_scale = start_row
    _drop_pruned(beta[stop - base], alpha[stop - base], beam)
    uses.departures[0] = 1.0
    q = phrases.shape[0] - 1
    while q >= 0 and phrases[q, 0] >= stop:
        q -= 1
    for t in range(stop - base - 1, begin - base - 1, -1):
        beta_after, beta_after_scale = beta[t + 1], beta_scale[t + 1]
        beta_now, beta_now_scale = beta[t], beta_scale[t]
        alpha_now, entering = alpha[t], enter[t]
        word, stay = summary[base + t], transitions.phi * null_rewrites[base + t]
        emit, uses_of_word = word_rewrites[word], uses.words[word]
        for b in range(count):
            start_scale[b] = beta_after_scale[b]
            factor = power(enter_scale[t, b] + beta_after_scale[b] - unit) / likelihood
            for j in range(blocks[b], blocks[b + 1]):
                start[j] = emit[document[j]] * beta_after[j + 1]
                posterior = entering[j] * start[j] * factor
                uses_of_word[document[j]] += posterior
                uses.departures[j + 1] += posterior
                _put(uses.links, base + t, j, posterior)
        while q >= 0 and phrases[q, 0] == base + t:
            k, j, span = phrases[q, 1], phrases[q, 2], phrases[q, 3]
            b = block_of[j]
            value = phrase_rewrites[q] * beta[t + k, j + span]
            exponent = beta_scale[t + k, block_of[j + span - 1]]
            factor = power(enter_scale[t, b] + exponent - unit) / likelihood
            uses.phrases[q] = entering[j] * value * factor
            uses.departures[j + span] += uses.phrases[q]
            gain = factor_into(exponent, start[blocks[b] : blocks[b + 1]], start_scale, b)
            start[j] += value * gain
            q -= 1
        alpha_row, beta_row = row_at(trellis.alpha, t), row_at(trellis.beta, t)
        backward_product(transitions.transposed, walks, blocks, workspace, t, start_row, beta_row)
        add_counts(toeplitz, workspace, alpha_row, start_row, unit, uses.counts)
        for b in range(count):
            top = max(beta_now_scale[b], beta_after_scale[b])
            gain, keep = power(beta_now_scale[b] - top), stay * power(beta_after_scale[b] - top)
            factor = power(scale[t, b] + beta_after_scale[b] - unit) / likelihood
            total = 0.0
            for p in range(positions[b], positions[b + 1]):
                total += alpha_now[p] * beta_after[p]
                beta_now[p] = beta_now[p] * gain + keep * beta_after[p]
            uses.nulls[base + t] += total * stay * factor
            beta_now_scale[b] = top
        _drop_pruned(beta_now, alpha_now, beam)
        for b in range(count):
            rescale(beta_now[positions[b] : positions[b + 1]], beta_now_scale, b)
    last = row_at(trellis.alpha, stop - base)
    finish_counts(toeplitz, walks, blocks, workspace, last, probability, uses.counts)
