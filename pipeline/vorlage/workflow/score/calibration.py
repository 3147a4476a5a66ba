"""Calibration of posteriors: reliability and expected calibration error.

Both are over word links, chosen ones and candidates alike: of the links with a posterior near 0.8, 80 %
should be right, that is, possible in the gold. The expected calibration error is the mean of
|share right − mean posterior| over the bins, weighted by their links (Naeini, Cooper & Hauskrecht 2015).
"""

from collections.abc import Mapping

import numpy as np

from vorlage.alignments.alignment import Alignment, WordPair
from vorlage.types import Bools, Floats, LongInts
from vorlage.workflow.score.reference import Reference
from vorlage.workflow.tables import Row

BINS = 10
RELIABILITY_COLUMNS = ("system", "low", "high", "links", "posterior", "right")
CALIBRATION_COLUMNS = ("system", "links", "error", "posterior", "right")


def link_posteriors(alignment: Alignment, reference: Reference) -> dict[WordPair, float] | None:
    """Return the posterior of each word link of one pair, or None where the system has no posteriors.

    A phrase pair counts as its links under the soft rule, each with the posterior of the phrase pair; of two
    posteriors for one link the larger counts.
    """
    posteriors: dict[WordPair, float] = {}
    for link in (*alignment.links, *alignment.candidates):
        if link.posterior is None:
            return None
        for cell in link.cells(reference.summary_words, reference.document_words):
            posteriors[cell] = max(link.posterior, posteriors.get(cell, 0.0))
    return posteriors


def measure_reliability(posteriors: Floats, right: Bools) -> tuple[LongInts, Floats, Floats]:
    """Return the number of links, the mean posterior and the share of right links of `BINS` equal bins.

    A posterior on a border belongs to the upper bin. The means of an empty bin are NaN.
    """
    bins = np.minimum((posteriors * BINS).astype(int), BINS - 1)
    links = np.bincount(bins, minlength=BINS)
    with np.errstate(invalid="ignore"):
        posterior, share = (np.bincount(bins, values, BINS) / links for values in (posteriors, right))
    return links, posterior, share


def calibration_rows(system: str, posteriors: Floats, right: Bools) -> dict[str, list[Row]]:
    """Return the rows of the tables `calibration` and `reliability`; empty bins have none."""
    links, mean, share = measure_reliability(posteriors, right)
    filled = np.flatnonzero(links)
    error = (links[filled] * np.abs(share - mean)[filled]).sum() / len(posteriors)
    whole = (system, len(posteriors), float(error), float(posteriors.mean()), float(right.mean()))
    bins = [
        (system, bin / BINS, (bin + 1) / BINS, int(links[bin]), float(mean[bin]), float(share[bin]))
        for bin in filled.tolist()
    ]
    return {
        "calibration": [dict(zip(CALIBRATION_COLUMNS, whole, strict=True))],
        "reliability": [dict(zip(RELIABILITY_COLUMNS, values, strict=True)) for values in bins],
    }


def make_tables(
    system: str, alignments: Mapping[str, Alignment], references: Mapping[str, Reference]
) -> dict[str, list[Row]]:
    """Return the tables of a system, none if it has no posteriors; the mappings are keyed by pair id."""
    posteriors, right = list[float](), list[bool]()
    for key, reference in references.items():
        observed = link_posteriors(alignments[key], reference)
        if observed is None:
            return {}
        for cell, posterior in sorted(observed.items()):
            posteriors.append(posterior)
            right.append(cell in reference.possible)
    return calibration_rows(system, np.array(posteriors), np.array(right)) if posteriors else {}
