"""A reader of corpora: what the modules of `vorlage.workflow.readers` have, each found by its file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from vorlage.documents.records import Record
from vorlage.files.inputs import refuse_special
from vorlage.workflow.settings import READERS, Corpus


class Reader(NamedTuple):
    """A reader, by its name in `corpus.reader`.

    `read` yields the records of a corpus lazily, also of pairs that lack a side, in an order that depends on
    names alone; it raises `InputError` for anything that is not in the format.
    """

    name: str
    read: Callable[[Path, Corpus], Iterator[Record]]


def read_corpus(corpus: Corpus) -> Iterator[Record]:
    """Yield the records of the corpus that the section `corpus` names; each call reads the file again."""
    refuse_special(corpus.path)
    reader: Reader = READERS.load(corpus.reader)
    return reader.read(Path(corpus.path), corpus)
