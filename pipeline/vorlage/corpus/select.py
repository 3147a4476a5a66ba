"""Chooses the pairs of a corpus that take part: by length limits, the shortest, a random sample."""

import hashlib
from collections.abc import Callable, Mapping, Set
from typing import Any

from vorlage.settings import Select


def select(
    sizes: Mapping[str, tuple[int, int]], annotated: Set[str], rules: Select, seed: int
) -> dict[str, str]:
    """Return the pairs that `rules` leave out: id → reason.

    `sizes`: id → (document tokens, summary tokens) of all usable pairs. `annotated`: the ids of pairs
    with gold. `rules`: the section `corpus.select` of the settings. The length limits apply to every
    pair. The `shortest` of the pairs within them by document tokens are kept (ties by id), then a random
    `sample` of these. A pair with gold within the limits is always kept, as in Daumé & Marcu (2005, Section
    2), where the 2,000 shortest and 45 annotated documents make 2,033.
    """
    out: dict[str, str] = {}
    limits = rules.max_document_words, rules.max_summary_words
    for name, lengths in sizes.items():
        for side, length, limit in zip(("document", "summary"), lengths, limits, strict=True):
            if limit is not None and length > limit:
                out.setdefault(name, f"{side} of {length} words, more than max_{side}_words {limit}")

    def rank(name: str) -> bytes:
        """Return a rank by id and seed alone, so that a larger sample includes a smaller one."""
        return hashlib.sha256(f"{seed} {name}".encode()).digest()

    kept = set(sizes) - set(out)
    steps: tuple[tuple[int | None, str, Callable[[str], Any]], ...] = (
        (rules.shortest, "not among the {} shortest documents", lambda name: (sizes[name][0], name)),
        (rules.sample, "not in the random sample of {}", rank),
    )
    for count, reason, order in steps:
        if count is not None:
            chosen = set(sorted(kept, key=order)[:count]) | (kept & annotated)
            out.update(dict.fromkeys(kept - chosen, reason.format(count)))
            kept = chosen
    return out
