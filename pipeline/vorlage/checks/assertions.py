"""What the clauses of a text assert otherwise than those of its document: who does what, and whether it holds."""

from collections.abc import Iterator
from os.path import commonprefix
from typing import NamedTuple

from vorlage.attribution.reading import AGREED, CONTRADICTED, LIKELY, Finding
from vorlage.checks.agents import Stems, referents
from vorlage.checks.clauses import CONDITIONS, Clause, Part, read_clauses
from vorlage.checks.facts import SAYS, StatementPair, Statements
from vorlage.checks.negation import NEGATIVE, UNCERTAIN, is_idle
from vorlage.checks.relations import opposite, relation
from vorlage.text.english import ENGLISH
from vorlage.text.wordnet import open_wordnet
from vorlage.types import Span

NEAR = 4  # document sentences that a sentence of the text is compared with
SAME_START = 4  # letters that two forms of a name share: *Lyon*, *Lyonnais*
PROPER = frozenset(["NNP", "NNPS"])
# Roles of which one may be exchanged for another.
DIRECT = frozenset("agent patient recipient from to by than with over on for against into".split())


import os

GUARD = set(os.environ.get("GUARD", "").split())
MOVED = [int(x) for x in os.environ.get("MOVED", "11")]


class Match(NamedTuple):
    """A clause of the text and one of the document with the same or a related predicate.

    `number`: of the document sentence; `alike`: 3 for forms of one predicate, 2 for a related one, 1 for a linked one;
    `shared`, `loose`: how many roles are filled alike, and how many of its parts stand there in any role.
    """

    text: Clause
    document: Clause
    number: int
    alike: int
    shared: int
    loose: int


def is_proper(side: Statements, place: int) -> bool:
    """Return whether a word is part of a name; the first of a sentence, only if it is no common word."""
    if side.tags[place] not in PROPER or side.lower[place].rstrip(".") in ENGLISH.titles:
        return False
    first = side.sentence(place).start
    if place > first:
        return True
    follows = place + 1 < len(side.tags) and side.tags[place + 1] in PROPER
    return follows or not any(open_wordnet().senses(side.lower[place], part) for part in "nva")


def is_uncertain(side: Statements, place: int) -> bool:
    """Return whether a word leaves something open; *to* does before a verb."""
    if side.lower[place] == "to":
        return side.tags[place + 1 : place + 2] == ["VB"]
    return side.lower[place] in UNCERTAIN


def extent(clause: Clause) -> range:
    """Return the places from the first to the last word of a clause and its parts."""
    words = [i for parts in clause.parts.values() for part in parts for i in part.words]
    return range(min([clause.span[0] - 1, *words]), max([clause.span[1], *(i + 1 for i in words)]))


class Assertions:
    """The clauses of a text and those of its document that they are compared with."""

    def __init__(self, pair: StatementPair) -> None:
        self.pair, self.text, self.document = pair, pair.text, pair.document
        self.read: dict[int, list[Clause]] = {}
        self.near: list[list[int]] = []
        for number in range(len(self.text.tokenized.sentences)):
            homes = pair.homes(t for t in self.text.places(number) if self.text.content[t])
            self.near.append([n for n, count in homes.most_common(NEAR) if count > 1] or [n for n, _ in homes.most_common(1)])

    def clauses(self, number: int) -> list[Clause]:
        """Return the clauses of a document sentence."""
        if number not in self.read:
            self.read[number] = read_clauses(self.document, number)
        return self.read[number]

    def find(self) -> Iterator[Finding]:
        for number in range(len(self.near)):
            clauses = read_clauses(self.text, number)
            best = []
            for clause in clauses:
                matches = self.matches(number, clause)
                if matches:
                    best.append(matches[0])
                    yield from self.compare(clauses, matches)
            yield from self.swapped(best)
            yield from self.links(number, clauses)

    # --- likeness ---

    def alike(self, t: int, j: int) -> int:
        text, document = self.text, self.document
        linked = j in self.pair.links[t]
        if text.stems[t] == document.stems[j]:
            return 3
        word, other = text.lower[t], document.lower[j]
        kind = relation(word, other)
        light = not ENGLISH.light_verbs.isdisjoint((text.stems[t], document.stems[j]))
        if kind == "same" and text.content[t]:
            return 3
        if kind in ("synonym", "antonym") and not light:
            return 1 + linked
        return int(linked and text.tags[t][:2] == document.tags[j][:2] and text.content[t])

    def names(self, side: Statements, part: Part) -> frozenset[str]:
        if side.lower[part.head] in ENGLISH.third_persons:
            found = self.referents(side, part.head)
            return next(iter(found)) if len(found) == 1 else frozenset()
        return frozenset(side.stems[i] for i in part.words if is_proper(side, i))

    def referents(self, side: Statements, place: int) -> frozenset[Stems]:
        """Return the names that a pronoun may stand for."""
        return frozenset(referents(side, place))

    def same(self, a: Part, b: Part) -> bool | None:
        """Return whether two parts are one thing; None if that is unknown."""
        text, document, links = self.text, self.document, self.pair.links
        names, others = self.names(text, a), self.names(document, b)
        if names and others:
            alike = any(len(commonprefix((a, b))) >= SAME_START for a in names for b in others)
            return bool(names & others) or alike or _abbreviates(names, others) or _abbreviates(others, names)
        for name, side, part in ((names, document, b), (others, text, a)):
            if name and side.lower[part.head] in ENGLISH.third_persons and (found := self.referents(side, part.head)):
                return None if any(name & each for each in found) else False
        mine, its = self.stems(text, a), self.stems(document, b)
        linked = b.head in links[a.head]
        kind = relation(text.lower[a.head], document.lower[b.head])
        moved = linked and kind == "none" and text.stems[a.head] in document.stem_places
        if (linked and not moved) or text.stems[a.head] in its or document.stems[b.head] in mine:
            return True
        unclear = {text.tags[a.head], document.tags[b.head]} & {"PRP", "CD", "WP", "DT", "EX", "JJ", "RB"}
        if names or others or unclear:
            return None
        return kind in ("same", "synonym", "broader", "narrower")

    def stems(self, side: Statements, part: Part) -> set[str]:
        return {side.stems[i] for i in part.words if side.content[i]} | self.names(side, part)

    def fills(self, some: list[Part], others: list[Part]) -> bool | None:
        found = [self.same(a, b) for a in some for b in others]
        return True if True in found else None if None in found or not found else False

    def matches(self, number: int, clause: Clause) -> list[Match]:
        found = []
        for n in self.near[number]:
            for other in self.clauses(n):
                alike = self.alike(clause.predicate, other.predicate)
                if not alike:
                    continue
                anywhere = [part for parts in other.parts.values() for part in parts]
                shared = sum(self.fills(parts, other.parts.get(role, [])) is True for role, parts in clause.parts.items())
                loose = sum(self.fills(parts, anywhere) is True for parts in clause.parts.values())
                found.append(Match(clause, other, n, alike, shared, loose))
        return sorted(found, key=lambda m: (-(m.alike + m.shared + m.loose / 2), (m.text.cue is None) != (m.document.cue is None)))

    # --- comparison ---

    def compare(self, clauses: list[Clause], matches: list[Match]) -> Iterator[Finding]:
        best = matches[0]
        rest = [m for m in matches if m.shared >= best.shared and m.alike >= 2]
        conditions = list(self.conditions(clauses, best, rest))
        yield from conditions
        if not any(f.severity == AGREED or f.kind == "condition" for f in conditions):
            yield from self.polarity(best, rest)
        yield from self.openings(clauses, best, rest)
        yield from self.roles(best, rest)
        yield from self.agents(matches, rest)
        yield from self.moved(clauses, best, rest)
        yield from self.speakers(best, rest)

    def agents(self, matches: list[Match], rest: list[Match]) -> Iterator[Finding]:
        """Yield agents that differ, where what they do it to does not, and what is said of another."""
        best = matches[0]
        mine, its = best.text.parts.get("agent", []), best.document.parts.get("agent", [])
        if best.alike < 3 or not mine or not its or self.exchanged(best):
            return
        if {best.text.form, best.document.form} & {"to", "ing"}:
            return
        agrees = self.fills(mine, its)
        if agrees is False and not any(self.fills(mine, m.document.parts.get("agent", [])) is not False for m in rest):
            names = self.names(self.text, mine[0]), self.names(self.document, its[0])
            known = names[0] and all(stem in self.document.stem_places for stem in names[0])
            shared = best.shared > 0
            alone = len(mine) == len(its) == 1 and self.is_person(self.text, mine[0]) and self.is_person(self.document, its[0])
            elsewhere = {self.document.stems[j] for j in self.document.sentence(best.document.verb)} & names[0]
            acts = any(names[0] & self.names(self.document, part) for c in self.clauses(best.number) if c is not best.document for part in c.parts.get("agent", []))
            said = {self.text.stems[i] for i in self.text.sentence(best.text.verb)} & names[1]
            if known and alone and shared and (acts or not elsewhere) and not said:
                words = min(mine[0].head, best.text.predicate), max(mine[0].head, best.text.predicate) + 1
                yield self.finding(best, words, "role", CONTRADICTED)
        for role, parts in best.text.parts.items():
            if role == "agent" or len(mine) + len(parts) > 2:
                continue
            for part in parts:
                own = [m for m in matches if self.fills(mine, m.document.parts.get("agent", [])) is True]
                others = [m for m in matches if self.fills(mine, m.document.parts.get("agent", [])) is False]
                if own and others and all(self.equal(part, m.document.parts.get(role, [])) is False for m in own):
                    theirs = [m for m in others if self.equal(part, m.document.parts.get(role, [])) is True]
                    if theirs:
                        yield self.finding(own[0], (min(part.words), max(part.words) + 1), "role", CONTRADICTED)

    def swapped(self, matches: list[Match]) -> Iterator[Finding]:
        """Yield parts of two clauses of a sentence that the document has beside the other verb each."""
        for k, one in enumerate(matches):
            for other in matches[k + 1 :]:
                if one.text.predicate == other.text.predicate or one.document is other.document or min(one.alike, other.alike) < 2:
                    continue
                for role, some in one.text.parts.items():
                    for third, others in other.text.parts.items():
                        here, there = one.document.parts.get(role, []), other.document.parts.get(third, [])
                        if (role == "agent") != (third == "agent") or not here or not there:
                            continue
                        wrong = self.fills(some, here) is False and self.fills(others, there) is False
                        if wrong and self.fills(some, there) is True and self.fills(others, here) is True:
                            words = min(some[0].head, one.text.predicate), max(some[0].head, one.text.predicate) + 1
                            yield self.finding(one, words, "role", CONTRADICTED)

    def moved(self, clauses: list[Clause], best: Match, rest: list[Match]) -> Iterator[Finding]:
        """Yield parts that the document has in another role, or denies there, or has beside another verb."""
        text, document = best.text.parts, best.document.parts
        forms = {best.text.form, best.document.form}
        if best.alike < 3 or not self.text.content[best.text.predicate] or forms & {"ing", "to"}:
            return
        for role, some in text.items():
            here = document.get(role, [])
            if role not in DIRECT or not here or any(self.fills(some, m.document.parts.get(role, [])) is True for m in rest):
                continue
            for part in some:
                denied = [o for o in document.get("than", []) if self.document.lower[min(o.words) - 4 : min(o.words)].count("rather")]
                denied += document.get(f"not {role}", [])
                if denied and self.fills([part], denied) is True and self.fills([part], here) is not True:
                    yield self.finding(best, (min(part.words), max(part.words) + 1), "role", CONTRADICTED)
                    return
                for other in {"agent", "patient", "recipient"} - {role} if role in ("agent", "patient", "recipient") else ():
                    if MOVED[1] and self.stands(part, document.get(other, []), here) and not any(self.fills(text.get(other, []), m.document.parts.get(other, [])) is not False for m in [best, *rest]) and text.get(other):
                        yield self.finding(best, (min(part.head, best.text.predicate), max(part.head, best.text.predicate) + 1), "role", CONTRADICTED)
                        return

    def is_person(self, side: Statements, part: Part) -> bool:
        """Return whether the head of a part is a name, or a pronoun."""
        apposed = any(is_proper(side, i) for i in part.words if i > part.head)
        return is_proper(side, part.head) or side.lower[part.head] in ENGLISH.third_persons or apposed

    def equal(self, part: Part, others: list[Part]) -> bool | None:
        """Return whether a part is one of others, by their values too."""
        facts = [f for i in part.words if (f := self.text.fact_at(i)) and f.value.kind != "name"]
        theirs = [f for o in others for j in o.words if (f := self.document.fact_at(j)) and f.value.kind != "name"]
        if facts and theirs:
            return any(facts[0].value.agrees(f.value) for f in theirs)
        return self.fills([part], others) if others else None

    def speakers(self, best: Match, rest: list[Match]) -> Iterator[Finding]:
        mine, its = best.text.speaker, best.document.speaker
        if mine is None or its is None or best.alike < 2 or best.loose < 1:
            return
        heads = self.text.lower[mine.head], self.document.lower[its.head]
        if ENGLISH.third_persons.issuperset(heads) or not (self.is_person(self.text, mine) and self.is_person(self.document, its)):
            return
        if any(m.document.speaker is None or self.same(mine, m.document.speaker) is not False for m in [best, *rest]):
            return
        names = self.names(self.text, mine)
        if names and self.names(self.document, its) and all(stem in self.document.stem_places for stem in names):
            message = "“{}” did not say this: the source is “{}”"
            yield self.pair.finding((min(mine.words), mine.head + 1), (min(its.words), its.head + 1), "speaker", CONTRADICTED, message)

    def links(self, number: int, clauses: list[Clause]) -> Iterator[Finding]:
        """Yield what comes before what, or causes what, the other way round."""
        for kind, place, first, second in links(self.text, number, clauses):
            verdict = 0
            heads = {c.predicate for c in clauses} | {p.head for c in clauses for ps in c.parts.values() for p in ps if p.words & {*first, *second} and self.text.tags[p.head] not in PROPER}
            for n in self.near[number]:
                for other, j, a, b in links(self.document, n, self.clauses(n)):
                    if kind != other:
                        continue
                    mine, its = [{self.text.stems[i] for i in each if self.text.content[i]} for each in (first, second)], [{self.document.stems[i] for i in each if self.document.content[i]} for each in (a, b)]
                    if kind == "than" and bool(degree(self.text, place)) != bool(degree(self.document, j)):
                        continue
                    common = (mine[0] & mine[1]) | (its[0] & its[1])
                    counts = [len((mine[x] & its[y]) - common) for x, y in ((0, 0), (1, 1), (0, 1), (1, 0))]
                    straight, crossed = counts[0] + counts[1], counts[2] + counts[3]
                    if kind == "than":
                        new, old = mine[0] - its[0], its[0] - mine[0]
                        if new & its[1] and old & mine[1]:
                            degrees = degree(self.text, place), degree(self.document, j)
                            converse = all(degrees) and degrees[0].isdisjoint(degrees[1])
                            verdict, source = (2 if converse else verdict or -1), j
                            compared = extent_of(first, second)
                            sides = [i for i in compared if self.text.stems[i] in new | old]
                    elif kind != "change" and not {self.text.stems[i] for i in heads} & ((mine[0] & its[1]) | (mine[1] & its[0])):
                        pass
                    elif crossed > straight and counts[2] and counts[3] and crossed >= 3 - (kind == "change"):
                        verdict, source = verdict or -1, j
                    elif straight > crossed and counts[0] and counts[1]:
                        verdict = 1
            if verdict > 1:
                yield from self.agreed(*compared)
            elif verdict > 0:
                yield from self.agreed(place)
            elif verdict < 0:
                span = self.document.sentence(source)
                words = (sides[0], sides[-1] + 1) if kind == "than" else (place, place + 1)
                yield self.pair.finding(words, (span.start, span.stop), "role", CONTRADICTED, "“{}”: the source has it the other way round")

    def finding(self, match: Match, words: Span, kind: str, severity: int, message: str = SAYS) -> Finding:
        places = extent(match.document)
        return self.pair.finding(words, (places.start, places.stop), kind, severity, message)

    def agreed(self, *places: int) -> Iterator[Finding]:
        for t in places:
            yield self.pair.finding((t, t + 1), None, "agreed", AGREED)

    def polarity(self, best: Match, rest: list[Match]) -> Iterator[Finding]:
        text, document = best.text, best.document
        lost = text.cue is None
        if best.alike < 2 or lost == (document.cue is None) or opposite(self.text.lower[text.predicate], self.document.lower[document.predicate]):
            return
        if any((m.document.cue is None) == lost for m in rest):
            return
        side, clause = (self.text, text) if lost else (self.document, document)
        places = side.sentence(clause.predicate) if lost else side.clause(clause.predicate)
        if any(side.lower[i] in NEGATIVE - GUARD and not is_idle(side, i) for i in places) or "ing" in (text.form, document.form):
            return
        if "purpose" in (text.marker, document.marker):
            return
        if lost and document.cue is not None and document.cue < document.span[0] - 1 and "agent" in text.parts:
            text.span = min(text.parts["agent"][0].words), text.span[1]
        words = text.span if lost or text.cue is None else (min(text.cue, text.span[0]), max(text.cue + 1, text.span[1]))
        yield self.finding(best, words, "negation", CONTRADICTED)

    def openings(self, clauses: list[Clause], best: Match, rest: list[Match]) -> Iterator[Finding]:
        text, document = best.text, best.document
        opened = text.opening is not None
        if best.alike < 3 or opened == (document.opening is not None) or any((m.document.opening is not None) == opened for m in rest):
            return
        if text.form != "finite" or not self.text.tags[text.predicate].startswith("VB") or document.form in ("ing", "participle"):
            return
        if opened and self.text.lower[text.opening or 0] not in ENGLISH.hedges:
            return
        side, clause = (self.document, document) if opened else (self.text, text)
        if any(is_uncertain(side, i) for i in side.sentence(clause.predicate)) or not self.text.content[text.predicate]:
            return
        if not opened and "will" in self.text.lower[text.span[0] : text.span[1]] and self.document.lower[document.opening or 0] not in ENGLISH.hedges:
            return
        yield self.finding(best, text.span, "hedge", LIKELY)

    def condition(self, side: Statements, clauses: list[Clause], clause: Clause) -> Clause | None:
        """Return the condition of a clause."""
        index = clauses.index(clause)
        return next((c for c in clauses if c.above == index and c.marker in CONDITIONS), None)

    def sign(self, side: Statements, clause: Clause, condition: Clause) -> int:
        """Return 1 if a clause holds when its condition does, -1 if it does not, 0 if it holds in any case."""
        start = next((i for i in range(condition.verb, side.sentence(condition.verb).start - 1, -1) if side.lower[i] in CONDITIONS), condition.verb)
        if side.lower[start - 1] == "even":
            return 0
        denials = (clause.cue is not None) + (condition.cue is not None) + (side.lower[start] == "unless")
        return -1 if denials % 2 else 1

    def conditions(self, clauses: list[Clause], best: Match, rest: list[Match]) -> Iterator[Finding]:
        text, document = best.text, best.document
        others = self.clauses(best.number)
        mine, its = self.condition(self.text, clauses, text), self.condition(self.document, others, document)
        if best.alike < 2:
            return
        if mine and its:
            if not self.alike(mine.predicate, its.predicate):
                return
            signs = self.sign(self.text, text, mine), self.sign(self.document, document, its)
            if signs[0] == signs[1]:
                marks = [i for i in self.text.sentence(text.verb) if self.text.lower[i] in CONDITIONS | ENGLISH.negations]
                yield from self.agreed(*marks, text.predicate, mine.predicate)
            else:
                first = min(mine.span[0], *(min(p.words) for ps in mine.parts.values() for p in ps)) if mine.parts else mine.span[0]
                start = next((i for i in range(first, self.text.sentence(first).start - 1, -1) if self.text.lower[i] in CONDITIONS), first)
                yield self.finding(best, (start, mine.span[1]), "condition", CONTRADICTED)
        elif its and not mine:
            if text.opening is not None or text.form != "finite" or any(self.condition(self.document, self.clauses(m.number), m.document) is None for m in rest):
                return
            words = {self.document.stems[i] for i in extent(its) if self.document.content[i]}
            said = set(self.text.stems)
            uncertain = any(is_uncertain(self.text, i) for i in self.text.sentence(text.verb))
            if len(words & said) * 2 >= len(words) or uncertain:
                return
            places = extent(its)
            source = self.document.quote((max(places.start, 0), places.stop))
            yield self.finding(best, text.span, "condition", LIKELY, "“{}” only under a condition: “" + source.replace("{", "").replace("}", "") + "”")

    def roles(self, best: Match, rest: list[Match]) -> Iterator[Finding]:
        if best.alike < 2:
            return
        crossed = self.exchanged(best)
        if crossed is None or any(self.exchanged(m) is None and m.shared >= best.shared for m in rest):
            return
        if isinstance(crossed, str):
            return
        a, b = crossed
        opposed = self.opposed(best)
        if opposed:
            yield from self.agreed(*opposed, best.text.predicate)
        else:
            words = min(a.head, b.head, best.text.predicate), max(a.head, b.head, best.text.predicate) + 1
            yield self.finding(best, words, "role", CONTRADICTED)

    def opposed(self, match: Match) -> list[int]:
        text, document = extent(match.text), extent(match.document)
        words = {self.document.lower[j] for j in document}
        return [t for t in text if self.text.lower[t] not in words and any(opposite(self.text.lower[t], word) for word in words)]

    def exchanged(self, match: Match) -> tuple[Part, Part] | None:
        """Return two parts of the text that stand each in the role of the other in the document."""
        text, document = match.text.parts, match.document.parts
        for role, some in text.items():
            for other in document:
                if role >= other or not {role, other} <= DIRECT or other not in text or role not in document:
                    continue
                for a in some:
                    for b in text[other]:
                        if self.stands(a, document[other], document[role]) and self.stands(b, document[role], document[other]):
                            return a, b
        return None

    def stands(self, part: Part, there: list[Part], here: list[Part]) -> bool:
        """Return whether a part is named in another role of the document, and not in its own."""
        text, document = self.text, self.document
        names = self.names(text, part)
        key = names or {text.stems[part.head]}
        mine = self.stems(text, part)
        others, own = (set().union(*(self.stems(document, each) for each in parts)) for parts in (there, here))
        new = mine - own
        return bool(new & others) and (bool(key & others - own) or bool(new & others - (mine & own)))


AFTER, BEFORE = frozenset("after following since".split()), frozenset("before until till".split())


def links(side: Statements, number: int, clauses: list[Clause]) -> Iterator[tuple[str, int, range, range]]:
    """Yield what links two parts of a sentence: its kind, its place, the words of the first and of the second.

    The first happens before the second or causes it, or it is that from which something changes.
    """
    for clause in clauses:
        if clause.above is not None and clause.above < len(clauses):
            main = clauses[clause.above]
            sub = extent(clause)
            words = [i for i in range(clause.span[0], side.sentence(clause.verb).start - 1, -1) if side.lower[i] == clause.marker]
            if not words:
                continue
            sub, rest = range(words[0], sub.stop), extent(main)
            rest = range(rest.start, words[0]) if rest.start < words[0] else range(max(rest.start, sub.stop), rest.stop)
            if clause.marker in AFTER:
                yield "order", words[0], sub, rest
            elif clause.marker in BEFORE:
                yield "order", words[0], rest, sub
            elif clause.marker == "because":
                yield "cause", words[0], sub, rest
            elif clause.marker == "so":
                yield "cause", words[0], rest, sub
        for role, parts in clause.parts.items():
            if role not in AFTER | BEFORE | {"because"}:
                continue
            for part in parts:
                inner = range(min(part.words), max(part.words) + 1)
                words = [i for i in range(inner.start, side.sentence(clause.verb).start - 1, -1) if side.lower[i] == role]
                if not words:
                    continue
                whole = extent(clause)
                rest = range(whole.start, words[0]) if whole.start < words[0] else range(inner.stop, whole.stop)
                yield ("cause" if role == "because" else "order", words[0], *((rest, inner) if role in BEFORE else (inner, rest)))
    places = side.places(number)
    for i in places:
        compared = side.lower[i : i + 2] in (["compared", "with"], ["compared", "to"])
        if compared or (side.lower[i] == "than" and side.lower[i - 1] != "rather" and not side.fact_at(i)):
            clause = side.clause(i)
            yield "than", i, range(clause.start, i), range(i + 1, min(clause.stop, i + 7))
        if side.lower[i] == "from" and not side.fact_at(i):
            clause_end = next((k for k in range(i + 1, places.stop) if side.lower[k] in ENGLISH.clause_boundaries), places.stop)
            to = next((k for k in range(i + 2, clause_end) if side.lower[k] == "to"), None)
            if to is not None and to + 1 < clause_end:
                yield "change", i, range(i + 1, to), range(to + 1, clause_end)


def extent_of(first: range, second: range) -> range:
    return range(min(first.start, second.start), max(first.stop, second.stop))


def degree(side: Statements, than: int) -> set[str]:
    """Return the stems of the comparatives before *than*, and of what follows *more* and *less*."""
    places = range(side.clause(than).start, than)
    return {side.stems[i + 1] if side.tags[i + 1 : i + 2] in (["RB"], ["JJ"]) else side.stems[i] for i in places if side.tags[i] in ("JJR", "RBR")}


def _abbreviates(acronym: frozenset[str], name: frozenset[str]) -> bool:
    return len(acronym) == 1 < len(name) and sorted(*acronym) == sorted(word[0] for word in name)


def find_assertions(pair: StatementPair) -> Iterator[Finding]:
    """Yield what the clauses of the text assert otherwise than the document, and where they agree."""
    yield from Assertions(pair).find()
