"""The public layouts by name: each has the function `read` of a module here, and a kind of gold."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from vorlage.corpus.gold import CHARACTERS, FUSED, PASSAGES, SUPPORTED, TOKENS, UNSUPPORTED
from vorlage.corpus.layouts import faithbench, jacana, multimwa, poc, quotesum, spark, verifiability, wice
from vorlage.corpus.layouts.example import Example


class Layout(NamedTuple):
    """Reads the examples of a file or folder; `kind` is one of those of `vorlage.corpus.gold`."""

    read: Callable[[Path], Iterator[Example]]
    kind: str


LAYOUTS = {
    "multimwa": Layout(multimwa.read, TOKENS),
    "jacana": Layout(jacana.read, TOKENS),
    "spark": Layout(spark.read, CHARACTERS),
    "quotesum": Layout(quotesum.read, PASSAGES),
    "verifiability": Layout(verifiability.read, PASSAGES),
    "wice": Layout(wice.read, SUPPORTED),
    "faithbench": Layout(faithbench.read, UNSUPPORTED),
    "poc": Layout(poc.read, FUSED),
}
