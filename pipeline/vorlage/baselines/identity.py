"""The identity baseline: each summary word is linked to an equal word of the document, one to one.

    vorlage identity --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

Words match when they are equal, ignoring case. The matching pair of words whose relative
positions in summary and extract are nearest is linked first, then the nearest pair of two unlinked words, and
so on. This baseline is the floor: a model is worth what it adds to it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.alignments.alignment import Alignment, Link
from vorlage.baselines.system import make_alignment, make_parser, stamp, write_all
from vorlage.command.errors import command
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract


def match(summary: Sequence[str], document: Sequence[str]) -> dict[int, int]:
    """Link the equal words of two sequences greedily, one to one; return summary → document position.

    The distance of positions i and j is that of their relative positions, |(i+½)/m − (j+½)/n|. Of equally
    distant pairs, the one that is earlier in the summary comes first, then the one earlier in the document.
    """
    positions, document_positions = _positions(summary), _positions(document)
    links: dict[int, int] = {}
    for word, left in positions.items():
        right = document_positions.get(word)
        if right:
            links |= _link_nearest(left, right, len(summary), len(document))
    return links


def _positions(words: Sequence[str]) -> dict[str, list[int]]:
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(words):
        positions[word].append(position)
    return positions


def _link_nearest(left: list[int], right: list[int], m: int, n: int) -> dict[int, int]:
    i, j = (grid.ravel() for grid in np.meshgrid(left, right, indexing="ij"))
    # In whole numbers, so ties are exact.
    distance = np.abs((2 * i + 1) * n - (2 * j + 1) * m)
    links: dict[int, int] = {}
    linked = set()
    for k in np.lexsort((j, i, distance)):
        a, b = int(i[k]), int(j[k])
        if a not in links and b not in linked:
            links[a] = b
            linked.add(b)
    return links


@dataclass(frozen=True)
class Identity:
    """The identity baseline."""

    fingerprint: str = ""
    system: str = "identity"

    def align(self, pair: Pair, extract: Extract) -> Alignment:
        """Return the alignment of a pair."""
        document, positions = pair.document.words, extract.positions(pair.document)
        matches = match(
            [word.lower() for word in pair.summary.words], [document[p].lower() for p in positions]
        )
        links = []
        for i in range(len(pair.summary.words)):
            position = int(positions[matches[i]]) if i in matches else None
            links.append(Link((i, i + 1), None if position is None else (position, position + 1)))
        return make_alignment(self, pair, links)


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus with the identity baseline."""
    options = make_parser("identity", main, __doc__).parse(arguments)
    write_all(options, Identity(stamp("identity")))
