"""Trees as arrays, the form that the syntax-aware jump model reads (``trees.npz``)."""

import json
from array import array
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipeline.io.npz import read_npz
from pipeline.io.outputs import replacing
from pipeline.io.strict_json import parse_json
from pipeline.parse.brackets import bare
from pipeline.parse.sentences import ID_DIGITS, sentence_id
from pipeline.run.errors import InputError

MAKER = "python -m pipeline.parse.gather"
BLOCK = 4096  # trees checked at once


class Nodes(NamedTuple):
    """The constituents of a tree in pre-order, words included; of a unary chain the topmost alone.

    ``start``, ``end``: half-open token spans; ``label``: index into the labels of the corpus; ``parent``:
    index into these arrays, −1 for the root, which comes first. All int32, one entry a constituent.
    """

    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    parent: np.ndarray


def constituents(tree):
    """``[start, end, label, parent]`` of each node of a tree below its root TOP, see :class:`Nodes`."""
    found, start = [], 0
    pending = [(tree[0], -1)]
    while pending:
        node, parent = pending.pop()
        label = bare(node.label())
        children = list(node)
        while len(children) == 1 and not isinstance(children[0], str):
            children = list(children[0])
        number = len(found)
        found.append([start, start, label, parent])
        if isinstance(children[0], str):
            start += 1
            found[number][1] = start
        else:
            pending.extend((child, number) for child in reversed(children))
    for _, end, _, parent in reversed(found):
        if parent >= 0:
            found[parent][1] = max(found[parent][1], end)
    return found


def _nested(nodes, offsets):
    """Whether each tree between ``offsets`` begins with its root, and all else lies in its parent."""
    start, end, _, parent = (column[offsets[0] : offsets[-1]] for column in nodes)
    first = np.repeat(offsets[:-1] - offsets[0], np.diff(offsets))
    number = np.arange(len(start)) - first
    root = number == 0
    if not np.where(root, parent == -1, (parent >= 0) & (parent < number)).all():
        return False
    above = np.where(root, first, first + parent)
    return (np.where(root, start == 0, start >= start[above]) & (start < end) & (end <= end[above])).all()


class Trees:
    """The trees of a corpus, found by the tokens of a sentence.

    ``labels``: the constituent labels and tags that occur, sorted. ``ids``: sentence ids (N). ``offsets``
    (N+1): where the nodes of a tree begin in ``nodes``, a :class:`Nodes` of all trees. ``parser``: the
    settings of the parser that made them, to make more like them.
    """

    def __init__(self, labels, ids, offsets, nodes, parser):
        self.labels, self.ids, self.offsets, self.nodes, self.parser = labels, ids, offsets, nodes, parser

    @cached_property
    def _rows(self):
        """The ids in order, and the row of each."""
        order = np.argsort(self.ids, kind="stable")
        return self.ids[order], order

    @classmethod
    def collect(cls, trees, parser=None):
        """From an iterable of ``(sentence id, tree)``. Holds 16 bytes a node and 28 a tree."""
        ids, offsets, nodes = bytearray(), array("q", [0]), Nodes(*(array("i") for _ in Nodes._fields))
        numbers = {}
        for name, tree in trees:
            ids += name.encode()
            for start, end, label, parent in constituents(tree):
                row = start, end, numbers.setdefault(label, len(numbers)), parent
                for column, value in zip(nodes, row, strict=True):
                    column.append(value)
            offsets.append(len(nodes.start))
        labels = sorted(numbers)
        places = {label: place for place, label in enumerate(labels)}
        order = np.array([places[label] for label in numbers], dtype=np.int32)
        nodes = Nodes(*(np.frombuffer(column, dtype=np.int32) for column in nodes))
        nodes.label[:] = order[nodes.label]
        return cls(
            tuple(labels),
            np.frombuffer(ids, dtype=f"S{ID_DIGITS}"),
            np.frombuffer(offsets, dtype=np.int64),
            nodes,
            parser or {},
        )

    def of(self, tokens):
        """The :class:`Nodes` of the sentence with these tokens; ``KeyError`` where it has no tree."""
        names, rows = self._rows
        name = sentence_id(tokens).encode()
        place = np.searchsorted(names, name)
        if place == len(names) or names[place] != name:
            raise KeyError(name.decode())
        row = rows[place]
        nodes = Nodes(*(column[self.offsets[row] : self.offsets[row + 1]] for column in self.nodes))
        if nodes.end[0] != len(tokens):
            raise KeyError(name.decode())
        return nodes

    def _check(self):
        """Raise ValueError unless the arrays go together: kernels read them without looking."""
        label = self.nodes.label
        count = len(label)
        if not all(column.dtype == np.int32 and column.shape == (count,) for column in self.nodes):
            raise ValueError("the columns of nodes are not int32 of one length")
        if self.ids.dtype != f"S{ID_DIGITS}" or self.ids.ndim != 1:
            raise ValueError("the ids are none")
        if self.offsets.dtype != np.int64 or self.offsets.shape != (len(self.ids) + 1,):
            raise ValueError("there is not an offset for each id")
        if self.offsets[0] != 0 or self.offsets[-1] != count or (np.diff(self.offsets) < 1).any():
            raise ValueError("the offsets do not cover the nodes")
        if not all(isinstance(name, str) for name in self.labels) or not isinstance(self.parser, dict):
            raise ValueError("the labels are no texts, or the parser is none")
        if not ((label >= 0) & (label < len(self.labels))).all():
            raise ValueError("a node has a label that cannot be")
        for row in range(0, len(self.ids), BLOCK):
            if not _nested(self.nodes, self.offsets[row : row + BLOCK + 1]):
                raise ValueError("a node has a span or a parent that cannot be")

    def save(self, path):
        """Write ``trees.npz``, whole or not at all."""
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
    def load(cls, path):
        """Read ``trees.npz``; raises :class:`InputError` for another file."""
        arrays = read_npz(path, "a file of trees", MAKER)
        try:
            nodes = Nodes(*(arrays[name] for name in Nodes._fields))
            labels, parser = tuple(arrays["labels"].tolist()), parse_json(str(arrays["parser"]))
            trees = cls(labels, arrays["ids"], arrays["offsets"], nodes, parser)
            trees._check()
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path}: not a file of trees ({error}); make it again with `{MAKER}`") from None
        return trees
