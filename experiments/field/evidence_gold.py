"""Gold of public sets that says what supports a summary, and not by which links: one JSON object a line.

A line for each pair, of one of four kinds:

    {"id": "a", "spans": [{"summary": [0, 12], "passages": [0]}]}
    {"id": "a", "unsupported": [[92, 174, "Unwanted", "annotator"]], "detectors": {"hhem": 0.9}}
    {"id": "a", "supported": [true, false], "sentences": [[17], [5, 6]]}
    {"id": "a", "spans": [{"summary": [[0, 2]], "document": [[27, 30], [349, 350]]}]}

All spans are half-open, and other fields are ignored. A passage is a line of the document: of a list of
sentences or passages, the one with that number, from 0.

- `passages`: for spans of characters of the summary, the passages that support them.
- `unsupported`: spans of characters of the summary, with the label of an annotator; labels that begin with
  `Unwanted` mark what the document does not support. `detectors`, optional: detector → the probability that
  the document supports the summary.
- `supported`: for each word of the summary, split at single spaces, whether the document supports it;
  `sentences`: sets of passages, each of which supports what is supported.
- `fused`: for spans of tokens of the summary, the spans of tokens of the document that mean the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pydantic import Field, StrictBool, StrictInt
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair, read_pairs
from vorlage.files.jsonl import StrictSpan, parse_form, read_jsonl
from vorlage.types import JsonObject, Span, StrPath
from vorlage.workflow.gold import CHARACTERS, TOKENS, GoldLink, check_spans

UNWANTED = "Unwanted"
# The kinds of a file beside `TOKENS` and `CHARACTERS`, which are links of words or of phrases.
PASSAGES, UNSUPPORTED, SUPPORTED, FUSED = "passages", "unsupported", "supported", "fused"


class Mark(NamedTuple):
    """A span of characters of the summary that an annotator gave a label."""

    start: StrictInt
    end: StrictInt
    label: str
    annotator: Any = ""

    @property
    def summary(self) -> Span:
        """The span."""
        return self.start, self.end


@dataclass(frozen=True)
class PassageSpan:
    """A span of characters of the summary, and the passages that support it."""

    summary: StrictSpan
    passages: tuple[StrictInt, ...]


@dataclass(frozen=True)
class EvidenceGold:
    """The evidence of one pair, as above; the fields of kinds other than `kind` are empty."""

    id: str
    kind: str
    spans: tuple[PassageSpan, ...] = ()
    marks: Annotated[tuple[Mark, ...], Field(validation_alias="unsupported")] = ()
    detectors: Mapping[str, Annotated[float, Field(ge=0, le=1)]] = field(default_factory=dict)
    supported: tuple[StrictBool, ...] = ()
    sentences: tuple[tuple[StrictInt, ...], ...] = ()
    fused: tuple[GoldLink, ...] = ()
    where: str = field(default="", compare=False)

    def characters(self, pair: Pair) -> list[Span]:
        """Return the spans of characters of the summary that need passages; for `supported`, all of it."""
        if self.kind == SUPPORTED:
            return [(0, len(pair.summary.raw))]
        return [span.summary for span in self.spans]


def gold_kind(path: StrPath) -> str:
    """Return the kind of a gold file by its first line; raise `InputError` for a file without gold."""
    for number, record in read_jsonl(path):
        return _kind(record, f"{path}, line {number}")
    raise InputError(f"{path}: no gold in it; check the file")


def read_evidence_gold(path: StrPath) -> Iterator[EvidenceGold]:
    """Yield the evidence of each line of a file, all of one kind.

    Raise `InputError` for a malformed line, another kind than that of the first, and a repeated id.
    """
    kind, ids = None, set[str]()
    for number, record in read_jsonl(path):
        where = f"{path}, line {number}"
        fields = record | {"kind": _kind(record, where), "where": where}
        if fields["kind"] == FUSED:
            fields[FUSED] = fields.pop("spans")
        gold = parse_form(EvidenceGold, fields, where)
        kind = kind or gold.kind
        if gold.kind != kind:
            raise InputError(
                f"{where}: gold of kind `{gold.kind}` in a file of kind `{kind}`; split the file"
            )
        if gold.id in ids:
            raise InputError(f"{where}: pair {gold.id} comes twice; join the lines")
        ids.add(gold.id)
        yield gold


def read_evidence_pairs(corpus: StrPath, gold: StrPath) -> Iterator[tuple[Pair, EvidenceGold | None]]:
    """Yield each pair of a corpus with its evidence, None for a pair without gold.

    Raise `InputError` as `read_evidence_gold`, and for gold that does not fit the corpus.
    """
    golds = {evidence.id: evidence for evidence in read_evidence_gold(gold)}
    for pair in read_pairs(corpus):
        evidence = golds.pop(pair.id, None)
        if evidence:
            check_evidence_gold(evidence, pair)
        yield pair, evidence
    for key, evidence in golds.items():
        raise InputError(f"{evidence.where}: gold for pair {key}, which is not in {corpus}; remove it")


def check_evidence_gold(gold: EvidenceGold, pair: Pair) -> None:
    """Raise `InputError` unless the spans, passages and words of `gold` are those of `pair`."""
    place = f"{gold.where}: pair {gold.id}"
    spans = [span.summary for span in gold.spans] + [mark.summary for mark in gold.marks]
    check_spans(spans, pair, "summary", CHARACTERS, place)
    for fused in gold.fused:
        check_spans(fused.summary, pair, "summary", TOKENS, place)
        check_spans(fused.document, pair, "document", TOKENS, place)
    passages = pair.document.raw.count("\n") + 1
    for numbers in (*(span.passages for span in gold.spans), *gold.sentences):
        if numbers and not 0 <= min(numbers) <= max(numbers) < passages:
            raise InputError(f"{place}: no passage {numbers}; the document has {passages}, counted from 0")
    words = len(pair.summary.raw.split(" "))
    if gold.kind == SUPPORTED and len(gold.supported) != words:
        raise InputError(
            f"{place}: `supported` has {len(gold.supported)} values; the summary has {words} words between "
            "single spaces"
        )


def _kind(record: JsonObject, where: str) -> str:
    if "alignments" in record:
        return CHARACTERS if record.get("unit") == CHARACTERS else TOKENS
    if "unsupported" in record:
        return UNSUPPORTED
    if "supported" in record and "sentences" in record:
        return SUPPORTED
    spans = record.get("spans")
    if isinstance(spans, list) and spans and isinstance(spans[0], dict):
        return PASSAGES if "passages" in spans[0] else FUSED
    raise InputError(
        f"{where}: gold needs `alignments`, `spans`, `unsupported`, or `supported` and `sentences`; add them"
    )
