"""Finds the clauses of a document that a clause of a text may come from, by predicates and roles."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from vorlage.attribution.reading import AGREED, Finding
from vorlage.checks.clauses import Clause, Part, read_clauses
from vorlage.checks.facts import SAYS, StatementPair, Statements
from vorlage.checks.names import Name
from vorlage.checks.persons import Stems, is_proper, referents, share_a_word
from vorlage.checks.quantities import Value
from vorlage.checks.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.types import Span

NEAR = 4  # document sentences that a sentence of the text is compared with
_RELATED = ("same", "synonym", "broader", "narrower")
_VAGUE = frozenset(["PRP", "CD", "WP", "DT", "EX", "JJ", "RB"])  # tags of heads that name no thing


class Match(NamedTuple):
    """A clause of the text, and one of the document with the same or a related predicate.

    `number`: of the document sentence; `alike`: 3 for forms of one predicate, 2 for a related one that is
    linked, 1 for one that is related; `shared`: how many roles are filled alike.
    """

    text: Clause
    document: Clause
    number: int
    alike: int
    shared: int


class Comparison:
    """The clauses of a text beside those of its document.

    `clauses`: of each sentence of the text; `near`: the document sentences that each is compared with.
    """

    def __init__(self, pair: StatementPair) -> None:
        self.pair, self.text, self.document = pair, pair.text, pair.document
        numbers = range(len(self.text.tokenized.sentences))
        self.clauses = [read_clauses(self.text, number) for number in numbers]
        self.near = [self._near(number) for number in numbers]
        self.source = cache(lambda number: read_clauses(self.document, number))
        # The rules ask the same again and again.
        self.name, self.is_same, self._values = cache(self._name), cache(self._is_same), cache(_values)

    def _near(self, number: int) -> list[int]:
        words = (t for t in self.text.places(number) if self.text.content[t])
        homes = self.pair.homes(words).most_common(NEAR)
        return [n for n, count in homes if count > 1] or [n for n, _ in homes[:1]]

    def matches(self, number: int, clause: Clause) -> list[Match]:
        """Return the matches of a clause of a sentence, the best first."""
        candidates = ((n, other) for n in self.near[number] for other in self.source(n))
        found = [self._match(clause, n, other) for n, other in candidates]
        return sorted(filter(None, found), key=lambda match: -match.alike - match.shared)

    def _match(self, clause: Clause, number: int, other: Clause) -> Match | None:
        alike = self.alike(clause.predicate, other.predicate)
        if not alike:
            return None
        shared = sum(
            self.fills(parts, other.parts.get(role, ())) is True for role, parts in clause.parts.items()
        )
        return Match(clause, other, number, alike, shared)

    def alike(self, t: int, j: int) -> int:
        """Return how alike two predicates are, as `Match` says."""
        text, document, linked = self.text, self.document, j in self.pair.links[t]
        kind = relation(text.lower[t], document.lower[j])
        if text.stems[t] == document.stems[j] or (kind == "same" and text.content[t]):
            return 3
        return 1 + linked if kind in ("synonym", "opposite") else 0

    def referents(self, side: Statements, part: Part) -> set[Stems]:
        """Return the names that a part which is a pronoun may stand for; none for another."""
        return set(referents(side, part.head)) if side.lower[part.head] in ENGLISH.third_persons else set()

    def _name(self, side: Statements, part: Part) -> Stems:
        """Return the stems of the names of a part, or of the only one that its pronoun stands for."""
        own = frozenset(side.stems[i] for i in part.words if is_proper(side, i))
        names = self.referents(side, part)
        return own if not names else names.pop() if len(names) == 1 else frozenset()

    def stems(self, side: Statements, part: Part) -> Stems:
        """Return the stems of the content words of a part, with the name of a pronoun."""
        return self.name(side, part) | {side.stems[i] for i in part.words if side.content[i]}

    def _is_same(self, a: Part, b: Part) -> bool | None:
        """Return whether a part of the text and one of the document are one thing; None if it is unknown."""
        text, document = self.text, self.document
        values, theirs = self._values(text, a), self._values(document, b)
        if values and theirs:
            return any(values[0].agrees(value) for value in theirs)
        name, other = self.name(text, a), self.name(document, b)
        if name and other:
            return share_a_word(name, other)
        for known, side, part in ((name, document, b), (other, text, a)):
            if known and (found := self.referents(side, part)):
                return None if any(known & each for each in found) else False
        if b.head in self.pair.links[a.head] or self.stems(text, a) & self.stems(document, b):
            return True
        if {text.tags[a.head], document.tags[b.head]} & _VAGUE:
            return None
        return relation(text.lower[a.head], document.lower[b.head]) in _RELATED

    def fills(self, some: Sequence[Part], others: Sequence[Part]) -> bool | None:
        """Return whether one of some parts is one of others; None if it is unknown, or there are none."""
        found = [self.is_same(a, b) for a in some for b in others]
        return True if True in found else None if None in found or not found else False

    def finding(self, match: Match, words: Span, kind: str, severity: int, message: str = SAYS) -> Finding:
        """Return a finding whose source is the clause of the document."""
        source = match.document.extent
        return self.pair.finding(words, (source.start, source.stop), kind, severity, message)

    def agreed(self, places: Sequence[int]) -> Iterator[Finding]:
        """Yield words of the text in which both sides agree; what they state is compared all the same."""
        for t in places:
            if not self.text.fact_at(t):
                yield self.pair.finding((t, t + 1), None, "agreed", AGREED)


def _values(side: Statements, part: Part) -> list[Value]:
    facts = (side.fact_at(i) for i in sorted(part.words))
    return [fact.value for fact in facts if fact and not isinstance(fact.value, Name)]
