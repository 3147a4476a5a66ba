"""The parse stage: distinct sentences, parts and their merging, refused sentences, trees of the user."""

import pytest
from pair_files import write_pairs
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.text.tokenize import make_text
from vorlage.trees import parser
from vorlage.workflow.stages import gather
from vorlage.workflow.stages import parse as stage

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


@pytest.fixture
def corpus(tmp_path):
    """Return a folder with `corpus.jsonl`, `extracts.jsonl` and the user's trees, `own.mrg`."""
    pairs = [
        Pair(key, make_text(document, tokenized=True), make_text(["A tram ."], tokenized=True))
        for key, document in DOCUMENTS.items()
    ]
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    write_extracts(
        tmp_path / "extracts.jsonl", [Extract(key, chosen, ((0,),)) for key, chosen in EXTRACTS.items()]
    )
    (tmp_path / "own.mrg").write_text("\n".join(reversed(TREES.splitlines())) + "\n")
    return tmp_path


def parse(folder, *options):
    """Run the command on the corpus of a folder with the user's trees, and return its log."""
    both = ["--corpus", f"{folder}/corpus.jsonl", "--extracts", f"{folder}/extracts.jsonl"]
    trees = ["--backend", "trees", "--trees", f"{folder}/own.mrg", "--log", f"{folder}/log"]
    stage.main([*both, *trees, *map(str, options)])
    return (folder / "log").read_text()


def test_each_distinct_sentence_is_listed_once_in_the_order_of_the_corpus(corpus):
    parse(corpus, "--list", corpus / "sentences.txt")
    listed = (corpus / "sentences.txt").read_text().splitlines()
    assert listed == [DOCUMENTS[pair][index] for pair, index in LISTED]


def test_merged_parts_are_the_trees_of_the_whole(corpus):
    parse(corpus, "--output", corpus / "trees.npz")
    assert (corpus / "trees.mrg").read_text() == "".join(f"(TOP {tree})\n" for tree in TREES.splitlines())
    for part in ("1-of-2", "2-of-2"):
        parse(corpus, "--part", part, "--output", corpus / "trees" / f"{part}.npz")
    gather.main(["--parts", f"{corpus}/trees", "--of", "2", "--output", f"{corpus}/merged.npz"])
    for ending in ("npz", "mrg"):
        assert (corpus / f"merged.{ending}").read_bytes() == (corpus / f"trees.{ending}").read_bytes()


def refusing(count):
    """Return a parser that refuses the first `count` sentences."""

    def parse(sentences):
        for number, tokens in enumerate(sentences):
            yield parser.refuse_sentence(tokens, "a reason" if number < count else "")

    return parse


@pytest.mark.parametrize("count", [1, 2])
def test_more_than_five_percent_of_refused_sentences_is_an_error(tmp_path, monkeypatch, stops, count):
    text = make_text([f"Number {number} ." for number in range(20)], tokenized=True)
    write_pairs(tmp_path / "corpus.jsonl", [Pair("n", text, text)])
    write_extracts(tmp_path / "extracts.jsonl", [Extract("n", tuple(range(20)), ())])
    monkeypatch.setattr(stage, "open_parser", lambda settings: refusing(count))
    if count == 1:
        assert "refused sentence 0 of pair n: a reason" in parse(tmp_path, "--output", tmp_path / "trees.npz")
        assert (tmp_path / "trees.mrg").read_text().startswith("(TOP (X (XX Number) (XX 0) (XX .)))\n")
    else:
        line = stops(parse, tmp_path, "--output", tmp_path / "trees.npz")
        assert "refused 2 of 20 sentences, more than 5%" in line and not list(tmp_path.glob("trees*"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(NN bridge)", "bridge", "own.mrg, line 3: not a tree, the token bridge has no tag of its own"),
        ("(NN bridge)", "(NN tunnel)", 'own.mrg: no tree has exactly the tokens "A bridge fell ."'),
        ("-LRB- -LRB-", "-LRB- [", 'own.mrg: no tree has exactly the tokens "The tram ( line 2 ) stopped ."'),
    ],
)
def test_the_error_names_a_missing_or_wrong_tree(corpus, stops, old, new, says):
    assert TREES.count(old) == 1
    (corpus / "own.mrg").write_bytes(TREES.replace(old, new).encode(errors="surrogateescape"))
    assert says in stops(parse, corpus, "--output", corpus / "trees.npz")
    assert not list(corpus.glob("trees*"))
