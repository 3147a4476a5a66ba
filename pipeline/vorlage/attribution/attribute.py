"""Turns the posteriors and links of a pair into an attribution: sources, and what has none."""

from vorlage.alignments.alignment import PairPosteriors
from vorlage.attribution.assembly import Analysis, assemble
from vorlage.attribution.documents import Documents
from vorlage.attribution.findings import check, find_unsourced, word_states
from vorlage.attribution.judgements import JudgeResult, judge_statements
from vorlage.attribution.judges import Judge
from vorlage.attribution.reading import read_pair
from vorlage.attribution.result import AttributionResult
from vorlage.attribution.sources import find_evidence, linked_words
from vorlage.attribution.support import score
from vorlage.command.progress import describe_step
from vorlage.types import Span


def attribute(
    pair: PairPosteriors,
    documents: Documents,
    raw: str,
    span: Span | None = None,
    judge: Judge | None = None,
    many_languages: bool = False,
    marks: bool = False,
) -> AttributionResult:
    """Return the sources of a text in its documents, and what they do not support.

    Args:
        pair: what a model finds in the documents as one, and the text.
        documents: those that are the document of the pair.
        raw: the characters of the text, as the user gave them.
        span: the characters to attribute; None for all phrases.
        judge: what says whether its sources support a sentence.
        many_languages: whether the encoder knows other languages than English.
        marks: whether marks of citations are checked.
    """
    text, document = pair.pair.summary, pair.pair.document
    describe_step("sources are found", len(document.tokens) * len(text.tokens))
    links = linked_words(pair.alignment.links, text.words, document.words)
    reading = read_pair(text, document, links, documents.given, many_languages)
    evidence = find_evidence(reading, pair)
    checks = check(reading, evidence)
    judged = JudgeResult({}, [])
    if judge:
        judged = judge_statements(judge, reading, evidence, checks, documents, raw)
    differing = [*checks.findings, *judged.findings]
    states = word_states(reading, evidence, checks.frames, differing)
    findings = [*differing, *find_unsourced(reading, evidence, states, differing)]
    support = score(reading, evidence, checks, findings, judged.judgements)
    analysis = Analysis(pair, reading, evidence, links, checks, judged.judgements, findings, states, support)
    return assemble(analysis, documents, raw, span, marks)
