"""Precision, recall and F from counts of word links."""

from typing import NamedTuple

import numpy as np

from vorlage.score.counts import FIELDS
from vorlage.score.ratios import ratio
from vorlage.types import AnyArray, Floats, LongInts


class FScores(NamedTuple):
    """Precision, recall and F: arrays of one shape."""

    precision: Floats
    recall: Floats
    f: Floats


class LinkScores(NamedTuple):
    """The scores of word links under the soft and the hard rule."""

    soft: FScores
    hard: FScores


def make_scores(right: AnyArray, linked: AnyArray, recalled: AnyArray, gold: AnyArray) -> FScores:
    """Return P = `right / linked`, R = `recalled / gold` and F = 2PR / (P + R) for arrays of one shape.

    A ratio whose denominator is 0 is 0: a system without links has precision 0, and empty gold gives
    recall 0.
    """
    precision, recall = ratio(right, linked), ratio(recalled, gold)
    return FScores(precision, recall, ratio(2 * precision * recall, precision + recall))


def scores(counts: LongInts) -> LinkScores:
    """Return the scores of summed counts, shape (…, 7) over `vorlage.score.counts.FIELDS`.

    P = |A ∩ P| / |A|, R = |A ∩ S| / |S|, F = 2PR / (P + R) (Daumé & Marcu 2005, Section 5), where A contains
    the links of the soft or of the hard rule. The arrays have the shape of `counts` without its last axis.
    """
    size = dict(zip(FIELDS, np.moveaxis(np.asarray(counts), -1, 0), strict=True))
    soft, hard = (
        make_scores(size[f"{rule}_possible"], size[rule], size[f"{rule}_sure"], size["sure"])
        for rule in ("soft", "hard")
    )
    return LinkScores(soft, hard)
