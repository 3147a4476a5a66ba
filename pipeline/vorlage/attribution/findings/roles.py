"""Who did and said what: subjects and objects that were exchanged, what somebody else did, other speakers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import takewhile
from typing import NamedTuple

from vorlage.attribution.findings.names import Name
from vorlage.attribution.findings.reading import CONTRADICTED, LIKELY, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.tags import NOUNS
from vorlage.text.words import stem
from vorlage.types import Span

PROPER, FINITE = {"NNP", "NNPS"}, {"VBD", "VBZ", "VBP", "MD"}
QUOTES = ('"', "``", "''")
BACK = 2  # sentences before that of a pronoun in which its name may stand
APPOSITION = 8  # words of a speaker: *Omar Reyes, the mayor of Orm*
# The share of the words of a statement that one other speaker says, and the least number of them.
SAID, WORDS = 0.6, 2


class Roles(NamedTuple):
    """The roles beside a verb.

    `agent`: the place of the head of the noun phrase that does it, None if unknown; `before`, `after`: the
    places where its agents and its patients stand, for a passive the other way round.
    """

    agent: int | None
    before: range
    after: range


def find_roles(pair: Linked) -> Iterator[Difference]:
    """Yield the agents of verbs that have another agent in the document, and exchanged comparisons."""
    text, document = pair.text, pair.document
    for t in range(len(text.tags)):
        roles = read_roles(text, t) if _has_agent(text, t) and text.content[t] else None
        if roles is None or roles.agent is None:
            continue
        for j in sorted(pair.links.get(t, ())):
            if not _has_agent(document, j) or not _are_alike(text.lower[t], document.lower[j]):
                continue
            source = read_roles(document, j)
            if (
                _are_exchanged(pair, roles, source)
                or _of_another(pair, (t, j), roles, source)
                or _have_exchanged_places(pair, (t, j), roles, source)
            ):
                span = min(roles.agent, t), max(roles.agent, t) + 1
                ends = sorted((j, j if source.agent is None else source.agent))
                quotes = (
                    text.quote(_with_names(text, span)),
                    document.quote(_with_names(document, (ends[0], ends[1] + 1))),
                )
                message = f"“{quotes[0]}”: the source says “{quotes[1]}”"
                yield Difference(span, (ends[0], ends[1] + 1), "role", CONTRADICTED, message)
                break
    yield from _compared(pair)


def _has_agent(side: ReadText, place: int) -> bool:
    """Return whether a word is a verb with an agent, and not a participle alone: *antiques, including*."""
    tag, before = side.tags[place], side.tags[max(place - 1, 0)]
    return tag.startswith("VB") and tag != "VBG" and not (tag == "VBN" and before in ("IN", ",", "DT"))


def _are_alike(verb: str, other: str) -> bool:
    """Return whether two verbs have one meaning; those with very many have none in common."""
    kind = relation(verb, other)
    return kind == "same" or (kind == "synonym" and ENGLISH.light_verbs.isdisjoint((stem(verb), stem(other))))


def read_roles(side: ReadText, verb: int) -> Roles:
    """Return the roles beside a verb: of *bought*, *was bought by*, *said Ana Roth*."""
    sentence = side.sentence(verb)
    before, after = range(sentence.start, verb), range(verb + 1, sentence.stop)
    if _is_passive(side, verb):
        by = next((i for i in range(verb + 1, min(verb + 5, sentence.stop)) if side.lower[i] == "by"), None)
        agent = _first_head(side, range(by + 1, sentence.stop)) if by is not None else None
        return Roles(
            agent, range(by + 1, agent + 1) if by is not None and agent is not None else range(0), before
        )
    if side.lower[verb] in ENGLISH.speech_verbs and verb > sentence.start and verb + 1 < sentence.stop:
        quoted = side.words[verb - 1] in QUOTES or (
            side.words[verb - 1] == "," and side.tags[verb + 1] in PROPER
        )
        inverted = _first_head(side, range(verb + 1, min(verb + 6, sentence.stop))) if quoted else None
        if inverted is not None and side.words[verb + 1] != ",":
            return Roles(inverted, after, before)
    return Roles(_subject(side, verb), before, after)


def _are_exchanged(pair: Linked, roles: Roles, source: Roles) -> bool:
    """Return whether the agent of a verb is its patient in the document, and the other way round."""
    text, document = pair.text, pair.document
    agents = {document.stems[k] for k in source.before}
    patients = {document.stems[k] for k in source.after}
    name, objects = _name(text, roles.agent), _objects(text, roles.after)
    if not name & patients or name & agents:
        return False
    if objects & agents and not objects & patients:
        return True
    here = {text.stems[i] for i in roles.before}
    return _are_names(pair, roles, source) and not _name(document, source.agent) & here


def _of_another(pair: Linked, verbs: tuple[int, int], roles: Roles, source: Roles) -> bool:
    """Return whether the document has the same verb with another name, and the text's name elsewhere."""
    text, document = pair.text, pair.document
    t, j = verbs
    names, others = _referents(text, roles.agent), _referents(document, source.agent)
    if text.stems[t] != document.stems[j] or not names or not others:
        return False
    ends = (text, roles.agent), (document, source.agent)
    pronouns = [side.lower[agent or 0] in ENGLISH.third_persons for side, agent in ends]
    if all(pronouns) or (any(pronouns) and any(_has_article(side, agent or 0) for side, agent in ends)):
        return False
    known = _known(document, names)
    if not known or _are_one(names, [*others, *_names(document, document.sentence(j))]):
        return False
    mentioned = _names(text, text.sentence(t))
    if all(_are_one([other], mentioned) for other in others):
        return False
    return not any(_may_be_one_name(document, name, other) for name in known for other in others)


def _referents(side: ReadText, place: int | None) -> list[frozenset[str]]:
    """Return the name of a noun phrase; of a pronoun, the names before it that it may stand for.

    They are those of its sentence and of the sentences before, back to the first whose subject is a name.
    """
    if place is None:
        return []
    if side.tags[place] in PROPER:
        return [_name(side, place)]
    if side.lower[place] not in ENGLISH.third_persons:
        return []
    number = side.sentences[place]
    names = _names(side, range(side.sentence(place).start, place))
    if any(agent is not None and side.tags[agent] in PROPER for agent in _agents(side, number, place)):
        return names
    for first, end in reversed(side.text.sentences[max(number - BACK, 0) : number]):
        names += _names(side, range(first, end))
        verb = next((i for i in range(first, end) if side.tags[i] in FINITE), end)
        if any(side.tags[i] in PROPER for i in range(first, verb)):
            return names
    return []


def _has_article(side: ReadText, head: int) -> bool:
    """Return whether a name has an article, as those of persons have none."""
    first, _ = _with_names(side, (head, head + 1))
    return first > 0 and side.lower[first - 1] == "the"


def _names(side: ReadText, places: range) -> list[frozenset[str]]:
    """Return the names among some words."""
    heads = [i for i in places if side.tags[i] in PROPER and not _is_value(side, i)]
    return [_name(side, i) for i in heads if i + 1 not in heads]


def _known(document: ReadText, names: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the names whose words are all parts of names in the document."""
    places = document.stem_places
    return [
        name
        for name in names
        if all(any(document.tags[j] in PROPER for j in places.get(stem, ())) for stem in name)
    ]


def _are_one(names: Iterable[frozenset[str]], others: Iterable[frozenset[str]]) -> bool:
    """Return whether one of some names may be one of others: a part of it, or its initials."""
    others = list(others)
    return any(
        name <= other or other <= name or _abbreviates(name, other) or _abbreviates(other, name)
        for name in names
        for other in others
    )


def _abbreviates(acronym: frozenset[str], name: frozenset[str]) -> bool:
    """Return whether a name of one word has the first letters of the words of another, in any order."""
    return len(acronym) == 1 and sorted(*acronym) == sorted(word[0] for word in name)


def find_merged(pair: Linked) -> Iterator[Difference]:
    """Yield what the text says of one name and the document only of others, in other sentences."""
    text, document = pair.text, pair.document
    for t in range(len(text.tags)):
        agent = _agent(text, t) if _has_agent(text, t) and text.content[t] else None
        names = _known(document, _referents(text, agent))
        if agent is None or not names:
            continue
        own = {i for name in names for i in text.clause(t) if text.stems[i] in name}
        said = [i for i in text.clause(t) if text.content[i] and i not in own]
        homes = Counter(n for i in said for n in {document.sentences[j] for j in pair.links.get(i, ())})
        mentioned = _names(text, text.sentence(t))
        for span, holders in _items(pair, t):
            others = [_subjects(document, n) for n in holders]
            if (
                not all(others)
                or _are_one([*names, *mentioned], (other for subjects in others for other in subjects))
                or any(_are_one(names, _names(document, range(*document.text.sentences[n]))) for n in holders)
                or not any(
                    _are_one(
                        names,
                        [*_names(document, range(*document.text.sentences[n])), *_subjects(document, n)],
                    )
                    for n in homes.keys() - holders
                )
            ):
                continue
            first, end = document.text.sentences[min(holders)]
            if max(homes, key=lambda n: homes[n]) in holders:  # the name is another, not the value
                span = _with_names(text, (agent, agent + 1))
            message = (
                f"“{text.quote(span)}”: the source says this of another: “{document.quote((first, end))}”"
            )
            yield Difference(span, (first, end), "role", LIKELY, message)


def _items(pair: Linked, verb: int) -> Iterator[tuple[Span, set[int]]]:
    """Yield the values in the clause of a verb, and its object, with their document sentences."""
    text, document = pair.text, pair.document
    head = _first_head(text, read_roles(text, verb).after)
    for span in dict.fromkeys(text.fact_at[i].words for i in text.clause(verb) if _is_value(text, i)):
        value = text.fact_at[span[0]].value
        stated = [fact.words[0] for fact in document.facts if value.agrees(fact.value)]
        if stated and pair.linked(span):
            yield span, {document.sentences[j] for j in stated}
    if head is not None and not _is_value(text, head) and pair.links.get(head):
        places = document.stem_places.get(text.stems[head], ())
        if places:
            yield (head, head + 1), {document.sentences[j] for j in places}


def _subjects(side: ReadText, number: int) -> list[frozenset[str]]:
    """Return the names that a sentence tells of; none if it may tell of something else."""
    agents = [agent for agent in _agents(side, number) if agent is not None]
    referents = [_referents(side, agent) for agent in agents]
    return [name for names in referents for name in names] if all(referents) else []


def _agents(side: ReadText, number: int, end: int | None = None) -> Iterator[int | None]:
    """Yield the agents of the verbs of a sentence, up to a word."""
    first, stop = side.text.sentences[number]
    yield from (_agent(side, verb) for verb in range(first, min(stop, end or stop)))


def _may_be_one_name(document: ReadText, name: Set[str], other: Set[str]) -> bool:
    """Return whether stems stand beside others somewhere, as *Sugar Ray* beside *Leonard*."""
    places, others = (
        {k for stem in stems for k in document.stem_places.get(stem, ()) if document.tags[k] in PROPER}
        for stems in (name, other)
    )
    return not others.isdisjoint({k + step for k in places for step in (-1, 1)})


def _have_exchanged_places(pair: Linked, verbs: tuple[int, int], roles: Roles, source: Roles) -> bool:
    """Return whether the words in which the agents of a verb differ stand elsewhere in the other sentence."""
    text, document = pair.text, pair.document
    t, j = verbs
    if source.agent is None or roles.agent is None or text.stems[t] != document.stems[j]:
        return False
    if "PRP" in (text.tags[roles.agent], document.tags[source.agent]):
        return False
    here, there = _phrase(text, roles.agent), _phrase(document, source.agent)
    words, others = ({side.stems[i] for i in phrase} for side, phrase in ((text, here), (document, there)))
    rest = {text.stems[i] for i in text.sentence(t) if i not in here}
    other_rest = {document.stems[k] for k in document.sentence(j) if k not in there}
    new, old = words - others, others - words
    if _may_be_one_name(document, new, old):
        return False
    if not (new and old and old <= rest and new.isdisjoint(rest) and old.isdisjoint(other_rest)):
        return False
    if new <= other_rest:
        return True
    # In another sentence of the document, whose agent it is, while that of this one is an agent in the text.
    agents = {text.stems[agent] for verb in text.sentence(t) if (agent := _agent(text, verb)) is not None}
    elsewhere = {document.stems[k] for n in pair.home(t) for k in range(*document.text.sentences[n])}
    return document.stems[source.agent] in agents and new <= elsewhere


def _agent(side: ReadText, place: int) -> int | None:
    is_verb = side.tags[place].startswith("VB")
    return read_roles(side, place).agent if is_verb else None


def _phrase(side: ReadText, head: int) -> set[int]:
    """Return the content words of the noun phrase of a head."""
    first, start = head, side.sentence(head).start
    # The tag of the first word of a sentence is less sure.
    while first > start and (side.tags[first - 1] in NOUNS | {"JJ"} or first - 1 == start):
        first -= 1
    return {i for i in range(first, head + 1) if side.content[i]}


def _are_names(pair: Linked, roles: Roles, source: Roles) -> bool:
    """Return whether the agents of both sides are proper nouns."""
    places = (pair.text, roles.agent), (pair.document, source.agent)
    return all(place is not None and side.tags[place] in PROPER for side, place in places)


def find_speakers(pair: Linked) -> Iterator[Difference]:
    """Yield the speakers to whom the text gives what somebody else says in the document.

    The sentence of the document that has most words of the statement is that of another speaker.
    """
    text, document = pair.text, pair.document
    verbs = [t for t, word in enumerate(text.lower) if word in ENGLISH.speech_verbs]
    speakers = _speakers(document) if verbs else {}
    for t in verbs:
        agent = read_roles(text, t).agent
        if agent is None or text.tags[agent] not in PROPER:
            continue
        name = _name(text, agent)
        said = [i for i in text.sentence(t) if text.content[i] and i != t and text.stems[i] not in name]
        counts = Counter(n for i in said for n in {document.sentences[j] for j in pair.links.get(i, ())})
        own = max((counts[n] for n in counts if name & speakers.get(n, name)), default=0)
        number, count = max(counts.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
        known = all(stem in document.stem_places for stem in name)
        if known and count > own and count >= max(WORDS, SAID * len(said)):
            span = _with_names(text, (agent, agent + 1))
            first, end = document.text.sentences[number]
            message = f"“{text.quote(span)}” did not say this: the source is “{document.quote((first, end))}”"
            yield Difference(span, (first, end), "speaker", CONTRADICTED, message)


def _speakers(side: ReadText) -> dict[int, frozenset[str]]:
    """Return the stems of the names of who says each sentence; sentences that nobody says have none."""
    speakers: dict[int, frozenset[str]] = {}
    voice: frozenset[str] = frozenset()
    for number, (first, end) in enumerate(side.text.sentences):
        verbs = [i for i in range(first, end) if side.lower[i] in ENGLISH.speech_verbs]
        agents = [agent for verb in verbs[:1] if (agent := read_roles(side, verb).agent) is not None]
        label = next((i for i in range(first + 1, min(first + 4, end)) if side.words[i] == ":"), None)
        if label is not None and all(tag in PROPER for tag in side.tags[first:label]):
            agents = [label - 1]
        quoted = _quoted(side, range(first, end))
        if agents:
            near = range(max(first, agents[0] - APPOSITION), min(end, agents[0] + APPOSITION))
            voice = frozenset(side.stems[i] for i in near if side.tags[i] in NOUNS and i not in quoted)
            if not any(side.tags[i] in PROPER for i in near if i not in quoted):
                voice = frozenset()  # *the mayor*, who may have a name elsewhere
        elif not quoted:
            voice = frozenset()
        if voice:
            speakers[number] = voice
    return speakers


def _quoted(side: ReadText, sentence: range) -> set[int]:
    """Return the words of a sentence between quotation marks."""
    quoted, inside = set(), False
    for i in sentence:
        if side.words[i] in QUOTES:
            inside = not inside
        elif inside:
            quoted.add(i)
    return quoted


def _compared(pair: Linked) -> Iterator[Difference]:
    """Yield comparisons whose sides were exchanged: *larger in men than in women*."""
    text, document = pair.text, pair.document
    for t, word in enumerate(text.lower):
        if word not in ("than", "compared") or t in text.fact_at:
            continue
        clause = text.clause(t)
        compared = [i for i in text.around(t, 12) if text.tags[i] in NOUNS | {"JJ"} and text.content[i]]
        left = [i for i in compared if clause.start <= i < t]
        right = [i for i in compared if t < i <= t + 5]
        for sentence in sorted(pair.home(t)):
            places = range(*document.text.sentences[sentence])
            for j in places:
                if document.lower[j] != word:
                    continue
                before = {document.stems[k] for k in range(document.clause(j).start, j)}
                after = {document.stems[k] for k in range(j + 1, min(places.stop, j + 6))}
                lefts = [i for i in left if text.stems[i] in after - before]
                rights = [i for i in right if text.stems[i] in before - after]
                degrees = (
                    _degrees(text, range(clause.start, t)),
                    _degrees(document, range(document.clause(j).start, j)),
                )
                if lefts and rights and not (all(degrees) and degrees[0].isdisjoint(degrees[1])):
                    span = (lefts[0], rights[-1] + 1)
                    message = f"“{text.quote(span)}”: the source compares the other way round"
                    yield Difference(span, (j, j + 1), "role", CONTRADICTED, message)
                    return


def _degrees(side: ReadText, places: range) -> set[str]:
    """Return the comparatives among some words."""
    return {side.lower[i] for i in places if side.tags[i] in ("JJR", "RBR")}


def _subject(side: ReadText, verb: int) -> int | None:
    """Return the head of the noun phrase before a verb, in its clause or before an apposition."""
    start, place = side.clause(verb).start, verb - 1
    is_said = side.lower[verb] in ENGLISH.speech_verbs and start == verb
    if is_said and verb - 2 >= side.sentence(verb).start and side.words[verb - 1] == ",":
        return verb - 2 if side.tags[verb - 2] in NOUNS else None  # *Its chair, Ana Roth, said*
    while place >= start and side.tags[place] not in NOUNS | {"PRP"}:
        if (
            side.tags[place].startswith("VB")
            and side.content[place]
            or side.tags[place] in ("IN", "CC", "TO")
        ):
            return None
        place -= 1
    while place >= start:
        first = place  # of a noun phrase: *the new mayor of Orm*
        while first > start and side.tags[first - 1] in NOUNS | {"DT", "JJ", "CD", "PRP$", "POS"}:
            first -= 1
        if first <= start + 1 or side.tags[first - 1] != "IN" or side.tags[first - 2] not in NOUNS:
            return place
        place = first - 2  # *the mayor* of *the mayor of Orm*
    return None


def _first_head(side: ReadText, places: range) -> int | None:
    """Return the last noun of the first noun phrase among some places."""
    nouns = list(takewhile(lambda i: side.tags[i] not in ("IN", ",", "TO", "."), places))
    heads = [i for i in nouns if side.tags[i] in NOUNS and not _is_value(side, i)]
    return next((i for i in heads if i + 1 not in heads), None)


def _name(side: ReadText, head: int | None) -> frozenset[str]:
    """Return the stems of the last noun of a noun phrase and of the capitalised words before it."""
    if head is None:
        return frozenset()
    first, _ = _with_names(side, (head, head + 1))
    words = [i for i in range(first, head) if side.lower[i].rstrip(".") not in ENGLISH.titles]
    return frozenset(side.stems[i] for i in (*words, head))


def _with_names(side: ReadText, span: tuple[int, int]) -> tuple[int, int]:
    """Return a span with the capitalised words of a name before it."""
    first, start = span[0], side.sentence(span[0]).start
    while first > start and side.tags[first] in PROPER and side.tags[first - 1] in PROPER:
        if not side.words[first - 1][:1].isupper() or _is_value(side, first - 1):
            break
        first -= 1
    return first, span[1]


def _objects(side: ReadText, places: range) -> frozenset[str]:
    """Return the stems of the noun phrase that follows a verb, or of the last one before a passive."""
    near = (
        places[:5]
        if places and places.start and side.tags[places.start - 1].startswith("VB")
        else places[-5:]
    )
    return _name(side, _first_head(side, near))


def _is_value(side: ReadText, place: int) -> bool:
    """Return whether a word is part of a number or of a date."""
    fact = side.fact_at.get(place)
    return fact is not None and not isinstance(fact.value, Name)


def _is_passive(side: ReadText, verb: int) -> bool:
    first = max(side.sentence(verb).start, verb - 3)
    helped = any(side.lower[i] in ENGLISH.passive_auxiliaries for i in range(first, verb))
    return (helped or side.lower[verb + 1 : verb + 2] == ["by"]) and side.tags[verb] in ("VBN", "VBD")
