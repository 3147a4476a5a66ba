"""Negations and hedges of one side that the other lacks."""

from collections.abc import Iterable, Iterator

from vorlage.attribution.findings.reading import CONTRADICTED, LIKELY, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, stem
from vorlage.types import Span

# Words before a verb or a noun that belong to what is said of it.
BEFORE = AUXILIARIES | ENGLISH.modals | set(ENGLISH.quantities)
# Words that leave open whether something happens.
UNCERTAIN = ENGLISH.hedges | ENGLISH.weak_hedges | ENGLISH.uncertain_words


def find_negations(pair: Linked) -> Iterator[Difference]:
    """Yield the words that are negated, and the verbs that are hedged as by *may*, on one side alone."""
    for t, j in _same_words(pair):
        for difference in (_negation(pair, t, j), _hedge(pair, t, j)):
            if difference:
                yield difference


def _negation(pair: Linked, t: int, j: int) -> Difference | None:
    """Return how the negation of a word differs."""
    text, document = pair.text, pair.document
    here, there = text.negated.get(t), document.negated.get(j)
    if here is None and there is not None:
        if _is_affirmed(document, j) or not _lacks(text, text.sentence(t), document, there):
            return None
        source = there, j + 1
        message = f"“{document.words[there]}” was lost: the source says “{document.quote(source)}”"
        return Difference(_predicate(text, t), source, "negation", CONTRADICTED, message)
    if here is not None and there is None:
        if _is_said(pair, here) or not _lacks(document, document.clause(j), text, here):
            return None
        around = document.around(j, 2)
        quote = document.quote((around.start, around.stop))
        message = f"“{text.words[here]}” was added: the source says “{quote}”"
        return Difference((here, t + 1), (j, j + 1), "negation", CONTRADICTED, message)
    return None


def _hedge(pair: Linked, t: int, j: int) -> Difference | None:
    """Return how the hedge of a verb differs."""
    text, document = pair.text, pair.document
    here, there = text.hedged.get(t), document.hedged.get(j)
    if (here is None) == (there is None) or pair.links.get(t) != {j} or text.tags[t] == "VBG":
        return None
    other, at = (text, t) if here is None else (document, j)
    if any(_is_uncertain(other, i) for i in other.sentence(at)):
        return None
    if here is not None and text.lower[here] in ENGLISH.hedges:
        message = f"“{text.words[here]}” was added: the source says “{document.words[j]}”"
        return Difference((here, t + 1), (j, j + 1), "hedge", LIKELY, message)
    if there is None:
        return None
    modal = document.lower[there] in ENGLISH.modals and "will" in text.lower[max(t - 3, 0) : t]
    message = f"“{document.words[there]}” was lost: the source says “{document.quote((there, j + 1))}”"
    return Difference(
        _predicate(text, t), (there, j + 1), "hedge", CONTRADICTED if modal else LIKELY, message
    )


def _is_said(pair: Linked, cue: int) -> bool:
    """Return whether the document has the verb that negates, as *denied*, near the place of the text."""
    places = pair.document.stem_places.get(pair.text.stems[cue], ()) if pair.text.content[cue] else ()
    homes = pair.home(cue)
    return any(abs(pair.document.sentences[j] - home) <= 1 for j in places for home in homes)


def _is_uncertain(side: ReadText, place: int) -> bool:
    """Return whether a word leaves open whether something happens; *may* does, *May* and *will* do not."""
    word = side.lower[place]
    return word in UNCERTAIN and word != "will" and place not in side.fact_at


def _same_words(pair: Linked) -> Iterator[tuple[int, int]]:
    """Yield the content words that are one word on both sides, in forms of one part of speech.

    They are linked, or the document has the word in a sentence of the words around.
    """
    text, document = pair.text, pair.document
    for t in filter(text.content.__getitem__, range(len(text.words))):
        linked = sorted(pair.links.get(t, ()))
        if not any(document.stems[j] == text.stems[t] for j in linked):
            home = pair.home(t)
            linked += [
                j for j in document.stem_places.get(text.stems[t], ()) if document.sentences[j] in home
            ]
        for j in linked:
            tags = {text.tags[t][:2], document.tags[j][:2]}
            alike = len(tags) == 1 or tags == {"VB", "JJ"}
            if alike and relation(text.lower[t], document.lower[j]) == "same":
                yield t, j


def _predicate(side: ReadText, place: int) -> Span:
    """Return a word with the auxiliaries or the quantifier before it: *will close*, *most shops*."""
    first, start = place, side.sentence(place).start
    while first > start and side.lower[first - 1] in BEFORE:
        first -= 1
    return first, place + 1


def _is_affirmed(document: ReadText, place: int) -> bool:
    """Return whether a negated word stands near its place without negation too."""
    number = document.sentences[place]
    return any(
        other != place
        and abs(document.sentences[other] - number) <= 1
        and other not in document.negated
        and not any(i in document.negative for i in document.sentence(other))
        for other in document.stem_places[document.stems[place]]
    )


def _lacks(side: ReadText, places: Iterable[int], other: ReadText, cue: int) -> bool:
    """Return whether no word at some places is negative, or stands for the negation at `cue` of the other."""
    places = list(places)
    others = {other.stems[i] for i in other.sentence(cue)}
    prefixed = any(
        side.lower[i].startswith(prefix) and stem(side.lower[i][len(prefix) :]) in others
        for i in places
        for prefix in ENGLISH.negative_prefixes
    )
    return side.negative.isdisjoint(places) and not prefixed
