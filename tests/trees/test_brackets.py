"""Trees in brackets: reading, writing, the root, and the tokens of a sentence."""

import pytest
from hypothesis import given
from nltk import Tree
from random_trees import trees
from vorlage.trees.brackets import TreeError, bare_label, read_tree, with_root, with_tokens, write_tree


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
        ("(S (NN a) (NN b) (NP ))", "a b", "the constituent NP is empty"),
        ("(TOP a)", "a", "the token a has no tag"),
        ("(S (NN a)", "a", "the brackets do not match"),
        ("(NN a) (NN b)", "a b", "not one pair of brackets"),
        ("a b", "a b", "not one pair of brackets"),
        ("(S " * 1000 + "(NN a)" + ")" * 1000, "a", "nested more than 400 deep"),
    ],
)
def test_a_tree_with_other_tokens_is_refused(text, tokens, says):
    with pytest.raises(TreeError, match=says):
        with_tokens(read_tree(text), tokens.split())


def test_labels_lose_function_tags_and_indices():
    given_labels = ["NP-SBJ-1", "NP", "-LRB-", "-NONE-", "S=2", "ADVP|PRT", "$", "PRP$"]
    assert [bare_label(label) for label in given_labels] == [
        "NP",
        "NP",
        "-LRB-",
        "-NONE-",
        "S",
        "ADVP",
        "$",
        "PRP$",
    ]


def test_the_root_has_one_child():
    assert with_root(Tree("", [Tree("NN", ["a"]), Tree("NN", ["b"])]))[0].label() == "S"
