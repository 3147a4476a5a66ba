"""The pattern parser: trees of our own sentences, properties of any tree, and a treebank."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree
from parser_agreement import evaluate, read_treebank, scores
from vorlage.text.tags import tag
from vorlage.trees.parser import read_tree, with_tokens, write_tree
from vorlage.trees.pattern import parse as parse_all

TREEBANK = Path(__file__).parents[3] / "shared/data/ptb-sample/dev.mrg"


def parse(*sentences):
    return list(parse_all([tuple(sentence.split()) for sentence in sentences]))


@pytest.mark.parametrize(
    "brackets",
    [
        # Complements of a verb; some prepositions attach to the noun, others to the verb.
        "(S (NP (NNP Connecting) (NNP Point) (NNPS Systems)) (VP (VBD tripled)"
        " (NP (NP (PRP$ its) (NNS sales)) (PP (IN of) (NP (NNP Apple) (NNP Macintosh) (NNS systems))))"
        " (PP (IN since) (NP (JJ last) (NNP January)))) (. .))",
        # Nested auxiliaries; a clause with that.
        "(S (NP (PRP She)) (VP (VBD said) (SBAR (IN that) (S (NP (DT the) (NN company)) (VP (MD will)"
        " (RB not) (VP (VB sell) (NP (DT the) (NN plant))))))) (. .))",
        # A relative clause between commas.
        "(S (NP (NP (DT The) (JJ old) (NN printer)) (, ,) (SBAR (WHNP (WDT which)) (S (NP (NN nobody))"
        " (VP (VBD liked)))) (, ,)) (VP (VBD broke) (NP (JJ last) (NN week))) (. .))",
        # Possessives; coordinated verb phrases.
        "(S (NP (NP (NNP John) (POS 's)) (NN boat)) (VP (VP (VBD left) (NP (DT the) (NN harbour))) (CC and)"
        " (VP (VBD sank))) (. .))",
        # An apposition; a participle instead of a relative clause.
        "(S (NP (NP (NNP Brandt)) (, ,) (NP (DT a) (NN baker)) (, ,)) (VP (VBZ makes) (NP (NP (NN bread))"
        " (VP (VBN known) (PP (IN in) (NP (NNP Oslo)))))) (. .))",
        # Questions: the auxiliary before its subject, a question word before both, and as the subject.
        "(SQ (VBD Did) (NP (DT the) (NN company)) (VP (VB sell) (NP (DT the) (NN plant))) (. ?))",
        "(SBARQ (WHADVP (WRB Where)) (SQ (VBZ is) (NP (DT the) (NN harbour))) (. ?))",
        "(S (NP (NP (DT The) (NN price)) (PP (IN of) (NP (NN bread) (, ,) (NN butter) (CC and) (NN milk))))"
        " (VP (VBD rose) (NP (CD 3) (NN %)) (PP (IN in) (NP (NNP May)))) (. .))",
        "(S (VP (VB Stop)))",
        # Parentheses; phrases that are not sentences.
        "(NP (NP (DT The) (NN tram)) (PRN (-LRB- -LRB-) (NP (NN line) (CD 2)) (-RRB- -RRB-)))",
        "(NP (NP (JJ Cheap) (NN laser) (NNS printers)) (PP (IN for) (NP (NNS offices))))",
    ],
)
def test_trees_of_our_own_sentences(brackets):
    expected = read_tree(brackets)
    tokens = " ".join(expected.leaves()).replace("-LRB-", "(").replace("-RRB-", ")")
    (made,) = parse(tokens)
    assert write_tree(made.tree) == write_tree(expected)


tokens = st.text(
    st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1, max_size=6
)
common = st.sampled_from(
    "the that of to said was not 's and , . ( ) [ ] `` '' $ 5 million which why / &slash; -LRB- 1/2".split()
)


@given(st.lists(st.one_of(common, tokens), min_size=1, max_size=40))
def test_the_tree_of_any_tokens_has_these_tokens(sentence):
    (made,) = parse_all([tuple(sentence)])
    assert not made.refused
    assert with_tokens(made.tree, sentence) == made.tree
    assert with_tokens(read_tree(write_tree(made.tree)), sentence) == made.tree
    assert made.tree.label() == "TOP" and len(made.tree) == 1
    assert all(isinstance(made.tree[place[:-1]], Tree) for place in made.tree.treepositions("leaves"))


@pytest.mark.parametrize("words", ["the old man saw that she and he said", ",", "of"])
def test_long_sentences_are_parsed(words):
    tokens = (words.split() * 3000)[:3000]
    (made,) = parse_all([tuple(tokens)])
    assert made.tree.leaves() == tokens
    assert read_tree(write_tree(made.tree)) == made.tree


@pytest.mark.skipif(not TREEBANK.exists(), reason="../shared/data/ptb-sample is not here")
def test_agreement_with_a_treebank():
    counts = evaluate(parse_all, list(read_treebank(TREEBANK)))
    assert counts["sentences"] == 276 and not counts["refused"]
    assert scores(counts)["f1"] > 0.74
    assert scores(counts)["tags"] > 0.95


@pytest.mark.parametrize(
    ("sentence", "tags"),
    [
        ("the boat that sank", "DT NN WDT VBD"),
        ("He said that it sank", "PRP VBD IN PRP VBD"),
        ("That is the baker 's shop", "DT VBZ DT NN POS NN"),
        ("She 's home", "PRP VBZ NN"),
        ('" Yes , " ( [ 2 -- 3 ] ) !', "`` UH , '' -LRB- -LRB- CD : CD -RRB- -RRB- ."),
        ("They want to report the loss", "PRP VBP TO VB DT NN"),
        ("The firm has tripled its sales", "DT NN VBZ VBN PRP$ NNS"),
    ],
)
def test_tags(sentence, tags):
    assert tag(sentence.split()) == tags.split()
