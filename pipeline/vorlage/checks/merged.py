"""What the text says of one name and the document only of others, in other sentences."""

from collections.abc import Iterator

from vorlage.attribution.reading import LIKELY, Finding
from vorlage.checks.clauses import Clause, Part
from vorlage.checks.facts import Statements
from vorlage.checks.matching import Comparison
from vorlage.checks.names import Name
from vorlage.checks.persons import Stems, are_one, is_proper, name_of, names_in, referents
from vorlage.text.english import ENGLISH
from vorlage.types import Span


def find_merged(comparison: Comparison, clause: Clause) -> Iterator[Finding]:
    """Yield the values and the object of a clause that the document has in sentences on others alone."""
    pair, text, document = comparison.pair, comparison.text, comparison.document
    names = _agents(text, clause)
    if not names or clause.form == "ing":
        return
    words = (i for i in text.clause(clause.verb) if text.content[i])
    homes = pair.homes(i for i in words if not any(text.stems[i] in name for name in names))
    mentioned = names_in(text, text.sentence(clause.verb))
    for span, holders in _items(comparison, clause):
        others = [_subjects(comparison, n) for n in holders]
        if not all(others) or are_one([*names, *mentioned], (other for each in others for other in each)):
            continue
        on_name = {
            n for n in homes.keys() | holders if are_one(names, names_in(document, document.places(n)))
        }
        if on_name and not on_name & holders:
            if max(homes, key=lambda n: homes[n]) in holders:  # the name is another, not the value
                agent = _subject(clause)[0].head
                span = agent + 1 - len(name_of(text, agent)), agent + 1
            source = document.tokenized.sentences[min(holders)]
            message = "“{}”: the source says this of another: “{}”"
            yield pair.finding(span, source, "role", LIKELY, message)


def _agents(side: Statements, clause: Clause) -> list[Stems]:
    """Return the names that the agent of a clause may be; none if it may be no name."""
    parts = _subject(clause)
    if not parts:
        return []
    head = parts[0].head
    if side.lower[head] in ENGLISH.third_persons:
        return referents(side, head)
    apposed = [i for i in sorted(parts[0].words) if is_proper(side, i)]
    return [name_of(side, apposed[-1])] if apposed else []


def _subject(clause: Clause) -> list[Part]:
    return clause.parts.get("agent") or clause.parts.get("patient", [])


def _subjects(comparison: Comparison, number: int) -> list[Stems]:
    """Return the names that a document sentence tells of; none if it may tell of something else."""
    each = [_agents(comparison.document, clause) for clause in comparison.source(number) if clause.parts]
    return [name for names in each for name in names] if all(each) else []


def _items(comparison: Comparison, clause: Clause) -> Iterator[tuple[Span, set[int]]]:
    """Yield the values in a clause and its object, with the document sentences that have them."""
    pair, text, document = comparison.pair, comparison.text, comparison.document
    facts = filter(None, (text.fact_at(i) for i in text.clause(clause.verb)))
    for fact in dict.fromkeys(fact for fact in facts if not isinstance(fact.value, Name)):
        agree = (other for other in document.facts if fact.value.agrees(other.value))
        if stated := {document.sentences[other.words[0]] for other in agree}:
            yield fact.words, stated
    for part in clause.parts.get("patient", []):
        if (
            part not in clause.parts.get("agent", [])
            and pair.links[part.head]
            and text.stems[part.head] in document.stem_places
        ):
            places = document.stem_places[text.stems[part.head]]
            yield (part.head, part.head + 1), {document.sentences[j] for j in places}
