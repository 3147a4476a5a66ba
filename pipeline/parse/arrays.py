"""Trees as arrays, the form that the syntax-aware jump model reads (``trees.npz``)."""

import json
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError
from pipeline.files import replacing
from pipeline.parse.brackets import bare
from pipeline.parse.sentences import sentence_id


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


class Trees:
    """The trees of a corpus, found by the tokens of a sentence.

    ``labels``: the constituent labels and tags that occur, sorted. ``ids``: sentence ids (N). ``offsets``
    (N+1): where the nodes of a tree begin in ``nodes``, a :class:`Nodes` of all trees. ``parser``: the
    settings of the parser that made them, to make more like them.
    """

    def __init__(self, labels, ids, offsets, nodes, parser):
        self.labels, self.ids, self.offsets, self.nodes, self.parser = labels, ids, offsets, nodes, parser
        self._row = {name: row for row, name in enumerate(ids)}

    @classmethod
    def collect(cls, trees, parser=None):
        """From an iterable of ``(sentence id, tree)``."""
        ids, offsets, rows = [], [0], []
        numbers = {}
        for name, tree in trees:
            ids.append(name)
            found = [
                (a, b, numbers.setdefault(label, len(numbers)), p) for a, b, label, p in constituents(tree)
            ]
            rows.append(np.array(found, dtype=np.int32))
            offsets.append(offsets[-1] + len(found))
        table = np.concatenate(rows) if rows else np.empty((0, 4), dtype=np.int32)
        labels = sorted(numbers)
        places = {label: place for place, label in enumerate(labels)}
        order = np.array([places[label] for label in numbers], dtype=np.int32)
        columns = table.T.copy()
        columns[2] = order[columns[2]]
        return cls(
            tuple(labels), tuple(ids), np.array(offsets, dtype=np.int64), Nodes(*columns), parser or {}
        )

    def of(self, tokens):
        """The :class:`Nodes` of the sentence with these tokens; ``KeyError`` where it has no tree."""
        row = self._row[sentence_id(tokens)]
        return Nodes(*(column[self.offsets[row] : self.offsets[row + 1]] for column in self.nodes))

    def save(self, path):
        """Write ``trees.npz``, whole or not at all."""
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez_compressed(
                out,
                labels=np.array(self.labels, dtype=np.str_),
                ids=np.array(self.ids, dtype="S20"),
                offsets=self.offsets,
                parser=np.array(json.dumps(self.parser, sort_keys=True)),
                **self.nodes._asdict(),
            )

    @classmethod
    def load(cls, path):
        """Read ``trees.npz``; raises :class:`InputError` for another file."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                nodes = Nodes(*(arrays[name] for name in Nodes._fields))
                labels = tuple(arrays["labels"].tolist())
                ids = tuple(name.decode() for name in arrays["ids"].tolist())
                return cls(labels, ids, arrays["offsets"], nodes, json.loads(str(arrays["parser"])))
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from None
        except (ValueError, KeyError):
            raise InputError(
                f"{path}: not a file of trees; make it with python -m pipeline.parse.gather"
            ) from None
