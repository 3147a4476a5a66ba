"""What somebody else did: agents that were exchanged or are others, and comparisons the other way round."""

from collections.abc import Iterable, Iterator, Set

from vorlage.attribution.findings.agents import (
    PROPER,
    Roles,
    Stems,
    first_head,
    is_value,
    name_of,
    names_in,
    read_roles,
    referents,
    subjects,
    with_names,
)
from vorlage.attribution.findings.reading import CONTRADICTED, LIKELY, SAYS, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.tags import NOUNS
from vorlage.text.words import stem
from vorlage.types import Span


def find_roles(pair: Linked) -> Iterator[Difference]:
    """Yield the agents of verbs that have another agent in the document."""
    text, document = pair.text, pair.document
    for roles in _content_roles(text):
        for j in sorted(pair.links[roles.verb]):
            if document.tags[j] == "VBG" or not _are_alike(text.lower[roles.verb], document.lower[j]):
                continue
            source = next(read_roles(document, [j]), None)
            if source and (
                _are_exchanged(pair, roles, source)
                or _of_another(pair, roles, source)
                or _have_exchanged_places(pair, roles, source)
            ):
                message = SAYS.format(_quote(text, roles), _quote(document, source))
                yield Difference(roles.span, source.span, "role", CONTRADICTED, message)


def _quote(side: ReadText, roles: Roles) -> str:
    first, end = roles.span
    return side.quote((with_names(side, first), end))


def _content_roles(side: ReadText) -> Iterator[Roles]:
    """Yield the roles beside verbs with a meaning of their own, participles such as *including* left out."""
    verbs = (i for i, tag in enumerate(side.tags) if tag != "VBG" and side.content[i])
    return read_roles(side, verbs)


def _are_alike(verb: str, other: str) -> bool:
    """Return whether two verbs have one meaning; those with very many have none in common."""
    kind = relation(verb, other)
    return kind == "same" or (kind == "synonym" and ENGLISH.light_verbs.isdisjoint((stem(verb), stem(other))))


def _are_exchanged(pair: Linked, roles: Roles, source: Roles) -> bool:
    """Return whether the agent of a verb is its patient in the document, and the other way round."""
    agents, patients = ({pair.document.stems[k] for k in places} for places in (source.before, source.after))
    name = name_of(pair.text, roles.agent)
    objects = name_of(pair.text, first_head(pair.text, roles.after))
    return bool(name & patients and objects & agents) and not (name & agents or objects & patients)


def _of_another(pair: Linked, roles: Roles, source: Roles) -> bool:
    """Return whether the document has the same verb with another name, and the text's name elsewhere."""
    text, document = pair.text, pair.document
    names, others = referents(text, roles.agent), referents(document, source.agent)
    known = _known(document, names)
    if not (known and others and text.stems[roles.verb] == document.stems[source.verb]):
        return False
    ends = (text, roles.agent), (document, source.agent)
    pronouns = [side.lower[agent] in ENGLISH.third_persons for side, agent in ends]
    # Names of persons have no article, and pronouns stand for persons.
    if all(pronouns) or (any(pronouns) and any(_has_article(side, agent) for side, agent in ends)):
        return False
    if _are_one(names, [*others, *names_in(document, document.sentence(source.verb))]):
        return False
    mentioned = names_in(text, text.sentence(roles.verb))
    if all(_are_one([other], mentioned) for other in others):
        return False
    return not any(_stand_together(document, name, other) for name in known for other in others)


def _has_article(side: ReadText, head: int) -> bool:
    """Return whether *the* stands before a name."""
    first = with_names(side, head)
    return first > 0 and side.lower[first - 1] == "the"


def _known(document: ReadText, names: Iterable[Stems]) -> list[Stems]:
    """Return the names whose words are all parts of names in the document."""
    return [name for name in names if all(_proper_places(document, [stem]) for stem in name)]


def _proper_places(side: ReadText, stems: Iterable[str]) -> set[int]:
    """Return the places of some stems in names."""
    return {k for stem in stems for k in side.stem_places.get(stem, ()) if side.tags[k] in PROPER}


def _stand_together(document: ReadText, name: Stems, other: Stems) -> bool:
    """Return whether two names stand beside each other somewhere, as *Sugar Ray* beside *Leonard*."""
    beside = {k + step for k in _proper_places(document, name) for step in (-1, 1)}
    return not beside.isdisjoint(_proper_places(document, other))


def _are_one(names: Iterable[Stems], others: Iterable[Stems]) -> bool:
    """Return whether one of some names may be one of others: a part of it, or its initials."""
    others = list(others)
    return any(
        name <= other or other <= name or _abbreviates(name, other) or _abbreviates(other, name)
        for name in names
        for other in others
    )


def _abbreviates(acronym: Stems, name: Stems) -> bool:
    """Return whether a name of one word has the first letters of the words of another, in any order."""
    return len(acronym) == 1 and sorted(*acronym) == sorted(word[0] for word in name)


def _have_exchanged_places(pair: Linked, roles: Roles, source: Roles) -> bool:
    """Return whether the words in which the agents of a verb differ stand elsewhere in the other sentence."""
    text, document = pair.text, pair.document
    if text.stems[roles.verb] != document.stems[source.verb]:
        return False
    phrase, rest = _phrase_and_rest(text, roles.agent)
    other_phrase, other_rest = _phrase_and_rest(document, source.agent)
    new, old = phrase - other_phrase, other_phrase - phrase
    if not (new and old and old <= rest and old.isdisjoint(other_rest)):
        return False
    if new <= other_rest:
        return True
    # In another sentence of the document, whose agent it is, while that of this one is an agent in the text.
    agents = {text.stems[each.agent] for each in read_roles(text, text.sentence(roles.verb))}
    elsewhere = {document.stems[k] for n in pair.home(roles.verb) for k in document.places(n)}
    return document.stems[source.agent] in agents and new <= elsewhere


def _phrase_and_rest(side: ReadText, head: int) -> tuple[Set[str], Set[str]]:
    """Return the stems of the content words of the noun phrase of a head, and of the rest of its sentence."""
    sentence, first = side.sentence(head), head
    # The tag of the first word of a sentence is less sure.
    while first > sentence.start and (side.tags[first - 1] in NOUNS | {"JJ"} or first - 1 == sentence.start):
        first -= 1
    phrase = {i for i in range(first, head + 1) if side.content[i]}
    return {side.stems[i] for i in phrase}, {side.stems[i] for i in sentence if i not in phrase}


def find_merged(pair: Linked) -> Iterator[Difference]:
    """Yield what the text says of one name and the document only of others, in other sentences."""
    text, document = pair.text, pair.document
    for roles in _content_roles(text):
        names = referents(text, roles.agent)
        if not names:
            continue
        said = [
            i
            for i in text.clause(roles.verb)
            if text.content[i] and not any(text.stems[i] in name for name in names)
        ]
        homes = pair.homes(said)
        mentioned = names_in(text, text.sentence(roles.verb))
        for span, holders in _items(pair, roles):
            others = [subjects(document, n) for n in holders]
            if (
                all(others)
                and not _are_one([*names, *mentioned], (other for each in others for other in each))
                and not any(_are_one(names, names_in(document, document.places(n))) for n in holders)
                and any(
                    _are_one(names, names_in(document, document.places(n))) for n in homes.keys() - holders
                )
            ):
                if max(homes, key=lambda n: homes[n]) in holders:  # the name is another, not the value
                    span = with_names(text, roles.agent), roles.agent + 1
                source = document.text.sentences[min(holders)]
                message = "“{}”: the source says this of another: “{}”"
                yield pair.difference(span, source, "role", LIKELY, message)


def _items(pair: Linked, roles: Roles) -> Iterator[tuple[Span, set[int]]]:
    """Yield the values in the clause of a verb and its object, with the document sentences that have them."""
    text, document = pair.text, pair.document
    clause, head = text.clause(roles.verb), first_head(text, roles.after)
    for fact in dict.fromkeys(filter(None, (text.fact_at(i) for i in clause if is_value(text, i)))):
        stated = {
            document.sentences[each.words[0]] for each in document.facts if fact.value.agrees(each.value)
        }
        if stated:
            yield fact.words, stated
    if head is not None and pair.links[head] and text.stems[head] in document.stem_places:
        yield (head, head + 1), {document.sentences[j] for j in document.stem_places[text.stems[head]]}


def find_compared(pair: Linked) -> Iterator[Difference]:
    """Yield comparisons whose sides were exchanged: *larger in men than in women*."""
    text, document = pair.text, pair.document
    for t, word in enumerate(text.lower):
        if word not in ("than", "compared"):
            continue
        clause, following = text.clause(t), range(t + 1, min(t + 6, text.sentence(t).stop))
        left, right = (
            [i for i in places if text.tags[i] in NOUNS | {"JJ"} and text.content[i]]
            for places in (range(clause.start, t), following)
        )
        for j in (j for n in sorted(pair.home(t)) for j in document.places(n) if document.lower[j] == word):
            start, stop = document.clause(j).start, document.sentence(j).stop
            before = {document.stems[k] for k in range(start, j)}
            after = {document.stems[k] for k in range(j + 1, min(stop, j + 6))}
            lefts = [i for i in left if text.stems[i] in after - before]
            rights = [i for i in right if text.stems[i] in before - after]
            degrees = _degrees(text, range(clause.start, t)), _degrees(document, range(start, j))
            if lefts and rights and not (all(degrees) and degrees[0].isdisjoint(degrees[1])):
                message = "“{}”: the source compares the other way round"
                yield pair.difference((lefts[0], rights[-1] + 1), (j, j + 1), "role", CONTRADICTED, message)


def _degrees(side: ReadText, places: range) -> set[str]:
    """Return the comparatives among some words."""
    return {side.lower[i] for i in places if side.tags[i] in ("JJR", "RBR")}
