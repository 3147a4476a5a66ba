"""Who did and said what: subjects and objects that were exchanged, what somebody else did, other speakers."""

from collections import Counter
from collections.abc import Iterator, Set
from itertools import takewhile
from typing import NamedTuple

from vorlage.attribution.findings.names import Name
from vorlage.attribution.findings.reading import CONTRADICTED, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.tags import NOUNS
from vorlage.text.words import stem

PROPER = {"NNP", "NNPS"}
QUOTES = ('"', "``", "''")
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
    if text.stems[t] != document.stems[j] or not _are_names(pair, roles, source):
        return False
    name = _name(text, roles.agent)
    document_stems = {document.stems[k] for k in document.sentence(j)}
    text_stems = {text.stems[i] for i in text.sentence(t)}
    if not all(stem in document.stem_places for stem in name) or name & document_stems:
        return False
    other = _name(document, source.agent)
    return not other & text_stems and not _may_be_one_name(document, name, other)


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
