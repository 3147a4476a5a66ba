"""What is found in a text: what the checks say, what has no source, and the states of its words."""

from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from typing import NamedTuple

from vorlage.attribution.evidence import Evidence
from vorlage.attribution.reading import CHECK, LIKELY, SILENT, WITHOUT, Finding, Reading
from vorlage.attribution.result import State
from vorlage.extensions import extension
from vorlage.text.words import is_punctuation

# Content words in a row without a source that are likely wrong: their least mean null posterior, with the
# likeness that they have on average to the likest words of the document at most, and without. Set by hand,
# the first two on 24 November 2026, the others on the 27th; no other values are on record.
LONG, MIN_NULL, MAX_LIKENESS, SURE_NULL = 4, 0.4, 0.45, 0.75
# The least probability that a sentence of the text comes from that which it is said to differ from.
# Set by hand on 27 November 2026.
MIN_SOURCE = 0.05

NO_CHECKS = "sources are found, but nothing else is checked: the package vorlage.checks is missing"


class CheckResult(NamedTuple):
    """What the checks say of a text.

    `findings`: in order; `frames`: the words that need no source; `statements`: the sentences that state
    something; `notes`: what is not checked, in a sentence each.
    """

    findings: list[Finding]
    frames: set[int]
    statements: set[int]
    notes: list[str]


def check(reading: Reading, evidence: Evidence) -> CheckResult:
    """Return what the extension `checks` says of a text; without it, no finding and a note."""
    checks, text = extension("checks"), reading.text
    found: list[Finding] = checks.check(reading) if checks else []
    notes = list(checks.note_languages(reading)) if checks else [NO_CHECKS]
    frames = {t for finding in found if finding.severity == SILENT for t in range(*finding.text)}
    statements = {
        number
        for number, span in enumerate(text.text.sentences)
        if any(t not in frames | text.marks and not is_punctuation(text.text.words[t]) for t in range(*span))
    }
    if not statements:
        notes.append("nothing to check: the text states nothing")
    findings = [_with_source(reading, evidence, finding) for finding in found if finding.severity > SILENT]
    return CheckResult(findings, frames, statements, notes)


def _with_source(reading: Reading, evidence: Evidence, finding: Finding) -> Finding:
    """Return a finding; without its source if the sentence hardly comes from there."""
    if finding.document is None or finding.severity == CHECK:
        return finding
    number = reading.text.sentences[finding.text[0]]
    if evidence.origins[number][reading.document.sentences[finding.document[0]]] >= MIN_SOURCE:
        return finding
    return reading.finding(finding.text, None, finding.kind, LIKELY, WITHOUT)


def word_states(
    reading: Reading, evidence: Evidence, frames: Set[int], findings: Sequence[Finding]
) -> list[State]:
    """Return the state of each word of a text.

    Args:
        reading: of the text.
        evidence: for its words.
        frames: the words that need no source.
        findings: what differs from the document.
    """
    text = reading.text
    differing = {
        t
        for finding in findings
        if finding.document and finding.severity > CHECK
        for t in range(*finding.text)
    }

    def state(t: int) -> State:
        if t in text.marks:
            return "mark"
        if t in differing:
            return "differs"
        if reading.links[t]:
            return "sourced"
        if t in frames:
            return "frame"
        if not text.content[t]:
            return "function"
        return "no source" if evidence.absent[t] else "elsewhere"

    return list(map(state, range(len(text.words))))


def find_unsourced(
    reading: Reading, evidence: Evidence, states: Sequence[State], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield the stretches of words without a source: from one content word to another, in a sentence.

    Those whose content words are all in `findings` are left out, and a verb alone, which a paraphrase often
    changes. A function word has none by a link; `states`: of the words.
    """
    in_findings = {t for finding in findings for t in range(*finding.text)}

    def is_without(t: int) -> bool:
        return states[t] == "no source" or (states[t] == "function" and not reading.links[t])

    for first, end in reading.text.text.sentences:
        for without, words in groupby(range(first, end), is_without):
            content = [t for t in words if reading.text.content[t]]
            lone_verb = len(content) == 1 and reading.tags[content[0]].startswith("VB")
            if without and not in_findings.issuperset(content) and not lone_verb:
                likely = len(content) >= LONG and _is_absent(evidence, content)
                span = content[0], content[-1] + 1
                yield reading.finding(span, None, "no source", LIKELY if likely else CHECK, WITHOUT)


def _is_absent(evidence: Evidence, words: Sequence[int]) -> bool:
    """Return whether words without a source are unlike all of the document, or surely without one."""
    null, likeness = evidence.null(words), evidence.likeness[list(words)].mean()
    return bool(null >= SURE_NULL or (null >= MIN_NULL and likeness < MAX_LIKENESS))
