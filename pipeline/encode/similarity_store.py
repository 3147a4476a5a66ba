"""The similarities of a corpus, read pair by pair as they are asked for."""

import json
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np

from pipeline.encode.similarities import Similarities, begins
from pipeline.io.arrays import Arrays
from pipeline.io.parts import Part, parse_part
from pipeline.run.errors import InputError

MAKER = "python -m pipeline.encode"
AGAIN = f"encode the corpus again with `{MAKER}`"


class SimilarityStore:
    """The similarities of a corpus, from the folder that has those of all its parts, such as ``3-of-10``.

    They stay on the disk and are mapped; about 160 bytes of a pair are held, to find it. ``about``: what the
    encoder was. Raises :class:`InputError` for a folder without, for one with parts missing, and for parts
    that do not go together. Pickles as its path.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self._parts = [_Part(path) for path in _part_folders(self.folder)]
        self._first = [0, *accumulate(len(part.ids) for part in self._parts)]
        self.about = self._parts[0].about
        if any(part.about != self.about for part in self._parts):
            raise InputError(f"{self.folder}: its parts are of several encoders; {AGAIN}")
        ids = (name for part in self._parts for name in part.ids)
        self._rows = {name: row for row, name in enumerate(ids)}
        if len(self._rows) < self._first[-1]:
            raise InputError(f"{self.folder}: has a pair twice; {AGAIN}")
        for part in self._parts:
            del part.ids

    def __reduce__(self):
        return SimilarityStore, (self.folder,)

    def get(self, name, shape):
        """The :class:`Similarities` of the pair with the id ``name``, read-only.

        ``shape``: what they are to have, see :func:`shape_of`. Raises :class:`InputError` where the pair is
        not there or has another.
        """
        row = self._rows.get(name)
        if row is None:
            raise InputError(f"{self.folder}: has no pair {name}; {AGAIN}")
        part = bisect_right(self._first, row) - 1
        row -= self._first[part]
        found = tuple(self._parts[part].shapes[row].tolist())
        if found != tuple(shape):
            raise InputError(
                f"{self.folder}: pair {name} was encoded with another extract: {_said(found)} there, "
                f"{_said(shape)} here; {AGAIN}"
            )
        return self._parts[part].get(row)


def _said(shape):
    return "{} × {} words in {} × {} sentences".format(*shape)


def _part_folders(folder):
    """The folders of the parts of a corpus, in order; what has another name is passed over."""
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
        raise InputError(f"{folder}: has parts of several divisions; remove it and {AGAIN}")
    missing = {Part(number, count) for number in range(1, count + 1)} - set(parts)
    if missing:
        raise InputError(f"{folder}: part {min(missing)} is not there; make it with `{MAKER}`")
    return [folder / str(part) for part in sorted(parts)]


class _Part:
    """The folder of a part; raises :class:`InputError` unless its arrays go together."""

    def __init__(self, folder):
        self._arrays = Arrays(folder, MAKER)
        try:
            self.about = json.loads("".join(self._arrays.text("about")))
            self.ids = self._arrays.text("ids")
        except ValueError:
            self._refuse()
        self.shapes = shapes = self._arrays["shapes"]
        if shapes.dtype != np.int32 or shapes.shape != (len(self.ids), 4) or (shapes < 0).any():
            self._refuse()
        self._at = [self._arrays[f"{name}_at"] for name in Similarities._fields]
        if not all(map(np.array_equal, self._at, begins(self.shapes))):
            self._refuse()

    @cached_property
    def _mapped(self):
        mapped = [self._arrays.mapped(name) for name in Similarities._fields]
        for array, at, dtype in zip(mapped, self._at, (np.float16, np.float32), strict=True):
            if array.dtype != dtype or array.shape != (at[-1],):
                self._refuse()
        return mapped

    def get(self, row):
        """The :class:`Similarities` of a pair, known by its row."""
        shapes = self.shapes[row].reshape(2, 2)
        spans = ((at[row], at[row + 1]) for at in self._at)
        views = (array[first:last] for array, (first, last) in zip(self._mapped, spans, strict=True))
        return Similarities(*(np.asarray(view).reshape(s) for view, s in zip(views, shapes, strict=True)))

    def _refuse(self):
        raise InputError(f"{self._arrays.folder}: holds no similarities of words; {AGAIN}")
