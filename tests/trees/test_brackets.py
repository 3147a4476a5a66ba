"""Trees in brackets: reading, writing, the root, the tokens of a sentence, and the constituents."""

import pytest
from hypothesis import given
from nltk import Tree
from random_trees import trees
from vorlage.trees.brackets import bare_label, constituents, read_tree, with_tokens, write_tree


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
    rows = constituents(tree)
    assert {(start, end): label for start, end, label, _ in rows} == distinct_spans(tree)
    assert len(rows) == len(distinct_spans(tree))
    for number, (start, end, _, parent) in enumerate(rows):
        around = [i for i, (a, b, _, _) in enumerate(rows) if a <= start and end <= b and i != number]
        assert parent == min(around, key=lambda i: rows[i][1] - rows[i][0], default=-1)
        assert parent < number
