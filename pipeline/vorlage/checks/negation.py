"""Words that one side alone negates, by the scope of *not*, *no*, *without* and *failed to*."""

from collections.abc import Iterator

from vorlage.attribution.reading import CONTRADICTED, Finding
from vorlage.checks.facts import StatementPair, Statements
from vorlage.checks.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES
from vorlage.types import Span

# Words that negate or hedge what follows, and those that may stand for a negation in a paraphrase.
CUES = ENGLISH.negations | ENGLISH.negating_verbs
NEGATIVE = CUES | ENGLISH.negative_words
# These may stand between a cue and the word in its scope.
BETWEEN = NEGATIVE | ENGLISH.negation_fillers
REACH, FAR = 6, 10  # words from a cue to the word in its scope, and across *that*
# Words before a verb or a noun that belong to what is said of it.
BEFORE = AUXILIARIES | ENGLISH.modals | set(ENGLISH.quantities)
# Words that leave open whether something happens.
UNCERTAIN = ENGLISH.hedges | ENGLISH.weak_hedges | ENGLISH.uncertain_words


def find_negations(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words that are negated on one side alone."""
    text, document = pair.text, pair.document
    negated, source = read_negated(text), read_negated(document)
    for t, j in _same_words(pair):
        here, there = negated.get(t), source.get(j)
        is_lost = here is None and there is not None and not _is_affirmed(document, j)
        if is_lost and not _is_negative(text, text.sentence(t)):
            lost = there or 0, j + 1
            message = f"“{document.words[lost[0]]}” was lost: the source says “{document.quote(lost)}”"
            yield Finding(_predicate(text, t), lost, "negation", CONTRADICTED, message)
        elif here is not None and there is None and not _is_negative(document, document.clause(j)):
            around = document.around(j, 2)
            said = document.quote((around.start, around.stop))
            message = f"“{text.words[here]}” was added: the source says “{said}”"
            yield Finding((here, t + 1), (j, j + 1), "negation", CONTRADICTED, message)


def _predicate(side: Statements, place: int) -> Span:
    """Return a word with the auxiliaries or the quantifier before it: *will close*, *most shops*."""
    first, start = place, side.sentence(place).start
    while first > start and side.lower[first - 1] in BEFORE:
        first -= 1
    return first, place + 1


def _same_words(pair: StatementPair) -> Iterator[tuple[int, int]]:
    """Yield the content words that are linked and one word, in forms of one part of speech."""
    text, document = pair.text, pair.document
    for t in filter(text.content.__getitem__, range(len(text.words))):
        for j in sorted(pair.links[t]):
            is_alike = text.tags[t][:2] == document.tags[j][:2]
            if is_alike and relation(text.lower[t], document.lower[j]) == "same":
                yield t, j


def _is_negative(side: Statements, places: range) -> bool:
    """Return whether a word at some places negates, or may stand for a negation, unlike *not only*."""
    idle = {k for i in places if side.lower[i] in CUES and _is_idle(side, i) for k in (i, i + 1)}
    return any(side.lower[i] in NEGATIVE and i not in idle for i in places)


def _is_affirmed(document: Statements, place: int) -> bool:
    """Return whether a negated word stands near its place without negation too."""
    number = document.sentences[place]
    near = (
        i for i in document.stem_places[document.stems[place]] if abs(document.sentences[i] - number) <= 1
    )
    return any(not _is_negative(document, document.sentence(i)) for i in near)


def read_negated(side: Statements, places: range | None = None) -> dict[int, int]:
    """Return the place of the cue of each negated word among some, or all.

    A cue that is negated itself cancels: *did not fail to notice*. *Not only* and *not until* negate nothing.
    """
    negated: dict[int, int] = {}
    for cue in range(len(side.words)) if places is None else places:
        is_cue = side.lower[cue] in CUES and not side.fact_at(cue)
        if is_cue and cue not in negated and not _is_idle(side, cue):
            for target in _negated_by(side, cue):
                negated.setdefault(target, cue)
    return negated


def _is_idle(side: Statements, cue: int) -> bool:
    """Return whether a cue negates nothing.

    Such are *not only*, *no doubt*, *no 5*, *not … until* and *not before May*.
    """
    word, following = side.lower[cue], side.lower[cue + 1 : cue + 2] or [""]
    if following[0] in ENGLISH.idle_after_negation or (word == "no" and following[0][:1].isdigit()):
        return True
    rest = range(cue + 1, side.sentence(cue).stop)
    return word in ("not", "n't", "never") and any(
        side.lower[i] in ("until", "till") or (side.lower[i] == "before" and side.fact_at(i + 1))
        for i in rest
    )


def _negated_by(side: Statements, cue: int) -> Iterator[int]:
    """Yield the words that a cue negates: the first in its scope; of a noun, its verb too."""
    word, start = side.lower[cue], cue
    if side.lower[cue + 1 : cue + 2] == ["because"]:
        start += 1
    target = _target(side, start, verb=word in ENGLISH.negating_verbs - ENGLISH.negating_nouns)
    if target is not None and side.lower[target] in ENGLISH.truth_words:
        target = _target(side, target, verb=True)
    if target is None:
        return
    yield target
    if word in ENGLISH.negative_subjects and not side.tags[target].startswith("VB"):
        verb = _target(side, target, verb=True)
        if verb is not None:
            yield verb


def _target(side: Statements, cue: int, verb: bool) -> int | None:
    """Return the place of the first word, or verb, with a meaning of its own after a cue in its clause."""
    sentence, reach = side.sentence(cue), REACH
    for place in range(cue + 1, min(cue + 1 + FAR, sentence.stop)):
        word, tag = side.lower[place], side.tags[place]
        if word == "that":
            verb, reach = True, FAR
        elif (
            place > cue + reach
            or word in ENGLISH.clause_boundaries
            or (tag == "IN" and side.lower[cue] in ("not", "n't") and word != "of")
        ):
            return None
        if word in ENGLISH.negating_verbs and side.content[place]:
            return place
        if not side.content[place] or word in BETWEEN or tag.startswith("RB"):
            continue
        if not verb or tag.startswith("VB"):
            return place
    return None
