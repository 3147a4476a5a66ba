"""Trees as arrays: the constituents of a tree, and the file of all trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree
from random_trees import trees
from vorlage.command.errors import InputError
from vorlage.trees import sentences
from vorlage.trees.brackets import bare_label, read_tree
from vorlage.trees.tree_arrays import Trees, constituents


def distinct_spans(tree):
    """Return the spans of a tree with the label of their topmost node, by walking every path."""
    tree = tree.copy(deep=True)
    for number, place in enumerate(tree.treepositions("leaves")):
        tree[place] = number
    spans = {}
    for place in tree.treepositions():
        node = tree[place]
        if isinstance(node, Tree) and node.label() != "TOP":
            leaves = node.leaves()
            spans.setdefault((leaves[0], leaves[-1] + 1), bare_label(node.label()))
    return spans


@given(trees)
def test_constituents_are_the_distinct_spans(tree):
    found = constituents(tree)
    assert {(start, end): label for start, end, label, _ in found} == distinct_spans(tree)
    assert len(found) == len(distinct_spans(tree))
    for number, (start, end, _, parent) in enumerate(found):
        around = [i for i, (a, b, _, _) in enumerate(found) if a <= start and end <= b and i != number]
        smallest = min(around, key=lambda i: found[i][1] - found[i][0], default=-1)
        assert parent == smallest
        assert parent < number


@given(st.lists(trees, max_size=4))
def test_arrays_are_read_as_they_were_saved(tmp_path_factory, forest):
    path = tmp_path_factory.mktemp("trees") / "trees.npz"
    named = {sentences.sentence_id(tree.leaves()): tree for tree in forest}
    trees = Trees.collect(named.items())
    trees.save(path)
    again = Trees.load(path)
    assert (again.labels, list(again.ids)) == (trees.labels, list(trees.ids))
    for mine, theirs in zip(again.nodes, trees.nodes, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for tree in named.values():
        nodes = again.of(tree.leaves())
        assert [again.labels[x] for x in nodes.label] == [label for _, _, label, _ in constituents(tree)]


def test_another_file_than_a_file_of_trees_is_an_error(tmp_path):
    (tmp_path / "trees.npz").write_text("no arrays")
    with pytest.raises(InputError, match="trees.npz: not a file of trees"):
        Trees.load(tmp_path / "trees.npz")
    np.savez(tmp_path / "other.npz", labels=np.array([1]))
    with pytest.raises(InputError, match="other.npz: not a file of trees"):
        Trees.load(tmp_path / "other.npz")
    with pytest.raises(InputError, match="absent.npz: cannot be read"):
        Trees.load(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    ("column", "node", "value"),
    [("parent", 1, -1), ("parent", 1, 1), ("parent", 3, 0), ("start", 0, 1), ("end", 1, 0), ("label", 1, 9)],
)
def test_trees_that_are_not_nested_are_refused(tmp_path, column, node, value):
    """A number is changed in one of two trees of three nodes."""
    by_text = {text: read_tree(text) for text in ("(S (NN a) (NN b))", "(S (NN c) (VB d))")}
    trees = Trees.collect((sentences.sentence_id(tree.leaves()), tree) for tree in by_text.values())
    trees.save(tmp_path / "trees.npz")
    assert Trees.load(tmp_path / "trees.npz").of(["c", "d"])
    getattr(trees.nodes, column)[node] = value
    trees.save(tmp_path / "trees.npz")
    with pytest.raises(InputError, match="trees.npz: not a file of trees"):
        Trees.load(tmp_path / "trees.npz")
