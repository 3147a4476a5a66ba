"""Other quantifiers and frequencies, and words around statements."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain

from vorlage.attribution.reading import CONTRADICTED, SILENT, WITHOUT, Finding
from vorlage.checks.facts import SAYS, StatementPair, Statements
from vorlage.text.english import ENGLISH
from vorlage.text.normal import normal_form

# How much *one of* means, and the lines of quantities that it contradicts: *all* and *none*.
PART, TOTAL = -1, {ENGLISH.quantities["all"], ENGLISH.quantities["none"]}
FRAME = 10  # words of a sentence in which a frame stands
# The share of the content words of an address that one document sentence has; then it is a statement.
STATED = 0.6


def find_quantities(pair: StatementPair) -> Iterator[Finding]:
    """Yield the quantifiers of the text where the document has another before the same word."""
    text, document = pair.text, pair.document
    for t, word in enumerate(text.words):
        group = _quantifier(text, t)
        for _, j in pair.same_behind(t, 3) if group is not None else ():
            others = [
                k
                for k in range(max(document.sentence(j).start, j - 4), j)
                if _quantifier(document, k) is not None and not document.fact_at(k + 1)
            ]
            if not others or any(_quantifier(document, k) == group for k in others):
                continue
            k = others[-1]
            groups = {group, _quantifier(document, k)}
            vague = {word.lower(), document.lower[k]} <= ENGLISH.vague_quantities
            if not vague and (PART not in groups or groups & TOTAL):
                message = SAYS.format(word, document.quote((k, j + 1)))
                yield Finding((t, t + 1), (k, k + 1), "quantity", CONTRADICTED, message)


def _quantifier(side: Statements, place: int) -> int | None:
    """Return how much of something a quantifier means: a line of `quantities`, or `PART` for *one of*."""
    word = side.lower[place]
    if word == "every" and side.fact_at(place + 1):  # *every 15 years*
        return None
    is_part = side.lower[place + 1 : place + 2] == ["of"] and (word == "one" or side.fact_at(place))
    return ENGLISH.quantities.get(word, PART if is_part else None)


def find_frequencies(pair: StatementPair) -> Iterator[Finding]:
    """Yield how often something happens where a document sentence with most of its words says otherwise."""
    text, document = pair.text, pair.document
    for fact in text.facts:
        if fact.value.kind != "frequency":
            continue
        words = [t for t in text.clause(fact.words[0]) if text.content[t] and t not in range(*fact.words)]
        homes = Counter(n for t in words for n in {document.sentences[j] for j in pair.same(t)})
        for number, count in homes.items():
            others = [other for other in document.facts_of(number) if other.value.is_comparable(fact.value)]
            agree = any(fact.value.agrees(other.value) for other in others)
            if 2 * count > len(words) and others and not agree:
                yield pair.finding(fact.words, others[0].words, "frequency", CONTRADICTED)


def find_frames(pair: StatementPair) -> Iterator[Finding]:
    """Yield the words that frame, address or ask: *The passage describes …*, *I could not find …*, *Why?*"""
    text = pair.text
    answered = (range(*span) for span in text.tokenized.sentences[:-1] if text.words[span[1] - 1] == "?")
    for t in {*_describing(text), *_addressing(pair), *chain.from_iterable(answered)}:
        yield pair.finding((t, t + 1), None, "frame", SILENT, WITHOUT)


def _describing(text: Statements) -> Iterator[int]:
    """Yield a noun such as *passage* at the beginning of a sentence, with its verb and the words between."""
    for first, end in text.tokenized.sentences:
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
    for first, end in text.tokenized.sentences:
        first = next((t for t in range(first, end) if t not in text.marks), end - 1)
        start, stop = text.tokenized.characters((first, end))
        address = _addresses().match(normal_form(text.tokenized.raw[start:stop]).lower())
        if not address:
            continue
        words = [t for t in range(first, end) if text.tokenized.tokens[t][0] < start + address.end()]
        content = [t for t in words if text.content[t]]
        states = any(map(text.fact_at, words))
        if not states and max(pair.homes(content).values(), default=0) <= STATED * len(content):
            yield from words


@cache
def _addresses() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in ENGLISH.addresses))
