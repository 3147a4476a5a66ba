"""The best alignment of one pair, compiled; notation and arrays as in :mod:`pipeline.semihmm.kernels.forward_backward`."""

import numpy as np

from pipeline.semihmm.kernels import transitions as ways
from pipeline.semihmm.kernels.compile import kernel


@kernel
def viterbi(document, summary, words, null, phrases, by_end, phrase_r, moves):
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
    logs, row = ways.logarithms(moves), np.empty(n + 1)
    q = 0
    for t in range(length):
        here, there, a, came = best[t], best[t + 1], enter[t], origins[t]
        for p in range(n + 1):
            base = here[p]
            if base == -np.inf:
                continue
            ways.log_row(moves, logs, p, row)
            for j in range(n):
                value = base + row[j]
                if value > a[j]:
                    a[j] = value
                    came[j] = p
        stay = np.log(moves.phi * null[t])
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
        if best[length, p] == -np.inf:
            continue
        ways.log_row(moves, logs, p, row)
        if best[length, p] + row[n] > value:
            value = best[length, p] + row[n]
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
