"""The decoder `rescored`: boosted trees, fitted to gold, give each cell that may be a link a probability.

Everything else remains that of the model: the posteriors of sources, and of words without a source.
"""

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair
from vorlage.files.arrays import (
    TEXT,
    array_to_lines,
    check_arrays,
    lines_to_array,
    load_arrays,
    save_arrays,
)
from vorlage.files.jsonl import parse_json
from vorlage.fingerprint import digest
from vorlage.semihmm.decode.cells import NAMES, Cells
from vorlage.semihmm.decode.posteriors import Links, Posteriors
from vorlage.types import AnyArray, Floats, JsonObject, StrPath

if TYPE_CHECKING:
    import lightgbm

MAKER = "vorlage train --gold"


@dataclass(frozen=True)
class Rescorer:
    """Boosted trees of the probability that a cell is a link (Friedman 2001).

    `trees`: the text of a LightGBM model. `link_threshold`: what the probability of a link exceeds.
    `encoder`: that of the model that gave the posteriors, see `vorlage.semihmm.model.Model`. `pairs`: digests
    of the pairs whose gold the trees were fitted to.
    """

    trees: str
    link_threshold: float
    encoder: JsonObject
    pairs: frozenset[str]

    def probabilities(self, cells: Cells) -> Floats:
        """Return the probability of each cell that it is a link."""
        return np.asarray(self._booster.predict(cells.features, num_threads=1), dtype=float)

    @cached_property
    def _booster(self) -> "lightgbm.Booster":
        import lightgbm  # takes two seconds

        return lightgbm.Booster(model_str=self.trees)

    def rescore(self, posteriors: Posteriors, cells: Cells) -> Posteriors:
        """Return posteriors whose links, all single, have these probabilities; null words keep theirs."""
        rows, columns = cells.rows.astype(np.int32), cells.columns.astype(np.int32)
        links = Links(rows, columns, self.probabilities(cells), *posteriors.links[3:])
        phrases = np.zeros_like(posteriors.phrases)
        return replace(posteriors, links=links, sources=links.dense(), phrases=phrases)

    def save(self, path: StrPath) -> None:
        """Write the trees to a file, an npz without pickles; the same trees give the same bytes."""
        about = {
            "features": NAMES,
            "digest": digest(self.trees),
            "link_threshold": self.link_threshold,
            "encoder": self.encoder,
            "pairs": sorted(self.pairs),
        }
        lines = {"about": [json.dumps(about, sort_keys=True)], "trees": self.trees.splitlines()}
        save_arrays(path, {name: lines_to_array(text) for name, text in lines.items()})

    @classmethod
    def load(cls, path: StrPath) -> "Rescorer":
        """Read a file of `save`; raise `InputError` for any other, and for one of another version."""
        return load_arrays(path, cls._from_arrays, "a rescorer", MAKER)

    @classmethod
    def _from_arrays(cls, arrays: dict[str, AnyArray]) -> "Rescorer":
        check_arrays(arrays, (("about", TEXT), ("trees", TEXT)))
        about = parse_json("".join(array_to_lines(arrays["about"])))
        if about["features"] != list(NAMES):
            raise ValueError("its features are others")
        trees = "\n".join(array_to_lines(arrays["trees"])) + "\n"
        if about["digest"] != digest(trees):
            raise ValueError("its trees have changed")
        return cls(trees, float(about["link_threshold"]), about["encoder"], frozenset(about["pairs"]))


def open_rescorer(path: StrPath, encoder: JsonObject) -> Rescorer:
    """Return the rescorer of a file, which is read again only if it has changed.

    Raises:
        InputError: for a file that is no rescorer, and for one of a model with another `encoder`.
    """
    changed = Path(path).stat().st_mtime_ns if Path(path).exists() else 0
    rescorer = _load(str(path), changed)
    if rescorer.encoder != encoder:
        raise InputError(
            f"{path}: fitted to a model with another encoder, or without one; fit it to this model with "
            f"`{MAKER}`"
        )
    return rescorer


@lru_cache(maxsize=4)
def _load(path: str, changed: int) -> Rescorer:
    return Rescorer.load(path)


def digest_of(pair: Pair) -> str:
    """Return what a pair is known by: its words."""
    return digest((pair.document.words, pair.summary.words))


@cache
def warn_of_gold(path: StrPath) -> None:
    """Say once that a rescorer aligns pairs that it was fitted to."""
    log.warning(f"{path}: was fitted to the gold of some of these pairs, so that scores of them are too high")
