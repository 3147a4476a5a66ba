"""Trees as arrays, the form that the syntax-aware jump model reads (`trees.npz`)."""

import json
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vorlage.command.errors import InputError
from vorlage.files.arrays import load_arrays
from vorlage.files.jsonl import parse_json
from vorlage.files.outputs import replacing
from vorlage.trees.brackets import bare_label
from vorlage.trees.sentences import ID_DIGITS, sentence_id
from vorlage.types import Ints, JsonObject, LongInts, StrPath

if TYPE_CHECKING:  # NLTK takes seconds to import
    from nltk import Tree

MAKER = "vorlage gather-trees"
BLOCK = 4096  # trees checked at once


class Nodes(NamedTuple):
    """The constituents of a tree in pre-order, words included; only the topmost of a unary chain.

    `start`, `end`: half-open token spans; `label`: index into the labels of the corpus; `parent`:
    index into these arrays, −1 for the root, which comes first. All int32, one entry for each constituent.
    """

    start: Ints
    end: Ints
    label: Ints
    parent: Ints


class Constituent(NamedTuple):
    """A row of `Nodes`, with the label as a text."""

    start: int
    end: int
    label: str
    parent: int


def constituents(tree: "Tree") -> list[Constituent]:
    """Return the constituents of a tree below its root TOP, in the order of `Nodes`."""
    starts: list[int] = []
    ends: list[int] = []
    labels: list[str] = []
    parents: list[int] = []
    token = 0
    pending = [(tree[0], -1)]
    while pending:
        node, parent = pending.pop()
        labels.append(bare_label(node.label()))
        children = list(node)
        while len(children) == 1 and not isinstance(children[0], str):
            children = list(children[0])
        number = len(starts)
        starts.append(token)
        parents.append(parent)
        if isinstance(children[0], str):
            token += 1
        else:
            pending.extend((child, number) for child in reversed(children))
        ends.append(token)
    for number in range(len(ends) - 1, 0, -1):
        parent = parents[number]
        ends[parent] = max(ends[parent], ends[number])
    return list(map(Constituent, starts, ends, labels, parents))


def _are_nested(nodes: Nodes, offsets: LongInts) -> bool:
    """Return whether each tree between `offsets` starts with its root, with other nodes inside parents."""
    start, end, _, parent = (column[offsets[0] : offsets[-1]] for column in nodes)
    first = np.repeat(offsets[:-1] - offsets[0], np.diff(offsets))
    number = np.arange(len(start)) - first
    root = number == 0
    if not np.where(root, parent == -1, (parent >= 0) & (parent < number)).all():
        return False
    above = np.where(root, first, first + parent)
    nested = np.where(root, start == 0, start >= start[above]) & (start < end) & (end <= end[above])
    return bool(nested.all())


class Trees:
    """The trees of a corpus, found by the tokens of a sentence.

    `labels`: the constituent labels and tags that occur, sorted. `ids`: sentence ids, (N,). `offsets`:
    where the nodes of each tree begin in `nodes`, a `Nodes` of all trees, (N+1,). `parser`: the
    settings of the parser that made the trees, for parsing more sentences in the same way.
    """

    def __init__(
        self,
        labels: tuple[str, ...],
        ids: NDArray[np.bytes_],
        offsets: LongInts,
        nodes: Nodes,
        parser: JsonObject,
    ) -> None:
        self.labels, self.ids, self.offsets, self.nodes, self.parser = labels, ids, offsets, nodes, parser

    @cached_property
    def _rows(self) -> tuple[NDArray[np.bytes_], NDArray[np.intp]]:
        """The sorted ids, and the row of each."""
        order = np.argsort(self.ids, kind="stable")
        return self.ids[order], order

    @classmethod
    def collect(cls, trees: "Iterable[tuple[str, Tree]]", parser: JsonObject | None = None) -> "Trees":
        """Return the trees of `(sentence id, tree)` pairs; memory: 16 bytes per node and 28 per tree."""
        ids, offsets = bytearray(), array("q", [0])
        columns = [array("i") for _ in Nodes._fields]
        numbers: dict[str, int] = {}
        for name, tree in trees:
            ids += name.encode()
            for start, end, label, parent in constituents(tree):
                row = start, end, numbers.setdefault(label, len(numbers)), parent
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
            offsets.append(len(columns[0]))
        labels = sorted(numbers)
        places = {label: place for place, label in enumerate(labels)}
        order = np.array([places[label] for label in numbers], dtype=np.int32)
        nodes = Nodes(*(np.frombuffer(column, dtype=np.int32) for column in columns))
        nodes.label[:] = order[nodes.label]
        return cls(
            tuple(labels),
            np.frombuffer(ids, dtype=f"S{ID_DIGITS}"),
            np.frombuffer(offsets, dtype=np.int64),
            nodes,
            parser or {},
        )

    def of(self, tokens: Sequence[str]) -> Nodes:
        """Return the `Nodes` of the sentence with these tokens; raise KeyError if it has no tree."""
        ids, rows = self._rows
        name = sentence_id(tokens)
        key = name.encode()
        place = np.searchsorted(ids, key)
        if place == len(ids) or ids[place] != key:
            raise KeyError(name)
        row = rows[place]
        nodes = Nodes(*(column[self.offsets[row] : self.offsets[row + 1]] for column in self.nodes))
        if nodes.end[0] != len(tokens):
            raise KeyError(name)
        return nodes

    def _check(self) -> None:
        """Raise ValueError unless the arrays are consistent: kernels read them without checks."""
        label = self.nodes.label
        count = len(label)
        if not all(column.dtype == np.int32 and column.shape == (count,) for column in self.nodes):
            raise ValueError("the columns of nodes are not int32 of one length")
        if self.ids.dtype != f"S{ID_DIGITS}" or self.ids.ndim != 1:
            raise ValueError("the ids are not sentence ids")
        if self.offsets.dtype != np.int64 or self.offsets.shape != (len(self.ids) + 1,):
            raise ValueError("the number of offsets does not fit the ids")
        if self.offsets[0] != 0 or self.offsets[-1] != count or (np.diff(self.offsets) < 1).any():
            raise ValueError("the offsets do not cover the nodes")
        if not all(isinstance(name, str) for name in self.labels) or not isinstance(self.parser, dict):
            raise ValueError("the labels are not strings, or the parser is not an object")
        if not ((label >= 0) & (label < len(self.labels))).all():
            raise ValueError("a node has an impossible label")
        for row in range(0, len(self.ids), BLOCK):
            if not _are_nested(self.nodes, self.offsets[row : row + BLOCK + 1]):
                raise ValueError("a node has an impossible span or parent")

    def save(self, path: StrPath) -> None:
        """Write `trees.npz`, whole or not at all."""
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez_compressed(
                out,
                labels=np.array(self.labels, dtype=np.str_),
                ids=self.ids,
                offsets=self.offsets,
                parser=np.array(json.dumps(self.parser, sort_keys=True)),
                **self.nodes._asdict(),
            )

    @classmethod
    def load(cls, path: StrPath) -> "Trees":
        """Read `trees.npz`; raise `InputError` for another file."""
        arrays = load_arrays(path, "a file of trees", MAKER)
        try:
            nodes = Nodes(*(arrays[name] for name in Nodes._fields))
            labels, parser = tuple(arrays["labels"].tolist()), parse_json(str(arrays["parser"]))
            trees = cls(labels, arrays["ids"], arrays["offsets"], nodes, parser)
            trees._check()
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path}: not a file of trees ({error}); make it again with `{MAKER}`") from None
        return trees
