"""Reads the phrases of an English sentence from its tags: noun phrases, verb groups, words between."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from vorlage.checks.facts import Statements
from vorlage.text.english import ENGLISH
from vorlage.text.tags import FINITE, NOUNS

# A noun phrase, an adjective on its own, a verb group, a preposition, a word that begins a clause, a
# conjunction, a comma or a quotation mark, a mark that ends a clause.
Kind: TypeAlias = Literal["noun", "adjective", "verb", "preposition", "subordinator", "and", ",", ";"]
Form: TypeAlias = Literal["finite", "to", "ing", "participle"]

PROPER = frozenset(["NNP", "NNPS"])
BE = frozenset("be am is are was were been being 's 're 'm become became remain remained remains".split())
# These begin a clause: always, and where a verb follows.
SUBORDINATORS = ENGLISH.subordinators | frozenset("provided providing when where why how that".split())
_PREPOSITIONS = frozenset("after before since until till as than like once so".split())
_AUXILIARIES = ENGLISH.phrase_auxiliaries | ENGLISH.modals | {"get", "gets", "got", "ca", "wo"}
_IN_NOUN = NOUNS | {"DT", "PDT", "PRP$", "CD", "JJ", "JJR", "JJS", "POS", "$", "#"}
_BEFORE_VERB = NOUNS | {"PRP", "CC", "RB", "CD"}
_ENDS = ENGLISH.clause_boundaries | SUBORDINATORS | {"and", "before", "after", "since", "than"}


class Phrase(NamedTuple):
    """A phrase of a sentence.

    `first`, `end`: its words, half-open; `head`: the noun, the main verb, or the word itself; `form`: of a
    verb group; `is_passive`: whether the group has *be* before a participle.
    """

    kind: Kind
    first: int
    end: int
    head: int
    form: Form = "finite"
    is_passive: bool = False


def _read_tags(side: Statements, number: int) -> dict[int, str]:
    """Return the tags of a sentence by place.

    A participle behind a noun is the verb where there is no other, up to a word that ends a clause.
    """
    places = side.places(number)
    tags = {i: side.tags[i] for i in places}
    ends = [i for i in places if side.lower[i] in _ENDS]
    for first, stop in zip([places.start - 1, *ends], [*ends, places.stop], strict=True):
        stretch = range(first + 1, stop)
        if not any(tags[i] in FINITE for i in stretch):
            behind = (i for i in stretch if tags[i] == "VBN" and tags.get(i - 1, "") in _BEFORE_VERB)
            tags.update({i: "VBD" for i in behind if side.lower[i + 1 : i + 2] != ["by"]})
    return tags


def read_phrases(side: Statements, number: int) -> Iterator[Phrase]:
    """Yield the phrases of a sentence in order, adverbs left out."""
    places, tags = side.places(number), _read_tags(side, number)
    place = places.start
    while place < places.stop:
        end = _noun_end(place, places.stop, tags)
        if end > place:
            nouns = [i for i in range(place, end) if tags[i] in NOUNS]
            kind: Kind = "noun" if nouns or not tags[end - 1].startswith("JJ") else "adjective"
            yield Phrase(kind, place, end, nouns[-1] if nouns else end - 1)
            place = end
        elif (tags[place] == "MD" or tags[place].startswith("VB")) and side.lower[place] != "according":
            yield (group := _verb_group(side, place, places.stop, tags))
            place = group.end
        else:
            if kind_of_word := _kind(side, place, places.stop, tags):
                yield Phrase(kind_of_word, place, place + 1, place)
            place += 1


def _noun_end(first: int, stop: int, tags: dict[int, str]) -> int:
    """Return where the noun phrase that begins with a word ends; the word itself if none does."""
    if tags[first] in ("PRP", "EX"):
        return first + 1
    place, has_noun = first, False
    while place < stop:
        tag, before = tags[place], tags[place - 1] if place > first else ""
        is_new = tag in ("DT", "PRP$") or (tag in ("JJ", "CD") and before not in PROPER | {"POS"})
        is_new |= tag in PROPER and before == "CD"  # *in 2022 Lumen bought*
        is_participle = tag in ("VBG", "VBN") and before in ("DT", "PRP$", "POS", "JJ", "CD")
        ends = before and is_new and (has_noun or tag in PROPER)
        if ends or not (tag in _IN_NOUN or is_participle):
            break
        has_noun |= tag in NOUNS
        place += 1
    return place


def _verb_group(side: Statements, first: int, stop: int, tags: dict[int, str]) -> Phrase:
    """Return the auxiliaries, the adverbs between them, and the main verb that begin with a verb."""
    head, place, passive = first, first + 1, tags[first] == "VBN"
    while place < stop:
        tag, word = tags[place], side.lower[head]
        if tag.startswith("VB") and word in _AUXILIARIES:
            head, passive = place, tag == "VBN" and word in BE | {"got", "get"}
        elif not (tag.startswith("RB") or side.lower[place] in ("n't", "not")):
            break
        place += 1
    form: Form = "ing" if tags[first] == "VBG" else "participle" if tags[first] == "VBN" else "finite"
    return Phrase("verb", first, head + 1, head, "to" if tags.get(first - 1) == "TO" else form, passive)


def _kind(side: Statements, place: int, stop: int, tags: dict[int, str]) -> Kind | None:
    """Return the kind of a word that is in no noun phrase or verb group; None for adverbs."""
    word, tag = side.lower[place], tags[place]
    if word == "that" and (tag == "WDT" or not _begins_clause(side, place, stop, tags)):
        return None
    if word in SUBORDINATORS or (word in _PREPOSITIONS and _begins_clause(side, place, stop, tags)):
        return "subordinator"
    if tag == "CC":
        return "and"
    if tag == "TO":
        return None if tags.get(place + 1) == "VB" else "preposition"
    if tag == "IN" or word == "according":
        return "preposition"
    if tag in (",", "``", "''") or word in ('"', "(", ")", "-", "–", "—", "--"):
        return ","
    return ";" if tag in (":", ".") else None


def _begins_clause(side: Statements, place: int, stop: int, tags: dict[int, str]) -> bool:
    """Return whether a finite verb follows a word before the clause ends: *before it rained*."""
    for i in range(place + 1, stop):
        word = side.lower[i]
        if word in _ENDS:
            return False
        if tags[i] in FINITE:
            return i > place + 1
    return False
