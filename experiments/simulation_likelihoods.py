"""The likelihood of drawn texts, and what an M-step makes of their steps, for `simulation.py`.

The recursion is plain NumPy over whole matrices, independent of the compiled ones.
"""

from collections.abc import Sequence

import numpy as np
from simulation_models import collect_trees
from simulation_texts import Document, Drawn, Rewrites, jump_matrix, remaining
from vorlage.semihmm.jumps.base import ByDistance, JumpModel
from vorlage.semihmm.jumps.forest import make_forest
from vorlage.semihmm.jumps.syntax import Syntax
from vorlage.semihmm.jumps.syntax_counts import SyntaxCounts
from vorlage.types import Floats

FITS = 10  # M-steps of the syntax jumps, each a search of a few steps


def log_likelihood(matrix: Floats, null: float, words: Floats, nulls: Floats) -> float:
    """Return log Pr(s|d), for phrases of one word.

    `words` (T, n): r(s_t|d_j); `nulls` (T): r(s_t|∅).
    """
    alpha, norms = np.zeros(len(matrix)), np.ones(len(words))
    alpha[0] = 1.0
    for t, row in enumerate(words):
        entered = alpha @ matrix[:, :-1] * row
        alpha *= null * nulls[t]
        alpha[1:] += entered
        norms[t] = alpha.sum()
        alpha /= norms[t]
    return float(np.log(norms).sum() + np.log(alpha @ matrix[:, -1]))


def likelihoods(
    documents: Sequence[Document], drawn: Sequence[Drawn], jumps: JumpModel, rewrites: Rewrites
) -> tuple[float, float]:
    """Return log Pr of drawn texts, and the same given their lengths, a distribution for every model."""
    whole = given = 0.0
    for document, text in zip(documents, drawn, strict=True):
        matrix, summary = jump_matrix(jumps, document), rewrites.numbers(text.summary)
        emitted = rewrites.table[np.ix_(rewrites.numbers(document.words), summary)].T
        value = log_likelihood(matrix, jumps.null, emitted, rewrites.null[summary])
        whole += value
        given += value - float(np.log(remaining(matrix, jumps.null, len(summary), document)[-1, 0]))
    return whole, given


def fit_to_steps(jumps: JumpModel, documents: Sequence[Document], drawn: Sequence[Drawn]) -> JumpModel:
    """Return what an M-step makes of the drawn steps, as if they were seen."""
    counts, nulls, total = jumps.zeros(), 0, 0
    labels = {label: number for number, label in enumerate(jumps.tree_labels())}
    for document, text in zip(documents, drawn, strict=True):
        position, uses, departures = 0, np.zeros((len(labels) + 2, 2)), np.zeros(len(document.words) + 1)
        for first, length in [*text.steps, (len(document.words), 0)]:
            if first < 0:
                nulls += 1
                continue
            total += 1
            if isinstance(jumps, ByDistance):
                counts[first + 1 - position - jumps.smallest_distance()] += 1
            departures[position] += 1
            uses[-1, 0] += document.is_next(position, first)
            for label, direction in document.skipped(position, first) if labels else ():
                uses[labels[label], direction] += 1
            position = first + length
        if isinstance(jumps, SyntaxCounts):
            counts += uses
        elif isinstance(jumps, Syntax):
            forest = make_forest(collect_trees([document]), document.sentences, jumps.labels)
            counts.append((uses, (forest, np.array(document.bounds, dtype=np.int32)), departures))
    for _ in range(FITS if isinstance(jumps, Syntax) else 1):
        jumps = jumps.maximised(counts, nulls, total)
    return jumps
