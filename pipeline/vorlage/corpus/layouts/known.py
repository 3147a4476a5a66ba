"""The public layouts by name: how the examples of a set are read, and their kind of gold."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from vorlage.corpus.gold import CHARACTERS, FUSED, PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED
from vorlage.corpus.layouts import evidence, linked, poc, spark
from vorlage.corpus.layouts.example import Examples, read_examples


class Layout(NamedTuple):
    """Reads the examples of a file or folder; `kind` is one of those of `vorlage.corpus.gold`."""

    read: Callable[[Path], Examples]
    kind: str


LAYOUTS = {
    "multimwa": Layout(partial(read_examples, ending="tsv", make=linked.multimwa), TOKENS),
    "jacana": Layout(partial(read_examples, ending="json", make=linked.jacana), TOKENS),
    "spark": Layout(spark.read, CHARACTERS),
    "quotesum": Layout(partial(read_examples, ending="jsonl", make=evidence.quotesum), PASSAGES),
    "verifiability": Layout(partial(read_examples, ending="jsonl", make=evidence.verifiability), PASSAGES),
    "wice": Layout(partial(read_examples, ending="jsonl", make=evidence.wice), SUPPORTED),
    "faithbench": Layout(
        partial(read_examples, ending="json", make=evidence.faithbench, key="samples"), UNSUPPORTED
    ),
    "poc": Layout(partial(read_examples, ending="json", make=poc.fused), FUSED),
}
