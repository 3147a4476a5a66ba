"""Negation that was lost or added, hedges that were lost."""

from collections.abc import Iterable, Iterator

from vorlage.attribution.findings.linked import (
    CONTRADICTED,
    LIKELY,
    Difference,
    Linked,
    ReadText,
)
from vorlage.attribution.findings.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.words import stem

# Words that negate, or may stand for a negation in a paraphrase.
NEGATIVE = ENGLISH.negations | ENGLISH.negating_verbs | ENGLISH.negative_words
# Words that leave open whether something happens.
UNCERTAIN = ENGLISH.hedges | ENGLISH.uncertain_words
REACH = 6  # words from a cue to the word that it negates


def find_negations(pair: Linked) -> Iterator[Difference]:
    """Yield the negations of one side that the other lacks."""
    text, document = pair.text, pair.document
    for cue, negated in _cues(document):
        for t in sorted(pair.reverse.get(negated, ())):
            lacks = _lacks(text, text.sentence(t), document, cue)
            if lacks and _agree(pair, t, negated) and not _affirmed(document, negated):
                source = cue, negated + 1
                message = f"“{document.words[cue]}” was lost: the source says “{document.quote(source)}”"
                yield Difference((t, t + 1), source, "negation", CONTRADICTED, message)
                break
    for cue, negated in _cues(text):
        for j in sorted(pair.links.get(negated, ())):
            if _agree(pair, negated, j) and _lacks(document, document.clause(j), text, cue):
                around = document.around(j, 2)
                quote = document.quote((around.start, around.stop))
                message = f"“{text.words[cue]}” was added: the source says “{quote}”"
                yield Difference((cue, negated + 1), (j, j + 1), "negation", CONTRADICTED, message)
                break


def _agree(pair: Linked, t: int, j: int) -> bool:
    """Return whether two linked words are one word, in forms of one part of speech."""
    tags = pair.text.tags[t][:2], pair.document.tags[j][:2]
    alike = tags[0] == tags[1] or set(tags) == {"VB", "JJ"}
    return alike and relation(pair.text.lower[t], pair.document.lower[j]) == "same"


def _affirmed(document: ReadText, place: int) -> bool:
    """Return whether a negated word stands near its place without negation too."""
    number = document.sentences[place]
    return any(
        other != place
        and abs(document.sentences[other] - number) <= 1
        and not any(document.lower[i] in NEGATIVE for i in document.sentence(other))
        for other in document.stem_places[document.stems[place]]
    )


def find_hedges(pair: Linked) -> Iterator[Difference]:
    """Yield the words that the document hedges, as *may* does, and the text does not."""
    text, document = pair.text, pair.document
    for hedge, word in enumerate(document.lower):
        if word not in ENGLISH.hedges or (word in ("may", "might") and document.words[hedge][0].isupper()):
            continue
        j = _target(document, hedge)
        if j is None or not document.tags[j].startswith("VB"):
            continue
        for t in sorted(pair.reverse.get(j, ())):
            same = text.stems[t] == document.stems[j] and pair.links[t] == {j}
            if same and UNCERTAIN.isdisjoint(text.lower[i] for i in text.sentence(t)):
                quote = document.quote((hedge, j + 1))
                message = f"“{word}” was lost: the source says “{quote}”"
                yield Difference((t, t + 1), (hedge, j + 1), "hedge", LIKELY, message)
                break


def _cues(side: ReadText) -> Iterator[tuple[int, int]]:
    """Yield the places of the words that negate others, and of the words that they negate."""
    for place, word in enumerate(side.lower):
        following = side.lower[place + 1] if place + 1 < len(side.lower) else ""
        negates = word in ENGLISH.negations and following not in ("only", "just", "least")
        number = word == "no" and following[:1].isdigit()
        if (negates and not number) or (word in ENGLISH.negating_verbs and following == "to"):
            negated = _target(side, place)
            if negated is not None:
                yield place, negated


def _target(side: ReadText, cue: int) -> int | None:
    """Return the place of the first content word after a cue in its clause, None without one."""
    for place in range(cue + 1, min(cue + 1 + REACH, side.sentence(cue).stop)):
        if side.lower[place] in ENGLISH.clause_boundaries:
            return None
        if side.content[place] and side.lower[place] not in NEGATIVE and side.tags[place] != "RB":
            return place
    return None


def _lacks(side: ReadText, places: Iterable[int], other: ReadText, cue: int) -> bool:
    """Return whether no word at some places is negative, or stands for the negation at `cue` of the other."""
    words = {side.lower[i] for i in places}
    others = {other.stems[i] for i in other.sentence(cue)}
    prefixed = any(
        word.startswith(prefix) and stem(word[len(prefix) :]) in others
        for word in words
        for prefix in ENGLISH.negative_prefixes
    )
    return words.isdisjoint(NEGATIVE) and not prefixed
