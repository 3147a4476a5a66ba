"""The rows of an index in parts, and what each shard has of them.

The folder of a part, which `entries` writes, has the arrays of :class:`~pipeline.train.index.Rows`, and some
with a piece for each shard, so that a job reads only those of its shard: ``own_rows``, the rows of the shard
in this part; ``word_entries`` and ``phrase_entries``, the entries of its two blocks, −1 for an unlisted one;
and ``own_totals`` without counts. The folders of `add` have what an iteration has learned: the ``counts`` of
all entries and their ``log_prior``, and for each shard ``own_totals``, ``word_counts`` and ``phrase_counts``.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.io.arrays import Arrays, ArrayWriter
from pipeline.io.parts import parse_part, part_files
from pipeline.train.index import Rows
from pipeline.train.pairs import Numbers
from pipeline.train.parameters import Parameters
from pipeline.train.sharded.files import open_arrays
from pipeline.types import AnyArray, Floats, LongInts, StrPath

OF_SHARD = ("rows", "row_chance", "row_histogram", "frequency", "spread")  # arrays of `index`


def read_bounds(index: StrPath) -> LongInts:
    """Return the bounds of the parts of the rows; ``index``: the folder of the index."""
    bounds: LongInts = open_arrays(Path(index) / "tables", "index")["bounds"]
    return bounds


def open_parts(folder: StrPath, index: StrPath, step: str) -> list[Arrays]:
    """Return the arrays of all parts of the rows in a folder that the command ``step`` fills."""
    return [open_arrays(part, step) for part in part_files(folder, len(read_bounds(index)) - 1)]


def read_rows(part: Arrays) -> Rows:
    """Return the :class:`Rows` of a part."""
    return Rows(*(part[name] for name in Rows._fields))


def write_looked_up(folder: Path, name: str, values: Floats, part: Arrays, places: str) -> None:
    """Write to ``folder`` what each shard has of the ``values`` of a part: those at its ``places``, an array
    of `entries`. There is 0 for −1.
    """
    at, slices = part[f"{places}_at"], part.slices(places)
    np.save(folder / f"{name}_at.npy", at)
    writer = ArrayWriter(folder / f"{name}.npy", np.float64, int(at[-1]))
    for first, last in pairwise(at.tolist()):
        own = slices[first:last]
        writer.append(np.where(own >= 0, values[own], 0.0))
    writer.check()


class OwnEntries(NamedTuple):
    """The entries of a shard (E) in the parts of the rows.

    ``numbers`` (E): of the entries in their parts, −1 for an unlisted one. ``ends`` (2K): where those of each
    of K parts end, of the word block and then of the phrase block.
    """

    numbers: AnyArray
    ends: LongInts

    def by_part(self, places: AnyArray, counts: Floats) -> list[tuple[AnyArray, Floats]]:
        """Return the numbers and the ``counts`` of the entries at ``places``, ascending, for each part."""
        bounds, parts = np.searchsorted(places, self.ends[:-1]), len(self.ends) // 2
        numbers, pieces = np.split(self.numbers[places], bounds), np.split(counts, bounds)
        return [(np.concatenate(numbers[k::parts]), np.concatenate(pieces[k::parts])) for k in range(parts)]


def read_numbers(index: StrPath, rows: Sequence[Arrays], shard: str) -> tuple[Numbers, OwnEntries]:
    """Return the :class:`Numbers` of a shard, known by its name, and its entries in the parts of ``rows``.

    The ``entries`` of the numbers are places among the latter.
    """
    own = open_arrays(Path(index) / shard, "index")
    pieces = _pieces(rows, shard, "word_entries", "phrase_entries")
    entries = OwnEntries(np.concatenate(pieces), np.cumsum([len(piece) for piece in pieces]))
    places = np.where(entries.numbers >= 0, np.arange(len(entries.numbers), dtype=np.int32), -1)
    share = np.concatenate([part["share"] for part in rows])
    words = own["rows"][own["rows"] < len(share)]
    arrays = {name: own[name] for name in OF_SHARD}
    return Numbers(entries=places, share=share[words], **arrays), entries


def read_parameters(
    parameters: Parameters, rows: Sequence[Arrays], counts: Sequence[Arrays] | None, shard: str, own: Numbers
) -> Parameters:
    """Return ``parameters`` with the counts of the entries of a shard and the totals of its rows.

    ``rows``: all parts of the rows; ``counts``: all parts of those of `add`, none before the first iteration;
    ``own``: of the shard, by whose ``rows`` and ``entries`` counts and totals are looked up.
    """
    assert own.entries is not None
    of_shard = np.zeros(len(own.entries))
    if counts:
        of_shard = np.concatenate(_pieces(counts, shard, "word_counts", "phrase_counts"))
    totals = np.zeros(int(own.rows.max()) + 1)
    totals[own.rows] = np.concatenate(_pieces(counts or rows, shard, "own_totals"))
    return replace(parameters, counts=of_shard, totals=totals)


def _pieces(parts: Sequence[Arrays], shard: str, *names: str) -> list[AnyArray]:
    """Return what a shard has of arrays in all parts: all pieces of the first array, then of the next."""
    number = parse_part(shard).number - 1
    return [part.ragged(name, number) for name in names for part in parts]
