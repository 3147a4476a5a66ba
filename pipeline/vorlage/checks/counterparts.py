"""Numbers and dates of a text that differ from those in their place in the document."""

from collections import Counter
from collections.abc import Iterator, Sequence

from vorlage.attribution.reading import CHECK, CONTRADICTED, LIKELY, Finding
from vorlage.checks.calculated import CUES, calculate, recalculate
from vorlage.checks.dates import Code, Date, Shift
from vorlage.checks.facts import ABSENT, AROUND_DOCUMENT, AROUND_TEXT, Fact, StatementPair, Statements
from vorlage.checks.names import Name
from vorlage.checks.quantities import Quantity, Value
from vorlage.text.english import ENGLISH
from vorlage.types import Span

NEXT = 2  # how near the words are that a number without a unit counts
# Numbers in words up to this one are often counted by the writer: *two friends*.
SMALL = 3


def find_values(pair: StatementPair) -> Iterator[Finding]:
    """Yield the numbers and dates of the text that differ from the one in their place.

    Neighbours on both sides are one.
    """
    found: list[tuple[Span, Span, str]] = []
    for fact in pair.text.facts:
        place = None if isinstance(fact.value, Name) else _counterpart(pair, fact)
        if (place is None and not _is_calculable(fact.value)) or _is_stated(pair, fact, place):
            continue
        if finding := _calculated(pair, fact, place):
            yield finding
            continue
        if place is None:
            continue
        span, source = fact.words, place.words
        if found and (found[-1][0][1], found[-1][1][1]) == (span[0], source[0]):
            (start, _), (first, _), _ = found.pop()
            span, source = (start, span[1]), (first, source[1])
        found.append((span, source, _kind(fact.value, place.value)))
    for span, source, kind in found:
        yield pair.finding(span, source, kind, CONTRADICTED)


def _is_calculable(value: Value) -> bool:
    """Return whether a value is a change or a share, which are often calculated."""
    return isinstance(value, Quantity) and (value.move == "by" or value.dimension == "ratio")


def _calculated(pair: StatementPair, fact: Fact, place: Fact | None) -> Finding | None:
    """Return the finding of a value that follows from what its sources state, or that they make another."""
    text, document = pair.text, pair.document
    homes = _homes(pair, fact)
    beside = [other.value for other in text.facts_of(text.sentences[fact.words[0]]) if other is not fact]
    # A number in the place of another is calculated only if the text says so.
    alike, end = place is not None and _measure(place.value) == _measure(fact.value), fact.words[1]
    compares = text.tags[end : end + 1] in (["JJR"], ["RBR"])  # *25 euros higher*, than in a sentence nearby
    behind = text.lower[end : end + 1] == ["of"]
    cued = compares or behind or not CUES.isdisjoint(text.lower[t] for t in text.sentence(end - 1))
    near = {n + step for n in homes for step in ((-1, 0, 1) if compares else (0,))}
    numbers = sorted(near.intersection(range(len(document.tokenized.sentences))))
    stated = [other.value for number in numbers for other in document.facts_of(number)]
    if message := calculate(fact.value, stated, beside, cued or not alike):
        return pair.finding(fact.words, place and place.words, "calculated", CHECK, message)
    home = max(homes, key=lambda number: homes[number], default=None)
    if home is None:
        return None
    message = recalculate(fact.value, [other.value for other in document.facts_of(home)])
    source = place.words if place else document.tokenized.sentences[home]
    return pair.finding(fact.words, source, "number", CONTRADICTED, message) if message else None


def _measure(value: Value) -> str:
    """Return the dimension of a quantity, empty for another value."""
    return value.dimension if isinstance(value, Quantity) else ""


def _homes(pair: StatementPair, fact: Fact) -> Counter[int]:
    """Return the document sentences that most words of the sentence of a fact are linked to."""
    homes = pair.homes(t for t in pair.text.sentence(fact.words[0]) if pair.text.content[t])
    most = max(homes.values(), default=0)
    return Counter({n: count for n, count in homes.items() if 2 * count >= most})


def _kind(value: Value, source: Value) -> str:
    """Return the kind of a difference of two values: of their units if their numbers are equal."""
    if isinstance(value, Quantity) and isinstance(source, Quantity) and value.unit != source.unit:
        return "unit" if value.value == source.value else "number"
    if isinstance(value, Quantity) and isinstance(source, Quantity) and not value.is_rate_of(source):
        return "rate"
    return value.kind


def _is_stated(pair: StatementPair, fact: Fact, place: Fact | None = None) -> bool:
    """Return whether a fact is stated in the sentence of another one, or of the words around it.

    A number may be computed from two others.
    """
    document, value = pair.document, fact.value
    homes = pair.home(fact.words[0]) | ({document.sentences[place.words[0]]} if place else set())
    near = [other.value for number in homes for other in document.facts_of(number)]
    if any(_agree(pair, value, other) for other in near):
        return True
    if not isinstance(value, Quantity):
        return False
    # A number of many digits is hardly twice in a document.
    if value.is_long and any(value.agrees(other.value) for other in document.facts_like(value)):
        return True
    return value.value in document.cut_numbers


def find_exchanged(pair: StatementPair) -> Iterator[Finding]:
    """Yield the numbers that the document has in the same sentence, but beside other words."""
    text, document = pair.text, pair.document
    for fact in text.facts:
        for number in sorted(pair.home(fact.words[0])) if isinstance(fact.value, Quantity) else ():
            stated = [each for each in document.facts_of(number) if _are_alike(fact, each)]
            same = [each for each in stated if fact.value.agrees(each.value)]
            owners = [_owner(document, stated, j) for j in _own_words(pair, fact, number)] if same else []
            others = [owner for owner in owners if owner and owner not in same]
            if others and not any(owner in same for owner in owners):
                yield pair.finding(fact.words, others[0].words, "number", CONTRADICTED)
                break


def _own_words(pair: StatementPair, fact: Fact, number: int) -> list[int]:
    """Return the words of a document sentence that stand by a fact of the text, and there once."""
    text, document = pair.text, pair.document
    others = [each for each in text.facts_of(text.sentences[fact.words[0]]) if _are_alike(fact, each)]
    reach = AROUND_TEXT if getattr(fact.value, "unit", "") else NEXT
    places = [
        j
        for t in text.beside(fact.words, reach)
        if text.content[t] and not text.fact_at(t) and _owner(text, others, t) == fact
        for j in pair.same(t)
        if j in document.places(number)
    ]
    counts = Counter(document.stems[j] for j in document.places(number))
    return [j for j in places if counts[document.stems[j]] == 1]


def _are_alike(fact: Fact, other: Fact) -> bool:
    """Return whether two facts are exact quantities of one unit, and the other is no change or its result."""
    value, source = fact.value, other.value
    if not (isinstance(value, Quantity) and isinstance(source, Quantity) and value.unit == source.unit):
        return False
    return value.is_exact and source.is_exact and not source.move


def _owner(side: Statements, facts: Sequence[Fact], place: int) -> Fact | None:
    """Return the only fact that no *and* and no end of a clause parts from a word, if there is one."""
    ends = ENGLISH.clause_boundaries | {"and"}
    near = [
        each
        for each in facts
        if ends.isdisjoint(side.lower[min(place, each.words[1]) : max(place, each.words[0])])
    ]
    return near[0] if len(near) == 1 else None


def find_absent(pair: StatementPair) -> Iterator[Finding]:
    """Yield the numbers and dates that are nowhere in the document."""
    text, document = pair.text, pair.document
    for fact in text.facts:
        value = fact.value
        if not _counts(value) or pair.linked(range(*fact.words)):
            continue
        small = isinstance(value, Quantity) and not value.dimension and value.value <= SMALL
        if small and text.words[fact.words[0]].isalpha():
            continue
        if document.vocabulary.issuperset(text.lower[slice(*fact.words)]) or _is_stated(pair, fact):
            continue
        sources = (other.value for other in document.facts_like(value))
        if not any(_agree(pair, value, source) or _same_number(value, source) for source in sources):
            if finding := _calculated(pair, fact, None):
                yield finding
                continue
            # A summary names the weekday of what happened today.
            severity = CHECK if isinstance(value, Date) and value.weekday is not None else LIKELY
            yield pair.finding(fact.words, None, value.kind, severity, ABSENT)


def _counts(value: Value) -> bool:
    """Return whether a value is looked for in all of the document: a number, a date, a code with letters."""
    if isinstance(value, Code):
        return value.form != "ordinal" and value.form.isascii() and any(map(str.isalpha, value.form))
    if isinstance(value, Shift):
        return value.counted
    return isinstance(value, Date) or (isinstance(value, Quantity) and value.kind == "number")


def _agree(pair: StatementPair, value: Value, source: Value) -> bool:
    """Return whether a value may come from a source; across languages whose scales are unread, by digits."""
    if pair.language or pair.scaled or not (isinstance(value, Quantity) and isinstance(source, Quantity)):
        return value.agrees(source)
    return value.agrees(source) or value.has_digits_of(source)


def _same_number(value: Value, source: Value) -> bool:
    """Return whether a number is that of the source, which may look like a year: *2000 people*, *2,000*."""
    sides = (value, source)
    number, other = (each.year if isinstance(each, Date) else getattr(each, "value", None) for each in sides)
    return number is not None and number == other and not all(isinstance(each, Date) for each in sides)


def _counterpart(pair: StatementPair, fact: Fact) -> Fact | None:
    """Return the comparable fact of the document in the place of a fact of the text."""
    text, document = pair.text, pair.document
    around, linked = pair.linked(text.beside(fact.words, AROUND_TEXT)), pair.linked(range(*fact.words))
    near = sorted({j for k in around for j in document.around(k, AROUND_DOCUMENT)})
    others = dict.fromkeys(filter(None, map(document.fact_at, near)))
    support = {
        other: pair.support(fact.words, other.words)
        for other in others
        if fact.value.is_comparable(other.value) and not linked.isdisjoint(range(*other.words))
    }
    other = max(support, key=lambda other: support[other], default=None)
    if other is None:
        return None
    taken = any(
        text.fact_at(i) and i not in range(*fact.words) and text.lower[i] == document.lower[j]
        for j in range(*other.words)
        for i in pair.reverse[j]
    )
    return None if taken else other
