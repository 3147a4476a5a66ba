"""Word alignment by optimal transport, as in OTAlign (Arase, Bao & Yokoi 2023).

Each word has mass 1, and the summary sends its mass to the document. Sending from word i to word j costs
1 − s(i, j), where s is the cosine of their vectors, scaled to lie between 0 and 1 over the pair. Transport is
regularized by entropy (Sinkhorn, ε = 0.1) and computed by the package POT (Flamary et al. 2021):

- `balanced`: the masses of each side are divided by their sum, and all of it is sent;
- `partial`: a share of the smaller side's mass is sent, and the rest has no counterpart;
- `unbalanced`: any mass may be sent; where it differs from the mass of a word, it costs the Kullback-Leibler
  divergence times a penalty.

The transport is scaled to lie between 0 and 1, and words are linked where it is above a threshold. As in the
unsupervised setting of the paper, share, penalty and threshold are those that score best on development
pairs, see `CHOSEN`. The paper's other masses, the lengths of the vectors, scored lower there.
"""

import os
import warnings

import numpy as np
from threadpoolctl import threadpool_limits

from vorlage.types import Floats, Vectors
from vorlage.workflow.baselines.system import WordLinks, links_where, products

# The best mean score on every fourth pair of Edinburgh++ (training part) and of MSR (development part). The
# shares tried were 0.1, 0.2 … 1, the penalties 0.02, 0.05, 0.1, 0.2 … 0.9, 0.98, the thresholds 0, 0.01 … 1.
# The share or penalty of each kind, and its threshold.
CHOSEN = {
    "balanced": (1.0, 0.65),
    "partial": (1.0, 0.39),
    "unbalanced": (0.3, 0.44),
}
# The weight of the entropy, and when the iterations end, as published.
EPSILON, PRECISION, ITERATIONS = 0.1, 1e-6, 1000


def transport(kind: str, cost: Floats, summary: Floats, document: Floats, amount: float = 1.0) -> Floats:
    """Return the transport (m, n) between masses `summary` (m) and `document` (n) at a `cost` (m, n).

    `amount`: the share of the smaller mass that `partial` sends, or the penalty of `unbalanced`.
    """
    # POT would import torch, which takes seconds.
    os.environ.setdefault("POT_BACKEND_DISABLE_PYTORCH", "1")
    import ot

    limits = {"stopThr": PRECISION, "numItermax": ITERATIONS}
    # More threads of BLAS would take sums in another order.
    with threadpool_limits(1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of iterations that end at their limit
        if kind == "balanced":
            mass_sent = ot.bregman.sinkhorn_log(
                summary / summary.sum(), document / document.sum(), cost, EPSILON, **limits
            )
        elif kind == "partial":
            mass = amount * min(summary.sum(), document.sum())
            mass_sent = ot.partial.entropic_partial_wasserstein(
                summary, document, cost, EPSILON, m=mass, **limits
            )
        else:
            mass_sent = ot.unbalanced.sinkhorn_stabilized_unbalanced(
                summary, document, cost, EPSILON, amount, reg_type="entropy", **limits
            )
    return np.asarray(mass_sent, dtype=np.float64)


def scale(matrix: Floats) -> Floats:
    """Return a matrix scaled to lie between 0 and 1; 1 throughout if all cells are equal."""
    low, high, tiny = matrix.min(), matrix.max(), 1e-10
    scaled: Floats = (matrix - low + tiny) / (high - low + tiny)
    return scaled


def match_by_transport(
    kind: str, amount: float, threshold: float, summary: Vectors, document: Vectors
) -> WordLinks:
    """Return the links between rows of two matrices whose scaled transport is above a threshold.

    Args:
        kind: one of `CHOSEN`.
        amount: the share or penalty of `transport`.
        threshold: between 0 and 1.
        summary: unit vectors of words (m, size); a zero row has no link.
        document: unit vectors of words (n, size).
    """
    rows, columns = (np.flatnonzero(side.any(axis=1)) for side in (summary, document))
    if not (rows.size and columns.size):
        return {}
    cost = 1 - scale(products(summary[rows], document[columns]))
    sent = scale(transport(kind, cost, np.ones(rows.size), np.ones(columns.size), amount))
    linked = np.zeros((len(summary), len(document)), dtype=bool)
    linked[np.ix_(rows, columns)] = sent > threshold
    return links_where(linked)
