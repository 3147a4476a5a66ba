"""Whether posteriors can be taken at their word: reliability and expected calibration error.

Over word links, those taken and the candidates beside them: of the links with a posterior near 0.8,
80 % should be right, that is possible in the gold. The expected calibration error is the mean of
|share right − mean posterior| over the bins, weighted by their links (Naeini, Cooper & Hauskrecht 2015).
"""

import numpy as np

BINS = 10
RELIABILITY = ("system", "low", "high", "links", "posterior", "right")
CALIBRATION = ("system", "links", "error", "posterior", "right")


def observe(alignment, reference):
    """The posteriors of the word links of one pair and whether each is right: float64 and bool arrays.

    A phrase pair gives its links under the soft rule, each with the posterior of the pair; of two
    posteriors for one link the larger counts. None where the system has no posteriors.
    """
    words = reference.summary_words, reference.document_words
    found = {}
    for link in (*alignment.links, *alignment.candidates):
        if link.posterior is None:
            return None
        for cell in link.cells(*words):
            found[cell] = max(link.posterior, found.get(cell, 0.0))
    cells = sorted(found)
    return (
        np.array([found[cell] for cell in cells], dtype=float),
        np.array([cell in reference.possible for cell in cells], dtype=bool),
    )


def reliability(posteriors, right):
    """``(links, mean posterior, share right)`` of each of ``BINS`` equal bins of [0, 1]: arrays of that size.

    The means of an empty bin are not numbers. A posterior on a border belongs to the upper bin.
    """
    place = np.minimum((posteriors * BINS).astype(int), BINS - 1)
    links = np.bincount(place, minlength=BINS)
    with np.errstate(invalid="ignore"):
        means = [np.bincount(place, weights=values, minlength=BINS) / links for values in (posteriors, right)]
    return links, *means


def rows(system, posteriors, right):
    """The row of a system with the keys ``CALIBRATION``, and those of its bins with ``RELIABILITY``."""
    links, mean, share = reliability(posteriors, right)
    filled = links > 0
    error = (links[filled] * np.abs(share - mean)[filled]).sum() / len(posteriors)
    whole = {
        "system": system,
        "links": len(posteriors),
        "error": float(error),
        "posterior": float(posteriors.mean()),
        "right": float(right.mean()),
    }
    bins = [
        {
            "system": system,
            "low": bin / BINS,
            "high": (bin + 1) / BINS,
            "links": int(links[bin]),
            "posterior": float(mean[bin]),
            "right": float(share[bin]),
        }
        for bin in np.flatnonzero(filled).tolist()
    ]
    return whole, bins
