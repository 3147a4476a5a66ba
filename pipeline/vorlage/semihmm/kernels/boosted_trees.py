"""Sums over the trees of a boosted model (Friedman 2001), compiled."""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Floats, Ints, Vectors


class BoostedTrees(NamedTuple):
    """Trees as arrays over all their nodes.

    `roots`: the node at the top of each tree. `feature`: the column that a node tests, −1 for a leaf;
    `threshold`: what it must not exceed to go to the node `left`, else to `right`. `value`: of a leaf.
    """

    roots: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats


@exact_kernel
def leaf_sums(features: Vectors, trees: BoostedTrees) -> Floats:
    """Return for each row of `features` the sum of the values of the leaves that it reaches."""
    sums = np.zeros(features.shape[0])
    for row in range(features.shape[0]):
        for root in trees.roots:
            node = root
            while trees.feature[node] >= 0:
                below = features[row, trees.feature[node]] <= trees.threshold[node]
                node = trees.left[node] if below else trees.right[node]
            sums[row] += trees.value[node]
    return sums
