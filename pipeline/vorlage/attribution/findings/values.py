"""Numbers, units, dates and names of a text that differ from those in their place in the document."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from vorlage.attribution.findings.facts import Fact, scales
from vorlage.attribution.findings.linked import CHECK, CONTRADICTED, LIKELY, Difference, Linked, ReadText
from vorlage.text.english import ENGLISH
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Span

# The farthest word around a word of the text, and around one of the document, and the least number of words
# around that are linked.
AROUND_TEXT, AROUND_DOCUMENT, ENOUGH = 3, 4, 2
# Numbers in words up to this one are often counted by the writer: *two friends*.
SMALL = 3


def find_values(pair: Linked) -> Iterator[Difference]:
    """Yield the numbers, dates and names of the text that differ from the one in their place.

    The words of a name are one if they are neighbours on both sides.
    """
    text, document = pair.text, pair.document
    places: list[tuple[Span, Span, str]] = []
    for t, fact in text.facts.items():
        place = _counterpart(pair, t)
        if place is None:
            continue
        near = {*document.sentence(place), *pair.links.get(t, ())}
        same = [document.facts[j] for j in near if j in document.facts]
        if not any(_agree(pair, fact, other) for other in same) and not (
            fact.kind == "name" and _is_named(pair, fact)
        ):
            span, source = _whole(text, t), _whole(document, place)
            if places and (places[-1][0][1], places[-1][1][1]) == (span[0], source[0]):
                (start, _), (first, _), _ = places.pop()
                span, source = (start, span[1]), (first, source[1])
            places.append((span, source, _kind(fact)))
    for span, source, kind in places:
        message = f"“{text.quote(span)}” ≠ “{document.quote(source)}”"
        yield Difference(span, source, kind, CONTRADICTED, message)


def find_exchanged(pair: Linked) -> Iterator[Difference]:
    """Yield the numbers that the document has in the same sentence, but of something else."""
    text, document = pair.text, pair.document
    for t, fact in text.facts.items():
        if not fact.kind.startswith(("number", "amount", "percentage")):
            continue
        following = [i for i in range(t + 1, min(t + 3, text.sentence(t).stop)) if text.content[i]]
        for j in sorted(pair.links.get(following[0], ())) if following else ():
            if document.stems[j] != text.stems[following[0]] or document.lower[j] in ENGLISH.number_parts:
                continue
            before = range(max(j - 3, document.sentence(j).start), j)
            others = [k for k in before if k in document.facts and document.facts[k].kind == fact.kind]
            stated = (k for k in document.sentence(j) if k in document.facts)
            same = {k for k in stated if fact.agrees(document.facts[k])}
            if others and same and not same & set(others):
                span = text.quote((t, following[0] + 1)), document.quote((others[-1], j + 1))
                message = f"“{span[0]}” ≠ “{span[1]}”"
                yield Difference((t, t + 1), (others[-1], j + 1), "number", CONTRADICTED, message)
                break


def find_units(pair: Linked) -> Iterator[Difference]:
    """Yield the units beside numbers that have another unit in the document."""
    text, document = pair.text, pair.document
    for t, fact in text.facts.items():
        unit = _unit(pair.text, t)
        if unit is None:
            continue
        places = [j for j in pair.links.get(t, ()) if j in document.facts and fact.agrees(document.facts[j])]
        for j in places:
            other = _unit(document, j)
            if other and other[1][0] == unit[1][0] and other[1][1] != unit[1][1]:
                span, source = (t, unit[0] + 1), (j, other[0] + 1)
                message = f"“{text.quote(span)}” ≠ “{document.quote(source)}”"
                yield Difference((unit[0], unit[0] + 1), source, "unit", CONTRADICTED, message)
                break


def find_names(pair: Linked) -> Iterator[Difference]:
    """Yield names with another first name than in the document, or spelled differently."""
    text, document = pair.text, pair.document
    bigrams = set(zip(document.lower, document.lower[1:], strict=False))
    for t, fact in text.facts.items():
        if fact.kind != "name":
            continue
        last = t + 1
        if _is_name(text, last) and (text.lower[t], text.lower[last]) not in bigrams:
            for j in sorted(pair.links.get(last, ())):
                named = _is_name(document, j - 1) and document.sentences[j - 1] == document.sentences[j]
                same = document.lower[j] == text.lower[last]
                if named and same and not document.facts[j - 1].agrees(fact):
                    span, source = (t, last + 1), (j - 1, j + 1)
                    message = f"“{text.quote(span)}” ≠ “{document.quote(source)}”"
                    yield Difference(span, source, "name", CONTRADICTED, message)
                    break
        if text.stems[t] in document.stem_places or text.lower[t].removesuffix("s") in document.vocabulary:
            continue
        for j in sorted(pair.links.get(t, ())):
            if _is_name(document, j) and _misspelled(text.lower[t], document.lower[j]):
                message = f"“{text.words[t]}” is spelled “{document.words[j]}” in the source"
                yield Difference((t, t + 1), (j, j + 1), "name", LIKELY, message)
                break


def find_absent(pair: Linked) -> Iterator[Difference]:
    """Yield the names and numbers that are nowhere in the document."""
    text, document = pair.text, pair.document
    numbers = [fact for fact in document.facts.values() if fact.kind != "name"]
    for t, fact in text.facts.items():
        if pair.links.get(t) and fact.kind != "name":
            continue
        if fact.kind == "name":
            letters = text.words[t][1:]
            if not letters.islower() and len(letters) < 3:
                continue
            if text.stems[t] in document.stem_places or _is_named(pair, fact) or pair.links.get(t):
                continue
            yield Difference((t, t + 1), None, "name", LIKELY, f"“{text.words[t]}” is nowhere in the source")
        elif fact.kind == "number" and float(fact.value) <= SMALL and text.words[t].isalpha():
            continue
        elif (
            not any(_agree(pair, fact, other) or fact.value == other.value for other in numbers)
            and text.lower[t] not in document.vocabulary
        ):
            span = _whole(text, t)
            # A summary completes the date of a month that the document names.
            completed = fact.kind == "year" and any(
                text.facts[i].kind == "month" and pair.links.get(i)
                for i in text.around(t, 3)
                if i < t and i in text.facts
            )
            severity = CHECK if completed else LIKELY
            message = f"“{text.quote(span)}” is nowhere in the source"
            yield Difference(span, None, _kind(fact), severity, message)


def _kind(fact: Fact) -> str:
    """Return the kind of a difference in a fact."""
    return {"name": "name", "month": "date", "weekday": "date", "year": "date"}.get(fact.kind, "number")


def _agree(pair: Linked, fact: Fact, source: Fact) -> bool:
    """Return whether a fact may come from a source; across languages whose scales are unread, by digits."""
    return fact.agrees(source) or (not (pair.language or pair.scaled) and fact.has_digits_of(source))


def _whole(side: ReadText, place: int) -> Span:
    """Return a number with the scale or the percent sign that follows it, and the currency before it."""
    end, sentence = place + 1, side.sentence(place)
    if side.facts[place].kind != "name":
        multipliers = scales(side.text.language)
        while end < sentence.stop and (
            side.lower[end] in ENGLISH.number_parts or side.lower[end] in multipliers
        ):
            end += 1
        if place > sentence.start and side.words[place - 1] in ENGLISH.currencies:
            place -= 1
    return place, end


def _unit(side: ReadText, place: int) -> tuple[int, tuple[int, int]] | None:
    """Return the place and the class of the unit that follows a number."""
    for i in range(place + 1, min(place + 4, side.sentence(place).stop)):
        for word in (side.lower[i], side.lower[i].removesuffix("s")):
            if word in ENGLISH.units:
                return i, ENGLISH.units[word]
        if side.content[i] and i not in side.facts and side.lower[i] not in ENGLISH.number_parts:
            return None
    return None


def _is_named(pair: Linked, name: Fact) -> bool:
    """Return whether the document has a name, in any form."""
    document = pair.document
    return name.value in document.vocabulary or any(map(name.agrees, document.names))


def _is_name(side: ReadText, place: int) -> bool:
    fact = side.facts.get(place)
    return fact is not None and fact.kind == "name"


def _misspelled(name: str, other: str) -> bool:
    """Return whether two names differ by a letter or two, and not by an ending such as *-n* of *Russian*."""
    if name == other or name.startswith(other) or other.startswith(name) or abs(len(name) - len(other)) > 2:
        return False
    blocks = SequenceMatcher(None, name, other, autojunk=False).get_matching_blocks()
    shared = sum(block.size for block in blocks)
    return len(name) > 3 and max(len(name), len(other)) - shared <= 2 and name[:1] == other[:1]


def _counterpart(pair: Linked, t: int) -> int | None:
    """Return the document word of the same kind in the place of a word of the text."""
    text, document, links = pair.text, pair.document, pair.links
    around = (k for i in text.around(t, AROUND_TEXT) for k in links.get(i, ()))
    near = {j for k in around for j in document.around(k, AROUND_DOCUMENT)}
    kind = text.facts[t].kind
    places = [j for j in near if j in document.facts and document.facts[j].kind == kind]
    ranked = [(*_support(pair, t, j), -j) for j in places]
    support, _, negative = max(ranked, default=(0, 0, 0))
    place = -negative  # the first of equals
    taken = any(i != t and text.lower[i] == document.lower[place] for i in pair.reverse.get(place, ()))
    return None if support < ENOUGH or taken else place


def _support(pair: Linked, t: int, j: int) -> tuple[int, int]:
    """Return how many words around t are linked to words around j, and how many of those directly beside.

    The words around have the same order. A link of t itself counts twice, punctuation does not count, and
    stop words do not suffice. A word directly beside a name must be linked, as names often differ for
    other reasons; if it is a part of the same name, such as the first name, it counts twice.
    """
    text, links, near = pair.text, pair.links, pair.document.around(j, AROUND_DOCUMENT)
    supporting = [
        i
        for i in text.around(t, AROUND_TEXT)
        if (text.words[i] in ENGLISH.currencies or not is_punctuation(text.words[i]))
        and any(k in near and (k > j) - (k < j) == (i > t) - (i < t) for k in links.get(i, ()))
    ]
    beside = [t + step for step in (-1, 1) if j + step in links.get(t + step, ())]
    name = text.facts[t].kind == "name"
    if all(is_stop_word(text.words[i], text.text.language) for i in supporting) or (name and not beside):
        return 0, 0
    part = any(i in text.facts and text.facts[i].kind == "name" for i in beside)
    return len(supporting) + (name and part) + (j in links.get(t, ())), len(beside)
