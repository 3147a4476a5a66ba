"""Pairs that come straight from a user, without the corpus stage."""

from pipeline.corpus.pair import Pair, read_pairs
from pipeline.corpus.readers import jsonl
from pipeline.corpus.text import make_text
from pipeline.errors import InputError
from pipeline.files import read_jsonl


def tokenize(record, tokenized=False):
    """The :class:`Pair` of a :class:`~pipeline.corpus.readers.record.Record` that has no problem.

    ``tokenized``: tokens are separated by spaces and list entries or lines are sentences.
    """
    return Pair(record.id, make_text(record.document, tokenized), make_text(record.summary, tokenized))


def read_new_pairs(path, tokenized=False):
    """Yield the pairs of a JSON-lines file in input form (strings or lists of sentences), tokenized here.

    A ``corpus.jsonl`` of the corpus stage is read as it is. Raises :class:`InputError` for a pair with an
    empty side and for an id that comes twice.
    """
    _, first = next(read_jsonl(path), (0, {}))
    if isinstance(first.get("document"), dict):
        yield from read_pairs(path)
        return
    seen = set()
    for record in jsonl.read(path):
        if record.problem:
            raise InputError(f"{record.where}: pair {record.id}: {record.problem}; add it or remove the pair")
        if record.id in seen:
            raise InputError(f"{record.where}: id {record.id} comes twice; ids must be unique, change one")
        seen.add(record.id)
        yield tokenize(record, tokenized)
