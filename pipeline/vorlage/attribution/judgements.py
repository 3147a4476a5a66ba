"""What a judge says of the sentences of a text, and which clauses it finds contradicted."""

from typing import NamedTuple

import numpy as np

from vorlage.attribution.documents import Documents
from vorlage.attribution.evidence import Evidence
from vorlage.attribution.findings import CheckResult
from vorlage.attribution.judges import Judge, Judgement
from vorlage.attribution.reading import CHECK, LIKELY, Finding, Reading
from vorlage.types import Floats

# How many document sentences a judge reads beside a sentence at most, the share of their probability that the
# first of them need, and from which probability of a contradiction the sentence differs. Set on 27
# November 2026; the first was chosen on SummEdits (podcast, ectsum, news, sales_email) and QAGS (CNN/DM).
READ_BY_JUDGE, ENOUGH_FOR_JUDGE, CONTRADICTED_BY_JUDGE = 3, 0.7, 0.98

JUDGED = "judge"  # the kind of a finding by a judge


class JudgeResult(NamedTuple):
    """What a judge says of a text: its judgement of each statement by number, and what it contradicts."""

    judgements: dict[int, Judgement]
    findings: list[Finding]


def judge_statements(
    judge: Judge, reading: Reading, evidence: Evidence, checks: CheckResult, documents: Documents, raw: str
) -> JudgeResult:
    """Let a judge read the statements of a text; what it finds contradicted becomes a finding.

    Args:
        judge: the judge.
        reading: of the text.
        evidence: for its words.
        checks: what the checks say; a sentence with a grave finding gets no other.
        documents: those of the text.
        raw: the characters of the text, as the user gave them.
    """
    text, numbers = reading.text.text, sorted(checks.statements)
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
    return JudgeResult(dict(zip(numbers, judgements, strict=True)), findings)


def _contradicted(
    judge: Judge, reading: Reading, evidence: Evidence, number: int, sources: str, sentence: str
) -> Finding:
    """Return the clause that a judge finds contradicted: without it, the rest is contradicted least.

    `number`: that of the `sentence`; `sources`: what the judge reads beside it.
    """
    text = reading.text.text
    clauses = list(reading.text.clauses(number)) or [text.sentences[number]]
    start = text.characters(text.sentences[number])[0]
    ends = [text.characters(clause) for clause in clauses]
    rests = [(sources, sentence[: first - start] + sentence[end - start :]) for first, end in ends]
    values = [judgement.contradicted for judgement in judge(rests)] if len(clauses) > 1 else [0.0]
    best = int(evidence.origins[number].argmax())
    message = "“{}”: according to the judge, the source contradicts it"
    clause = clauses[int(np.argmin(values))]
    return reading.finding(clause, reading.document.text.sentences[best], JUDGED, LIKELY, message)


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
