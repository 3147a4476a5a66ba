"""The corpus formats by name: a reader is the function `read` of a module of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from vorlage.corpus.readers import cnndm, scisummnet, text, ziffdavis
from vorlage.corpus.records import Record, parse_records
from vorlage.settings import Corpus


class Reader(Protocol):
    """A function that reads the corpora of one format."""

    def __call__(self, path: Path, settings: Corpus) -> Iterator[Record]:
        """Yield the records of the corpus at `path` lazily, in an order that depends on names alone.

        `settings`: the section `corpus`. Raise `vorlage.command.errors.InputError` for anything
        that is not in the format. Yield a pair that lacks a side too: the corpus stage counts and lists it.
        """


READERS: dict[str, Reader] = {
    "jsonl": lambda path, settings: parse_records(path),
    "scisummnet": scisummnet.read,
    "ziffdavis": ziffdavis.read,
    "cnndm": cnndm.read,
    "text": text.read,
}


def read(corpus: Corpus) -> Iterator[Record]:
    """Yield the records of the corpus that the section `corpus` of the settings names."""
    return READERS[corpus.reader](Path(corpus.path), corpus)
