"""Numbers, dates and names of a text that differ from those in their place in the document."""

from collections.abc import Iterator

from vorlage.attribution.findings.names import Name, are_confused, initials, is_acronym, read_acronyms
from vorlage.attribution.findings.reading import (
    CHECK,
    CONTRADICTED,
    LIKELY,
    Difference,
    Fact,
    Linked,
    ReadText,
    Value,
)
from vorlage.text.dates import Code, Date
from vorlage.text.english import ENGLISH
from vorlage.text.quantities import Quantity
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Span

# The farthest word around words of the text, and around those of the document, and the least number of words
# around that are linked.
AROUND_TEXT, AROUND_DOCUMENT, ENOUGH = 3, 4, 2
# Numbers in words up to this one are often counted by the writer: *two friends*.
SMALL = 3


def find_values(pair: Linked) -> Iterator[Difference]:
    """Yield the numbers, dates and names of the text that differ from the one in their place.

    The words of a name are one if they are neighbours on both sides.
    """
    text, document = pair.text, pair.document
    found: list[tuple[Span, Span, str]] = []
    for fact in text.facts:
        place = _counterpart(pair, fact)
        if place is None:
            continue
        if _is_stated(pair, fact, place):
            continue
        span, source = fact.words, place.words
        if found and (found[-1][0][1], found[-1][1][1]) == (span[0], source[0]):
            (start, _), (first, _), _ = found.pop()
            span, source = (start, span[1]), (first, source[1])
        found.append((span, source, _kind(fact.value, place.value)))
    for span, source, kind in found:
        message = f"“{text.quote(span)}” ≠ “{document.quote(source)}”"
        yield Difference(span, source, kind, CONTRADICTED, message)


def _is_stated(pair: Linked, fact: Fact, place: Fact | None = None) -> bool:
    """Return whether a fact is stated in the sentence of another one, or of the words around it.

    A name may be anywhere; a number may be computed from two others.
    """
    document, value = pair.document, fact.value
    if isinstance(value, Name) and _is_named(pair, value):
        return True
    homes = pair.home(fact.words[0]) | ({document.sentences[place.words[0]]} if place else set())
    linked = pair.linked(fact.words)
    near = [
        other.value
        for other in document.facts
        if document.sentences[other.words[0]] in homes or not linked.isdisjoint(range(*other.words))
    ]
    if any(_agree(pair, value, other) for other in near):
        return True
    if not isinstance(value, Quantity):
        return False
    # A number of many digits is hardly twice in a document.
    if value.is_long and any(value.agrees(other.value) for other in document.facts):
        return True
    sources = [each for each in near if isinstance(each, Quantity)]
    return value.is_computed(sources) or value.value in document.cut_numbers


def find_exchanged(pair: Linked) -> Iterator[Difference]:
    """Yield the numbers that the document has in the same sentence, but of something else."""
    text, document = pair.text, pair.document
    for fact in text.facts:
        if not isinstance(fact.value, Quantity):
            continue
        end = min(fact.words[1] + 2, text.sentence(fact.words[0]).stop)
        following = [i for i in range(fact.words[1], end) if text.content[i]]
        for j in sorted(pair.links.get(following[0], ())) if following else ():
            if document.stems[j] != text.stems[following[0]] or j in document.fact_at:
                continue
            stated = {id(other): other for k in document.sentence(j) if (other := document.fact_at.get(k))}
            before = [
                other
                for other in stated.values()
                if j - 3 <= other.words[1] - 1 < j and fact.value.is_comparable(other.value)
            ]
            same = [other for other in stated.values() if fact.value.agrees(other.value)]
            if before and same and before[-1] not in same:
                source = before[-1].words[0], j + 1
                message = f"“{text.quote((fact.words[0], following[0] + 1))}” ≠ “{document.quote(source)}”"
                yield Difference(fact.words, source, "number", CONTRADICTED, message)
                break


def find_names(pair: Linked) -> Iterator[Difference]:
    """Yield names with another first name than in the document, or spelled differently."""
    text, document = pair.text, pair.document
    bigrams = set(zip(document.lower, document.lower[1:], strict=False))
    for t, name in _names(text):
        last = t + 1
        if _name_at(text, last) and (text.lower[t], text.lower[last]) not in bigrams:
            for j in sorted(pair.links.get(last, ())):
                first = _name_at(document, j - 1)
                same = document.lower[j] == text.lower[last]
                together = j and document.sentences[j - 1] == document.sentences[j]
                if first and same and together and not first.agrees(name):
                    span, source = (t, last + 1), (j - 1, j + 1)
                    message = f"“{text.quote(span)}” ≠ “{document.quote(source)}”"
                    yield Difference(span, source, "name", CONTRADICTED, message)
                    break
        if text.stems[t] in document.stem_places or text.lower[t].removesuffix("s") in document.vocabulary:
            continue
        for j in sorted(pair.links.get(t, ())):
            other = _name_at(document, j)
            if other and name.is_misspelled(other):
                message = f"“{text.words[t]}” is spelled “{document.words[j]}” in the source"
                yield Difference((t, t + 1), (j, j + 1), "name", LIKELY, message)
                break


def find_acronyms(pair: Linked) -> Iterator[Difference]:
    """Yield acronyms that are nearly one of the document, or the initials of a name there."""
    text, document = pair.text, pair.document
    new = [
        t for t, word in enumerate(text.words) if is_acronym(word) and word.lower() not in document.vocabulary
    ]
    if not new:
        return
    known = list(read_acronyms(document.words))
    long_forms = f"{initials(document.words)} {initials(text.words)}"
    for t in new:
        acronym = text.lower[t]
        span = next((span for span, other in known if are_confused(acronym, other)), None)
        if span and acronym not in long_forms:
            message = f"“{text.words[t]}” ≠ “{document.quote(span)}”"
            yield Difference((t, t + 1), span, "name", CONTRADICTED, message)


def find_absent(pair: Linked) -> Iterator[Difference]:
    """Yield the names and numbers that are nowhere in the document."""
    text, document = pair.text, pair.document
    spelled = {
        t
        for span, acronym in read_acronyms(text.words)
        if is_acronym(acronym.upper()) and acronym.upper() in document.words
        for t in range(*span)
    }
    for t, name in _names(text):
        letters = text.words[t][1:]
        if t in spelled or not letters.islower() and len(letters) < 3:
            continue
        if not (text.stems[t] in document.stem_places or _is_named(pair, name) or pair.links.get(t)):
            yield Difference((t, t + 1), None, "name", LIKELY, f"“{text.words[t]}” is nowhere in the source")
    for fact in text.facts:
        if not _counts(fact.value) or pair.linked(fact.words):
            continue
        small = isinstance(fact.value, Quantity) and not fact.value.dimension and fact.value.value <= SMALL
        if small and text.words[fact.words[0]].isalpha():
            continue
        stated = any(
            _agree(pair, fact.value, other.value) or _same_number(fact.value, other.value)
            for other in document.facts
        )
        known = document.vocabulary.issuperset(text.lower[slice(*fact.words)])
        if not (stated or known or _is_stated(pair, fact)):
            # A summary completes the date of a month that the document names.
            before = text.beside((fact.words[0], fact.words[0] + 1), 3)
            completed = isinstance(fact.value, Date) and any(
                pair.links.get(i) and isinstance(text.fact_at[i].value, Date)
                for i in before
                if i in text.fact_at
            )
            weekday = isinstance(fact.value, Date) and fact.value.weekday is not None
            severity = CHECK if completed or weekday else LIKELY
            message = f"“{text.quote(fact.words)}” is nowhere in the source"
            yield Difference(fact.words, None, _kind(fact.value, fact.value), severity, message)


def _counts(value: Value) -> bool:
    """Return whether a value is looked for in all of the document: a number, a date, a code with letters."""
    if isinstance(value, Code):
        return value.form != "ordinal" and value.form.isascii() and any(map(str.isalpha, value.form))
    return isinstance(value, Date) or (isinstance(value, Quantity) and value.kind == "number")


def _kind(value: Value, source: Value) -> str:
    """Return the kind of a difference of two values: of their units if their numbers are equal."""
    if isinstance(value, Quantity) and isinstance(source, Quantity) and value.unit != source.unit:
        return "unit" if value.value == source.value else "number"
    return "number" if value.kind == "code" else value.kind


def _agree(pair: Linked, value: Value, source: Value) -> bool:
    """Return whether a value may come from a source; across languages whose scales are unread, by digits."""
    if value.agrees(source):
        return True
    return not (pair.language or pair.scaled) and isinstance(value, Quantity) and value.has_digits_of(source)


def _same_number(value: Value, source: Value) -> bool:
    """Return whether a number is that of the source, which may look like a year: *2000 people*, *2,000*."""
    sides = (value, source)
    number, other = (each.year if isinstance(each, Date) else getattr(each, "value", None) for each in sides)
    return number is not None and number == other and not all(isinstance(each, Date) for each in sides)


def _is_named(pair: Linked, name: Name) -> bool:
    """Return whether the document has a name, in any form."""
    return name.word in pair.document.vocabulary or any(map(name.agrees, pair.document.names))


def _names(side: ReadText) -> Iterator[tuple[int, Name]]:
    for fact in side.facts:
        if isinstance(fact.value, Name):
            yield fact.words[0], fact.value


def _name_at(side: ReadText, place: int) -> Name | None:
    """Return the name that a word is, at the beginning of a sentence too; None outside of the text."""
    fact = side.fact_at.get(place)
    return fact.value if fact and isinstance(fact.value, Name) else None


def _counterpart(pair: Linked, fact: Fact) -> Fact | None:
    """Return the comparable fact of the document in the place of a fact of the text."""
    text, document, links = pair.text, pair.document, pair.links
    around = {k for i in text.beside(fact.words, AROUND_TEXT) for k in links.get(i, ())}
    near = {j for k in around for j in document.around(k, AROUND_DOCUMENT)}
    others = {id(other): other for j in sorted(near) if (other := document.fact_at.get(j))}
    ranked = [
        (*_support(pair, fact, other), -other.words[0], other)
        for other in others.values()
        if fact.value.is_comparable(other.value)
    ]
    if not ranked:
        return None
    support, _, _, other = max(ranked, key=lambda row: row[:3])
    taken = any(
        i not in range(*fact.words) and text.lower[i] == document.lower[j]
        for j in range(*other.words)
        for i in pair.reverse.get(j, ())
        if i in text.fact_at
    )
    return None if support < ENOUGH or taken else other


def _support(pair: Linked, fact: Fact, other: Fact) -> tuple[int, int]:
    """Return how many words around a fact are linked to words around another, and how many directly beside.

    The words around have the same order. Numbers and dates must be linked themselves, punctuation does not
    count, and stop words do not suffice. A word directly beside a name must be linked, as names often differ
    for other reasons; if it is a part of the same name, such as the first name, it counts twice.
    """
    text, links, near = pair.text, pair.links, pair.document.beside(other.words, AROUND_DOCUMENT)
    (start, end), (first, last) = fact.words, other.words
    supporting = [
        i
        for i in text.beside(fact.words, AROUND_TEXT)
        if not is_punctuation(text.words[i])
        and any(k in near and _side(k, first, last) == _side(i, start, end) for k in links.get(i, ()))
    ]
    beside = [i for i, k in ((start - 1, first - 1), (end, last)) if k in links.get(i, ())]
    name = isinstance(fact.value, Name)
    if all(is_stop_word(text.words[i], text.text.language) for i in supporting) or (name and not beside):
        return 0, 0
    part = any(_name_at(text, i) for i in beside)
    linked = _are_linked(pair, fact.words, other.words)
    if not (name or linked):
        return 0, 0
    return len(supporting) + (name and part) + linked, len(beside)


def _are_linked(pair: Linked, span: Span, source: Span) -> bool:
    """Return whether words of two facts are linked: not only their units, which many facts share."""
    return any(
        j in range(*source) and not (text == pair.document.lower[j] and text in ENGLISH.units)
        for i in range(*span)
        for text in (pair.text.lower[i],)
        for j in pair.links.get(i, ())
    )


def _side(place: int, start: int, end: int) -> int:
    """Return −1 for a place before a span, 1 for one behind it, 0 inside."""
    return (place >= end) - (place < start)
