"""Trees: in brackets, as constituents, and in the file of all trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree
from vorlage.command.errors import InputError
from vorlage.trees.parser import bare_label, list_constituents, read_tree, with_tokens, write_tree
from vorlage.trees.tree_arrays import Trees, sentence_id

# Trees with odd words and labels.
words = st.text(
    st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1, max_size=4
)
labels = st.sampled_from(["S", "NP", "VP", "NP-SBJ-1", "-LRB-", "$", ",", "X=2"])
trees = st.recursive(
    st.builds(lambda label, word: Tree(label, [word]), labels, words),
    lambda below: st.builds(Tree, labels, st.lists(below, min_size=1, max_size=4)),
    max_leaves=12,
).map(lambda tree: Tree("TOP", [tree]))


@given(trees)
def test_brackets_are_read_as_they_were_written(tree):
    line = write_tree(tree)
    assert "\n" not in line
    again = with_tokens(read_tree(line), tree.leaves())
    assert again == tree
    # A word that looks like an escaped bracket stays as it is.
    assert write_tree(read_tree(line)) == line


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("(NP (DT a) (NN cat))", "(TOP (NP (DT a) (NN cat)))"),
        ("( (S (NN a)) )", "(TOP (S (NN a)))"),
        ("(ROOT (S (NN a)))", "(TOP (S (NN a)))"),
        ("(S1 (NN a) (NN b))", "(TOP (S (NN a) (NN b)))"),
        ("(NN -LRB-)", "(TOP (NN -LRB-))"),
    ],
)
def test_every_tree_gets_the_same_root(text, brackets):
    assert write_tree(read_tree(text)) == brackets


@pytest.mark.parametrize(
    ("text", "tokens", "says"),
    [
        ("(S (NN a) (NN c))", "a b", "token 2 is c in the tree and b in the sentence"),
        ("(S (NN a))", "a b", "the tree has 1 tokens and the sentence 2"),
        ("(S (NP (NN a) b))", "a b", "the token b has no tag"),
        ("(S (NN a) ( (NN b)))", "a b", "a bracket inside has no label"),
        ("(S (NN a)", "a", "the brackets do not match"),
        ("(NN a) (NN b)", "a b", "not one pair of brackets"),
    ],
)
def test_what_is_no_tree_of_the_sentence_is_refused(text, tokens, says):
    with pytest.raises(ValueError, match=says):
        with_tokens(read_tree(text), tokens.split())


def test_labels_lose_function_tags_and_indices():
    labels = "NP-SBJ-1 NP -LRB- -NONE- S=2 ADVP|PRT $ PRP$ =".split()
    assert list(map(bare_label, labels)) == "NP NP -LRB- -NONE- S ADVP $ PRP$ =".split()


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
    rows = list_constituents(tree)
    assert {(start, end): label for start, end, label, _ in rows} == distinct_spans(tree)
    assert len(rows) == len(distinct_spans(tree))
    for number, (start, end, _, parent) in enumerate(rows):
        around = [i for i, (a, b, _, _) in enumerate(rows) if a <= start and end <= b and i != number]
        assert parent == min(around, key=lambda i: rows[i][1] - rows[i][0], default=-1)
        assert parent < number


def collect(forest):
    """Return the `Trees` of different sentences, the first tree of each."""
    rows = {}
    for tree in forest:
        rows.setdefault(sentence_id(tree.leaves()), list_constituents(tree))
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
        nodes = again.find_nodes(tree.leaves())
        rows = zip(nodes.start, nodes.end, [again.labels[x] for x in nodes.label], nodes.parent, strict=True)
        assert list(rows) == list_constituents(tree)
    with pytest.raises(KeyError):
        again.find_nodes(["no", "such", "sentence"])


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
        Trees.load(path).find_nodes(tokens)
