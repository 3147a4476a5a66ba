"""The files of a sharded training: folders of arrays, and the sums that go from job to job.

Each is written by one command and read by those after it:

    shards/3-of-10/          `collect`   the pairs of a shard and their support, numbered by themselves
    forests/3-of-10/         `forests`   the trees of their documents, for a jump model that wants them
    index/                   `index`     all words, phrases and phrase pairs; the numbers of each shard
    JUMP/em/0/state/         `start`     the parameters EM starts from
    JUMP/em/1/3-of-10.npz    `expect`    what they make one expect of a shard
    JUMP/em/1/sum-1-2.npz    `add`       the same of several shards, where there are many
    JUMP/em/1/state/         `maximise`  the parameters after an iteration
"""

import json
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from pipeline.io.arrays import Arrays, cut, lines_to_array, save_arrays
from pipeline.io.checksums import open_checked
from pipeline.io.outputs import replacing
from pipeline.run.errors import InputError
from pipeline.semihmm.jumps.base import jump_model
from pipeline.semihmm.kernels.tree_walks import Forest
from pipeline.train.checkpoint import iterations_from_array, iterations_to_array
from pipeline.train.em import Expectations, Parameters
from pipeline.train.index import Index
from pipeline.train.pairs import Numbers
from pipeline.train.sharded.command import COMMAND


def open_arrays(folder, command):
    """The :class:`Arrays` of a folder that a ``command`` of this package writes."""
    return Arrays(folder, COMMAND.format(command))


def read_index(folder):
    """The :class:`Index` of a folder."""
    return Index.load(open_arrays(Path(folder) / "tables", "index"))


def read_numbers(folder, shard):
    """The :class:`Numbers` of a shard, known by its name, in the folder of an index."""
    arrays = open_arrays(Path(folder) / shard, "index")
    return Numbers(*(arrays[name] for name in Numbers._fields))


def load_forests(folder):
    """The forests of a shard, a list."""
    arrays = open_arrays(folder, "forests")
    columns = [cut(arrays[name], arrays[f"{name}_at"]) for name in Forest._fields]
    return [Forest(*parts) for parts in zip(*columns, strict=True)]


@dataclass(frozen=True)
class State:
    """A training between two iterations.

    ``jump``: name of the jump model; ``settings``: of the section, those that training reads; ``parser``:
    settings of the parser of its trees, empty for none; ``iterations``: those that are done; ``ended``:
    whether there will be no more, whatever was planned.
    """

    jump: str
    settings: dict
    parser: dict
    parameters: Parameters
    iterations: list
    ended: bool

    def save(self, folder):
        """Write the state to a folder."""
        about = {"jump": self.jump, "settings": self.settings, "parser": self.parser, "ended": self.ended}
        arrays = self.parameters.to_arrays() | {"iterations": iterations_to_array(self.iterations)}
        save_arrays(folder, arrays | {"about": lines_to_array([json.dumps(about, sort_keys=True)])})

    @classmethod
    def load(cls, folder):
        """Read a state; of its counts what is used is read."""
        arrays = Mapped(folder, COMMAND.format("start"))
        about = json.loads(arrays.text("about")[0])
        parameters = Parameters.from_arrays(arrays, jump_model(about["jump"]))
        return cls(parameters=parameters, iterations=iterations_from_array(arrays["iterations"]), **about)


class Mapped(Arrays):
    """Arrays of which the large ones stay on the disk."""

    def __getitem__(self, name):
        return self.mapped(name) if name in ("counts", "totals", "null") else super().__getitem__(name)


@dataclass(frozen=True)
class Share:
    """The expectations of a shard or of several, sparse, in the numbers of the index.

    ``entries`` and ``words``: the numbers of what ``expected`` has counts and null words of. ``began``: when
    the work on it did, seconds since the epoch. ``kept``: whether pruning leaves each document sentence of
    the shard for the next iteration; empty in a sum of shards.
    """

    expected: Expectations
    entries: np.ndarray
    words: np.ndarray
    began: float
    kept: np.ndarray

    def save(self, path):
        """Write to an npz file, numbers in as few bytes as they need."""
        arrays = {field.name: getattr(self.expected, field.name) for field in fields(Expectations)}
        arrays |= {name: _small(getattr(self, name)) for name in ("entries", "words")}
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez(out, began=np.float64(self.began), kept=self.kept, **arrays)

    @classmethod
    def load(cls, path):
        """Read a file; raises :class:`InputError` for another one."""
        with _opened(path) as file:
            expected = {field.name: file[field.name] for field in fields(Expectations)}
            numbers = ("moves", "distance", "log_likelihood")
            expected |= {name: float(expected[name]) for name in numbers}
            own = file["entries"], file["words"], float(file["began"]), file["kept"]
            return cls(Expectations(**expected), *own)


def read_kept(path):
    """``kept`` of a :class:`Share`, without the rest."""
    with _opened(path) as file:
        return file["kept"]


class _opened:
    """An npz file, errors as :class:`InputError`."""

    def __init__(self, path):
        self._path = path

    def __enter__(self):
        try:
            self._opened = open_checked(self._path)
            self._file = np.load(self._opened, allow_pickle=False)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            self._refuse(error)
        return self._file

    def __exit__(self, kind, error, trace):
        self._file.close()
        self._opened.close()
        if isinstance(error, KeyError | ValueError | EOFError | zipfile.BadZipFile | OSError):
            self._refuse(error)

    def _refuse(self, error):
        reason = getattr(error, "strerror", None) or "not expectations"
        raise InputError(
            f"{self._path}: cannot be read ({reason}); make it with `{COMMAND.format('expect')}`"
        ) from None


def _small(numbers):
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
