"""An attribution in the form that the viewer reads: its texts in pieces, its places as spans of pieces."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from vorlage.attribution.documents import Documents
from vorlage.attribution.views import by_gravity
from vorlage.files.jsonl import to_line
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject, Span
from vorlage.viewer.viewer import DIGITS


def attribution_data(record: JsonObject, text: Text, documents: Documents) -> JsonObject:
    """Return what the viewer shows of an attribution: a dict that JSON can hold.

    It has `supported`, `sentences`, `spans`, `unsupported` (the gravest first) and `notes` of the record,
    with probabilities of three decimals, and those of its `words` that are elsewhere in the documents, or
    frame the text. Their places are half-open spans of pieces, and sentences are numbers, those of all
    documents counted together. `digest` tells these texts from others. `s` (text) and `d` (documents) hold
    the pieces as `vorlage.viewer.viewer.pair_data` does words; `names` of `d` has the first sentence and
    the name of each document that has one.

    Args:
        record: the JSON object of the attribution.
        text: what was attributed.
        documents: its documents.
    """
    spans, unsupported = record["spans"], by_gravity(record["unsupported"])
    words = [word for word in record["words"] if word["state"] in ("elsewhere", "frame")]
    contradicted = [part for part in unsupported if "document" in part]
    sources = [source for span in spans for source in span["sources"]]
    here = _Pieces(text, [part["text"] for part in (*spans, *unsupported, *words)])
    there = _Pieces(documents.text, [_characters(part, documents) for part in (*sources, *contradicted)])

    def document(part: JsonObject) -> Span:
        return there.find(_characters(part, documents))

    def source_sentence(source: JsonObject) -> int:
        return int(documents.sentences[_number(source, documents)] + source["sentence"])

    def shown(part: JsonObject, *names: str) -> JsonObject:
        """Return some values of a part, numbers rounded."""
        values = {name: part[name] for name in names}
        return {k: round(v, DIGITS) if isinstance(v, float) else v for k, v in values.items()}

    return {
        **shown(record, "id", "supported", "notes"),
        "digest": hashlib.sha256(to_line({"texts": [documents.raw, text.raw]}).encode()).hexdigest()[:16],
        "s": here.data(),
        "d": there.data() | {"names": list(zip(documents.sentences, documents.names, strict=False))},
        "sentences": [
            {
                "sentence": here.sentence(part["text"]),
                **shown(part, "supported", "linked", "verdict"),
                "judged": round(part["judged"], DIGITS) if "judged" in part else None,
                "sources": [
                    {"sentence": source_sentence(source), "probability": round(source["probability"], DIGITS)}
                    for source in part["sources"]
                ],
            }
            for part in record["sentences"]
        ],
        "spans": [
            {
                "text": here.find(span["text"]),
                "null": round(span["null"], DIGITS),
                "sources": [
                    {"document": document(source), "probability": round(source["probability"], DIGITS)}
                    for source in span["sources"]
                ],
            }
            for span in spans
        ],
        "unsupported": [
            {
                "text": here.find(part["text"]),
                **shown(part, "null", "kind", "severity", "message"),
                "document": document(part) if "document" in part else None,
            }
            for part in unsupported
        ],
        "words": [
            {
                "text": here.find(word["text"]),
                "state": word["state"],
                "sentence": source_sentence(word) if "sentence" in word else None,
            }
            for word in words
        ],
    }


def _number(part: JsonObject, documents: Documents) -> int:
    """Return the number of the document that a part of a record names; 0 if there is one without a name."""
    return documents.names.index(part["name"]) if "name" in part else 0


def _characters(part: JsonObject, documents: Documents) -> Span:
    """Return the characters of a part of a record in all documents together."""
    start = documents.characters[_number(part, documents)]
    return start + part["document"][0], start + part["document"][1]


class _Pieces:
    """A text whose sentences are cut where `spans` of characters begin and end."""

    def __init__(self, text: Text, spans: Iterable[Span]) -> None:
        self._raw = text.raw
        self._places: list[Span] = []  # the characters of the pieces
        self._sentences: list[int] = []  # the first piece after each sentence
        cuts = sorted({place for span in spans for place in span})
        for first, end in text.sentences:
            start, stop = text.tokens[first][0], text.tokens[end - 1][1]
            inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, stop)]
            self._places += filter(None, map(self._stripped, pairwise([start, *inside, stop])))
            self._sentences.append(len(self._places))
        self._starts, self._ends = zip(*self._places, strict=True)

    def _stripped(self, span: Span) -> Span | None:
        """Return a span without the white space around it, or None if it has nothing else."""
        part = self._raw[slice(*span)]
        start = span[0] + len(part) - len(part.lstrip())
        return (start, start + len(part.strip())) if part.strip() else None

    def find(self, span: Span) -> Span:
        """Return the pieces of a span of characters."""
        return bisect_right(self._ends, span[0]), bisect_left(self._starts, span[1])

    def sentence(self, span: Span) -> int:
        """Return the number of the sentence that a span of characters is."""
        return bisect_right(self._sentences, self.find(span)[0])

    def data(self) -> dict[str, Any]:
        """Return the pieces, whether white space precedes each, and the ends of the sentences."""
        previous_ends = (0, *self._ends[:-1])
        return {
            "w": [self._raw[slice(*place)] for place in self._places],
            "g": "".join("01"[start > end] for start, end in zip(self._starts, previous_ends, strict=True)),
            "b": self._sentences,
        }
