"""Splits sentences into units like clauses, by cue words and punctuation.

Marcu (1999) compares clauses, not sentences, with the summary. His clauses come from his own rhetorical
parser; here a unit begins where a word or a mark says so, without a parser. A unit may therefore lack a verb,
as an item of a long list does, and a clause without a cue is part of its neighbour.
"""

from collections.abc import Sequence

from vorlage.text.tokenized import Text
from vorlage.text.words import is_punctuation
from vorlage.types import Span

# Marks that end a unit.
MARKS = frozenset(["--", "—", ":", ";"])
# Words that begin a unit wherever they are, and words that do so after a comma.
SUBORDINATORS = frozenset("although because if lest though unless whereas whether while".split())
AFTER_COMMA = SUBORDINATORS | frozenset(
    "after and as before but nor or since so until when where which who whom whose yet".split()
)
# Words at the beginning of a sentence whose clause ends at the first comma.
OPENERS = SUBORDINATORS | frozenset("after as before once since until when whenever".split())
MIN_WORDS = 3  # of a unit; a shorter one is joined with the next, the last with the one before it


def split_clauses(words: Sequence[str], language: str = "en") -> list[Span]:
    """Return the units of a sentence, half-open spans of its words; they cover all of them in order.

    Only marks end a unit in languages other than English.
    """
    starts = [0]
    for i in range(1, len(words)):
        if words[i - 1] in MARKS or (language == "en" and _begins_clause(words, i)):
            starts.append(i)
    unit_starts = [0]
    for start in starts[1:]:
        if _count_words(words[unit_starts[-1] : start]) >= MIN_WORDS:
            unit_starts.append(start)
    if len(unit_starts) > 1 and _count_words(words[unit_starts[-1] :]) < MIN_WORDS:
        unit_starts.pop()
    return list(zip(unit_starts, [*unit_starts[1:], len(words)], strict=True))


def find_clauses(text: Text) -> list[list[Span]]:
    """Return for each sentence of a text its units, half-open spans of the tokens of the text."""
    return [
        [(first + start, first + end) for start, end in split_clauses(text.words[first:last], text.language)]
        for first, last in text.sentences
    ]


def _begins_clause(words: Sequence[str], i: int) -> bool:
    """Return whether an English unit begins at word i, which is not the first."""
    word = words[i].lower()
    if words[i - 1] != ",":
        return word in SUBORDINATORS
    return word in AFTER_COMMA or (words[0].lower() in OPENERS and "," not in words[: i - 1])


def _count_words(words: Sequence[str]) -> int:
    return sum(not is_punctuation(word) for word in words)
