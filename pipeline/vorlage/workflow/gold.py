"""Gold: what annotators marked in the pairs of a corpus, one JSON object a line.

Links of words or phrases, a line for each pair and annotator:

    {"id": "a", "annotator": "A", "unit": "token",
     "alignments": [{"summary": [3, 5], "document": [17, 20], "sure": true}]}

All spans are half-open, and other fields are ignored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, StrictBool

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import StrictSpan, parse_form, read_jsonl
from vorlage.types import JsonObject, Span, StrPath

ADJUDICATED = "adjudicated"  # the annotator of the links that two annotators have settled on
TOKENS, CHARACTERS = "token", "char"  # units


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


def checked(pair: Pair, golds: Sequence[Gold]) -> list[Gold]:
    """Return the gold of a pair that counts, see `settled`, after `check_gold`."""
    for gold in golds:
        check_gold(gold, pair)
    return settled(golds)


def settled(golds: Sequence[Gold]) -> list[Gold]:
    """Return the gold of a pair that counts: that of `ADJUDICATED` if there is one, else all."""
    return [gold for gold in golds if gold.annotator == ADJUDICATED] or list(golds)


def refuse_unknown(left: Mapping[str, Sequence[Gold]], corpus: StrPath) -> None:
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
            check_spans(spans, pair, side, gold.unit, place)


def check_spans(spans: Iterable[Span], pair: Pair, side: str, unit: str, where: str) -> None:
    """Raise `InputError` unless spans in a unit lie inside a side of `pair`; `where`: for the message."""
    text = pair.summary if side == "summary" else pair.document
    size = len(text.tokens if unit == TOKENS else text.raw)
    for start, end in spans:
        if not 0 <= start < end <= size:
            raise InputError(
                f"{where}: {side} span [{start}, {end}] is out of range; the {side} has {size} {unit}s and "
                "spans are half-open from 0"
            )
