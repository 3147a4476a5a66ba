"""A span of a text, and the stretches of its documents that it comes from."""

from dataclasses import dataclass

from vorlage.types import Span


@dataclass(frozen=True)
class Source:
    """A stretch of a document, inside one sentence, that words of the text come from.

    `name`: of the document, None for a single one; `document`: its characters; `quote`: these characters;
    `sentence`: the number of its sentence, from 0; `probability`: that a word of the text span comes from
    it, as the mean over the words of the span. `page`: that of a PDF, from 1, or of a text with form feeds.
    """

    name: str | None
    document: Span
    quote: str
    sentence: int
    probability: float
    page: int | None = None


@dataclass(frozen=True)
class AttributedSpan:
    """A span of the text and the stretches of the documents that it comes from, the likeliest first.

    `text`: its characters; `quote`: these characters; `null`: the probability that a word of it has no
    source, as the mean over its words.
    """

    text: Span
    quote: str
    null: float
    sources: tuple[Source, ...]
