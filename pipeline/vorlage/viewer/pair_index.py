"""The numbers of a pair by which the viewer chooses and orders pairs without unpacking them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from vorlage.alignments.alignment import mean_entropy

DIGITS = 3  # decimals of doubts


class PairNumbers(NamedTuple):
    """What is known of the links of a system on one pair, as the decoder chose them.

    `doubt`: the mean entropy of its decisions (`vorlage.alignments.alignment.doubt`), in bits. `without`:
    the number of summary words without a link. `lowest`: the lowest posterior of a link or a null word; it
    and `doubt` are None for a system without posteriors. `disagreements`: the number of summary words
    that have a link which the gold lacks, or lack a sure link of the gold.
    """

    doubt: float | None
    without: int
    lowest: float | None
    disagreements: int


def pair_numbers(data: Mapping[str, Any]) -> dict[str, PairNumbers]:
    """Return the numbers of each system, from the data of the viewer (`viewer.pair_data`)."""
    return {system: _system_numbers(data, links) for system, (links, *_) in data.get("systems", {}).items()}


def _system_numbers(data: Mapping[str, Any], links: Sequence[Sequence[Any]]) -> PairNumbers:
    linked: list[set[int]] = [set() for _ in data["s"]["w"]]
    for i, j in _cells(links):
        linked[i].add(j)
    doubt = mean_entropy((end - first, posterior) for first, end, _, _, posterior, _ in links)
    return PairNumbers(
        None if doubt is None else round(doubt, DIGITS),
        sum(not words for words in linked),
        min((link[4] for link in links if link[4] is not None), default=None),
        sum(_disagrees(data, words, i) for i, words in enumerate(linked)) if data["unit"] else 0,
    )


def _cells(links: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Yield the word links of the links of a system."""
    for first, end, start, stop, _, diagonal in links:
        for i in range(first, end) if start >= 0 else ():
            for j in (start + i - first,) if diagonal else range(start, stop):
                yield i, j


def _disagrees(data: Mapping[str, Any], linked: set[int], i: int) -> bool:
    """Return whether the links of summary word `i` differ from the gold, as `verdict` in links.js decides.

    Gold in characters marks regions: one link into a region is enough.
    """
    sure, possible = set[int](), set[int]()
    for summary, document, is_sure in data["gold"]:
        if any(first <= i < end for first, end in summary):
            cells = {j for first, end in document for j in range(first, end)}
            possible |= cells
            sure |= cells if is_sure else set()
    if data["unit"] == "char":
        return bool(possible) and (bool(linked - possible) or bool(sure) and not linked & sure)
    return bool(linked - possible) or bool(sure - linked)
