"""The parse stage: distinct sentences, shards, the store of parses, and merging."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.text.tokenize import join_sentences
from vorlage.trees import gather, parser, sentences, stage
from vorlage.trees.parse_store import ParseStore
from vorlage.trees.tree_arrays import Trees

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
    """A parser that refuses the first `count` sentences."""

    version = ""

    def __init__(self, count):
        self.count = count

    def parse(self, asked):
        for tokens in asked:
            self.count -= 1
            yield flat(tokens) if self.count >= 0 else parser.Parse(flat(tokens).tree)


def parse_refusing(folder, monkeypatch, count, of):
    """Run the stage on `of` sentences with a parser that refuses `count`, and return the log."""
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


def test_different_tokens_with_the_same_spelling_have_different_ids():
    spellings = [("a b",), ("a", "b"), ("a", " b"), ("ab",), ('a", "b',)]
    for one, other in itertools.combinations(spellings, 2):
        assert sentences.sentence_id(one) != sentences.sentence_id(other)
    assert sentences.sentence_id(["a", "b"]) == sentences.sentence_id(("a", "b"))


def test_another_file_than_a_shard_of_sentences_is_an_error(tmp_path):
    (tmp_path / "s.jsonl").write_text(json.dumps({"number": 0}) + "\n")
    with pytest.raises(InputError, match="s.jsonl, line 1: not a sentence"):
        list(sentences.read_sentences(tmp_path / "s.jsonl"))
