"""Agreement with a treebank by the conventions of EVALB, on cases that were counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree
from vorlage.trees import evaluate
from vorlage.trees.brackets import read_tree
from vorlage.trees.evaluate import Counts, compare, read_treebank, without_traces

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
    assert counts[:5] == (matched, in_parse, in_gold, words, right_tags)
    assert counts.exact == (matched == in_parse == in_gold)


def test_scores_are_over_all_brackets():
    scores = Counts(3, 4, 6, 10, 9, 1, 2).scores()
    assert scores == pytest.approx({"precision": 0.75, "recall": 0.5, "f1": 0.6, "tags": 0.9, "exact": 0.5})


def test_traces_and_functions_are_removed():
    gold = "( (S (NP-SBJ-1 (NN a)) (VP (VBD b) (NP (-NONE- *-1)) (PP-LOC=2 (IN on) (NP (-LRB- -LRB-))))) )"
    expected = "(TOP (S (NP (NN a)) (VP (VBD b) (PP (IN on) (NP (-LRB- -LRB-))))))"
    tree = without_traces(read_tree(gold)).pformat(margin=10**6)
    assert tree.replace("(-LRB- ()", "(-LRB- -LRB-)") == expected


@given(st.integers(1, 6), st.integers(0, 2**20))
def test_a_tree_agrees_with_itself(size, seed):
    import random

    rng = random.Random(seed)

    def grow(words):
        if len(words) == 1:
            return Tree("T", words)
        cut = rng.randrange(1, len(words))
        return Tree(rng.choice("AB"), [grow(words[:cut]), grow(words[cut:])])

    tree = Tree("TOP", [grow([str(i) for i in range(size)])])
    counts = compare(tree, tree)
    assert counts.matched == counts.parsed == counts.gold == size - 1
    assert counts.exact == 1


def test_trees_may_span_lines(tmp_path):
    path = tmp_path / "gold.mrg"
    path.write_text("\n( (S (NP (NN a))\n     (VP (VB b)) ))\n\n(S (NN c))\n(S\n(NN d))\n")
    assert [(line, tree.leaves()) for line, tree in read_treebank(path)] == [
        (2, ["a", "b"]),
        (5, ["c"]),
        (6, ["d"]),
    ]


def run(capsys, *arguments):
    evaluate.main([str(argument) for argument in arguments])
    header, row = capsys.readouterr().out.splitlines()
    return dict(zip(header.split("\t"), row.split("\t"), strict=True))


def test_the_command_prints_a_row(tmp_path, capsys):
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "parsed.mrg").write_text(GOLD.replace("(PP", "(XP"))
    row = run(capsys, tmp_path / "gold.mrg", "--backend", "trees", "--trees", tmp_path / "parsed.mrg")
    assert (row["backend"], row["sentences"], row["refused"]) == ("trees", "1", "0")
    assert (row["precision"], row["recall"], row["f1"], row["tags"]) == (
        "0.8000",
        "0.8000",
        "0.8000",
        "1.0000",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(S (NN a)\n\n(S (NN b))", "gold.mrg, line 1: the tree that begins here has no end"),
        ("(S (NN a))\n(S (NN a) b)", "gold.mrg, line 2: not a tree, the token b has no tag of its own"),
        ("(S (NN a)))", "gold.mrg, line 1: not a tree, the brackets do not match"),
        ("", "gold.mrg: contains no trees"),
        ("no brackets", "gold.mrg, line 1: not a tree"),
    ],
)
def test_the_error_names_the_line_of_an_invalid_treebank(tmp_path, capsys, text, says):
    (tmp_path / "gold.mrg").write_text(text)
    with pytest.raises(SystemExit) as ended:
        evaluate.main([str(tmp_path / "gold.mrg")])
    assert ended.value.code == 1
    assert says in capsys.readouterr().err
