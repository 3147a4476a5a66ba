"""The public layouts by name: how the examples of a set are read, and their kind of gold."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from vorlage.corpus.gold import CHARACTERS, FUSED, PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED
from vorlage.corpus.layouts import evidence, linked, poc, spark
from vorlage.corpus.layouts.example import Examples, MakeExample, read_examples


class PublicSet(NamedTuple):
    """Reads the examples of a file or folder; `kind` is one of those of `vorlage.corpus.gold`."""

    read: Callable[[Path], Examples]
    kind: str


def _by(make: MakeExample, ending: str, kind: str, key: str | None = None) -> PublicSet:
    return PublicSet(partial(read_examples, ending=ending, make=make, key=key), kind)


LAYOUTS = {
    "multimwa": _by(linked.multimwa, "tsv", TOKENS),
    "jacana": _by(linked.jacana, "json", TOKENS),
    "spark": PublicSet(spark.read, CHARACTERS),
    "quotesum": _by(evidence.quotesum, "jsonl", PASSAGES),
    "verifiability": _by(evidence.verifiability, "jsonl", PASSAGES),
    "wice": _by(evidence.wice, "jsonl", SUPPORTED),
    "faithbench": _by(evidence.faithbench, "json", UNSUPPORTED, key="samples"),
    "poc": _by(poc.fused, "json", FUSED),
}
