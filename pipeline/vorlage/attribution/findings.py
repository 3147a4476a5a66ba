"""What is found in a text: what checks and a judge say, what has no source, and the states of its words."""

from collections.abc import Iterator, Sequence, Set
from importlib import import_module
from itertools import groupby
from typing import NamedTuple

import numpy as np

from vorlage.attribution.evidence import Evidence
from vorlage.attribution.judges import Judge, Judgement
from vorlage.attribution.reading import CHECK, LIKELY, SILENT, WITHOUT, Finding, Reading
from vorlage.attribution.result import Documents, State
from vorlage.extensions import offers
from vorlage.text.words import is_punctuation
from vorlage.types import Floats

# Content words in a row without a source that are likely wrong: their least mean null posterior, with the
# likeness that they have on average to the likest words of the document at most, and without. Set by hand,
# the first two on 24 November 2026, the others on the 27th; no other values are on record.
LONG, MIN_NULL, MAX_LIKENESS, SURE_NULL = 4, 0.4, 0.45, 0.75
# The least probability that a sentence of the text comes from that which it is said to differ from.
# Set by hand on 27 November 2026.
MIN_SOURCE = 0.05

# How many document sentences a judge reads beside a sentence at most, the share of their probability that the
# first of them need, and from which probability of a contradiction the sentence differs. Set on 27
# November 2026; the first was chosen on SummEdits (podcast, ectsum, news, sales_email) and QAGS (CNN/DM).
READ_BY_JUDGE, ENOUGH_FOR_JUDGE, CONTRADICTED_BY_JUDGE = 3, 0.7, 0.98
JUDGED = "judge"  # the kind of a finding by a judge
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
    text, checks = reading.text, next(map(import_module, offers("CHECKER")), None)
    found: list[Finding] = checks.check(reading) if checks else []
    notes = list(checks.note_languages(reading)) if checks else [NO_CHECKS]
    frames = {t for finding in found if finding.severity == SILENT for t in range(*finding.text)}
    statements = {
        number
        for number, span in enumerate(text.tokenized.sentences)
        if any(
            t not in frames | text.marks and not is_punctuation(text.tokenized.words[t]) for t in range(*span)
        )
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


def judge_statements(
    judge: Judge, reading: Reading, evidence: Evidence, checks: CheckResult, documents: Documents, raw: str
) -> tuple[dict[int, Judgement], list[Finding]]:
    """Return the judgement of each statement by its number, and findings of what the judge contradicts.

    A sentence with a grave finding of the `checks` gets no other. `raw`: the characters of the text, as the
    user gave them.
    """
    text, numbers = reading.text.tokenized, sorted(checks.statements)
    sentences = [raw[slice(*text.characters(text.sentences[number]))] for number in numbers]
    sources = [_read_beside(evidence.origins[number], documents) for number in numbers]
    judgements = judge(list(zip(sources, sentences, strict=True)))
    grave = [finding for finding in checks.findings if finding.severity > CHECK]
    differing = {reading.text.sentences[finding.text[0]] for finding in grave}
    findings = [
        _contradicted(judge, reading, evidence, number, source, sentence)
        for number, source, sentence, judgement in zip(numbers, sources, sentences, judgements, strict=True)
        if judgement.contradicted >= CONTRADICTED_BY_JUDGE and number not in differing
    ]
    return dict(zip(numbers, judgements, strict=True)), findings


def _contradicted(
    judge: Judge, reading: Reading, evidence: Evidence, number: int, sources: str, sentence: str
) -> Finding:
    """Return the clause that a judge finds contradicted: without it, the rest is contradicted least.

    `number`: that of the `sentence`; `sources`: what the judge reads beside it.
    """
    text = reading.text.tokenized
    clauses = list(reading.text.clauses(number)) or [text.sentences[number]]
    start = text.characters(text.sentences[number])[0]
    ends = [text.characters(clause) for clause in clauses]
    rests = [(sources, sentence[: first - start] + sentence[end - start :]) for first, end in ends]
    values = [judgement.contradicted for judgement in judge(rests)] if len(clauses) > 1 else [0.0]
    best = int(evidence.origins[number].argmax())
    message = "“{}”: according to the judge, the source contradicts it"
    clause = clauses[int(np.argmin(values))]
    return reading.finding(clause, reading.document.tokenized.sentences[best], JUDGED, LIKELY, message)


def _read_beside(origins: Floats, documents: Documents) -> str:
    """Return what a judge reads beside a sentence: the likeliest sources that together suffice.

    Beside several sources, which need a context, the sentence before each is read as well. `origins` (S): the
    probability that the sentence comes from each document sentence.
    """
    likeliest = np.argsort(-origins, kind="stable")[:READ_BY_JUDGE]
    shares = np.cumsum(origins[likeliest]) / max(origins[likeliest].sum(), 1e-9)
    chosen = set(likeliest[: int(np.searchsorted(shares, ENOUGH_FOR_JUDGE)) + 1].tolist())
    if len(chosen) > 1:
        chosen |= {number - 1 for number in chosen - {*documents.sentences}}
    text = documents.text
    spans = [text.characters(text.sentences[number]) for number in sorted(chosen)]
    return " ".join(documents.raw[slice(*span)] for span in spans)


def word_states(
    reading: Reading, evidence: Evidence, frames: Set[int], findings: Sequence[Finding]
) -> list[State]:
    """Return the state of each word of a text; `frames`: the words that need no source."""
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

    for first, end in reading.text.tokenized.sentences:
        for without, words in groupby(range(first, end), is_without):
            content = [t for t in words if reading.text.content[t]]
            lone_verb = len(content) == 1 and reading.text.tags[content[0]].startswith("VB")
            if without and not in_findings.issuperset(content) and not lone_verb:
                null, likeness = evidence.null(content), evidence.likeness[content].mean()
                absent = null >= SURE_NULL or (null >= MIN_NULL and likeness < MAX_LIKENESS)
                likely = len(content) >= LONG and absent
                span = content[0], content[-1] + 1
                yield reading.finding(span, None, "no source", LIKELY if likely else CHECK, WITHOUT)
