"""A document and its summary, as the corpus stage writes them and every later stage reads them.

This module opens no file; `vorlage.corpus.corpus_file` does.
"""

from contextlib import suppress
from dataclasses import dataclass

from vorlage.command.errors import InputError
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject, StrPath


@dataclass(frozen=True)
class Pair:
    """A document and its summary, tokenized; `id` is unique in its corpus."""

    id: str
    document: Text
    summary: Text

    def to_json(self) -> JsonObject:
        """Return the content of one line of `corpus.jsonl`."""
        return {"id": self.id, "document": self.document.to_json(), "summary": self.summary.to_json()}


def make_pair(path: StrPath, number: int, record: JsonObject) -> Pair:
    """Return the pair of a line of `corpus.jsonl`; raise `InputError` if it is not one.

    `path` and the line `number` are for the message.
    """
    with suppress(KeyError, TypeError, ValueError):
        pair = Pair(record["id"], Text.from_json(record["document"]), Text.from_json(record["summary"]))
        if all(isinstance(text, str) for text in (pair.id, pair.document.raw, pair.summary.raw)):
            return pair
    raise InputError(f"{path}, line {number}: not a tokenized pair; make the file with `vorlage corpus`")
