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


def find_exchanges(comparison: Comparison, matches: Sequence[Match]) -> Iterator[Finding]:
    """Yield the parts of a clause that stand elsewhere in the document, or have others beside them there."""
    best = matches[0]
    if any(_is_converse(comparison, match) for match in matches):
        yield from comparison.agreed([best.text.predicate])
        return
    equals = [match for match in matches if match.shared >= best.shared and match.alike >= 2]
    if best.alike >= 2 and all(_exchanged(comparison, match) for match in equals):
        parts = _exchanged(comparison, best) or ()
        yield comparison.finding(best, _words(best.text, *parts), "role", CONTRADICTED)
        return
    yield from _find_moved(comparison, equals)
    yield from _find_other_agents(comparison, equals)
    yield from _find_said_of_others(comparison, matches)
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


def _exchanged(comparison: Comparison, match: Match) -> tuple[Part, Part] | None:
    """Return two parts of the text of which each stands in the role of the other in the document."""
    here, there = match.text.parts, match.document.parts
    roles = sorted(DIRECT & here.keys() & there.keys())
    for role, other in combinations(roles, 2):
        for a, b in product(here[role], here[other]):
            if _stands(comparison, a, there[other], there[role]) and _stands(
                comparison, b, there[role], there[other]
            ):
                return a, b
    return None


def _stands(comparison: Comparison, part: Part, there: Sequence[Part], here: Sequence[Part]) -> bool:
    """Return whether words of a part of the text are among parts of the document, and not among others."""
    others, own = (
        frozenset[str]().union(*(comparison.stems(comparison.document, each) for each in parts))
        for parts in (there, here)
    )
    return bool((comparison.stems(comparison.text, part) - own) & others)


def _find_moved(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a part that the document denies in its role, or has in another one of the same verb."""
    if not equals or equals[0].alike < 3 or {equals[0].text.form, equals[0].document.form} & {"to", "ing"}:
        return
    best, here, there = equals[0], equals[0].text.parts, equals[0].document.parts
    for role in sorted(DIRECT & here.keys() & there.keys()):
        if any(comparison.fills(here[role], match.document.parts.get(role, ())) is True for match in equals):
            continue
        denied = there.get(f"not {role}", [])
        moved = [
            part
            for part in here[role]
            for other in sorted(CORE & here.keys() - {role} if role in CORE else ())
            if _stands(comparison, part, there.get(other, ()), there[role])
            and all(comparison.fills(here[other], m.document.parts.get(other, ())) is False for m in equals)
        ]
        if (denied and comparison.fills(here[role], denied) is True) or moved:
            yield comparison.finding(
                best, _words(best.text, *(moved or here[role])[:1]), "role", CONTRADICTED
            )
            return


def _find_other_agents(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a person who does what the document says of another, whom the text does not name."""
    alone = [
        match
        for match in equals[:1]
        if {*match.text.parts, *match.document.parts} == {"agent"}
        and not is_form(comparison.text, match.text.predicate, ENGLISH.speech_verbs)
    ]
    if not equals or equals[0].alike < 3 or not (equals[0].shared or alone):
        return
    best, agents = equals[0], equals[0].text.parts.get("agent", [])
    others = [match.document.parts.get("agent", []) for match in equals]
    persons = _is_person(comparison.text, agents) and _is_person(comparison.document, others[0])
    heads = {comparison.text.lower[part.head] for part in agents}
    heads |= {comparison.document.lower[part.head] for part in others[0]}
    if (
        not persons
        or heads <= ENGLISH.third_persons
        or any(comparison.fills(agents, each) is not False or not each for each in others)
    ):
        return
    name, other = (
        comparison.name(comparison.text, agents[0]),
        comparison.name(comparison.document, others[0][0]),
    )
    if not name or not all(stem in comparison.document.stem_places for stem in name):
        return
    sentence = {comparison.document.stems[j] for j in comparison.document.sentence(best.document.verb)}
    acts = any(
        _stands(comparison, agents[0], clause.parts.get("agent", ()), ())
        for clause in comparison.source(best.number)
        if clause is not best.document
    )
    said = {comparison.text.stems[t] for t in comparison.text.sentence(best.text.verb)}
    forms = {best.text.form, best.document.form}
    if (acts or not sentence & name) and not said & other and not forms & {"to", "ing"}:
        yield comparison.finding(best, _words(best.text, agents[0]), "role", CONTRADICTED)


def _is_person(side: Statements, parts: Sequence[Part]) -> bool:
    """Return whether there is one part alone, and it is a name, has one behind it, or is a pronoun."""
    if len(parts) != 1:
        return False
    names = any(is_proper(side, i) for i in parts[0].words if i >= parts[0].head)
    return names or side.lower[parts[0].head] in ENGLISH.third_persons


def _find_said_of_others(comparison: Comparison, matches: Sequence[Match]) -> Iterator[Finding]:
    """Yield a part that the document has beside another agent, while that of the text has another part."""
    agents = matches[0].text.parts.get("agent", [])
    is_own = [comparison.fills(agents, match.document.parts.get("agent", ())) for match in matches]
    for role, parts in matches[0].text.parts.items():
        if role == "agent" or len(agents) != 1 or len(parts) != 1:
            continue
        fills = [comparison.is_equal(parts[0], match.document.parts.get(role, ())) for match in matches]
        fills = [
            fill if role in match.document.parts else None for fill, match in zip(fills, matches, strict=True)
        ]
        mine = [fill for fill, own in zip(fills, is_own, strict=True) if own is True]
        theirs = [fill for fill, own in zip(fills, is_own, strict=True) if own is False]
        if mine and all(fill is False for fill in mine) and True in theirs:
            words = min(parts[0].words), max(parts[0].words) + 1
            yield comparison.finding(matches[is_own.index(True)], words, "role", CONTRADICTED)


def find_swapped(comparison: Comparison, best: Sequence[Match]) -> Iterator[Finding]:
    """Yield parts of two clauses of a sentence of which the document has each beside the other verb."""
    for one, other in combinations(best, 2):
        if one.document is other.document or min(one.alike, other.alike) < 2:
            continue
        for role in one.text.parts.keys() & one.document.parts.keys():
            for second in other.text.parts.keys() & other.document.parts.keys():
                some, others = one.text.parts[role], other.text.parts[second]
                here, there = one.document.parts[role], other.document.parts[second]
                wrong = [comparison.fills(some, here), comparison.fills(others, there)]
                right = [comparison.fills(some, there), comparison.fills(others, here)]
                if (
                    (role == "agent") == (second == "agent")
                    and wrong == [False, False]
                    and right == [True, True]
                ):
                    yield comparison.finding(one, _words(one.text, some[0]), "role", CONTRADICTED)


def _find_speakers(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a speaker whose words the document gives to somebody else."""
    speaker = equals[0].text.speaker if equals and equals[0].loose else None
    others = [match.document.speaker for match in equals]
    if speaker is None or any(
        other is None or comparison.is_same(speaker, other) is not False for other in others
    ):
        return
    text, document, other = comparison.text, comparison.document, others[0] or speaker
    heads = text.lower[speaker.head], document.lower[other.head]
    persons = _is_person(text, [speaker]) and _is_person(document, [other])
    name = comparison.name(text, speaker)
    is_known = (
        name and comparison.name(document, other) and all(stem in document.stem_places for stem in name)
    )
    if persons and is_known and not ENGLISH.third_persons.issuperset(heads):
        source = min(other.words), max(other.head + 1, min(other.words) + 1)
        words = min(speaker.words), max(speaker.head + 1, min(speaker.words) + 1)
        message = "“{}” did not say this: the source is “{}”"
        yield comparison.pair.finding(words, source, "speaker", CONTRADICTED, message)
