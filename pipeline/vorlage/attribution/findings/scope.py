"""Reads which words of an English text are negated or hedged: the scope of *not*, *failed to*, *may*."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vorlage.text.english import ENGLISH

if TYPE_CHECKING:
    from vorlage.attribution.findings.reading import ReadText

# Words that negate or hedge what follows, and those that may stand for a negation in a paraphrase.
CUES, HEDGES = ENGLISH.negations | ENGLISH.negating_verbs, ENGLISH.hedges | ENGLISH.weak_hedges
NEGATIVE = CUES | ENGLISH.negative_words
# These may stand between a cue and the word in its scope.
BETWEEN = NEGATIVE | ENGLISH.negation_fillers
# Words from a cue to the word in its scope, to a verb, and across *that*.
REACH, NEAR, FAR = 6, 5, 10


def read_negated(side: "ReadText") -> tuple[dict[int, int], set[int]]:
    """Return the place of the cue of each negated word, and the cues that negate nothing.

    A cue that is negated itself cancels: *did not fail to notice*. *Not only* and *not until* negate nothing.
    """
    negated: dict[int, int] = {}
    idle: set[int] = set()
    for cue, word in enumerate(side.lower):
        if word not in CUES or side.fact_at(cue):
            continue
        if cue in negated or _is_idle(side, cue):
            idle |= {cue, cue + 1, negated.get(cue, cue)}
            continue
        for target in _negated_by(side, cue):
            negated.setdefault(target, cue)
    return negated, idle


def read_hedged(side: "ReadText") -> dict[int, int]:
    """Return the place of the cue of each verb that is said to be only possible or likely."""
    hedged: dict[int, int] = {}
    for cue, word in enumerate(side.lower):
        if word not in HEDGES or (word in ("may", "might") and side.words[cue][0].isupper()):
            continue
        target = _target(side, cue, across=word in ENGLISH.opinions, verb=True)
        if target is not None:
            hedged.setdefault(target, cue)
    return hedged


def _is_idle(side: "ReadText", cue: int) -> bool:
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
        side.lower[i] in ("until", "till", "unless") or (side.lower[i] == "before" and side.fact_at(i + 1))
        for i in rest
    )


def _negated_by(side: "ReadText", cue: int) -> Iterator[int]:
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


def _target(side: "ReadText", cue: int, across: bool, verb: bool = False) -> int | None:
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
