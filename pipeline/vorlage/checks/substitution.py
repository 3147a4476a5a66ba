"""Words in the place of others that exclude them: other names, opposites, other members of a class.

Two words stand in one place if they are linked, or if the words around them are linked. What they mean for
each other is said by `relation`, and by `Name` for names.
"""

from collections.abc import Iterator

from vorlage.attribution.reading import CHECK, CONTRADICTED, LIKELY, UNEQUAL, Finding
from vorlage.checks.facts import ABSENT, AROUND_TEXT, SAYS, StatementPair, Statements
from vorlage.checks.names import Name, are_confused, initials, is_acronym, is_name, read_acronyms
from vorlage.checks.negation import read_negated
from vorlage.checks.relations import AGREEING, relation
from vorlage.text.english import ENGLISH
from vorlage.types import Span

# Words around a name that are linked to those around the other, itself and a part of the same name included.
ENOUGH = 2
# The same for a name that the document has elsewhere, and both words beside. Chosen on CLIFF and the battery
# on 28 November 2026: with one word beside or with 3, names of one person are told apart.
FIRM = 4
STANDS = "“{}” stands where the source says “{}”"


def find_substituted(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words and names in whose place the document has others that exclude them."""
    yield from _find_names(pair)
    if pair.language == "en":
        yield from _find_words(pair)
        yield from _find_acronyms(pair)


def _find_words(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words in whose place the document has their opposites, or other members of their class.

    The document does not say the word itself nearby, and only neither or both are negated.
    """
    text, document = pair.text, pair.document
    negated, source = set(read_negated(text)), set(read_negated(document))
    for t, word in enumerate(text.lower):
        has_meaning = text.content[t] or word in ENGLISH.comparing_words
        is_proper = is_acronym(text.words[t]) or (text.fact_at(t) and _name_at(text, t))
        if is_proper or not has_meaning:
            continue
        near, linked = _near(pair, t), pair.links[t]
        if any(document.stems[j] == text.stems[t] for j in near):
            continue
        for j in sorted(near, key=lambda j: (j not in linked, j)):
            # The other word may stand in the text too.
            if (j not in linked and pair.reverse[j] - {t}) or (t in negated) != (j in source):
                continue
            if finding := _compare_words(pair, t, j):
                yield finding
                break


def _compare_words(pair: StatementPair, t: int, j: int) -> Finding | None:
    """Return how a word differs from one near its place in the document, if at all."""
    text, document = pair.text, pair.document
    word, other = _compound(text, t), _compound(document, j)
    found, span, source = relation(word, other), (t, t + 1), (j, j + 1)
    if (text.fact_at(t) and document.fact_at(j)) or _is_cut(pair, t, j):
        return None
    if found == "opposite" and not text.fact_at(t):
        return pair.finding(span, source, "opposite", CONTRADICTED, SAYS)
    _, beside = pair.support(span, source)
    is_near = text.stems[t] in {document.stems[k] for k in document.sentence(j)}
    alike = text.tags[t][:2] == document.tags[j][:2] or "@" in word
    if is_near or found in AGREEING or not (alike and text.content[t]) or pair.reverse[j] - {t}:
        return None
    if found == "exclusive" and beside and j in pair.links[t]:
        return pair.finding(span, source, "replacement", LIKELY, STANDS)
    if beside == 2:
        return pair.finding(span, source, "replacement", CHECK, STANDS)
    return None


def _compound(side: Statements, place: int) -> str:
    """Return a word in lower case, with the rest of its address if *@* is behind it."""
    end = place + 3 if side.words[place + 1 : place + 2] == ["@"] else place + 1
    return "".join(side.lower[place:end])


def _is_cut(pair: StatementPair, t: int, j: int) -> bool:
    """Return whether a word is that of the other side with what is cut from it there: *non - binary*."""
    cuts = ("".join(side.lower[max(i - 2, 0) : i + 1]) for side, i in ((pair.text, t), (pair.document, j)))
    return next(cuts) == pair.document.lower[j] or next(cuts) == pair.text.lower[t]


def _near(pair: StatementPair, t: int) -> set[int]:
    """Return the document words that a word is linked to, or that stand beside those of its neighbours."""
    near, around = set(pair.links[t]), [i for i in pair.text.around(t, AROUND_TEXT) if pair.links[i]]
    for i in around if any(pair.text.content[i] for i in around if i != t) else ():
        for j in pair.links[i]:
            near.update(k for k in pair.document.around(j, AROUND_TEXT) if k != j and (k > j) == (t > i))
    return near


def _find_names(pair: StatementPair) -> Iterator[Finding]:
    """Yield the names in whose place the document has others, or spells them otherwise.

    Names that are neighbours on both sides are one.
    """
    different: list[tuple[Span, Span]] = []
    for t in range(len(pair.text.words)):
        name = _name_at(pair.text, t)
        if name is None:
            continue
        j = _counterpart(pair, t, name)
        if j is None:
            yield from _check_spelling(pair, t, name)
        elif different and (different[-1][0][1], different[-1][1][1]) == (t, j):
            (first, _), (start, _) = different.pop()
            different.append(((first, t + 1), (start, j + 1)))
        else:
            different.append(((t, t + 1), (j, j + 1)))
    for span, source in different:
        yield pair.finding(span, source, "name", CONTRADICTED, UNEQUAL)


def _counterpart(pair: StatementPair, t: int, name: Name) -> int | None:
    """Return the name that the document has in the place of a name of the text, if it is another."""
    text, document = pair.text, pair.document
    if (j := _other_first_name(pair, t, name)) is not None:
        return j
    supports: dict[int, tuple[int, int]] = {}
    for j in _near(pair, t):
        other, is_linked = _name_at(document, j), j in pair.links[t]
        if other is None or (is_linked and name.agrees(other)):
            continue
        around, beside = pair.support((t, t + 1), (j, j + 1))
        part = any(i != t and _name_at(text, i) and j + i - t in pair.links[i] for i in text.around(t, 1))
        count = around + part
        # The first word of a sentence, which may be no name, must be linked itself.
        if beside and count >= ENOUGH and (is_linked or text.fact_at(t)):
            supports[j] = count, beside
    j = max(supports, key=lambda j: supports[j], default=-1)
    other = _name_at(document, j)
    if other is None or name.agrees(other):
        return None
    count, beside = supports[j]
    is_here = name.word in (document.lower[k] for k in document.sentence(j))
    is_loose = is_here or beside < 2 or count < FIRM or _is_begun(pair, t, name)
    if is_loose and _is_known(document, name):
        return None
    # It may stand in the text too.
    return None if any(text.lower[i] == document.lower[j] for i in pair.reverse[j]) else j


def _other_first_name(pair: StatementPair, t: int, name: Name) -> int | None:
    """Return the first name in the document before the last name that follows one of the text, if another."""
    document, last = pair.document, t + 1
    if last not in pair.text.sentence(t) or not _name_at(pair.text, last) or _is_begun(pair, t, name):
        return None
    others = ((j, _name_at(document, j)) for j in (place - 1 for place in pair.same(last)))
    return next((j for j, other in others if other and not name.agrees(other)), None)


def _is_begun(pair: StatementPair, t: int, name: Name) -> bool:
    """Return whether the document has a name of the text before the same word as the text."""
    following = pair.text.stems[t + 1] if t + 1 < len(pair.text.words) and _name_at(pair.text, t + 1) else ""
    places = pair.document.stem_places.get(following, ())
    return any(pair.document.lower[j - 1 : j] == [name.word] for j in places)


def _is_known(document: Statements, name: Name) -> bool:
    """Return whether the document has a name, in any form."""
    return name.word in document.vocabulary or any(map(name.agrees, document.names))


def _check_spelling(pair: StatementPair, t: int, name: Name) -> Iterator[Finding]:
    """Yield a name that the document spells otherwise."""
    document = pair.document
    for j in sorted(pair.links[t]) if pair.text.stems[t] not in document.stem_places else ():
        other = _name_at(document, j)
        if other and (name.is_misspelled(other) or name.is_respelled(other)):
            severity = CHECK if name.is_respelled(other) else LIKELY
            message = "“{}” is spelled “{}” in the source"
            yield pair.finding((t, t + 1), (j, j + 1), "name", severity, message)


def find_absent_names(pair: StatementPair) -> Iterator[Finding]:
    """Yield the names that are nowhere in the document, neither in full nor by their initials."""
    text, document = pair.text, pair.document
    abbreviated = {
        t
        for span, acronym in read_acronyms(text.words)
        if is_acronym(acronym.upper()) and acronym.upper() in document.words
        for t in range(*span)
    }
    absent: dict[Span, int] = {}  # the severity of each name, whose words are neighbours
    for t, name in _names(text):
        letters = text.words[t][1:]
        if t in abbreviated or not letters.islower() and len(letters) < 3:
            continue
        # At the beginning of a sentence, it may complete a name that the document has.
        completes = t == text.sentence(t).start and _name_at(text, t + 1) and pair.same(t + 1)
        if not (_is_known(document, name) or pair.links[t]):
            first, end = next(reversed(absent), (t, t))
            severity = absent.pop((first, end), CHECK) if end == t else CHECK
            absent[first if end == t else t, t + 1] = max(severity, CHECK if completes else LIKELY)
    for span, severity in absent.items():
        yield pair.finding(span, None, "name", severity, ABSENT)


def _find_acronyms(pair: StatementPair) -> Iterator[Finding]:
    """Yield acronyms that are nearly one of the document, or the initials of a name there."""
    text, document = pair.text, pair.document
    places = [t for t, word in enumerate(text.words) if is_acronym(word)]
    new = [t for t in places if text.lower[t] not in document.vocabulary]
    known = list(read_acronyms(document.words)) if new else []
    long_forms = f"{initials(document.words)} {initials(text.words)}" if new else ""
    for t in new:
        span = next((span for span, other in known if are_confused(text.lower[t], other)), None)
        if span and text.lower[t] not in long_forms:
            yield pair.finding((t, t + 1), span, "name", CONTRADICTED)


def _names(side: Statements) -> Iterator[tuple[int, Name]]:
    return ((fact.words[0], fact.value) for fact in side.facts if isinstance(fact.value, Name))


def _name_at(side: Statements, place: int) -> Name | None:
    """Return the name that a word is, or may be at the beginning of a sentence; None for other words."""
    fact, is_english = side.fact_at(place), side.tokenized.language == "en"
    if fact is None and is_english and 0 <= place < len(side.words) and place == side.sentence(place).start:
        word = side.tokenized.words[place]
        return Name(word.lower()) if is_name(word) and side.tags[place] == "NNP" else None
    return fact.value if fact and isinstance(fact.value, Name) else None
