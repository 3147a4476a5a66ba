"""The files of a sharded training: folders of arrays, and the sums that go from job to job.

One command writes each of them, and later commands read it:

    shards/3-of-10/          `collect`   the pairs of a shard and their support, in numbers of their own
    forests/3-of-10/         `forests`   the trees of their documents, for a jump model over trees
    index/                   `index`     all words and phrases, and which of them each shard has
    entries/1-of-2/          `entries`   the phrase pairs in a part of the rows, see `rows_of_shards`
    JUMP/em/0/state/         `start`     the parameters that EM starts from
    JUMP/em/1/3-of-10.npz    `expect`    the expectations of a shard
    JUMP/em/1/counts/1-of-2/ `add`       the lexical counts of a part of the rows after an iteration
    JUMP/em/1/state/         `maximise`  the other parameters after an iteration
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.io.arrays import Arrays, lines_to_array, save_arrays, split_ragged
from pipeline.io.npz import read_npz
from pipeline.io.outputs import replacing
from pipeline.semihmm.jumps.base import jump_model
from pipeline.semihmm.kernels.tree_walks import Forest
from pipeline.train.checkpoint import iterations_from_array, iterations_to_array
from pipeline.train.em import Iteration
from pipeline.train.expectation import Expectations
from pipeline.train.index import Index
from pipeline.train.parameters import Parameters
from pipeline.train.sharded.steps import COMMAND
from pipeline.types import AnyArray, Bools, Floats, JsonObject, StrPath

ABOUT = ("jump", "reverse", "settings", "parser", "ended")
EXPECTED = [field.name for field in fields(Expectations) if field.name != "counts"]


def open_arrays(folder: StrPath, step: str) -> Arrays:
    """Return the :class:`Arrays` of a folder that the command ``step`` of this package writes."""
    return Arrays(folder, COMMAND.format(step))


def read_index(folder: StrPath) -> Index:
    """Return the :class:`Index` in a folder."""
    return Index.from_arrays(open_arrays(Path(folder) / "tables", "index"))


def load_forests(folder: StrPath) -> list[Forest]:
    """Return the forests of a shard."""
    arrays = open_arrays(folder, "forests")
    columns = [split_ragged(arrays[name], arrays[f"{name}_at"]) for name in Forest._fields]
    return [Forest(*parts) for parts in zip(*columns, strict=True)]


@dataclass(frozen=True)
class State:
    """A training between two iterations.

    ``jump``: name of the jump model. ``reverse``: whether it trains the other direction. ``settings``: those
    that training reads. ``parser``: settings of the parser of its trees, empty without trees. ``iterations``:
    the finished ones. ``ended``: whether EM has ended, perhaps before the last planned iteration.
    """

    jump: str
    reverse: bool
    settings: JsonObject
    parser: JsonObject
    parameters: Parameters
    iterations: list[Iteration]
    ended: bool

    def save(self, folder: StrPath) -> None:
        """Write the state to a folder."""
        about = {name: getattr(self, name) for name in ABOUT}
        arrays = self.parameters.to_arrays() | {"iterations": iterations_to_array(self.iterations)}
        save_arrays(folder, arrays | {"about": lines_to_array([json.dumps(about, sort_keys=True)])})

    @classmethod
    def load(cls, folder: StrPath) -> "State":
        """Read a state."""
        arrays = open_arrays(folder, "start")
        about = json.loads(arrays.text("about")[0])
        parameters = Parameters.from_arrays(arrays, jump_model(about["jump"]))
        return cls(parameters=parameters, iterations=iterations_from_array(arrays["iterations"]), **about)


@dataclass(frozen=True)
class Share:
    """The expectations of a shard, sparse, in the numbers of the index.

    ``expected``: without lexical counts, which are in ``counts``: for each part of the rows, the numbers of
    its entries and their counts. ``words``: the numbers of the null words of ``expected``. ``began``: the
    start of the job, in seconds since the epoch. ``kept``: the document sentences of the shard that pruning
    keeps for the next iteration.
    """

    expected: Expectations
    counts: Sequence[tuple[AnyArray, Floats]]
    words: AnyArray
    began: float
    kept: Bools

    def save(self, path: StrPath) -> None:
        """Write the share to an npz file, with numbers in as few bytes as they need."""
        arrays = {name: getattr(self.expected, name) for name in EXPECTED}
        for part, (entries, counts) in enumerate(self.counts):
            arrays |= {f"entries_{part}": _small(entries), f"counts_{part}": counts}
        arrays |= {"words": _small(self.words), "began": np.float64(self.began), "kept": self.kept}
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez(out, **arrays)

    @classmethod
    def load(cls, path: StrPath) -> "Share":
        """Read a file without its ``counts``; raise :class:`InputError` for another file."""
        arrays = _read(path, [*EXPECTED, "words", "began", "kept"])
        expected: dict[str, Any] = {name: arrays[name] for name in EXPECTED}
        expected |= {name: float(arrays[name]) for name in ("jump_total", "distance", "log_likelihood")}
        without = Expectations(np.zeros(0), **expected)
        return cls(without, [], arrays["words"], float(arrays["began"]), arrays["kept"])


def read_counts(path: StrPath, part: int) -> tuple[AnyArray, Floats]:
    """Return one of the ``counts`` of a :class:`Share` without reading the rest."""
    entries, counts = f"entries_{part}", f"counts_{part}"
    arrays = _read(path, [entries, counts])
    return arrays[entries], arrays[counts]


def read_kept(path: StrPath) -> Bools:
    """Return ``kept`` of a :class:`Share` without reading the rest."""
    kept: Bools = _read(path, ["kept"])["kept"]
    return kept


def _read(path: StrPath, names: Collection[str]) -> dict[str, AnyArray]:
    """Return some arrays of the file of a share; raise :class:`InputError` for another file."""
    return read_npz(path, "expectations", COMMAND.format("expect"), only=names, finite=False)


def _small(numbers: AnyArray) -> AnyArray:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
