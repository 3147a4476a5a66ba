"""Negations and hedges of one side that the other lacks."""

from collections.abc import Iterable, Iterator

from vorlage.attribution.findings.reading import CONTRADICTED, LIKELY, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import relation
from vorlage.attribution.findings.scope import HEDGES
from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, stem
from vorlage.types import Span

# Words before a verb or a noun that belong to what is said of it.
BEFORE = AUXILIARIES | ENGLISH.modals | set(ENGLISH.quantities)
# Words that leave open whether something happens.
UNCERTAIN = HEDGES | ENGLISH.uncertain_words


def find_negations(pair: Linked) -> Iterator[Difference]:
    """Yield the words that are negated, and the verbs that are hedged as by *may*, on one side alone."""
    text, document = pair.text, pair.document
    for t, j in _same_words(pair):
        here, there = text.negated.get(t), document.negated.get(j)
        if _is_negation(pair, t, j, here, there):
            yield _difference(pair, t, j, here, there, "negation", CONTRADICTED)
        here, there = text.hedged.get(t), document.hedged.get(j)
        if _is_hedge(pair, t, j, here, there):
            modal = there is not None and document.lower[there] in ENGLISH.modals
            sure = modal and "will" in text.lower[max(t - 3, 0) : t]
            yield _difference(pair, t, j, here, there, "hedge", CONTRADICTED if sure else LIKELY)


def _is_negation(pair: Linked, t: int, j: int, here: int | None, there: int | None) -> bool:
    """Return whether a cue, `here` or `there`, negates a word that the other side does not negate."""
    text, document = pair.text, pair.document
    if here is None and there is not None:
        return not _is_affirmed(document, j) and _lacks(text, text.sentence(t), document, there)
    if here is not None and there is None:
        return not _is_said(pair, here) and _lacks(document, document.clause(j), text, here)
    return False


def _is_hedge(pair: Linked, t: int, j: int, here: int | None, there: int | None) -> bool:
    """Return whether a cue, `here` or `there`, hedges a verb that the other side is sure of."""
    text, document = pair.text, pair.document
    if (here is None) == (there is None) or text.tags[t] == "VBG":
        return False
    if here is not None and text.lower[here] not in ENGLISH.hedges:
        return False
    other, place = (text, t) if here is None else (document, j)
    return not any(other.lower[i] in UNCERTAIN for i in other.sentence(place))


def _difference(
    pair: Linked, t: int, j: int, here: int | None, there: int | None, kind: str, severity: int
) -> Difference:
    """Return how a word differs of which one side has the cue, `here` or `there`."""
    text, document = pair.text, pair.document
    if here is None:
        assert there is not None
        source = there, j + 1
        message = f"“{document.words[there]}” was lost: the source says “{document.quote(source)}”"
        return Difference(_predicate(text, t), source, kind, severity, message)
    around = document.around(j, 2)
    said = document.quote((around.start, around.stop))
    message = f"“{text.words[here]}” was added: the source says “{said}”"
    return Difference((here, t + 1), (j, j + 1), kind, severity, message)


def _predicate(side: ReadText, place: int) -> Span:
    """Return a word with the auxiliaries or the quantifier before it: *will close*, *most shops*."""
    first, start = place, side.sentence(place).start
    while first > start and side.lower[first - 1] in BEFORE:
        first -= 1
    return first, place + 1


def _same_words(pair: Linked) -> Iterator[tuple[int, int]]:
    """Yield the content words that are one word on both sides, in forms of one part of speech.

    They are linked, or the document has the word in a sentence of the words around.
    """
    text, document = pair.text, pair.document
    for t in filter(text.content.__getitem__, range(len(text.words))):
        linked = sorted(pair.links[t])
        if not pair.same(t):
            home, places = pair.home(t), document.stem_places.get(text.stems[t], ())
            linked += [j for j in places if document.sentences[j] in home]
        for j in linked:
            tags = {text.tags[t][:2], document.tags[j][:2]}
            alike = len(tags) == 1 or tags == {"VB", "JJ"}
            if alike and relation(text.lower[t], document.lower[j]) == "same":
                yield t, j


def _lacks(side: ReadText, places: Iterable[int], other: ReadText, cue: int) -> bool:
    """Return whether no word at some places is negative, or stands for the negation at `cue` of the other."""
    words = [side.lower[i] for i in places]
    others = {other.stems[i] for i in other.sentence(cue)}
    prefixed = any(
        word.startswith(prefix) and stem(word.removeprefix(prefix)) in others
        for word in words
        for prefix in ENGLISH.negative_prefixes
    )
    return side.negative.isdisjoint(places) and not prefixed


def _is_affirmed(document: ReadText, place: int) -> bool:
    """Return whether a negated word stands near its place without negation too."""
    number = document.sentences[place]
    return any(
        abs(document.sentences[other] - number) <= 1
        and document.negative.isdisjoint(document.sentence(other))
        for other in document.stem_places[document.stems[place]]
    )


def _is_said(pair: Linked, cue: int) -> bool:
    """Return whether the document has the verb that negates, as *denied*, near the place of the text."""
    places = pair.document.stem_places.get(pair.text.stems[cue], ()) if pair.text.content[cue] else ()
    homes = pair.home(cue)
    return any(abs(pair.document.sentences[j] - home) <= 1 for j in places for home in homes)
