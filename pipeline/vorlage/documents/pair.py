"""A document and its summary, as the corpus stage writes them and every later stage reads them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from vorlage.command.errors import InputError
from vorlage.files.jsonl import read_jsonl
from vorlage.files.parts import WHOLE, Part
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject, StrPath


@dataclass(frozen=True)
class Pair:
    """A document and its summary, tokenized; `id` is unique in its corpus."""

    id: str
    document: Text
    summary: Text

    @property
    def language(self) -> str:
        """The language of both texts; empty if they differ, so that stems and function words are no clue."""
        return self.document.language if self.document.language == self.summary.language else ""

    def in_language(self, code: str) -> "Pair":
        """Return the pair with the same tokens, as if both texts were in a language."""
        texts = self.document, self.summary
        return Pair(self.id, *(replace(t, language=code) if t.language != code else t for t in texts))

    def to_json(self) -> JsonObject:
        """Return the content of one line of `corpus.jsonl`."""
        return {"id": self.id, "document": self.document.to_json(), "summary": self.summary.to_json()}


def read_pairs(path: StrPath, part: Part = WHOLE) -> Iterator[Pair]:
    """Yield the pairs of a `corpus.jsonl`, or of a part of it, in order.

    Raise `InputError` if the file is not one.
    """
    for number, record in read_jsonl(path, part):
        yield _make_pair(record, f"{path}, line {number}")


def _make_pair(record: JsonObject, where: str) -> Pair:
    with suppress(KeyError, TypeError, ValueError):
        pair = Pair(record["id"], Text.from_json(record["document"]), Text.from_json(record["summary"]))
        if all(isinstance(text, str) for text in (pair.id, pair.document.raw, pair.summary.raw)):
            return pair
    raise InputError(f"{where}: not a tokenized pair; make the file with `vorlage corpus`")
