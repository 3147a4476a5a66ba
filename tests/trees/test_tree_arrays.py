"""The file of all trees, whole and merged from parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree
from random_trees import trees
from vorlage.command.errors import InputError
from vorlage.trees.brackets import constituents
from vorlage.trees.tree_arrays import Trees, merge_trees, sentence_id


def collect(forest):
    """Return the `Trees` of different sentences, the first tree of each."""
    rows = {}
    for tree in forest:
        rows.setdefault(sentence_id(tree.leaves()), constituents(tree))
    return Trees.collect(rows.items(), {"backend": "trees"})


def assert_equal(made, expected):
    assert (made.labels, made.parser) == (expected.labels, expected.parser)
    assert made.ids.tolist() == expected.ids.tolist()
    for mine, theirs in zip([*made.nodes, made.offsets], [*expected.nodes, expected.offsets], strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


@given(st.lists(trees, max_size=4))
def test_arrays_are_read_as_they_were_saved(tmp_path_factory, forest):
    path = tmp_path_factory.mktemp("trees") / "trees.npz"
    made = collect(forest)
    made.save(path)
    again = Trees.load(path)
    assert_equal(again, made)
    for tree in {sentence_id(tree.leaves()): tree for tree in reversed(forest)}.values():
        nodes = again.of(tree.leaves())
        rows = zip(nodes.start, nodes.end, [again.labels[x] for x in nodes.label], nodes.parent, strict=True)
        assert list(rows) == constituents(tree)
    with pytest.raises(KeyError):
        again.of(["no", "such", "sentence"])


@given(st.lists(st.lists(trees, max_size=3), min_size=1, max_size=3))
def test_merged_parts_are_the_whole(forests):
    """Of a sentence in several parts, the trees are the same."""
    first = {}
    parts = [[first.setdefault(tuple(tree.leaves()), tree) for tree in forest] for forest in forests]
    merged, kept = merge_trees([collect(forest) for forest in parts])
    assert_equal(merged, collect([tree for forest in parts for tree in forest]))
    assert kept.sum() == len(merged.ids)


def test_another_file_than_a_file_of_trees_is_an_error(tmp_path):
    path = tmp_path / "trees.npz"
    path.write_bytes(b"no arrays")
    with pytest.raises(
        InputError, match="trees.npz: not a file of trees, of another version, or damaged: File is not a zip"
    ):
        Trees.load(path)
    np.savez(path, labels=np.array(["S"]))
    with pytest.raises(InputError, match="it has no array 'parser'; make it again with `vorlage parse`"):
        Trees.load(path)


@pytest.mark.parametrize("name", ["offsets", "start", "end", "label", "parent"])
@pytest.mark.parametrize("change", [lambda a: a + 10**8, lambda a: a - 10**8, lambda a: a[:-1]])
def test_nodes_that_are_in_no_tree_are_refused(tmp_path, name, change):
    path, tokens = tmp_path / "trees.npz", ["No", "one", "asked"]
    collect([Tree.fromstring("(TOP (S (NP (DT No) (NN one)) (VBD asked)))")]).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **arrays | {name: change(arrays[name])})
    with pytest.raises((InputError, KeyError)):  # the latter for the tree of another sentence
        Trees.load(path).of(tokens)
