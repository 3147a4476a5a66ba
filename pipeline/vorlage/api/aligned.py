"""A document and a summary with their links, as `TrainedModel.align` returns them."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult

from vorlage.alignments.alignment import Link, PosteriorAlignment
from vorlage.alignments.stretches import find_stretches
from vorlage.types import Floats, JsonObject, Span
from vorlage.views.alignment import draw_alignment
from vorlage.views.viewer import notebook_frame, pair_data, viewer_page

if TYPE_CHECKING:
    import pandas


class WordLink(NamedTuple):
    """A link between two words: their indices from 0, the words, and the posterior of the link."""

    summary: int
    document: int
    summary_word: str
    document_word: str
    posterior: float


class AlignedPhrase(NamedTuple):
    """A summary phrase, the document phrase that it comes from, and the posterior of the pair.

    `summary_span` and `document_span` are half-open spans of tokens. A null word has no document phrase:
    `document` and `document_span` are None.
    """

    summary: str
    document: str | None
    posterior: float | None
    summary_span: Span
    document_span: Span | None


class AlignedPair(PosteriorAlignment):
    """A document and a summary with the links between them.

    `document_words` and `summary_words`: the tokens. `log_likelihood`: log Pr(summary | document),
    natural. `null_posteriors`: float64 (summary words), the probability that a word has no source.
    `alignment`: the content of a line of `alignments.jsonl`. `source_columns` and `cosine_columns`: what
    `posteriors` and `cosines` have of the document words that were aligned.
    """

    @cached_property
    def posteriors(self) -> Floats:
        """The probability that a summary word comes from a document word, float64 (both).

        With `null_posteriors`, they sum to 1 for each summary word.
        """
        return self.source_columns.whole(len(self.document_words), 0.0)

    @cached_property
    def cosines(self) -> Floats | None:
        """The cosines of the contextual vectors of summary and document words, float16 (both).

        NaN for document words outside of what was aligned; None without an encoder.
        """
        return self.cosine_columns and self.cosine_columns.whole(len(self.document_words), np.nan)

    @property
    def id(self) -> str:
        """The id of the pair."""
        return self.pair.id

    @property
    def document_words(self) -> list[str]:
        """The tokens of the document."""
        return self.pair.document.written

    @property
    def summary_words(self) -> list[str]:
        """The tokens of the summary."""
        return self.pair.summary.written

    @property
    def log_likelihood(self) -> float | None:
        """log Pr(summary | document), natural."""
        return self.alignment.log_likelihood

    @property
    def links(self) -> list[WordLink]:
        """The links between words: phrase pairs as word links, in the way they are scored."""
        return [
            WordLink(
                i, j, self.summary_words[i], self.document_words[j], float(self.source_columns.look_up(i, j))
            )
            for i, j in self.alignment.word_links()
        ]

    @property
    def phrases(self) -> list[AlignedPhrase]:
        """The phrase pairs that the decoder chose, and the null words."""
        return [self._phrase(link) for link in self.alignment.links]

    @property
    def stretches(self) -> list[AlignedPhrase]:
        """The parts of the summary sentences and what they come from, with words that have no link.

        See `vorlage.alignments.stretches.find_stretches`.
        """
        return [self._phrase(link) for link in find_stretches(self.alignment.links, self.pair)]

    @property
    def null_words(self) -> list[int]:
        """The indices of the summary words that come from nothing in the document."""
        return [i for link in self.alignment.links if link.document is None for i in range(*link.summary)]

    def to_pharaoh(self) -> str:
        """Return the links as `i-j`: document token i and summary token j, from 0."""
        return self.alignment.to_pharaoh()

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a table with a row for each link between words."""
        import pandas

        return pandas.DataFrame(self.links, columns=list(WordLink._fields))

    def to_json(self) -> JsonObject:
        """Return the object that `vorlage align` writes as a line of `alignments.jsonl`."""
        return self.alignment.to_json()

    def _phrase(self, link: Link) -> AlignedPhrase:
        return AlignedPhrase(
            " ".join(self.summary_words[slice(*link.summary)]),
            link.document and " ".join(self.document_words[slice(*link.document)]),
            link.posterior,
            link.summary,
            link.document,
        )

    def viewer_data(self) -> JsonObject:
        """Return what the viewer shows of the pair."""
        return pair_data(self.pair, None, [self.alignment])

    def to_html(self) -> str:
        """Return a standalone HTML page with the viewer of this pair."""
        return viewer_page(self.pair.id, [self.viewer_data()])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return draw_alignment(self.pair, self.alignment.links, console)

    def _repr_html_(self) -> str:
        return notebook_frame(self.to_html(), "Alignment")

    def __repr__(self) -> str:
        sizes = f"{len(self.summary_words)} summary and {len(self.document_words)} document words"
        links = f"{len(self.links)} links, {len(self.null_words)} null words"
        return f"<AlignedPair {self.pair.id!r}: {sizes}, {links}>"
