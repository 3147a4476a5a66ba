"""The encoder's part of the rewrite model: which word of a summary a document word became, by their contexts.

    e(i|j) = u_i exp((cos(i, j) − c) / τ) / Z_j · exp((cos(i, j) − max_j' cos(i, j')) / 2τ)

The first factor is a distribution over the vocabulary. A word takes part by its frequency u, raised or
lowered by the cosine of its vector: c, the `encoder_baseline`, is the cosine of words that have nothing to
do with each other, and τ the `encoder_temperature`. Words of the vocabulary that are not in the summary
count as such words, so that Z_j = 1 − Σ u_w + Σ u_w · (mean over the places of w), both sums over the
distinct words of the summary, and a document word that is near to none of them leaves its probability to the
rest of the vocabulary. The second factor reduces the first where another document word is nearer to the
summary word. Daumé & Marcu (2005, Section 6) name such a part as future work.
"""

import numpy as np

from vorlage.semihmm.rewrite.instances import Instance
from vorlage.settings import SemiHmm
from vorlage.types import Floats

LEAST = 1e-12
# The least share of the vocabulary that is not in a summary.
LEAST_REST = 0.01


def context_part(instance: Instance, frequency: Floats, settings: SemiHmm) -> Floats | None:
    """Return the encoder's part e of a pair (T, n), or None without an encoder.

    Args:
        instance: the pair.
        frequency: the share of each of its words among the words of the summaries of training, by number.
        settings: `encoder_temperature` and `encoder_baseline`.
    """
    if instance.affinity is None or instance.affinity.contexts is None:
        return None
    temperature, baseline = settings.encoder_temperature, settings.encoder_baseline
    cosines = instance.affinity.contexts.astype(float)
    types, index = instance.summary_types
    shares = frequency[types]
    rest = max(1.0 - float(shares.sum()), LEAST_REST)
    scaled = (cosines - baseline) / temperature
    top = np.maximum(scaled.max(axis=0, keepdims=True), 0.0)
    weighed = shares[index, None] * np.exp(scaled - top)
    norm = rest * np.exp(-top) + (weighed / np.bincount(index)[index, None]).sum(axis=0, keepdims=True)
    nearest = cosines.max(axis=1, keepdims=True)
    part: Floats = weighed / norm * np.exp((cosines - nearest) / (2.0 * temperature))
    return np.maximum(part, LEAST)
