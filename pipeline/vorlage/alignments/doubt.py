"""How doubtful a system is of its alignment of a pair: the mean entropy of its decisions."""

from collections.abc import Iterable, Mapping, Sequence
from math import log2

from vorlage.alignments.alignment import Alignment

DIGITS = 6  # decimals, so that rounding does not order pairs that are equally doubtful


def doubt(alignment: Alignment) -> float | None:
    """Return the mean entropy of the decisions of a system on one pair, in bits, from 0 to 1.

    A decision is a link or a null word. With the posterior p its entropy is −p log₂ p − (1 − p) log₂ (1 − p).
    Each summary word of a phrase counts. None for a system without posteriors.
    """
    return mean_entropy((link.summary[1] - link.summary[0], link.posterior) for link in alignment.links)


def mean_entropy(decisions: Iterable[tuple[int, float | None]]) -> float | None:
    """Return the mean entropy of decisions, in bits, or None if none has a probability.

    `decisions`: the weight and the probability of each; those without a probability do not count.
    """
    weighted = [(weight, binary_entropy(p)) for weight, p in decisions if p is not None]
    total = sum(weight for weight, _ in weighted)
    return round(sum(weight * bits for weight, bits in weighted) / total, DIGITS) if total else None


def binary_entropy(p: float) -> float:
    """Return the entropy of a yes-or-no decision with probability `p`, in bits; rounding may exceed 1."""
    return 0.0 if not 0 < p < 1 else -p * log2(p) - (1 - p) * log2(1 - p)


def doubt_first(ids: Sequence[str], doubts: Mapping[str, float | None]) -> list[str]:
    """Return `ids` in the order of their doubts, the highest first; pairs without one come last.

    Pairs with equal doubts keep their order.
    """

    def key(pair_id: str) -> float:
        value = doubts.get(pair_id)
        return 1.0 if value is None else -value

    return sorted(ids, key=key)
