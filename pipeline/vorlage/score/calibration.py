"""Calibration of posteriors: reliability and expected calibration error.

Both are over word links, chosen ones and candidates alike: of the links with a posterior near 0.8, 80 %
should be right, that is, possible in the gold. The expected calibration error is the mean of
|share right − mean posterior| over the bins, weighted by their links (Naeini, Cooper & Hauskrecht 2015).
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.score.reference import Reference, WordLink
from vorlage.score.tsv import Row
from vorlage.types import Bools, Floats, LongInts

BINS = 10
RELIABILITY_COLUMNS = ("system", "low", "high", "links", "posterior", "right")
CALIBRATION_COLUMNS = ("system", "links", "error", "posterior", "right")


class Observed(NamedTuple):
    """The posteriors of word links, and whether each link is right."""

    posteriors: Floats
    right: Bools


def observe(alignment: Alignment, reference: Reference) -> Observed | None:
    """Return the posteriors of the word links of one pair and whether each link is right.

    A phrase pair counts as its links under the soft rule, each with the posterior of the phrase pair; of two
    posteriors for one link the larger counts. None where the system has no posteriors.
    """
    posteriors: dict[WordLink, float] = {}
    for link in (*alignment.links, *alignment.candidates):
        if link.posterior is None:
            return None
        for cell in link.cells(reference.summary_words, reference.document_words):
            posteriors[cell] = max(link.posterior, posteriors.get(cell, 0.0))
    cells = sorted(posteriors)
    right = [cell in reference.possible for cell in cells]
    return Observed(np.array([posteriors[cell] for cell in cells], dtype=float), np.array(right, dtype=bool))


def reliability(posteriors: Floats, right: Bools) -> tuple[LongInts, Floats, Floats]:
    """Return the number of links, the mean posterior and the share of right links of `BINS` equal bins.

    A posterior on a border belongs to the upper bin. The means of an empty bin are NaN.
    """
    bins = np.minimum((posteriors * BINS).astype(int), BINS - 1)
    links = np.bincount(bins, minlength=BINS)
    with np.errstate(invalid="ignore"):
        posterior, share = (np.bincount(bins, values, BINS) / links for values in (posteriors, right))
    return links, posterior, share


def rows(system: str, posteriors: Floats, right: Bools) -> tuple[Row, list[Row]]:
    """Return the row of a system with the keys `CALIBRATION_COLUMNS`, and the rows of its bins.

    The rows of bins have the keys `RELIABILITY_COLUMNS`; empty bins have none.
    """
    links, mean, share = reliability(posteriors, right)
    filled = np.flatnonzero(links)
    error = (links[filled] * np.abs(share - mean)[filled]).sum() / len(posteriors)
    whole = (system, len(posteriors), float(error), float(posteriors.mean()), float(right.mean()))
    bins = [
        (system, bin / BINS, (bin + 1) / BINS, int(links[bin]), float(mean[bin]), float(share[bin]))
        for bin in filled.tolist()
    ]
    return dict(zip(CALIBRATION_COLUMNS, whole, strict=True)), [
        dict(zip(RELIABILITY_COLUMNS, values, strict=True)) for values in bins
    ]


def tables(
    system: str, alignments: Mapping[str, Alignment], references: Mapping[str, Reference]
) -> dict[str, list[Row]]:
    """Return the tables `calibration` and `reliability` of a system, none if it has no posteriors.

    `alignments` and `references` are keyed by pair id.
    """
    observed = []
    for key, reference in references.items():
        observed_links = observe(alignments[key], reference)
        if observed_links is None:
            return {}
        observed.append(observed_links)
    posteriors, right = (np.concatenate(arrays) for arrays in zip(*observed, strict=True))
    if not len(posteriors):
        return {}
    whole, bins = rows(system, posteriors, right)
    return {"calibration": [whole], "reliability": bins}
