"""Joins the links of copied words, so that a copied stretch is one link."""

from collections.abc import Iterable, Sequence

from vorlage.alignments.alignment import Link
from vorlage.semihmm.decode.links import place_of
from vorlage.text.tokenized import Text


def join_copies(links: Iterable[Link], summary: Text, document: Text) -> list[Link]:
    """Return links with those of equal words joined that continue each other, up to the ends of sentences.

    `links`: in positions of the whole `document`. A joined link has the smallest posterior of its parts.
    """
    starts = {first for first, _ in summary.sentences}, {first for first, _ in document.sentences}
    joined: list[Link] = []
    latest: dict[int, int] = {}  # distance of both sides → the number of the last copied link at it
    for link in sorted(links, key=place_of):
        if link.document and _is_copy(link, summary.words, document.words):
            first, start = link.summary[0], link.document[0]
            number = latest.setdefault(start - first, len(joined))
            inside = first not in starts[0] and start not in starts[1]
            if number < len(joined) and inside and first <= joined[number].summary[1]:
                joined[number] = _join(joined[number], link)
                continue
            latest[start - first] = len(joined)
        joined.append(link)
    return sorted(joined, key=place_of)


def _join(link: Link, later: Link) -> Link:
    """Return one link for two at the same distance, of which the later one continues the other."""
    assert link.document and later.document
    ends = max(link.summary[1], later.summary[1]), max(link.document[1], later.document[1])
    posterior = min(link.posterior or 0.0, later.posterior or 0.0)
    return Link((link.summary[0], ends[0]), (link.document[0], ends[1]), posterior)


def _is_copy(link: Link, summary: Sequence[str], document: Sequence[str]) -> bool:
    """Return whether the words of both sides of a link are equal, ignoring case."""
    assert link.document
    sides = summary[slice(*link.summary)], document[slice(*link.document)]
    return [word.lower() for word in sides[0]] == [word.lower() for word in sides[1]]
