"""The corpus formats by name. Each reader is the function ``read`` of a module of its own.

A reader takes the path of the corpus and the section ``corpus`` of the settings and yields
:class:`~pipeline.corpus.readers.record.Record` lazily, in an order that depends on names alone. It
raises :class:`~pipeline.run.errors.InputError` for what is not in its format; a pair that lacks a side
is yielded all the same, so that it is counted and listed.
"""

from pathlib import Path

from pipeline.corpus.readers import cnndm, jsonl, scisummnet, text, ziffdavis

READERS = {
    "jsonl": jsonl.read,
    "scisummnet": scisummnet.read,
    "ziffdavis": ziffdavis.read,
    "cnndm": cnndm.read,
    "text": text.read,
}


def read(corpus):
    """Yield the records of the corpus that ``corpus`` (the section of the settings) names."""
    return READERS[corpus["reader"]](Path(corpus["path"]), corpus)
