"""Document/summary pairs as the corpus stage writes them and every later stage reads them."""

from dataclasses import dataclass

from pipeline.corpus.tokenize import Text
from pipeline.io.jsonl import read_jsonl, write_jsonl
from pipeline.io.parts import WHOLE, part_lines
from pipeline.run.errors import InputError


@dataclass(frozen=True)
class Pair:
    """A document and its summary, tokenized; ``id`` is unique in its corpus."""

    id: str
    document: Text
    summary: Text

    def to_json(self):
        """One line of ``corpus.jsonl``."""
        return {"id": self.id, "document": self.document.to_json(), "summary": self.summary.to_json()}


def write_pairs(path, pairs):
    """Write pairs to ``corpus.jsonl``: one object a line with ``id``, ``document`` and ``summary``."""
    write_jsonl(path, (pair.to_json() for pair in pairs))


def read_pairs(path, part=WHOLE):
    """Yield the pairs of a ``corpus.jsonl`` in order, or of a part of it.

    Raises :class:`InputError` for another file.
    """
    for number, record in read_jsonl(path, part_lines(path, part)):
        yield make_pair(path, number, record)


def make_pair(path, number, record):
    """The pair of a record of a ``corpus.jsonl``; raises :class:`InputError` for another record."""
    try:
        pair = Pair(record["id"], Text.from_json(record["document"]), Text.from_json(record["summary"]))
    except (KeyError, TypeError, ValueError):
        pair = None
    if not pair or not all(isinstance(text, str) for text in (pair.id, pair.document.raw, pair.summary.raw)):
        raise InputError(
            f"{path}, line {number}: not a tokenized pair; make the file with `python -m pipeline.corpus`"
        )
    return pair
