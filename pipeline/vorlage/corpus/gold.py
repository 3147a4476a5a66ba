"""Gold alignments: the annotations that systems are scored against."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from vorlage.command.errors import InputError, shorten
from vorlage.files.jsonl import read_jsonl
from vorlage.types import JsonObject, Span, StrPath

# Snakemake reads this module with the rules, and a pair brings NLTK.
if TYPE_CHECKING:
    from vorlage.corpus.pair import Pair

log = logging.getLogger("pipeline")

ADJUDICATED = "adjudicated"  # the annotator of the links that two annotators have settled on


@dataclass(frozen=True)
class GoldLink:
    """One annotated link: `summary` and `document` are tuples of half-open spans.

    With `unit: token` each side has one span of tokens. With `unit: char` each side has one or more spans
    of characters, which count in the given string or, if the side is a list of sentences, in the sentences
    joined by one line break each. `sure`: whether the annotator was sure (S) or held the link possible (P).
    """

    summary: tuple[Span, ...]
    document: tuple[Span, ...]
    sure: bool


@dataclass(frozen=True)
class Gold:
    """The links that one annotator marked in one pair. `unit` is `token` or `char`."""

    id: str
    annotator: str
    unit: str
    links: tuple[GoldLink, ...]

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
        """Return the content of one line of a gold file, in the input format."""

        def side(spans: tuple[Span, ...]) -> list[int] | list[list[int]]:
            return list(spans[0]) if len(spans) == 1 else [list(span) for span in spans]

        return {
            "id": self.id,
            "annotator": self.annotator,
            "unit": self.unit,
            "alignments": [
                {"summary": side(link.summary), "document": side(link.document), "sure": link.sure}
                for link in self.links
            ],
        }


class LocatedGold(NamedTuple):
    """Gold, and its file and line for messages."""

    where: str
    gold: Gold


# The gold of each pair, by its id: one entry for each annotator.
Annotations: TypeAlias = dict[str, list[LocatedGold]]


def read_gold(path: StrPath, lines: Iterable[tuple[int, str]] | None = None) -> Iterator[tuple[int, Gold]]:
    """Yield `(line number, Gold)` from a gold file; raise `InputError` for a malformed line.

    Lines that the annotation page has marked as unfinished are left out, and the log says how many.
    `lines`: those of the file, as `vorlage.files.jsonl.read_jsonl` takes them.
    """
    unfinished = 0
    for number, record in read_jsonl(path, lines):
        where = f"{path}, line {number}"
        gold = make_gold(record, where)
        if is_finished(record, where):
            yield number, gold
        else:
            unfinished += 1
    if unfinished:
        log.info(f"{path}: left out {unfinished} unfinished annotations")


def read_annotations(path: StrPath) -> Annotations:
    """Return the gold of a file by the ids of its pairs.

    Raise `InputError` as `read_gold`, and for a second line by the same annotator on the same
    pair. Spans are not checked because that takes the tokens.
    """
    annotations: Annotations = defaultdict(list)
    for number, gold in read_gold(path):
        where = f"{path}, line {number}"
        if any(gold.annotator == other.annotator for _, other in annotations[gold.id]):
            raise InputError(
                f"{where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                "give each annotator one line for each pair"
            )
        annotations[gold.id].append(LocatedGold(where, gold))
    return dict(annotations)


def checked(pair: "Pair", located: Sequence[LocatedGold]) -> list[Gold]:
    """Return the gold of a pair that counts, see `settled`, after `check_gold`."""
    for where, gold in located:
        check_gold(gold, pair, where)
    return settled([gold for _, gold in located])


def refuse_unknown(left: Annotations, corpus: StrPath) -> None:
    """Raise `InputError` if gold is `left`, whose pairs are not in the corpus."""
    for key, [(where, _), *_] in left.items():
        raise InputError(f"{where}: gold for pair {key}, which is not in {corpus}; remove it")


def settled(golds: Sequence[Gold]) -> list[Gold]:
    """Return the gold of a pair that counts: that of `ADJUDICATED` if there is one, else all."""
    return [gold for gold in golds if gold.annotator == ADJUDICATED] or list(golds)


def is_finished(record: JsonObject, where: str) -> bool:
    """Return whether the annotator has finished the pair of a gold line: `finished`, true by default."""
    finished = record.get("finished", True)
    if not isinstance(finished, bool):
        raise InputError(f"{where}: finished is {shorten(finished)}; make it true or false")
    return finished


def make_gold(record: JsonObject, where: str) -> Gold:
    """Return the gold of a line; raise `InputError` if it is malformed. Other keys are ignored."""
    for key, kind, expected in (("id", str, "a string"), ("alignments", list, "a list")):
        if not isinstance(record.get(key), kind):
            raise InputError(f"{where}: gold needs `{key}`, {expected}; add it")
    unit, annotator = record.get("unit", "token"), record.get("annotator", "")
    if unit not in ("token", "char"):
        raise InputError(f"{where}: unit is {unit!r}; choose `token` or `char`")
    if not isinstance(annotator, str):
        raise InputError(f"{where}: annotator is {annotator!r}; make it a string")
    links = tuple(
        _make_link(link, f"{where}, alignment {index}") for index, link in enumerate(record["alignments"])
    )
    return Gold(record["id"], annotator, unit, links)


def check_gold(gold: Gold, pair: "Pair", where: str) -> None:
    """Raise `InputError` unless every span of `gold` lies inside the texts of `pair`."""
    for index, link in enumerate(gold.links):
        for side, spans in (("summary", link.summary), ("document", link.document)):
            text = getattr(pair, side)
            length = len(text.tokens) if gold.unit == "token" else len(text.raw)
            if gold.unit == "token" and len(spans) > 1:
                raise InputError(
                    f"{where}: pair {gold.id}, alignment {index}: several {side} spans; "
                    "write one alignment for each span, or use unit `char`"
                )
            for start, end in spans:
                if not 0 <= start < end <= length:
                    raise InputError(
                        f"{where}: pair {gold.id}, alignment {index}: {side} span [{start}, {end}] is out of "
                        f"range; the {side} has {length} {gold.unit}s and spans are half-open from 0"
                    )


def _make_link(link: Any, where: str) -> GoldLink:
    sure = link.get("sure", True) if isinstance(link, dict) else None
    if not isinstance(sure, bool):
        raise InputError(f"{where}: must be an object with `summary`, `document` and `sure` (true or false)")
    return GoldLink(_make_spans(link, "summary", where), _make_spans(link, "document", where), sure)


def _make_spans(link: JsonObject, side: str, where: str) -> tuple[Span, ...]:
    value = link.get(side)
    spans: list[Any] = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    for span in spans:
        if not (isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)):
            raise InputError(
                f"{where}: `{side}` must be a span [start, end] of whole numbers, or with unit `char` a list "
                "of spans"
            )
    return tuple((start, end) for start, end in spans)
