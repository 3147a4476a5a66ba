"""Sums over the trees of a boosted model (Friedman 2001), compiled."""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Floats, Ints, Vectors


@exact_kernel
def leaf_sums(
    features: Vectors,
    roots: Ints,
    feature: Ints,
    threshold: Floats,
    left: Ints,
    right: Ints,
    value: Floats,
) -> Floats:
    """Return for each row of `features` the sum of the values of the leaves that it reaches.

    Args:
        features: float32 (cells, features).
        roots: the node at the top of each tree.
        feature: of each node, the column that it tests; −1 for a leaf.
        threshold: what that column must not exceed to go `left`; else it goes `right`.
        left: a node for each node.
        right: the same.
        value: of each leaf.
    """
    sums = np.zeros(features.shape[0])
    for row in range(features.shape[0]):
        for root in roots:
            node = root
            while feature[node] >= 0:
                below = features[row, feature[node]] <= threshold[node]
                node = left[node] if below else right[node]
            sums[row] += value[node]
    return sums
