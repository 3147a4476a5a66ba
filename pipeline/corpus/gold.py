"""Gold alignments: the annotations that systems are scored against."""

from dataclasses import dataclass

from pipeline.io.jsonl import read_jsonl
from pipeline.run.errors import InputError


@dataclass(frozen=True)
class GoldLink:
    """One annotated link: ``summary`` and ``document`` are tuples of half-open spans.

    With ``unit: token`` each side has one span of tokens; with ``unit: char`` one or more spans of
    characters, counted in the string that was given, or, where a list of sentences was given, in the
    sentences joined by one line break each. ``sure``: whether the annotator was sure (S) or held it
    possible (P only).
    """

    summary: tuple
    document: tuple
    sure: bool


@dataclass(frozen=True)
class Gold:
    """What one annotator said of one pair. ``unit`` is ``token`` or ``char``."""

    id: str
    annotator: str
    unit: str
    links: tuple

    def cells(self, sure_only):
        """The word links of token gold, as a set of (summary token, document token)."""
        return {
            (i, j)
            for link in self.links
            if link.sure or not sure_only
            for i in range(*link.summary[0])
            for j in range(*link.document[0])
        }

    def to_json(self):
        """One line of a gold file, as in the input format."""

        def side(spans):
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


def read_gold(path):
    """Yield ``(line number, Gold)`` from a gold file; raises :class:`InputError` for a malformed line."""
    for number, record in read_jsonl(path):
        where = f"{path}, line {number}"
        for key, kind, wanted in (("id", str, "a string"), ("alignments", list, "a list")):
            if not isinstance(record.get(key), kind):
                raise InputError(f"{where}: gold needs `{key}`, {wanted}; add it")
        unit, annotator = record.get("unit", "token"), record.get("annotator", "")
        if unit not in ("token", "char"):
            raise InputError(f"{where}: unit is {unit!r}; choose `token` or `char`")
        if not isinstance(annotator, str):
            raise InputError(f"{where}: annotator is {annotator!r}; make it a string")
        links = tuple(
            _link(link, f"{where}, alignment {index}") for index, link in enumerate(record["alignments"])
        )
        yield number, Gold(record["id"], annotator, unit, links)


def check_gold(gold, pair, where):
    """Raise :class:`InputError` unless every span of ``gold`` lies inside the texts of ``pair``."""
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


def _link(link, where):
    sure = link.get("sure", True) if isinstance(link, dict) else None
    if not isinstance(sure, bool):
        raise InputError(f"{where}: must be an object with `summary`, `document` and `sure` (true or false)")
    return GoldLink(_spans(link, "summary", where), _spans(link, "document", where), sure)


def _spans(link, side, where):
    value = link.get(side)
    spans = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    for span in spans:
        if not (isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)):
            raise InputError(
                f"{where}: `{side}` must be a span [start, end] of whole numbers (unit char: or a list)"
            )
    return tuple(map(tuple, spans))
