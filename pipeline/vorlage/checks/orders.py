"""What comes before what, causes what, or is more than what: two sides of a link that were exchanged."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vorlage.attribution.reading import CONTRADICTED, Finding
from vorlage.checks.clauses import Clause
from vorlage.checks.facts import Statements
from vorlage.checks.matching import Comparison
from vorlage.checks.phrases import PROPER
from vorlage.text.wordnet import open_wordnet
from vorlage.text.words import stem

# The kind of what a word links, and whether what follows it is the first side: the earlier one, or the cause.
MARKERS = {
    "after": ("order", True),
    "following": ("order", True),
    "since": ("order", True),
    "before": ("order", False),
    "until": ("order", False),
    "because": ("cause", True),
    "so": ("cause", False),
}
COMPARED = 7  # words behind *than*
# The least number of words that stand on the other side, for events.
ENOUGH = 3


class Link(NamedTuple):
    """Two sides of a sentence and what links them.

    `kind`: `order`, `cause`, `change` (*from … to*) or `than`; `place`: of the word that links them; `first`,
    `second`: the words of the sides; `heads`: the stems of predicates and nouns, of which one must have
    changed sides.
    """

    kind: str
    place: int
    first: range
    second: range
    heads: frozenset[str]


def find_orders(comparison: Comparison, number: int) -> Iterator[Finding]:
    """Yield the links of a sentence whose sides the document has exchanged; words of a converse agree."""
    text, document = comparison.text, comparison.document
    for link in _read_links(text, number, comparison.clauses[number]):
        sources = [
            each for n in comparison.near[number] for each in _read_links(document, n, comparison.source(n))
        ]
        verdicts = [(_verdict(comparison, link, each), each) for each in sources if each.kind == link.kind]
        words = range(min(link.first.start, link.second.start), max(link.first.stop, link.second.stop))
        if any(verdict > 0 for verdict, _ in verdicts):
            yield from comparison.agreed(words if link.kind == "than" else [link.place])
            continue
        for each in [each for verdict, each in verdicts if verdict < 0][:1]:
            sentence = document.sentence(each.place)
            span = (words.start, words.stop) if link.kind == "than" else (link.place, link.place + 1)
            message = "“{}”: the source has it the other way round: “{}”"
            yield comparison.pair.finding(
                span, (sentence.start, sentence.stop), "role", CONTRADICTED, message
            )


def _verdict(comparison: Comparison, link: Link, source: Link) -> int:
    """Return 1 if two links agree, -1 if their sides were exchanged, else 0."""
    text, document = comparison.text, comparison.document
    first, second = _stems(text, link.first), _stems(text, link.second)
    a, b = _stems(document, source.first), _stems(document, source.second)
    if link.kind == "than":
        degrees = _degrees(text, link), _degrees(document, source)
        is_crossed = (first - a) & b and (a - first) & second
        if not is_crossed or bool(degrees[0]) != bool(degrees[1]):
            return 0
        return 1 if degrees[0] and degrees[0].isdisjoint(degrees[1]) else -1
    common = (first & second) | (a & b)
    straight, crossed = len((first & a) - common), len((first & b) - common)
    straight_too, crossed_too = len((second & b) - common), len((second & a) - common)
    difference = crossed + crossed_too - straight - straight_too
    if straight and straight_too and difference < 0:
        return 1
    is_event = link.kind != "change"
    moved = link.heads & ((first & b) | (second & a)) or not is_event
    is_enough = crossed and crossed_too and crossed + crossed_too >= ENOUGH - (not is_event)
    return -1 if difference > 0 and moved and is_enough else 0


def _stems(side: Statements, places: Iterable[int]) -> set[str]:
    """Return the stems of the content words among some, those of verbs of their lemmas."""
    return {_stem(side, i) for i in places if side.content[i]}


def _stem(side: Statements, place: int) -> str:
    lemmas = open_wordnet().lemmas_of(side.lower[place]) - {side.lower[place]}
    return stem(min(lemmas)) if lemmas and side.tags[place].startswith("VB") else side.stems[place]


def _degrees(side: Statements, link: Link) -> set[str]:
    """Return the stems of the comparatives before *than*, and of what follows *more* and *less*."""
    places = [i for i in link.first if side.tags[i] in ("JJR", "RBR")]
    return {side.stems[i + 1] if side.tags[i + 1] in ("RB", "JJ") else side.stems[i] for i in places}


def _read_links(side: Statements, number: int, clauses: Sequence[Clause]) -> Iterator[Link]:
    """Yield what links two parts of a sentence."""
    parts = [part for clause in clauses for each in clause.parts.values() for part in each]
    nouns = {_stem(side, part.head) for part in parts if side.tags[part.head] not in PROPER}
    heads = frozenset(nouns.union(_stem(side, clause.predicate) for clause in clauses))
    for kind, place, first, second in (
        *_read_events(side, clauses),
        *_read_phrases(side, side.places(number)),
    ):
        yield Link(kind, place, first, second, heads)


def _read_events(side: Statements, clauses: Sequence[Clause]) -> Iterator[tuple[str, int, range, range]]:
    """Yield the clauses and nouns that *before*, *because* and the like join to another clause."""
    for clause in clauses:
        main = None if clause.above is None else clauses[clause.above]
        inner = [(clause.marker, clause.extent, main.extent)] if main else []
        for role, parts in clause.parts.items():
            words = [i for part in parts for i in part.words]
            inner.append((role, range(min(words), max(words) + 1), clause.extent))
        for marker, below, whole in inner:
            start = range(min(below.stop, clause.verb + 1) - 1, side.sentence(clause.verb).start - 1, -1)
            place = next((i for i in start if side.lower[i] == marker), None)
            if marker not in MARKERS or place is None:
                continue
            below = range(place, below.stop)
            rest = range(whole.start, place) if whole.start < place else range(below.stop, whole.stop)
            kind, is_first = MARKERS[marker]
            yield (kind, place, below, rest) if is_first else (kind, place, rest, below)


def _read_phrases(side: Statements, places: range) -> Iterator[tuple[str, int, range, range]]:
    """Yield the sides of comparisons and those of changes *from* one thing *to* another."""
    for i in places:
        clause = side.clause(i)
        is_than = side.lower[i] == "than" and side.lower[i - 1] != "rather" and not side.fact_at(i)
        if is_than or side.lower[i : i + 2] in (["compared", "with"], ["compared", "to"]):
            yield "than", i, range(clause.start, i), range(i + 1, min(clause.stop, i + COMPARED))
        elif side.lower[i] == "from" and not side.fact_at(i):
            to = next((k for k in range(i + 2, clause.stop - 1) if side.lower[k] == "to"), None)
            if to is not None:
                yield "change", i, range(i + 1, to), range(to + 1, clause.stop)
