"""Agreement with a treebank by the conventions of EVALB, on cases that were counted by hand."""

import pytest
from parser_agreement import compare, read_treebank, without_traces
from vorlage.trees.brackets import read_tree

GOLD = "(TOP (S (NP (DT the) (NN cat)) (, ,) (VP (VBD sat) (PP (IN on) (NP (NN ice)))) (. .)))"


@pytest.mark.parametrize(
    ("parsed", "gold", "matched", "in_parse", "in_gold", "right_tags", "words"),
    [
        # S, NP, VP, PP, NP; the comma and the full stop do not count as words.
        (GOLD, GOLD, 5, 5, 5, 5, 5),
        # A wrong label; a wrong tag.
        (GOLD.replace("(PP", "(XP").replace("(DT", "(CD"), GOLD, 4, 5, 5, 4, 5),
        # Missing brackets, and extra ones, of one word each.
        ("(TOP (S (DT the) (NN cat) (, ,) (VP (VBD sat) (PP (IN on) (NN ice))) (. .)))", GOLD, 3, 3, 5, 5, 5),
        (GOLD, "(TOP (S (DT the) (NN cat) (, ,) (VP (VBD sat) (PP (IN on) (NN ice))) (. .)))", 3, 5, 3, 5, 5),
        # The comma may be inside the verb phrase or not: the place of punctuation does not count.
        (GOLD.replace("(, ,) (VP", "(VP (, ,)"), GOLD, 5, 5, 5, 5, 5),
        # Crossing brackets.
        ("(TOP (S (NP (NN a)) (X (NN b) (NN c))))", "(TOP (S (X (NN a) (NN b)) (NP (NN c))))", 1, 3, 3, 3, 3),
        # Each node of a unary chain counts.
        ("(TOP (S (NP (NN a))))", "(TOP (S (S (NP (NN a)))))", 2, 2, 3, 1, 1),
        # ADVP and PRT are the same.
        ("(TOP (S (VP (VB go) (ADVP (RB on)))))", "(TOP (S (VP (VB go) (PRT (RP on)))))", 3, 3, 3, 1, 2),
        # A constituent of punctuation only does not count.
        ("(TOP (S (NN a) (X (, ,))))", "(TOP (S (NN a) (, ,)))", 1, 1, 1, 1, 1),
    ],
)
def test_counts_by_hand(parsed, gold, matched, in_parse, in_gold, right_tags, words):
    counts = compare(read_tree(parsed), read_tree(gold))
    expected = {"matched": matched, "parsed": in_parse, "gold": in_gold, "words": words, "tags": right_tags}
    assert expected.items() <= counts.items()
    assert counts["exact"] == (matched == in_parse == in_gold)


def test_traces_and_functions_are_removed():
    gold = "( (S (NP-SBJ-1 (NN a)) (VP (VBD b) (NP (-NONE- *-1)) (PP-LOC=2 (IN on) (NP (-LRB- -LRB-))))) )"
    expected = "(TOP (S (NP (NN a)) (VP (VBD b) (PP (IN on) (NP (-LRB- -LRB-))))))"
    tree = without_traces(read_tree(gold)).pformat(margin=10**6)
    assert tree.replace("(-LRB- ()", "(-LRB- -LRB-)") == expected


def test_trees_may_span_lines(tmp_path):
    path = tmp_path / "gold.mrg"
    path.write_text("\n( (S (NP (NN a))\n     (VP (VB b)) ))\n\n(S (NN c))\n(S\n(NN d))\n")
    assert [tree.leaves() for tree in read_treebank(path)] == [["a", "b"], ["c"], ["d"]]
