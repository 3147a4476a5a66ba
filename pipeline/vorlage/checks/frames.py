"""Words that frame what a text says, or address its reader, and so need no source."""

from collections.abc import Iterator
from functools import cache

import regex

from vorlage.attribution.reading import SILENT, WITHOUT, Finding
from vorlage.checks.facts import StatementPair, Statements
from vorlage.text.english import ENGLISH
from vorlage.text.normal import normal_form

FRAME = 10  # words of a sentence in which a frame stands
# The share of the content words of an address that one document sentence has; then it is a statement.
STATED = 0.6


def find_frames(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words that frame, address or ask: *The passage describes …*, *I could not find …*, *Why?*"""
    for t in {*_describing(pair.text), *_addressing(pair), *_asking(pair.text)}:
        yield pair.finding((t, t + 1), None, "frame", SILENT, WITHOUT)


def _asking(text: Statements) -> Iterator[int]:
    """Yield the words of questions that the text goes on to answer."""
    for first, end in text.text.sentences[:-1]:
        if text.words[end - 1] == "?":
            yield from range(first, end)


def _describing(text: Statements) -> Iterator[int]:
    """Yield a noun such as *passage* at the beginning of a sentence, with its verb and the words between."""
    for first, end in text.text.sentences:
        head = range(first, min(end, first + FRAME))
        nouns = [t for t in head if text.lower[t] in ENGLISH.frame_nouns]
        if not nouns or text.lower[nouns[0] - 1 : nouns[0]] == ["a"]:
            continue
        verbs = [t for t in head if text.lower[t] in ENGLISH.frame_verbs]
        verbs = [t for t in verbs if t > nouns[0] or text.lower[t] in ("according", "based")]
        if verbs or text.lower[first] == "here":
            words = range(first, max([*nouns, *verbs[:1]]) + 1)
            framing = ENGLISH.frame_nouns | ENGLISH.frame_verbs
            yield from (t for t in words if text.lower[t] in framing or not text.content[t])


def _addressing(pair: StatementPair) -> Iterator[int]:
    """Yield the words of greetings, offers and refusals, unless the document has most of them."""
    text = pair.text
    for first, end in text.text.sentences:
        first = next((t for t in range(first, end) if t not in text.marks), end - 1)
        start, stop = text.text.characters((first, end))
        address = _addresses().match(normal_form(text.text.raw[start:stop]).lower())
        if not address:
            continue
        words = [t for t in range(first, end) if text.text.tokens[t][0] < start + address.end()]
        content = [t for t in words if text.content[t]]
        states = any(map(text.fact_at, words))
        if not states and max(pair.homes(content).values(), default=0) <= STATED * len(content):
            yield from words


@cache
def _addresses() -> regex.Pattern[str]:
    return regex.compile("|".join(f"(?:{pattern})" for pattern in ENGLISH.addresses))
