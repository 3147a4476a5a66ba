"""Precision, recall and F from counts of word links."""

import numpy as np

from pipeline.score.counts import FIELDS


def scores(counts):
    """The scores of summed counts: a dict of arrays, each of the shape of ``counts`` less its last axis.

    ``counts``: integers, shape (…, 7), the last axis over :data:`pipeline.score.counts.FIELDS`.
    P = |A ∩ P| / |A|, R = |A ∩ S| / |S|, F = 2PR / (P + R) (Daumé & Marcu 2005, Section 5), where A holds
    the links of the soft rule in ``soft_precision``, ``recall`` and ``soft_f``, and those of the hard
    rule in ``hard_precision``, ``hard_recall`` and ``hard_f``. A ratio whose
    denominator is 0 is 0: a system without links has precision 0, empty gold gives recall 0.
    """
    size = dict(zip(FIELDS, np.moveaxis(np.asarray(counts), -1, 0), strict=True))
    result = {}
    for rule in ("soft", "hard"):
        precision = ratio(size[f"{rule}_possible"], size[rule])
        recall = ratio(size[f"{rule}_sure"], size["sure"])
        result[f"{rule}_precision"], result[f"{rule}_recall"] = precision, recall
        result[f"{rule}_f"] = ratio(2 * precision * recall, precision + recall)
    result["recall"] = result.pop("soft_recall")
    return result


def ratio(numerator, denominator):
    """``numerator / denominator``, 0 where the denominator is 0: arrays of one shape."""
    zero = np.zeros(np.shape(denominator))
    return np.divide(numerator, denominator, out=zero, where=np.asarray(denominator) > 0)
