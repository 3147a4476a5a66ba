"""The corpus formats by name: a reader is the function `read` of a module of this folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from vorlage.documents.records import Record, parse_records
from vorlage.files.inputs import refuse_special
from vorlage.settings import Corpus
from vorlage.workflow.readers import cnndm, scisummnet, text, ziffdavis

# Yields the records of a corpus lazily, also of pairs that lack a side, in an order that depends on names
# alone; raises `InputError` for anything that is not in the format.
Reader: TypeAlias = Callable[[Path, Corpus], Iterator[Record]]
READERS: dict[str, Reader] = {
    "jsonl": lambda path, settings: parse_records(path),
    "scisummnet": scisummnet.read,
    "ziffdavis": ziffdavis.read,
    "cnndm": cnndm.read,
    "text": text.read,
}


def read(corpus: Corpus) -> Iterator[Record]:
    """Yield the records of the corpus that the section `corpus` names; each call reads the file again."""
    refuse_special(corpus.path)
    return READERS[corpus.reader](Path(corpus.path), corpus)
