"""Reads who does what in an English text: the agents of its verbs, their names, whom pronouns stand for."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from vorlage.checks.facts import Statements
from vorlage.checks.names import Name
from vorlage.text.english import ENGLISH
from vorlage.text.tags import FINITE, NOUNS
from vorlage.types import Span

PROPER = frozenset(["NNP", "NNPS"])
# The tags of a subject, and of the words before it in its noun phrase.
SUBJECTS, BEFORE = NOUNS | {"PRP"}, NOUNS | {"DT", "JJ", "CD", "PRP$", "POS"}
QUOTES = ('"', "``", "''")
BACK = 2  # sentences before that of a pronoun in which its name may stand

Stems: TypeAlias = frozenset[str]  # those of a name


class Roles(NamedTuple):
    """The roles beside a verb.

    `verb`, `agent`: the places of the verb and of the head of the noun phrase that does it. `before`,
    `after`: the places where its agents and its patients stand, for a passive the other way round.
    """

    verb: int
    agent: int
    before: range
    after: range

    @property
    def span(self) -> Span:
        """The words from the agent to the verb, in either order."""
        return min(self.agent, self.verb), max(self.agent, self.verb) + 1


def read_roles(side: Statements, places: Iterable[int]) -> Iterator[Roles]:
    """Yield the roles beside the verbs among some words that have an agent."""
    for verb in places:
        if side.tags[verb].startswith("VB") and (roles := roles_of(side, verb)):
            yield roles


def roles_of(side: Statements, verb: int) -> Roles | None:
    """Return the roles beside *bought*, *was bought by*, *said Ana Roth*; None without an agent."""
    sentence = side.sentence(verb)
    before, after = range(sentence.start, verb), range(verb + 1, sentence.stop)
    if _is_passive(side, verb):
        by = next((i for i in after[:4] if side.lower[i] == "by"), sentence.stop)
        agent, before, after = first_head(side, range(by + 1, sentence.stop)), after[by - verb :], before
    elif (speaker := _speaker_behind(side, verb)) is not None:
        agent, before, after = speaker, after, before
    else:
        agent = _subject(side, verb)
    return None if agent is None else Roles(verb, agent, before, after)


def _is_passive(side: Statements, verb: int) -> bool:
    helped = any(side.lower[i] in ENGLISH.passive_auxiliaries for i in side.around(verb, 3) if i < verb)
    return side.tags[verb] in ("VBN", "VBD") and (helped or side.lower[verb + 1 : verb + 2] == ["by"])


def _speaker_behind(side: Statements, verb: int) -> int | None:
    """Return the head of the noun phrase behind a verb of saying, if what is said stands before it."""
    sentence = side.sentence(verb)
    if side.lower[verb] not in ENGLISH.speech_verbs or verb in (sentence[0], sentence[-1]):
        return None
    is_said = side.words[verb - 1] in QUOTES or (
        side.words[verb - 1] == "," and side.tags[verb + 1] in PROPER
    )
    return first_head(side, range(verb + 1, sentence.stop)) if is_said else None


def _subject(side: Statements, verb: int) -> int | None:
    """Return the head of the noun phrase before a verb, in its clause or before an apposition."""
    start, place = side.clause(verb).start, verb - 1
    if start == verb > side.sentence(verb).start + 1:
        place = verb - 2  # *Its chair, Ana Roth, said*
        said, named = side.lower[verb] in ENGLISH.speech_verbs, side.words[with_names(side, place) - 1] == ","
        is_agent = side.tags[place] in NOUNS and (said or named and side.tags[place] in PROPER)
        return place if side.words[verb - 1] == "," and is_agent else None
    while place >= start and (side.tags[place] not in SUBJECTS or _is_period(side, place)):
        if side.tags[place] in ("IN", "CC", "TO"):
            return None
        place -= 1
    while place >= start:
        first = place  # of a noun phrase: *the new mayor of Orm*
        while first > start and side.tags[first - 1] in BEFORE:
            first -= 1
        if first <= start + 1 or side.tags[first - 1] != "IN" or side.tags[first - 2] not in NOUNS:
            return place
        place = first - 2  # *the mayor* of *the mayor of Orm*
    return None


def _is_period(side: Statements, place: int) -> bool:
    """Return whether a word says in which time something happens so often: *2,400 passengers a day*."""
    return side.lower[place - 1] in ("a", "an", "per") and ENGLISH.units.get(side.lower[place], "")[:1] == (
        "time",
    )


def first_head(side: Statements, places: Iterable[int]) -> int | None:
    """Return the last noun of the first noun phrase among some places."""
    nouns = takewhile(lambda i: side.tags[i] not in ("IN", ",", "TO", "."), places)
    heads = [i for i in nouns if side.tags[i] in NOUNS and not is_value(side, i)]
    return next((i for i in heads if i + 1 not in heads), None)


def is_value(side: Statements, place: int) -> bool:
    """Return whether a word is part of a number or of a date."""
    fact = side.fact_at(place)
    return fact is not None and not isinstance(fact.value, Name)


def with_names(side: Statements, first: int) -> int:
    """Return the place where the name of a word begins; of another word, its own place."""
    start = side.sentence(first).start
    while first > start and side.tags[first] in PROPER and side.tags[first - 1] in PROPER:
        first -= 1
    return first


def name_of(side: Statements, head: int | None) -> Stems:
    """Return the stems of the last noun of a noun phrase and of the words of a name before it."""
    if head is None:
        return frozenset()
    words = (
        i for i in range(with_names(side, head), head) if side.lower[i].rstrip(".") not in ENGLISH.titles
    )
    return frozenset(side.stems[i] for i in (*words, head))


def names_in(side: Statements, places: Iterable[int]) -> list[Stems]:
    """Return the names among some words."""
    heads = [i for i in places if side.tags[i] in PROPER]
    return [name_of(side, i) for i in heads if i + 1 not in heads]


def referents(side: Statements, place: int) -> list[Stems]:
    """Return the name of a noun phrase; of a pronoun, the names before it that it may stand for.

    They are those of its sentence and of the sentences before, back to the first whose subject is a name.
    """
    if side.tags[place] in PROPER:
        return [name_of(side, place)]
    if side.lower[place] not in ENGLISH.third_persons:
        return []
    number = side.sentences[place]
    own = range(side.sentence(place).start, place)
    names = names_in(side, own)
    if any(side.tags[roles.agent] in PROPER for roles in read_roles(side, own)):
        return names
    for before in range(number - 1, max(number - BACK, 0) - 1, -1):
        sentence = side.places(before)
        names += names_in(side, sentence)
        if any(side.tags[i] in PROPER for i in takewhile(lambda i: side.tags[i] not in FINITE, sentence)):
            return names
    return []


def subjects(side: Statements, number: int) -> list[Stems]:
    """Return the names that a sentence tells of; none if it may tell of something else."""
    each = [referents(side, roles.agent) for roles in read_roles(side, side.places(number))]
    return [name for names in each for name in names] if all(each) else []
