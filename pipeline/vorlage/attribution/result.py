"""What an attribution holds: the sources of sentences and spans of a text, and what has none.

All spans are half-open and in characters of the strings that were given; for a list of sentences, of
`"\\n".join(sentences)`. With several documents, a span of a document counts in the document with that name
alone, and so does the number of a sentence.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.attribution.citations import Citation
from vorlage.attribution.documents import Documents
from vorlage.command.errors import InputError, shorten
from vorlage.text.tokenized import Text
from vorlage.types import Span

Reason: TypeAlias = Literal["no source", "differs"]
State: TypeAlias = Literal["sourced", "differs", "no source", "elsewhere", "function", "frame", "mark"]
Verdict: TypeAlias = Literal["supported", "unclear", "unsupported", "no statement"]


@dataclass(frozen=True)
class AttributedSentence:
    """A sentence of the text and the document sentences that it comes from, the best first.

    `text`: its characters; `supported`: the probability that the documents support it; `linked`: the
    probability that a content word of it has a source, as the mean over its content words. The
    probabilities of its `sources` are the parts of that mean that each document sentence has. `verdict`:
    `unsupported` if a finding in it is likely or contradicted, otherwise `unclear` if support is unlikely,
    few words have a source, or the model does not read its language, otherwise `supported`; `no statement`
    for a heading, a greeting or a mark alone; its `supported` is 1, and it is left out of all counts.
    `judged` and `contradicted`: the probabilities that its sources entail and contradict it by a judge, None
    without.
    """

    text: Span
    supported: float
    linked: float
    verdict: Verdict
    sources: tuple[Source, ...]
    judged: float | None = None
    contradicted: float | None = None

    def holds(self, span: Span) -> bool:
        """Return whether a span of the text begins in the sentence."""
        return self.text[0] <= span[0] < self.text[1]


@dataclass(frozen=True)
class AttributedWord:
    """A word of the text, its `state`, and the probability that the documents support it.

    `sourced`: linked to the document; `differs`: part of a finding that contradicts it; `no source`: a word
    with a meaning of its own that is not in the document; `elsewhere`: it is in the document, but not in
    what the sentence comes from: in `sentence` of the document `name`; `function`: it only joins others;
    `frame`: it introduces what the text says, as *the passage describes* does, or addresses the reader;
    `mark`: it states nothing, as the number of an item, a heading and the mark of a citation.
    """

    text: Span
    state: State
    supported: float
    name: str | None = None
    sentence: int | None = None

    @property
    def is_aside(self) -> bool:
        """Whether the word stands elsewhere or frames the text: no span and no finding shows it."""
        return self.state in ("elsewhere", "frame")


@dataclass(frozen=True)
class Unsupported:
    """A span of the text without a source, or one that differs from what its source says.

    `text`, `quote`, `null`: as in `AttributedSpan`. `reason`: `no source` or `differs`. `kind`: what
    differs, such as `negation` or `number`. `severity`: 1 for a word to check, 2 for what is likely wrong, 3
    for what the source contradicts. `message`: a sentence for a person. `document`: the characters that it
    differs from, if any, and `name`: their document, None for a single one.
    """

    text: Span
    quote: str
    null: float
    reason: Reason
    kind: str
    severity: int
    message: str
    name: str | None = None
    document: Span | None = None


@dataclass(frozen=True)
class AttributionResult:
    """The sources of a text in its documents, without what shows them.

    `id`: of the pair. `supported`: the probability that the documents support the whole text. `sentences`:
    every sentence of the text. `spans`: its phrases that have a source. `words`: every word of the text.
    `unsupported`: what has no source, and what differs from its source. All in the order of the text; if
    one span was asked for, `spans` is that span, and the others are what overlaps it. `notes`: what was not
    checked, in a sentence each. `citations`: the marks of citations, if they were asked for; `marks`: whether
    they were, which JSON shows by the key `citations`. `text` and `documents`: what was attributed, for the
    page.
    """

    id: str
    supported: float
    sentences: tuple[AttributedSentence, ...]
    spans: tuple[AttributedSpan, ...]
    words: tuple[AttributedWord, ...]
    unsupported: tuple[Unsupported, ...]
    notes: tuple[str, ...]
    text: Text = field(repr=False)
    documents: Documents = field(repr=False)
    citations: tuple[Citation, ...] = ()
    marks: bool = field(default=False, repr=False)

    @property
    def statements(self) -> list[AttributedSentence]:
        """The sentences that state something."""
        return [sentence for sentence in self.sentences if sentence.verdict != "no statement"]

    @property
    def passing(self) -> list[AttributedSentence]:
        """The statements that are supported and have no wrong mark of a citation, if marks were checked."""
        wrong = [citation.statement for citation in self.citations if citation.mark != "right"]
        return [
            sentence
            for sentence in self.statements
            if sentence.verdict == "supported" and not any(map(sentence.holds, wrong))
        ]

    def ok(self, threshold: float = 1.0) -> bool:
        """Return whether at least this share of the statements passes; a text without any is right.

        Raise `InputError` unless the share is from 0 to 1.
        """
        if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
            raise InputError(f"threshold is {shorten(threshold)}; give a number from 0 to 1")
        return not self.statements or len(self.passing) / len(self.statements) >= threshold
