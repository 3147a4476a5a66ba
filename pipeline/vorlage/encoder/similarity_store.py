"""The similarities of a corpus, read from disk one pair at a time."""

import json
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NoReturn

import numpy as np

from vorlage.command.errors import InputError
from vorlage.encoder.similarities import Shape, Similarities, offsets
from vorlage.files.arrays import array_to_lines, load_array
from vorlage.files.parts import Part, parse_part
from vorlage.types import AnyArray, JsonObject, StrPath

MAKER = "vorlage encode"
AGAIN = f"encode the corpus again with `{MAKER}`"


class SimilarityStore:
    """The similarities of a corpus, from a folder with a subfolder for each part, such as `3-of-10`.

    They are mapped from disk; memory holds about 160 bytes per pair, to find it. `about`: what decides the
    vectors of the encoder. Raises `InputError` for a folder without parts, with parts missing, or
    with parts that do not belong together. Pickles as its path.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = Path(folder)
        self._parts = [_Part(path) for path in _part_folders(self.folder)]
        self._first = [0, *accumulate(len(part.ids) for part in self._parts)]
        self.about = self._parts[0].about
        if any(part.about != self.about for part in self._parts):
            raise InputError(f"{self.folder}: its parts are from different encoders; {AGAIN}")
        ids = (pair_id for part in self._parts for pair_id in part.ids)
        self._rows = {pair_id: row for row, pair_id in enumerate(ids)}
        if len(self._rows) < self._first[-1]:
            raise InputError(f"{self.folder}: contains a pair twice; {AGAIN}")
        for part in self._parts:
            del part.ids

    def __reduce__(self) -> tuple[type, tuple[Path]]:
        return SimilarityStore, (self.folder,)

    def get(self, pair_id: str, shape: Shape) -> Similarities:
        """Return the `Similarities` of a pair, read-only.

        `shape`: the shape that they must have. Raise `InputError` for another shape and for an
        unknown pair.
        """
        row = self._rows.get(pair_id)
        if row is None:
            raise InputError(f"{self.folder}: has no pair {pair_id}; {AGAIN}")
        part = bisect_right(self._first, row) - 1
        row -= self._first[part]
        stored = tuple(self._parts[part].shapes[row].tolist())
        if stored != tuple(shape):
            raise InputError(
                f"{self.folder}: pair {pair_id} was encoded with another extract, {_describe(stored)} "
                f"instead of {_describe(shape)}; {AGAIN}"
            )
        return self._parts[part].get(row)


def _describe(shape: tuple[int, ...]) -> str:
    return "{} × {} words in {} × {} sentences".format(*shape)


def _part_folders(folder: Path) -> list[Path]:
    """Return the folders of the parts of a corpus, in order; folders with other names are ignored."""
    parts = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            parts.append(parse_part(path.name))
        except InputError:
            continue
    if not parts:
        raise InputError(f"{folder}: has no similarities of words; make them with `{MAKER}`")
    count = max(part.of for part in parts)
    if any(part.of != count for part in parts):
        raise InputError(f"{folder}: mixes parts of different divisions; remove the folder and {AGAIN}")
    missing = {Part(number, count) for number in range(1, count + 1)} - set(parts)
    if missing:
        raise InputError(f"{folder}: part {min(missing)} is missing; make it with `{MAKER}`")
    return [folder / str(part) for part in sorted(parts)]


class _Part:
    """The folder of a part; raises `InputError` unless its arrays are consistent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self.about: JsonObject = json.loads("".join(array_to_lines(self._load("about"))))
            self.ids = array_to_lines(self._load("ids"))
        except ValueError:
            self._refuse()
        self.shapes = shapes = self._load("shapes")
        if shapes.dtype != np.int32 or shapes.shape != (len(self.ids), 4) or (shapes < 0).any():
            self._refuse()
        self._at = [self._load(f"{name}_at") for name in Similarities._fields]
        if not all(map(np.array_equal, self._at, offsets(shapes))):
            self._refuse()

    @cached_property
    def _mapped(self) -> list[AnyArray]:
        mapped = [self._load(name, mapped=True) for name in Similarities._fields]
        for array, at, dtype in zip(mapped, self._at, (np.float16, np.float32), strict=True):
            if array.dtype != dtype or array.shape != (at[-1],):
                self._refuse()
        return mapped

    def get(self, row: int) -> Similarities:
        """Return the `Similarities` of the pair in a row of `shapes`."""
        shapes = self.shapes[row].reshape(2, 2)
        spans = ((at[row], at[row + 1]) for at in self._at)
        views = (array[first:last] for array, (first, last) in zip(self._mapped, spans, strict=True))
        return Similarities(*(np.asarray(view).reshape(s) for view, s in zip(views, shapes, strict=True)))

    def _load(self, name: str, mapped: bool = False) -> AnyArray:
        return load_array(self._folder / f"{name}.npy", "similarities of words", MAKER, mapped)

    def _refuse(self) -> NoReturn:
        raise InputError(f"{self._folder}: not similarities of words, or damaged; {AGAIN}")
