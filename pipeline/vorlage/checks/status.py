"""Whether what the text asserts holds: denials, possibilities and conditions that one side alone has."""

from collections.abc import Iterator, Sequence

from vorlage.attribution.reading import CONTRADICTED, LIKELY, Finding
from vorlage.checks.clauses import CONDITIONS, Clause
from vorlage.checks.facts import Statements
from vorlage.checks.matching import Comparison, Match
from vorlage.checks.negation import UNCERTAIN
from vorlage.text.english import ENGLISH


def find_openings(comparison: Comparison, equals: Sequence[Match]) -> Iterator[Finding]:
    """Yield a verb that tells a fact on one side, on the other what may be, is planned, asked or believed."""
    text, document, best = comparison.text, comparison.document, equals[0]
    clause, source = best.text, best.document
    is_lost = clause.opening is None
    is_fact = clause.form == "finite" and text.tags[clause.predicate].startswith("VB")
    if best.alike < 3 or not is_fact or any((match.document.opening is None) == is_lost for match in equals):
        return
    side, place = (text, clause.verb) if is_lost else (document, source.verb)
    is_open = any(_leaves_open(side, i) for i in side.sentence(place))
    if not is_open and (is_lost or text.lower[clause.opening or 0] in ENGLISH.hedges):
        yield comparison.finding(best, clause.span, "hedge", LIKELY)


def _leaves_open(side: Statements, place: int) -> bool:
    """Return whether a word leaves something open; *to* does before a verb."""
    if side.lower[place] == "to":
        return side.tags[place + 1 : place + 2] == ["VB"]
    return side.lower[place] in UNCERTAIN


def find_conditions(
    comparison: Comparison, clauses: Sequence[Clause], equals: Sequence[Match]
) -> Iterator[Finding]:
    """Yield a condition that was lost, or has the other sign; what both state in two ways agrees."""
    text, document, best = comparison.text, comparison.document, equals[0]
    here = _condition(clauses, best.text)
    others = [_condition(comparison.source(match.number), match.document) for match in equals]
    there = others[0]
    if here and there and comparison.alike(here.predicate, there.predicate):
        if _sign(text, best.text, here) == _sign(document, best.document, there):
            yield from comparison.agreed([*best.text.extent, *here.extent])
        else:
            yield comparison.finding(best, (_mark(text, here), here.span[1]), "condition", CONTRADICTED)
    elif there and not here and all(others) and best.text.opening is None and best.text.form == "finite":
        stems = {document.stems[i] for i in there.extent if document.content[i]}
        is_open = any(_leaves_open(text, i) for i in text.sentence(best.text.verb))
        if 2 * len(stems.intersection(text.stems)) < len(stems) and not is_open:
            source = _mark(document, there), there.extent.stop
            message = "“{}”: the source says so only “{}”"
            yield comparison.pair.finding(best.text.span, source, "condition", LIKELY, message)


def _condition(clauses: Sequence[Clause], clause: Clause) -> Clause | None:
    """Return the clause that begins with *if* or the like and hangs on another."""
    below = (each for each in clauses if each.above is not None and clauses[each.above] is clause)
    return next((each for each in below if each.marker in CONDITIONS), None)


def _mark(side: Statements, condition: Clause) -> int:
    """Return the place of the word that begins a condition."""
    places = range(side.sentence(condition.verb).start, condition.verb)
    return next((i for i in reversed(places) if side.lower[i] in CONDITIONS), condition.verb)


def _sign(side: Statements, clause: Clause, condition: Clause) -> int:
    """Return 1 if a clause holds when its condition does not, 0 if it holds when it does."""
    is_unless = side.lower[_mark(side, condition)] == "unless"
    return ((clause.cue is not None) + (condition.cue is not None) + is_unless) % 2
