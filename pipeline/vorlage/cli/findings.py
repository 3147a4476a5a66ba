"""What `vorlage align` and `vorlage attribute` find of a pair, in every form that they write."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol, TypeAlias

from vorlage.aligned import AlignedPair
from vorlage.alignments.export import TSV, phrase_rows
from vorlage.attribution.result import Attribution
from vorlage.cli.passages import aligned_sentences, attributed_sentences
from vorlage.cli.terminal import View
from vorlage.types import JsonObject

Row: TypeAlias = Iterable[str | int]

ATTRIBUTION_TSV = (
    *("id", "start", "end", "text", "null", "reason"),
    *("name", "document_start", "document_end", "document", "probability"),
)


class Finding(Protocol):
    """What is found of a pair. `columns`: those of its rows."""

    columns: ClassVar[tuple[str, ...]]

    def to_json(self) -> JsonObject:
        """Return the finding as a JSON object."""

    def rows(self) -> Iterator[Row]:
        """Yield the rows of a table."""

    def view(self) -> View:
        """Return what a terminal shows."""

    def viewer_data(self) -> JsonObject:
        """Return what the viewer of a page shows."""


@dataclass(frozen=True)
class Aligned:
    """An aligned pair. `stamp`: the fingerprint of code, settings and model."""

    pair: AlignedPair
    stamp: str
    columns: ClassVar[tuple[str, ...]] = TSV

    def to_json(self) -> JsonObject:
        """Return the object of a line of `alignments.jsonl`."""
        return self.pair.to_json() | {"fingerprint": self.stamp}

    def rows(self) -> Iterator[Row]:
        """Yield a row for each phrase pair and each word without a source."""
        return phrase_rows(self.pair.alignment, self.pair.pair)

    def view(self) -> View:
        """Return the sentences of the summary with their sources."""
        document, summary = self.pair.pair.document, self.pair.pair.summary
        return View(summary.raw, {"": document.raw}, aligned_sentences(self.pair))

    def viewer_data(self) -> JsonObject:
        """Return the links of the pair."""
        return self.pair.viewer_data()


@dataclass(frozen=True)
class Attributed:
    """An attributed text. `documents`: their texts by name, as they were given, and so is `text`."""

    found: Attribution
    documents: Mapping[str, str]
    text: str
    columns: ClassVar[tuple[str, ...]] = ATTRIBUTION_TSV

    @cached_property
    def _record(self) -> JsonObject:
        return self.found.to_json()

    def to_json(self) -> JsonObject:
        """Return the object of `model.attribute`."""
        return self._record

    def rows(self) -> Iterator[Row]:
        """Yield a row for each source of each span, and for each span without a source."""
        spans = [*self._record["spans"], *self._record["unsupported"]]
        for span in sorted(spans, key=lambda span: span["text"]):
            place = [span] if "document" in span else [{}]
            for source in span.get("sources", place):
                start, end = source.get("document", ("", ""))
                name = source.get("name", "")
                quote = self.documents[name][start:end] if source else ""
                yield (
                    *(self._record["id"], *span["text"], span["quote"], _decimals(span["null"])),
                    *(span.get("reason", ""), name, start, end, quote),
                    _decimals(source.get("probability")),
                )

    def view(self) -> View:
        """Return the sentences of the text with their sources."""
        return View(self.text, self.documents, attributed_sentences(self._record))

    def viewer_data(self) -> JsonObject:
        """Return the text with its sources."""
        return self.found.viewer_data()


def _decimals(probability: float | None) -> str:
    return "" if probability is None else f"{probability:.6f}"
