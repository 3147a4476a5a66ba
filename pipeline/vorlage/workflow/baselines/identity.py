"""The identity baseline: each summary word is linked to an equal word of the extract, one to one.

Words match when they are equal, ignoring case. The matching pair of words whose relative positions in summary
and extract are nearest is linked first, then the nearest pair of two unlinked words, and so on. This baseline
is the floor: a model is worth what it adds to it.
"""

from argparse import Namespace
from collections import defaultdict
from collections.abc import Sequence

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.workflow.baselines.system import Baseline, to_links


def match(summary: Sequence[str], document: Sequence[str]) -> dict[int, int]:
    """Link the equal words of two sequences greedily, one to one; return summary → document position.

    The distance of positions i and j is that of their relative positions, |(i+½)/m − (j+½)/n|. Of equally
    distant pairs, the one that is earlier in the summary comes first, then the one earlier in the document.
    """
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for j, word in enumerate(document):
        positions[word].append(j)
    m, n = len(summary), len(document)
    # The distances are whole numbers, so ties are exact.
    pairs = sorted(
        (abs((2 * i + 1) * n - (2 * j + 1) * m), i, j)
        for i, word in enumerate(summary)
        for j in positions.get(word, ())
    )
    links: dict[int, int] = {}
    linked = set()
    for _, i, j in pairs:
        if i not in links and j not in linked:
            links[i] = j
            linked.add(j)
    return links


def align(pair: Pair, extract: Extract) -> list[Link]:
    """Return the links of a pair."""
    positions, summary = extract.positions(pair.document).tolist(), pair.summary.words
    words = [pair.document.words[position].lower() for position in positions]
    links = match([word.lower() for word in summary], words)
    return to_links({i: [positions[j]] for i, j in links.items()}, len(summary))


def open_system(options: Namespace) -> Baseline:
    """Return the system of the command `vorlage baseline`; it has no options."""
    return Baseline(align)
