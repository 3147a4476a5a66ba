"""What comes before what, causes what, or is more than what: two sides of a link that were exchanged."""

from collections.abc import Iterator
from typing import NamedTuple

from vorlage.attribution.reading import CONTRADICTED, Finding
from vorlage.checks.facts import Statements
from vorlage.checks.matching import Comparison

# The kind of what a word links, and whether what follows it is the first side: the earlier one, or the cause.
MARKERS = {
    "after": ("order", True),
    "following": ("order", True),
    "since": ("order", True),
    "before": ("order", False),
    "until": ("order", False),
    "because": ("cause", True),
    "so": ("cause", False),
    "than": ("than", False),
    "from": ("change", True),
}
COMPARED = 7  # words behind *than*
ENOUGH = 3  # words that stand on the other side
MESSAGE = "“{}”: the source has it the other way round: “{}”"


class Link(NamedTuple):
    """Two sides of a sentence and the place of the word that links them, of a kind in `MARKERS`."""

    kind: str
    place: int
    first: range
    second: range


def find_orders(comparison: Comparison, number: int) -> Iterator[Finding]:
    """Yield the links of a sentence whose sides the document has exchanged; words of a converse agree."""
    document = comparison.document
    sources = [each for n in comparison.near[number] for each in _read_links(document, document.places(n))]
    for link in _read_links(comparison.text, comparison.text.places(number)):
        verdicts = {_verdict(comparison, link, each): each for each in sources if each.kind == link.kind}
        words = range(link.first.start, link.second.stop) if link.kind == "than" else [link.place]
        if 1 in verdicts:
            yield from comparison.agreed(words)
        elif source := verdicts.get(-1):
            sentence = document.sentence(source.place)
            spans = (words[0], words[-1] + 1), (sentence.start, sentence.stop)
            yield comparison.pair.finding(*spans, "role", CONTRADICTED, MESSAGE)


def _verdict(comparison: Comparison, link: Link, source: Link) -> int:
    """Return 1 if two links agree, -1 if their sides were exchanged, else 0."""
    text, document = comparison.text, comparison.document
    first, second = _stems(text, link.first), _stems(text, link.second)
    a, b = _stems(document, source.first), _stems(document, source.second)
    if link.kind == "than":
        degrees = _degrees(text, link), _degrees(document, source)
        if not (first - a) & b or not (a - first) & second or not all(degrees):
            return 0
        return 1 if degrees[0].isdisjoint(degrees[1]) else -1
    common = (first & second) | (a & b)
    straight = len((first & a) - common), len((second & b) - common)
    crossed = len((first & b) - common), len((second & a) - common)
    if all(straight) and sum(straight) > sum(crossed):
        return 1
    is_enough = sum(crossed) >= ENOUGH - (link.kind == "change")
    return -1 if all(crossed) and sum(crossed) > sum(straight) and is_enough else 0


def _stems(side: Statements, places: range) -> set[str]:
    """Return the stems of the content words among some."""
    return {side.stems[i] for i in places if side.content[i]}


def _degrees(side: Statements, link: Link) -> set[str]:
    """Return the stems of the comparatives before *than*, and of what follows *more* and *less*."""
    places = [i for i in link.first if side.tags[i] in ("JJR", "RBR")]
    return {side.stems[i + 1] if side.tags[i + 1] in ("RB", "JJ") else side.stems[i] for i in places}


def _read_links(side: Statements, places: range) -> Iterator[Link]:
    """Yield what links two parts of a sentence: a marker, and what stands before and behind it."""
    for i in places:
        kind, is_first = MARKERS.get(side.lower[i], ("", False))
        if not kind or side.fact_at(i) or side.lower[i + 1 : i + 2] == ["which"]:
            continue
        clause, rest, below = side.clause(i), range(places.start, i), range(i + 1, places.stop)
        if kind == "than":
            rest, below = range(clause.start, i), range(i + 1, min(clause.stop, i + COMPARED))
        elif kind == "change":
            to = next((k for k in range(i + 2, clause.stop - 1) if side.lower[k] == "to"), None)
            if to is None:
                continue
            rest, below = range(to + 1, clause.stop), range(i + 1, to)
        elif not any(side.content[k] for k in rest):
            comma = next((k for k in below if side.lower[k] == ","), places.stop)
            rest, below = range(comma, places.stop), range(i + 1, comma)
        yield Link(kind, i, *((below, rest) if is_first else (rest, below)))
