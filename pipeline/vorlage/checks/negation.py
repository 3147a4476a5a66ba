"""Words that one side alone negates, by the scope of *not*, *no*, *without* and *failed to*."""

from collections.abc import Iterator

from vorlage.attribution.reading import CONTRADICTED, Finding
from vorlage.checks.facts import StatementPair, Statements
from vorlage.checks.relations import relation
from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, stem
from vorlage.types import Span

# Words that negate or hedge what follows, and those that may stand for a negation in a paraphrase.
CUES = ENGLISH.negations | ENGLISH.negating_verbs
NEGATIVE = CUES | ENGLISH.negative_words
# These may stand between a cue and the word in its scope.
BETWEEN = NEGATIVE | ENGLISH.negation_fillers
# Words from a cue to the word in its scope, to a verb, and across *that*.
REACH, NEAR, FAR = 6, 5, 10
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
        if is_lost and _lacks(text, text.sentence(t), document, there or 0):
            lost = there or 0, j + 1
            message = f"“{document.words[lost[0]]}” was lost: the source says “{document.quote(lost)}”"
            yield Finding(_predicate(text, t), lost, "negation", CONTRADICTED, message)
        is_added = here is not None and there is None and not _is_said(pair, here)
        if is_added and _lacks(document, document.clause(j), text, here or 0):
            around = document.around(j, 2)
            said = document.quote((around.start, around.stop))
            message = f"“{text.words[here or 0]}” was added: the source says “{said}”"
            yield Finding((here or 0, t + 1), (j, j + 1), "negation", CONTRADICTED, message)


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
            tags = {text.tags[t][:2], document.tags[j][:2]}
            alike = len(tags) == 1 or tags == {"VB", "JJ"}
            if alike and relation(text.lower[t], document.lower[j]) == "same":
                yield t, j


def _is_negative(side: Statements, places: range) -> bool:
    """Return whether a word at some places negates, or may stand for a negation, unlike *not only*."""
    idle = {k for i in places if side.lower[i] in CUES and _is_idle(side, i) for k in (i, i + 1)}
    return any(side.lower[i] in NEGATIVE and i not in idle for i in places)


def _lacks(side: Statements, places: range, other: Statements, cue: int) -> bool:
    """Return whether no word at some places is negative, or stands for the negation at `cue` of the other."""
    words = [side.lower[i] for i in places]
    others = {other.stems[i] for i in other.sentence(cue)}
    prefixed = any(
        word.startswith(prefix) and stem(word.removeprefix(prefix)) in others
        for word in words
        for prefix in ENGLISH.negative_prefixes
    )
    return not (prefixed or _is_negative(side, places))


def _is_affirmed(document: Statements, place: int) -> bool:
    """Return whether a negated word stands near its place without negation too."""
    number = document.sentences[place]
    return any(
        abs(document.sentences[other] - number) <= 1 and not _is_negative(document, document.sentence(other))
        for other in document.stem_places[document.stems[place]]
    )


def _is_said(pair: StatementPair, cue: int) -> bool:
    """Return whether the document has the verb that negates, as *denied*, near the place of the text."""
    places = pair.document.stem_places.get(pair.text.stems[cue], ()) if pair.text.content[cue] else ()
    homes = pair.home(cue)
    return any(abs(pair.document.sentences[j] - home) <= 1 for j in places for home in homes)


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

    Such are *not only*, *no doubt*, *no 5*, *not … until*, *not before May*, and *failed* without *to*.
    """
    word, following = side.lower[cue], side.lower[cue + 1 : cue + 2] or [""]
    if word in ENGLISH.negating_verbs:
        return following[0] != "to" and word not in ENGLISH.negating_objects
    if following[0] in ENGLISH.idle_after_negation or (word == "no" and following[0][:1].isdigit()):
        return True
    rest = range(cue + 1, side.sentence(cue).stop)
    return word in ("not", "n't", "never") and any(
        side.lower[i] in ("until", "till") or (side.lower[i] == "before" and side.fact_at(i + 1))
        for i in rest
    )


def _negated_by(side: Statements, cue: int) -> Iterator[int]:
    """Yield the words that a cue negates: the first in its scope; of a noun, its verb too."""
    word, start, is_verb = side.lower[cue], cue, side.lower[cue] in ENGLISH.negating_verbs
    if side.lower[cue + 1 : cue + 2] == ["because"]:
        start += 1
    target = _target(side, start, across=is_verb, verb=is_verb and word not in ENGLISH.negating_nouns)
    if target is not None and side.lower[target] in ENGLISH.truth_words:
        target = _target(side, target, across=True, verb=True)
    if target is None:
        return
    yield target
    if word in ENGLISH.negative_subjects and not side.tags[target].startswith("VB"):
        verb = _target(side, target, across=False, verb=True)
        if verb is not None:
            yield verb


def _target(side: Statements, cue: int, across: bool, verb: bool = False) -> int | None:
    """Return the place of the first word with a meaning of its own after a cue in its clause, or None.

    Args:
        side: the text.
        cue: the place of the cue.
        across: whether the clause may begin after *that*.
        verb: whether the word must be a verb.
    """
    sentence, reach = side.sentence(cue), NEAR if verb else REACH
    for place in range(cue + 1, min(cue + 1 + FAR, sentence.stop)):
        word, tag = side.lower[place], side.tags[place]
        if word == "that" and across:
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
        if tag in ("NNP", "NNPS"):
            return None
        if not verb or tag.startswith("VB"):
            return place
    return None
