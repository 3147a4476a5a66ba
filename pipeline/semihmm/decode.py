"""From posteriors or the best path to the links that are written.

Both decoders give links in extract positions, with posteriors from forward–backward, and account for
every summary word: one that no link holds is a null link. ``places`` are the longer phrase pairs,
(t, k, j, l), see :mod:`pipeline.semihmm.kernels`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.alignments import Link
from pipeline.semihmm.entries import SAME_STEM, UNLIKE


@dataclass(frozen=True)
class Posteriors:
    """What forward–backward says of one pair.

    ``words`` (T, n): posterior of every one-word link; ``nulls`` (T): of the null state at every summary
    word; ``places`` (m, 4) and ``phrases`` (m): the longer phrase pairs and their posteriors; ``kinds``
    (m): whether the two sides are equal, equal up to stem, or neither.
    """

    words: np.ndarray
    nulls: np.ndarray
    places: np.ndarray
    phrases: np.ndarray
    kinds: np.ndarray

    @cached_property
    def links(self):
        """Posterior of every link (summary word, document word), float64 (T, n).

        The sum over the phrase pairs that cover it: a phrase pair made word by word (equal, or equal up
        to stem) covers its diagonal, any other all its word pairs.
        """
        out = self.words.copy()
        for (t, k, j, span), posterior, kind in zip(self.places, self.phrases, self.kinds, strict=True):
            if kind == UNLIKE:
                out[t : t + k, j : j + span] += posterior
            else:
                out[np.arange(t, t + k), np.arange(j, j + k)] += posterior
        return out


def decode_posterior(posteriors, threshold):
    """Keep what is more probable than ``threshold``: whole phrase pairs first, then single links.

    A phrase pair equal only up to stem is written as the links of its words.
    """
    found = []
    links = posteriors.links
    held = np.zeros(links.shape, dtype=bool)
    for (t, k, j, span), posterior, kind in zip(
        posteriors.places, posteriors.phrases, posteriors.kinds, strict=True
    ):
        if posterior > threshold and kind != SAME_STEM:
            found.append(Link((int(t), int(t + k)), (int(j), int(j + span)), float(posterior)))
            held[t : t + k, j : j + span] = True
    for t, j in np.argwhere((links > threshold) & ~held).tolist():
        found.append(Link((t, t + 1), (j, j + 1), float(links[t, j])))
    return _with_nulls(found, posteriors.nulls)


def decode_viterbi(posteriors, steps):
    """The phrase pairs of the best path; ``steps``: (t, k, j, l) as :func:`kernels.viterbi` gives them."""
    by_place = {
        tuple(place): float(p)
        for place, p in zip(posteriors.places.tolist(), posteriors.phrases, strict=True)
    }
    found = []
    for t, k, j, span in steps.tolist():
        if j < 0:
            continue
        posterior = by_place.get((t, k, j, span)) if k * span > 1 else float(posteriors.words[t, j])
        found.append(Link((t, t + k), (j, j + span), posterior))
    return _with_nulls(found, posteriors.nulls)


def candidates(posteriors, links, least):
    """The word links of at least the posterior ``least`` that no phrase pair of ``links`` covers, in order.

    What the decoder has left out but could have been: with them a reader can move the threshold.
    """
    found = posteriors.links.copy()
    for link in links:
        if link.document:
            found[slice(*link.summary), slice(*link.document)] = 0.0
    return [Link((t, t + 1), (j, j + 1), float(found[t, j])) for t, j in np.argwhere(found >= least).tolist()]


def _with_nulls(links, nulls):
    linked = {t for link in links for t in range(*link.summary)}
    links = links + [Link((t, t + 1), None, float(p)) for t, p in enumerate(nulls) if t not in linked]
    return sorted(links, key=lambda link: (link.summary, link.document or (-1, -1)))
