"""The parse stage: brackets, distinct sentences, shards, the store of parses, merging and arrays."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.corpus_file import write_pairs
from pipeline.corpus.pair import Pair
from pipeline.corpus.tokenize import join_sentences
from pipeline.extract.extracts import Extract, write_extracts
from pipeline.parse import __main__ as stage
from pipeline.parse import gather, parser, sentences
from pipeline.parse.brackets import TreeError, bare_label, read_tree, with_root, with_tokens, write_tree
from pipeline.parse.parse_store import ParseStore
from pipeline.parse.tree_arrays import Trees, constituents
from pipeline.run.errors import InputError
from pipeline.text.nltk import Tree

DOCUMENTS = {
    "a": ["The tram ( line 2 ) stopped .", "Nobody was hurt .", "The street is closed ."],
    "b": ["Nobody was hurt .", "A bridge fell .", "Repairs begin in May ."],
}
# b/0 repeats a/1; a/2 is in no extract.
EXTRACTS = {"a": (0, 1), "b": (0, 1, 2)}
LISTED = [("a", 0), ("a", 1), ("b", 1), ("b", 2)]
TREES = """\
(S (NP (DT The) (NN tram) (PRN (-LRB- -LRB-) (NP (NN line) (CD 2)) (-RRB- -RRB-))) (VP (VBD stopped)) (. .))
(S (NP (NN Nobody)) (VP (VBD was) (VP (VBN hurt))) (. .))
(S (NP (DT A) (NN bridge)) (VP (VBD fell)) (. .))
(S (NP (NNS Repairs)) (VP (VBP begin) (PP (IN in) (NP (NNP May)))) (. .))
"""

words = st.text(
    st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1, max_size=4
)
labels = st.sampled_from(["S", "NP", "VP", "NP-SBJ-1", "-LRB-", "$", ",", "X=2"])
trees = st.recursive(
    st.builds(lambda label, word: Tree(label, [word]), labels, words),
    lambda below: st.builds(Tree, labels, st.lists(below, min_size=1, max_size=4)),
    max_leaves=12,
).map(lambda tree: Tree("TOP", [tree]))


@pytest.fixture
def corpus(tmp_path):
    """Return a folder with ``corpus.jsonl``, ``extracts.jsonl`` and the user's trees, ``own.mrg``."""
    pairs = [
        Pair(key, join_sentences(document, tokenized=True), join_sentences(["A tram ."], tokenized=True))
        for key, document in DOCUMENTS.items()
    ]
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    write_extracts(
        tmp_path / "extracts.jsonl", [Extract(key, chosen, ((0,),)) for key, chosen in EXTRACTS.items()]
    )
    (tmp_path / "own.mrg").write_text(TREES)
    return tmp_path


def list_sentences(folder, shards=2):
    names = [str(folder / f"{number}.jsonl") for number in range(shards)]
    sentences.main(
        ["--corpus", f"{folder}/corpus.jsonl", "--extracts", f"{folder}/extracts.jsonl"]
        + ["--output", *names, "--text", f"{folder}/sentences.txt", "--log", f"{folder}/log"]
    )
    return names


def parse(folder, shard, *options):
    """Parse a shard with the user's trees, and return the name of the output and the log."""
    output = f"{shard}.parsed"
    stage.main(
        ["--sentences", shard, "--store", f"{folder}/store", "--output", output, "--log", f"{folder}/log"]
        + ["--backend", "trees", "--trees", f"{folder}/own.mrg", *options]
    )
    return output, (folder / "log").read_text()


def run(folder, shards=2):
    """Run the whole stage, and return the folder of its results."""
    parsed = [parse(folder, shard)[0] for shard in list_sentences(folder, shards)]
    gather.main(["--shards", *parsed, "--output", f"{folder}/out", "--log", f"{folder}/log"])
    return folder / "out"


def error_of(capsys, function, *arguments):
    with pytest.raises(SystemExit) as ended:
        function(*arguments)
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


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


def test_each_distinct_sentence_is_listed_once_in_the_order_of_the_corpus(corpus):
    for shards in (1, 2, 5):
        names = list_sentences(corpus, shards)
        found = sorted((s for name in names for s in sentences.read_sentences(name)), key=lambda s: s.number)
        assert [(s.pair, s.index) for s in found] == LISTED
        assert [s.number for s in found] == list(range(len(LISTED)))
        assert [" ".join(s.tokens) for s in found] == [DOCUMENTS[pair][index] for pair, index in LISTED]
        assert (corpus / "sentences.txt").read_text().splitlines() == [" ".join(s.tokens) for s in found]


def test_the_results_do_not_depend_on_the_number_of_shards(corpus):
    def results(shards):
        return [(run(corpus, shards) / name).read_bytes() for name in ("trees.mrg", "trees.npz")]

    assert results(1) == results(3)
    assert (corpus / "out/trees.mrg").read_text() == "".join(f"(TOP {t})\n" for t in TREES.splitlines())
    counts = dict(line.split("\t") for line in (corpus / "out/statistics.tsv").read_text().splitlines())
    tokens = sum(len(DOCUMENTS[pair][index].split()) for pair, index in LISTED)
    assert counts == {
        "count": "value",
        "sentences": str(len(LISTED)),
        "tokens": str(tokens),
        "cut into pieces": "0",
        "refused": "0",
    }


def test_sentences_in_the_store_are_not_parsed_again(corpus):
    (shard,) = list_sentences(corpus, 1)
    assert "4 sentences parsed, 0 taken" in parse(corpus, shard)[1]
    before = (corpus / "0.jsonl.parsed").read_bytes()
    assert "0 sentences parsed, 4 taken" in parse(corpus, shard)[1]
    assert (corpus / "0.jsonl.parsed").read_bytes() == before
    # After a change of the extract, only the new sentence is parsed.
    write_extracts(
        corpus / "extracts.jsonl", [Extract("a", (0, 1, 2), ((0,),)), Extract("b", (0, 1), ((0,),))]
    )
    asked = []

    def fake(missing):
        asked.extend(missing)
        return [parser.refuse(tokens, "") for tokens in missing]

    (shard,) = list_sentences(corpus, 1)
    (folder,) = (corpus / "store").iterdir()
    records = list(ParseStore(folder).records(list(sentences.read_sentences(shard)), fake))
    assert [" ".join(tokens) for tokens in asked] == ["The street is closed ."]
    assert [new for _, _, new in records].count(True) == 1


def test_the_store_is_not_used_for_another_file_of_trees(corpus):
    (shard,) = list_sentences(corpus, 1)
    parse(corpus, shard)
    (corpus / "own.mrg").write_text(TREES.replace("VP", "VX"))
    output, log = parse(corpus, shard)
    assert "4 sentences parsed" in log
    assert "VX" in (corpus / "0.jsonl.parsed").read_text()


def test_a_stopped_run_keeps_the_buckets_that_were_parsed(corpus):
    (shard,) = list_sentences(corpus, 1)
    listed = list(sentences.read_sentences(shard))

    def stops(missing):
        if len(stops.seen) == 2:
            raise KeyboardInterrupt
        stops.seen.extend(missing)
        return [parser.refuse(tokens, "") for tokens in missing]

    stops.seen = []
    with pytest.raises(KeyboardInterrupt):
        list(ParseStore(corpus / "store").records(listed, stops))
    asked = []
    list(
        ParseStore(corpus / "store").records(
            listed, lambda missing: asked.extend(missing) or map(flat, missing)
        )
    )
    assert len(asked) == 2
    assert not set(asked) & set(stops.seen)


def flat(tokens):
    return parser.refuse(tokens, "a reason")


class RefusingParser:
    """A parser that refuses the first ``count`` sentences."""

    version = ""

    def __init__(self, count):
        self.count = count

    def parse(self, asked):
        for tokens in asked:
            self.count -= 1
            yield flat(tokens) if self.count >= 0 else parser.Parse(flat(tokens).tree)


def parse_refusing(folder, monkeypatch, count, of):
    """Run the stage on ``of`` sentences with a parser that refuses ``count``, and return the log."""
    document = [f"Number {number} ." for number in range(of)]
    text = join_sentences(document, tokenized=True)
    write_pairs(folder / "corpus.jsonl", [Pair("n", text, text)])
    write_extracts(folder / "extracts.jsonl", [Extract("n", tuple(range(of)), ())])
    monkeypatch.setattr(stage, "open_parser", lambda settings: RefusingParser(count))
    (shard,) = list_sentences(folder, 1)
    output, log = parse(folder, shard)
    gather.main(["--shards", output, "--output", f"{folder}/out", "--log", f"{folder}/log"])
    return log


def test_a_refused_sentence_gets_a_flat_tree_and_is_logged_and_counted(tmp_path, monkeypatch):
    log = parse_refusing(tmp_path, monkeypatch, 1, of=20)
    (line,) = (line for line in log.splitlines() if " refused " in line)
    number = int(line.split("sentence ")[1].split(")")[0])
    tokens = ("Number", str(number), ".")
    assert line.endswith(f"refused {sentences.sentence_id(tokens)} (pair n, sentence {number}): a reason")
    tree = (tmp_path / "out/trees.mrg").read_text().splitlines()[number]
    assert tree == f"(TOP (X (XX Number) (XX {number}) (XX .)))"
    assert "refused\t1\n" in (tmp_path / "out/statistics.tsv").read_text()


def test_more_than_five_percent_of_refused_sentences_is_an_error(tmp_path, monkeypatch, capsys):
    line = error_of(capsys, parse_refusing, tmp_path, monkeypatch, 2, 20)
    assert "refused 2 of 20 sentences, 10.0%" in line
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (" (NN bridge)", "", "own.mrg, line 3: token 2 is fell in the tree and bridge in the sentence"),
        ("(. .))\n(S (NP (DT A)", ")\n(S (NP (DT A)", "own.mrg, line 2: the tree has 3 tokens and the sent"),
        ("(NN bridge))", "(NN bridge)", "own.mrg, line 3: not a tree, the brackets do not match"),
        ("(NN bridge)", "bridge", "own.mrg, line 3: the token bridge has no tag of its own"),
        (
            "(S (NP (DT A) (NN bridge)) (VP (VBD fell)) (. .))\n",
            "",
            'no tree for the sentence "A bridge fell',
        ),
        ("-LRB- -LRB-", "-LRB- [", "own.mrg, line 1: token 3 is -LSB- in the tree and -LRB- in the sentence"),
    ],
)
def test_the_error_names_a_missing_or_wrong_tree(corpus, capsys, old, new, says):
    assert TREES.count(old) == 1
    (corpus / "own.mrg").write_text(TREES.replace(old, new))
    (shard,) = list_sentences(corpus, 1)
    line = error_of(capsys, parse, corpus, shard)
    assert says in line
    assert not (corpus / "0.jsonl.parsed").exists()


def test_a_file_of_trees_that_is_not_utf8_is_an_error(corpus, capsys):
    (corpus / "own.mrg").write_bytes("(S (NN Köln))\n".encode("latin-1"))
    (shard,) = list_sentences(corpus, 1)
    assert "own.mrg, line 1: not UTF-8 at byte 8" in error_of(capsys, parse, corpus, shard)


def test_shards_that_do_not_belong_together_are_refused(corpus, capsys):
    first, second = (parse(corpus, shard)[0] for shard in list_sentences(corpus, 2))
    for chosen in ([first], [first, first, second]):
        says = error_of(capsys, gather.main, ["--shards", *chosen, "--output", f"{corpus}/out"])
        assert "do not belong together" in says
    says = error_of(capsys, gather.main, ["--shards", f"{corpus}/0.jsonl", "--output", f"{corpus}/out"])
    assert "0.jsonl, line 1: not a parse" in says


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


def test_the_arrays_are_found_by_the_tokens(corpus):
    trees = Trees.load(run(corpus) / "trees.npz")
    nodes = trees.of(("Repairs", "begin", "in", "May", "."))
    found = [(trees.labels[label], a, b, p) for a, b, label, p in zip(*nodes, strict=True)]
    assert found == [
        ("S", 0, 5, -1),
        ("NP", 0, 1, 0),
        ("VP", 1, 4, 0),
        ("VBP", 1, 2, 2),
        ("PP", 2, 4, 2),
        ("IN", 2, 3, 4),
        ("NP", 3, 4, 4),
        (".", 4, 5, 0),
    ]
    with pytest.raises(KeyError):
        trees.of(("Repairs", "begin"))


@given(st.lists(st.integers(0, 40).map(lambda x: f"{x % 7:04x}{x:06x}{x % 5 * 256:010x}"), max_size=80))
def test_seen_ids_are_a_set(names):
    """The ids include some that end in zero bytes; every third id triggers sorting."""
    seen, expected = sentences.SeenIds(), set()
    seen.SORT_AT = 2
    for name in names:
        assert seen.add(name) == (name not in expected)
        expected.add(name)
        assert len(seen) == len(expected)


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


def test_different_tokens_with_the_same_spelling_have_different_ids():
    spellings = [("a b",), ("a", "b"), ("a", " b"), ("ab",), ('a", "b',)]
    for one, other in itertools.combinations(spellings, 2):
        assert sentences.sentence_id(one) != sentences.sentence_id(other)
    assert sentences.sentence_id(["a", "b"]) == sentences.sentence_id(("a", "b"))


def test_another_file_than_a_shard_of_sentences_is_an_error(tmp_path):
    (tmp_path / "s.jsonl").write_text(json.dumps({"number": 0}) + "\n")
    with pytest.raises(InputError, match="s.jsonl, line 1: not a sentence"):
        list(sentences.read_sentences(tmp_path / "s.jsonl"))


def test_the_root_has_one_child():
    assert with_root(Tree("", [Tree("NN", ["a"]), Tree("NN", ["b"])]))[0].label() == "S"
