"""Trees as arrays, the form that the syntax-aware jump model reads (`trees.npz`)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vorlage.files.arrays import Form, are_bounds, check_arrays, load_arrays, save_arrays
from vorlage.files.jsonl import parse_json
from vorlage.types import AnyArray, Bools, Ints, JsonObject, LongInts, StrPath

MAKER = "vorlage parse"
ID_DIGITS = 20
MAX_NODES = 2**31 - 1  # nodes, as they are int32


def sentence_id(tokens: Iterable[str]) -> str:
    """Return twenty hex digits of a SHA-256 hash of the tokens."""
    return hashlib.sha256(json.dumps(list(tokens)).encode()).hexdigest()[:ID_DIGITS]


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


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of a corpus, found by the tokens of a sentence.

    `labels`: the constituent labels and tags that occur, sorted. `ids`: sentence ids, (N,). `offsets`:
    where the nodes of each tree begin in `nodes`, a `Nodes` of all trees, (N+1,). `parser`: the
    settings of the parser that made the trees, for parsing more sentences in the same way.
    """

    labels: tuple[str, ...]
    ids: NDArray[np.bytes_]
    offsets: LongInts
    nodes: Nodes
    parser: JsonObject

    @cached_property
    def _rows(self) -> dict[bytes, int]:
        return {name: row for row, name in enumerate(self.ids.tolist())}

    @classmethod
    def collect(
        cls, trees: Iterable[tuple[str, Sequence[Constituent]]], parser: JsonObject | None = None
    ) -> "Trees":
        """Return the trees with these sentence ids and constituents, by a `parser` with these settings."""
        ids, rows = [], [np.empty((0, 4), dtype=np.int32)]
        numbers: dict[str, int] = {}
        for name, tree in trees:
            ids.append(name)
            numbered = [(x.start, x.end, numbers.setdefault(x.label, len(numbers)), x.parent) for x in tree]
            rows.append(np.array(numbered, dtype=np.int32))
        labels = tuple(sorted(numbers))
        nodes = Nodes(*np.ascontiguousarray(np.concatenate(rows).T))
        offsets = np.cumsum([len(tree) for tree in rows], dtype=np.int64)
        nodes = nodes._replace(label=_renumber(list(numbers), labels)[nodes.label])
        return cls(labels, np.array(ids, dtype=f"S{ID_DIGITS}"), offsets, nodes, parser or {})

    def find_nodes(self, tokens: Sequence[str]) -> Nodes:
        """Return the `Nodes` of the sentence with these tokens; raise KeyError if it has no tree."""
        row = self._rows[sentence_id(tokens).encode()]
        nodes = Nodes(*(column[self.offsets[row] : self.offsets[row + 1]] for column in self.nodes))
        words = np.unique(nodes.start[nodes.end == nodes.start + 1])
        if not np.array_equal(words, np.arange(len(tokens))) or nodes.end.max() > len(tokens):
            raise KeyError(row)  # of other words
        return nodes

    def save(self, path: StrPath) -> None:
        """Write `trees.npz`, whole or not at all."""
        arrays: dict[str, AnyArray] = {
            "labels": np.array(self.labels, dtype=np.str_),
            "ids": self.ids,
            "offsets": self.offsets,
            "parser": np.array(json.dumps(self.parser, sort_keys=True)),
            **self.nodes._asdict(),
        }
        save_arrays(path, arrays)

    @classmethod
    def load(cls, path: StrPath) -> "Trees":
        """Read `trees.npz`; raise `InputError` for another file."""
        return load_arrays(path, cls._from_arrays, "a file of trees", MAKER)

    @classmethod
    def _from_arrays(cls, arrays: dict[str, AnyArray]) -> "Trees":
        check_arrays(arrays, _forms(arrays))
        nodes = Nodes(*(arrays[name] for name in Nodes._fields))
        labels, parser = tuple(arrays["labels"].tolist()), parse_json(str(arrays["parser"]))
        return cls(labels, arrays["ids"], arrays["offsets"], nodes, parser)


def _forms(arrays: dict[str, AnyArray]) -> Iterator[tuple[str, Form]]:
    """Yield the arrays of a file and what they hold; sizes are those of arrays yielded before."""
    yield "labels", Form(np.str_, (None,))
    yield "parser", Form(np.str_, ())
    yield "ids", Form(np.bytes_, (None,))
    yield "offsets", Form(np.int64, (len(arrays["ids"]) + 1,), 0, MAX_NODES, are_bounds)
    nodes = (arrays["offsets"][-1],)
    yield "start", Form(np.int32, nodes, 0, MAX_NODES)
    yield "end", Form(np.int32, nodes, 1, MAX_NODES)
    yield "label", Form(np.int32, nodes, 0, len(arrays["labels"]) - 1)
    yield "parent", Form(np.int32, nodes, -1, nodes[0] - 1)


def merge_trees(parts: Sequence[Trees]) -> tuple[Trees, Bools]:
    """Return the trees of all parts of a corpus, each sentence once, and which trees of the parts these are.

    `parts`: one or more, in order, by the same parser.
    """
    labels = tuple(sorted(set().union(*(part.labels for part in parts))))
    ids = np.concatenate([part.ids for part in parts])
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    first = np.zeros(len(ids), dtype=bool)
    first[np.unique(ids, return_index=True)[1]] = True
    renumbered = [
        part.nodes._replace(label=_renumber(part.labels, labels)[part.nodes.label]) for part in parts
    ]
    columns = map(np.concatenate, zip(*renumbered, strict=True))
    nodes = Nodes(*(column[np.repeat(first, sizes)] for column in columns))
    offsets = np.cumsum([0, *sizes[first]], dtype=np.int64)
    return Trees(labels, ids[first], offsets, nodes, parts[0].parser), first


def _renumber(old: Sequence[str], new: Sequence[str]) -> Ints:
    """Return the number in `new` of each of the labels `old`."""
    places = {label: place for place, label in enumerate(new)}
    return np.array([places[label] for label in old], dtype=np.int32)
