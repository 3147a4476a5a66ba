"""Who does what to whom, differently from the document: parts of clauses that were exchanged or moved."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from vorlage.attribution.reading import CONTRADICTED, Finding
from vorlage.checks.clauses import Clause, Part
from vorlage.checks.facts import Statements
from vorlage.checks.matching import Comparison, Match
from vorlage.checks.persons import is_proper
from vorlage.checks.relations import relation
from vorlage.checks.subjects import is_form
from vorlage.text.english import ENGLISH
from vorlage.types import Span

# Roles of which one may be exchanged for another, and those of whom something is done to or by.
DIRECT = frozenset("agent patient recipient from to by than with over on for against into".split())
CORE = frozenset(["agent", "patient", "recipient"])


def find_exchanges(
    comparison: Comparison, matches: Sequence[Match], equals: Sequence[Match]
) -> Iterator[Finding]:
    """Yield the parts of a clause that stand elsewhere in the document, or have others beside them there."""
    if any(_is_converse(comparison, match) for match in matches):
        yield from comparison.agreed([matches[0].text.predicate])
    elif equals and all(exchanged := [_exchanged(comparison, match) for match in equals]):
        yield comparison.finding(equals[0], _words(equals[0].text, *exchanged[0]), "role", CONTRADICTED)
    else:
        yield from _find_said_of_others(comparison, matches)
        if equals:
            yield from _find_moved(comparison, equals)
            yield from _find_other_agents(comparison, equals)
            yield from _find_speakers(comparison, equals)


def _words(clause: Clause, *parts: Part) -> Span:
    places = [clause.predicate, *(part.head for part in parts)]
    return min(places), max(places) + 1


def _is_converse(comparison: Comparison, match: Match) -> bool:
    """Return whether opposite verbs have exchanged parts: *A sold it to B*, *B bought it from A*."""
    words = comparison.text.lower[match.text.predicate], comparison.document.lower[match.document.predicate]
    if relation(*words) != "opposite":
        return False
    here, there = match.text.parts, match.document.parts
    others, theirs = (
        [part for role in ("recipient", "to", "from") for part in parts.get(role, ())]
        for parts in (here, there)
    )
    agents = here.get("agent", ()), there.get("agent", ())
    crossed = comparison.fills(agents[0], theirs), comparison.fills(others, agents[1])
    return True in crossed and comparison.fills(*agents) is not True


def _exchanged(comparison: Comparison, match: Match) -> tuple[Part, ...]:
    """Return two parts of the text of which each stands in the role of the other in the document."""
    here, there = match.text.parts, match.document.parts
    for role, other in combinations(sorted(DIRECT & here.keys() & there.keys()), 2):
        for a, b in product(here[role], here[other]):
            is_moved = _stands(comparison, a, there[other], there[role])
            if is_moved and _stands(comparison, b, there[role], there[other]):
                return a, b
    return ()


def _stands(comparison: Comparison, part: Part, there: Sequence[Part], here: Sequence[Part]) -> bool:
    """Return whether words of a part of the text are among parts of the document, and not among others."""
    others, own = (
        frozenset[str]().union(*(comparison.stems(comparison.document, each) for each in parts))
        for parts in (there, here)
    )
    return bool((comparison.stems(comparison.text, part) - own) & others)


def _find_moved(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a part that the document has in another role of the same verb, where another part stands here."""
    if equals[0].alike < 3 or {equals[0].text.form, equals[0].document.form} & {"to", "ing"}:
        return
    best, here, there = equals[0], equals[0].text.parts, equals[0].document.parts
    for role in sorted(CORE & here.keys() & there.keys()):
        theirs = [part for match in equals for part in match.document.parts.get(role, ())]
        if comparison.fills(here[role], theirs) is True:
            continue
        for part, other in product(here[role], sorted(CORE & here.keys() - {role})):
            rest = [part for match in equals for part in match.document.parts.get(other, ())]
            is_moved = _stands(comparison, part, there.get(other, ()), there[role])
            if is_moved and comparison.fills(here[other], rest) is False:
                yield comparison.finding(best, _words(best.text, part), "role", CONTRADICTED)
                return


def _find_other_agents(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a person who does what the document says of another, whom the text does not name."""
    best = equals[0]
    agent, others = _agent(best.text), [_agent(match.document) for match in equals]
    other = agent and _other_person(comparison, agent, others)
    forms, roles = {best.text.form, best.document.form}, {*best.text.parts, *best.document.parts}
    acts = roles == {"agent"} and not is_form(comparison.text, best.text.predicate, ENGLISH.speech_verbs)
    if not agent or not other or best.alike < 3 or forms & {"to", "ing"} or not (best.shared or acts):
        return
    said = {comparison.text.stems[t] for t in comparison.text.sentence(best.text.verb)}
    if not said & comparison.name(comparison.document, other):
        yield comparison.finding(best, _words(best.text, agent), "role", CONTRADICTED)


def _agent(clause: Clause) -> Part | None:
    """Return the agent of a clause, if it has one alone."""
    agents = clause.parts.get("agent", [])
    return agents[0] if len(agents) == 1 else None


def _find_speakers(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a speaker whose words the document gives to somebody else."""
    speaker = equals[0].text.speaker
    other = speaker and _other_person(comparison, speaker, [match.document.speaker for match in equals])
    if speaker and other:
        message = "“{}” did not say this: the source is “{}”"
        yield comparison.pair.finding(speaker.span, other.span, "speaker", CONTRADICTED, message)


def _other_person(comparison: Comparison, part: Part, others: Sequence[Part | None]) -> Part | None:
    """Return the first of some parts of the document, if all are other persons than one of the text.

    The document must name that of the text too, and one of both must be no pronoun.
    """
    text, document, first = comparison.text, comparison.document, others[0]
    if first is None or any(
        other is None or comparison.is_same(part, other) is not False for other in others
    ):
        return None
    persons = _is_person(text, part) and _is_person(document, first)
    are_pronouns = {text.lower[part.head], document.lower[first.head]} <= ENGLISH.third_persons
    name = comparison.name(text, part)
    is_known = name and name <= document.stem_places.keys()
    return first if persons and is_known and not are_pronouns else None


def _is_person(side: Statements, part: Part) -> bool:
    """Return whether a part is a name, has one behind it, or is a pronoun."""
    names = any(is_proper(side, i) for i in part.words if i >= part.head)
    return names or side.lower[part.head] in ENGLISH.third_persons


def _find_said_of_others(comparison: Comparison, matches: Sequence[Match]) -> Iterator[Finding]:
    """Yield a part that the document has beside another agent, while that of the text has another part."""
    agent = _agent(matches[0].text)
    if agent is None:
        return
    own, foreign = (
        [
            each
            for each in matches
            if comparison.fills([agent], each.document.parts.get("agent", ())) is is_own
        ]
        for is_own in (True, False)
    )
    for role, parts in matches[0].text.parts.items():
        mine, theirs = (
            {comparison.fills(parts, match.document.parts.get(role, ())) for match in some}
            for some in (own, foreign)
        )
        if role != "agent" and len(parts) == 1 and mine == {False} and True in theirs:
            yield comparison.finding(own[0], parts[0].span, "role", CONTRADICTED)


def find_swapped(comparison: Comparison, best: Sequence[Match]) -> Iterator[Finding]:
    """Yield parts of two clauses of a sentence of which the document has each beside the other verb."""
    for one, other in combinations(best, 2):
        if one.document is other.document or min(one.alike, other.alike) < 2:
            continue
        roles, others = (each.text.parts.keys() & each.document.parts.keys() for each in (one, other))
        for role, second in product(roles, others):
            a, b = one.text.parts[role], other.text.parts[second]
            here, there = one.document.parts[role], other.document.parts[second]
            pairs = (a, here), (b, there), (a, there), (b, here)
            stand = [comparison.fills(*pair) for pair in pairs]
            if stand == [False, False, True, True]:
                yield comparison.finding(one, _words(one.text, a[0]), "role", CONTRADICTED)
