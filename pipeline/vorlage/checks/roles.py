"""What somebody else did or said: agents that were exchanged or are others, and other speakers."""

from collections.abc import Iterable, Iterator, Set

from vorlage.attribution.reading import CONTRADICTED, LIKELY, Finding
from vorlage.checks.agents import (
    PROPER,
    QUOTES,
    Roles,
    Stems,
    first_head,
    is_value,
    name_of,
    names_in,
    read_roles,
    referents,
    roles_of,
    subjects,
    with_names,
)
from vorlage.checks.facts import SAYS, StatementPair, Statements
from vorlage.checks.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.tags import NOUNS
from vorlage.text.words import stem
from vorlage.types import Span

APPOSITION = 8  # words of a speaker: *Omar Reyes, the mayor of Orm*
# The share of the words of a statement that one other speaker says, and the least number of them.
SAID, WORDS = 0.6, 2


def find_roles(pair: StatementPair) -> Iterator[Finding]:
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
                yield Finding(roles.span, source.span, "role", CONTRADICTED, message)


def _quote(side: Statements, roles: Roles) -> str:
    first, end = roles.span
    return side.quote((with_names(side, first), end))


def _content_roles(side: Statements) -> Iterator[Roles]:
    """Yield the roles beside verbs with a meaning of their own, participles such as *including* left out."""
    verbs = (i for i, tag in enumerate(side.tags) if tag != "VBG" and side.content[i])
    return read_roles(side, verbs)


def _are_alike(verb: str, other: str) -> bool:
    """Return whether two verbs have one meaning; those with very many have none in common."""
    kind = relation(verb, other)
    return kind == "same" or (kind == "synonym" and ENGLISH.light_verbs.isdisjoint((stem(verb), stem(other))))


def _are_exchanged(pair: StatementPair, roles: Roles, source: Roles) -> bool:
    """Return whether the agent of a verb is its patient in the document, and the other way round."""
    agents, patients = ({pair.document.stems[k] for k in places} for places in (source.before, source.after))
    name = name_of(pair.text, roles.agent)
    objects = name_of(pair.text, first_head(pair.text, roles.after))
    return bool(name & patients and objects & agents) and not (name & agents or objects & patients)


def _of_another(pair: StatementPair, roles: Roles, source: Roles) -> bool:
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


def _has_article(side: Statements, head: int) -> bool:
    """Return whether *the* stands before a name."""
    first = with_names(side, head)
    return first > 0 and side.lower[first - 1] == "the"


def _known(document: Statements, names: Iterable[Stems]) -> list[Stems]:
    """Return the names whose words are all parts of names in the document."""
    return [name for name in names if all(_proper_places(document, [stem]) for stem in name)]


def _proper_places(side: Statements, stems: Iterable[str]) -> set[int]:
    """Return the places of some stems in names."""
    return {k for stem in stems for k in side.stem_places.get(stem, ()) if side.tags[k] in PROPER}


def _stand_together(document: Statements, name: Stems, other: Stems) -> bool:
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


def _have_exchanged_places(pair: StatementPair, roles: Roles, source: Roles) -> bool:
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


def _phrase_and_rest(side: Statements, head: int) -> tuple[Set[str], Set[str]]:
    """Return the stems of the content words of the noun phrase of a head, and of the rest of its sentence."""
    sentence, first = side.sentence(head), head
    # The tag of the first word of a sentence is less sure.
    while first > sentence.start and (side.tags[first - 1] in NOUNS | {"JJ"} or first - 1 == sentence.start):
        first -= 1
    phrase = {i for i in range(first, head + 1) if side.content[i]}
    return {side.stems[i] for i in phrase}, {side.stems[i] for i in sentence if i not in phrase}


def find_merged(pair: StatementPair) -> Iterator[Finding]:
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
                source = document.tokenized.sentences[min(holders)]
                message = "“{}”: the source says this of another: “{}”"
                yield pair.finding(span, source, "role", LIKELY, message)


def _items(pair: StatementPair, roles: Roles) -> Iterator[tuple[Span, set[int]]]:
    """Yield the values in the clause of a verb and its object, with the document sentences that have them."""
    text, document = pair.text, pair.document
    clause, head = text.clause(roles.verb), first_head(text, roles.after)
    for fact in dict.fromkeys(filter(None, (text.fact_at(i) for i in clause if is_value(text, i)))):
        stated = {
            document.sentences[each.words[0]]
            for each in document.facts_like(fact.value)
            if fact.value.agrees(each.value)
        }
        if stated:
            yield fact.words, stated
    if head is not None and pair.links[head] and text.stems[head] in document.stem_places:
        yield (head, head + 1), {document.sentences[j] for j in document.stem_places[text.stems[head]]}


def find_speakers(pair: StatementPair) -> Iterator[Finding]:
    """Yield the speakers whose words the document gives to somebody else.

    The sentence of the document that has most words of the statement is that of another speaker.
    """
    text, document = pair.text, pair.document
    verbs = [t for t, word in enumerate(text.lower) if word in ENGLISH.speech_verbs]
    speakers = _speakers(document) if verbs else {}
    for t in verbs:
        roles = roles_of(text, t)
        if roles is None or text.tags[roles.agent] not in PROPER:
            continue
        name = name_of(text, roles.agent)
        said = [i for i in text.sentence(t) if text.content[i] and text.stems[i] not in name]
        counts = pair.homes(said)
        own = max((counts[n] for n in counts if name & speakers.get(n, name)), default=0)
        number, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        known = all(stem in document.stem_places for stem in name)
        if known and count > own and count >= max(WORDS, SAID * len(said)):
            span = with_names(text, roles.agent), roles.agent + 1
            message = "“{}” did not say this: the source is “{}”"
            source = document.tokenized.sentences[number]
            yield pair.finding(span, source, "speaker", CONTRADICTED, message)


def _speakers(side: Statements) -> dict[int, Stems]:
    """Return the stems of the names of who says each sentence; sentences that nobody says have none."""
    speakers: dict[int, Stems] = {}
    voice: Stems = frozenset()
    for number, (first, end) in enumerate(side.tokenized.sentences):
        verb = next((i for i in range(first, end) if side.lower[i] in ENGLISH.speech_verbs), None)
        roles = roles_of(side, verb) if verb is not None else None
        agent = roles and roles.agent
        label = next((i for i in range(first + 1, min(first + 4, end)) if side.words[i] == ":"), None)
        if label is not None and all(tag in PROPER for tag in side.tags[first:label]):
            agent = label - 1
        if agent is not None:  # *the mayor* may have a name elsewhere
            near = range(max(first, agent - APPOSITION), min(end, agent + APPOSITION))
            named = any(side.tags[i] in PROPER for i in near)
            voice = frozenset(side.stems[i] for i in near if named and side.tags[i] in NOUNS)
        elif not any(word in QUOTES for word in side.words[first:end]):
            voice = frozenset()
        if voice:
            speakers[number] = voice
    return speakers
