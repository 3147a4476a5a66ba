"""Gold of attribution: which passages support a span, what is not supported, which spans were fused.

One JSON object per pair, of one of four kinds. All spans are half-open. A passage is a line of the document:
of a list of sentences or passages, the passage with that number, from 0.

    {"id": "a", "spans": [{"summary": [0, 12], "passages": [0]}]}
    {"id": "a", "unsupported": [[92, 174, "Unwanted", "annotator"]], "detectors": {"hhem": 0.9}}
    {"id": "a", "supported": [true, false], "sentences": [[17], [5, 6]]}
    {"id": "a", "spans": [{"summary": [[0, 2]], "document": [[27, 30], [349, 350]]}]}

- `passages`: for spans of characters of the summary, the passages that support them.
- `unsupported`: spans of characters of the summary that annotators marked, with a label; labels that begin
  with `Unwanted` mark what the document does not support. `detectors`, optional: the probability by some
  detector that the document supports the summary.
- `supported`: for each word of the summary, split at single spaces, whether the document supports it;
  `sentences`: sets of passages, each of which supports what is supported.
- `fused`: for spans of tokens of the summary, the spans of tokens of the document that mean the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from vorlage.command.errors import InputError, shorten
from vorlage.files.jsonl import read_jsonl
from vorlage.types import JsonObject, Span, StrPath

# Snakemake reads this module with the rules, and a pair brings NLTK.
if TYPE_CHECKING:
    from vorlage.corpus.pair import Pair

UNWANTED = "Unwanted"
# The kinds of gold: links of words or of phrases, and the four kinds of this module.
TOKENS, CHARACTERS = "token", "char"
PASSAGES, UNSUPPORTED, SUPPORTED, FUSED = "passages", "unsupported", "supported", "fused"
KINDS = (TOKENS, CHARACTERS, PASSAGES, SUPPORTED, UNSUPPORTED, FUSED)


class PassageSpan(NamedTuple):
    """A span of characters of the summary, and the passages that support it."""

    summary: Span
    passages: tuple[int, ...]


class Mark(NamedTuple):
    """A span of characters of the summary that an annotator gave a label."""

    summary: Span
    label: str


class FusedSpan(NamedTuple):
    """Spans of tokens of the summary, and those of the document that mean the same."""

    summary: tuple[Span, ...]
    document: tuple[Span, ...]


@dataclass(frozen=True)
class EvidenceGold:
    """The attribution gold of one pair; the fields of kinds other than `kind` are empty.

    `detectors`: name → probability that the summary is supported. `supported`: of each word of the
    summary between single spaces; `sentences`: the sets of passages that support it.
    """

    id: str
    kind: str
    spans: tuple[PassageSpan, ...] = ()
    marks: tuple[Mark, ...] = ()
    detectors: Mapping[str, float] = field(default_factory=dict)
    supported: tuple[bool, ...] = ()
    sentences: tuple[tuple[int, ...], ...] = ()
    fused: tuple[FusedSpan, ...] = ()


def gold_kind(path: StrPath) -> str:
    """Return the kind of a gold file, one of `KINDS`, by its first line.

    Raise `InputError` for a file without gold.
    """
    for number, record in read_jsonl(path):
        if "alignments" in record:
            return CHARACTERS if record.get("unit") == CHARACTERS else TOKENS
        return _kind(record, f"{path}, line {number}")
    raise InputError(f"{path}: no gold in it; check the file")


def read_evidence_gold(path: StrPath) -> Iterator[tuple[int, EvidenceGold]]:
    """Yield `(line number, EvidenceGold)` of a file, all of one kind.

    Raise `InputError` for a malformed line, a kind that differs from that of the first, and an
    id that comes twice.
    """
    kind, seen = None, set[str]()
    for number, record in read_jsonl(path):
        gold = _make_gold(record, f"{path}, line {number}")
        kind = kind or gold.kind
        if gold.kind != kind:
            raise InputError(
                f"{path}, line {number}: gold of kind `{gold.kind}` in a file of kind `{kind}`; "
                "split the file"
            )
        if gold.id in seen:
            raise InputError(f"{path}, line {number}: pair {gold.id} comes twice; join the lines")
        seen.add(gold.id)
        yield number, gold


def check_evidence_gold(gold: EvidenceGold, pair: "Pair", where: str) -> None:
    """Raise `InputError` unless the spans, passages and words of `gold` are those of `pair`."""
    passages = pair.document.raw.count("\n") + 1
    spans = [span.summary for span in gold.spans] + [mark.summary for mark in gold.marks]
    _check_spans(spans, len(pair.summary.raw), "summary", "characters", gold, where)
    _check_spans(
        [span for fused in gold.fused for span in fused.summary],
        len(pair.summary.tokens), "summary", "tokens", gold, where,
    )  # fmt: skip
    _check_spans(
        [span for fused in gold.fused for span in fused.document],
        len(pair.document.tokens), "document", "tokens", gold, where,
    )  # fmt: skip
    for number in [number for numbers in _passage_numbers(gold) for number in numbers]:
        if not 0 <= number < passages:
            raise InputError(
                f"{where}: pair {gold.id}: no passage {number}; the document has {passages}, counted from 0"
            )
    words = len(pair.summary.raw.split(" "))
    if gold.kind == SUPPORTED and len(gold.supported) != words:
        raise InputError(
            f"{where}: pair {gold.id}: `supported` has {len(gold.supported)} values; the summary has {words} "
            "words between single spaces"
        )


def _passage_numbers(gold: EvidenceGold) -> list[tuple[int, ...]]:
    return [span.passages for span in gold.spans] + list(gold.sentences)


def _check_spans(spans: list[Span], size: int, side: str, unit: str, gold: EvidenceGold, where: str) -> None:
    for start, end in spans:
        if not 0 <= start < end <= size:
            raise InputError(
                f"{where}: pair {gold.id}: {side} span [{start}, {end}] is out of range; the {side} has "
                f"{size} {unit} and spans are half-open from 0"
            )


def _kind(record: JsonObject, where: str) -> str:
    if "unsupported" in record:
        return UNSUPPORTED
    if "supported" in record:
        return SUPPORTED
    spans = record.get("spans")
    if isinstance(spans, list) and spans and isinstance(spans[0], dict):
        return PASSAGES if "passages" in spans[0] else FUSED
    raise InputError(f"{where}: gold needs `alignments`, `spans`, `supported` or `unsupported`; add one")


def _make_gold(record: JsonObject, where: str) -> EvidenceGold:
    name, kind = record.get("id"), _kind(record, where)
    if not isinstance(name, str):
        raise InputError(f"{where}: gold needs `id`, a string; add it")
    try:
        if kind == UNSUPPORTED:
            marks = tuple(Mark(_span((mark[0], mark[1])), str(mark[2])) for mark in record["unsupported"])
            return EvidenceGold(
                name, kind, marks=marks, detectors=_probabilities(record.get("detectors", {}))
            )
        if kind == SUPPORTED:
            sentences = tuple(_whole_numbers(numbers) for numbers in record["sentences"])
            return EvidenceGold(name, kind, supported=_truths(record["supported"]), sentences=sentences)
        if kind == PASSAGES:
            spans = tuple(
                PassageSpan(_span(span["summary"]), _whole_numbers(span["passages"]))
                for span in record["spans"]
            )
            return EvidenceGold(name, kind, spans=spans)
        fused = tuple(
            FusedSpan(tuple(map(_span, span["summary"])), tuple(map(_span, span["document"])))
            for span in record["spans"]
        )
        return EvidenceGold(name, kind, fused=fused)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(
            f"{where}: pair {shorten(name)}: not gold of kind `{kind}` ({error!r}); see docs/field.md"
        ) from None


def _span(value: Any) -> Span:
    start, end = _whole_numbers(value)
    return start, end


def _whole_numbers(values: Any) -> tuple[int, ...]:
    if not all(type(value) is int for value in values):
        raise ValueError(f"{shorten(values)} must be whole numbers")
    return tuple(values)


def _truths(values: Any) -> tuple[bool, ...]:
    if not all(type(value) is bool for value in values):
        raise ValueError("`supported` must be true or false for each word")
    return tuple(values)


def _probabilities(values: Any) -> dict[str, float]:
    if not isinstance(values, dict) or not all(
        type(v) in (int, float) and 0 <= v <= 1 for v in values.values()
    ):
        raise ValueError("`detectors` must be numbers from 0 to 1 by name")
    return {name: float(value) for name, value in values.items()}
