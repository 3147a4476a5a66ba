"""Gold: what annotators marked in the pairs of a corpus, one JSON object a line.

Links of words or phrases, a line for each pair and annotator:

    {"id": "a", "annotator": "A", "unit": "token",
     "alignments": [{"summary": [3, 5], "document": [17, 20], "sure": true}]}

Evidence, a line for each pair, of one of four kinds:

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field, StrictBool, StrictInt

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair, read_pairs
from vorlage.files.jsonl import StrictSpan, parse_form, read_jsonl
from vorlage.types import JsonObject, Span, StrPath

ADJUDICATED = "adjudicated"  # the annotator of the links that two annotators have settled on
UNWANTED = "Unwanted"
# The kinds of a gold file: links of words or of phrases, and four of evidence.
TOKENS, CHARACTERS = "token", "char"
PASSAGES, UNSUPPORTED, SUPPORTED, FUSED = "passages", "unsupported", "supported", "fused"


def _as_spans(value: Any) -> Any:
    """Return a side of a link, one span or several, as a list of spans."""
    return value if isinstance(value, list) and value and isinstance(value[0], list) else [value]


LinkSide: TypeAlias = Annotated[
    tuple[StrictSpan, ...],
    BeforeValidator(_as_spans, json_schema_input_type=StrictSpan | tuple[StrictSpan, ...]),
]


@dataclass(frozen=True)
class GoldLink:
    """One annotated link, or spans that were fused: tuples of half-open spans.

    With `unit: token` each side of a link has one span of tokens. With `unit: char` it has one or more
    spans of characters of the string or, for a list, of its sentences joined by one line break each.
    `sure`: whether the annotator was sure (S) or held the link possible (P).
    """

    summary: LinkSide
    document: LinkSide
    sure: StrictBool = True

    def to_json(self) -> JsonObject:
        """Return an alignment of a gold file; a side of one span is this span."""
        summary, document = (
            list(spans[0]) if len(spans) == 1 else [list(span) for span in spans]
            for spans in (self.summary, self.document)
        )
        return {"summary": summary, "document": document, "sure": self.sure}


@dataclass(frozen=True)
class Gold:
    """The links that one annotator marked in one pair.

    `finished`: whether the annotator has finished the pair. `where`: the file and line, for messages.
    """

    id: str
    annotator: str
    unit: Literal["token", "char"]
    links: Annotated[tuple[GoldLink, ...], Field(validation_alias="alignments")]
    finished: StrictBool = True
    where: str = field(default="", compare=False)

    def cells(self, sure_only: bool) -> set[tuple[int, int]]:
        """Return the word links of token gold, pairs of a summary and a document token."""
        return {
            (i, j)
            for link in self.links
            if link.sure or not sure_only
            for i in range(*link.summary[0])
            for j in range(*link.document[0])
        }

    def to_json(self) -> JsonObject:
        """Return the content of one line of a gold file."""
        links = [link.to_json() for link in self.links]
        return {"id": self.id, "annotator": self.annotator, "unit": self.unit, "alignments": links}


# The gold of each pair, by its id: one entry for each annotator.
Annotations: TypeAlias = dict[str, list[Gold]]


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


def make_gold(record: JsonObject, where: str) -> Gold:
    """Return the links of a line; raise `InputError` if it is malformed."""
    return parse_form(Gold, {"annotator": "", "unit": TOKENS} | record | {"where": where}, where)


def read_gold(path: StrPath) -> Iterator[Gold]:
    """Yield the links of each line of a file; raise `InputError` for a malformed line.

    Lines that the annotation page has marked as unfinished are left out, and the log says how many.
    """
    unfinished = 0
    for number, record in read_jsonl(path):
        gold = make_gold(record, f"{path}, line {number}")
        unfinished += not gold.finished
        if gold.finished:
            yield gold
    if unfinished:
        log.info(f"{path}: left out {unfinished} unfinished annotations")


def read_annotations(path: StrPath) -> Annotations:
    """Return the links of a file by the ids of their pairs.

    Raise `InputError` for a malformed line, and for a second line by the same annotator on the same pair.
    Spans are not checked because that takes the tokens.
    """
    annotations: Annotations = {}
    for gold in read_gold(path):
        others = annotations.setdefault(gold.id, [])
        if any(gold.annotator == other.annotator for other in others):
            raise InputError(
                f"{gold.where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                "give each annotator one line for each pair"
            )
        others.append(gold)
    return annotations


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
    refuse_unknown({key: [evidence] for key, evidence in golds.items()}, corpus)


def checked(pair: Pair, golds: Sequence[Gold]) -> list[Gold]:
    """Return the gold of a pair that counts, see `settled`, after `check_gold`."""
    for gold in golds:
        check_gold(gold, pair)
    return settled(golds)


def settled(golds: Sequence[Gold]) -> list[Gold]:
    """Return the gold of a pair that counts: that of `ADJUDICATED` if there is one, else all."""
    return [gold for gold in golds if gold.annotator == ADJUDICATED] or list(golds)


def refuse_unknown(left: Mapping[str, Sequence[Gold | EvidenceGold]], corpus: StrPath) -> None:
    """Raise `InputError` if gold is `left`, whose pairs are not in the corpus."""
    for key, [gold, *_] in left.items():
        raise InputError(f"{gold.where}: gold for pair {key}, which is not in {corpus}; remove it")


def check_gold(gold: Gold, pair: Pair) -> None:
    """Raise `InputError` unless every span of `gold` lies inside the texts of `pair`."""
    for index, link in enumerate(gold.links):
        place = f"{gold.where}: pair {gold.id}, alignment {index}"
        for side, spans in (("summary", link.summary), ("document", link.document)):
            if gold.unit == TOKENS and len(spans) > 1:
                raise InputError(
                    f"{place}: several {side} spans; write one alignment for each span, or use unit `char`"
                )
            _check_spans(spans, pair, side, gold.unit, place)


def check_evidence_gold(gold: EvidenceGold, pair: Pair) -> None:
    """Raise `InputError` unless the spans, passages and words of `gold` are those of `pair`."""
    place = f"{gold.where}: pair {gold.id}"
    spans = [span.summary for span in gold.spans] + [mark.summary for mark in gold.marks]
    _check_spans(spans, pair, "summary", CHARACTERS, place)
    for fused in gold.fused:
        _check_spans(fused.summary, pair, "summary", TOKENS, place)
        _check_spans(fused.document, pair, "document", TOKENS, place)
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


def _check_spans(spans: Iterable[Span], pair: Pair, side: str, unit: str, where: str) -> None:
    text = pair.summary if side == "summary" else pair.document
    size = len(text.tokens if unit == TOKENS else text.raw)
    for start, end in spans:
        if not 0 <= start < end <= size:
            raise InputError(
                f"{where}: {side} span [{start}, {end}] is out of range; the {side} has {size} {unit}s and "
                "spans are half-open from 0"
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
