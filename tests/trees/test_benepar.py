"""The benepar parser with a real model, and the errors when it or the model is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nltk import Tree
from vorlage.command.errors import InputError
from vorlage.settings import Parse
from vorlage.trees import benepar as backend
from vorlage.trees import fetch
from vorlage.trees.benepar import open_parser
from vorlage.trees.brackets import with_tokens
from vorlage.trees.evaluate import evaluate, read_treebank

SHARED = Path(__file__).parents[3] / "shared"
MODEL = SHARED / "models/benepar_char_ptb_sample.pt"
TREEBANK = SHARED / "data/ptb-sample/dev.mrg"
EXAMPLE = "Connecting Point Systems tripled its sales of Apple Macintosh systems since last January ."


@pytest.fixture(scope="module")
def parser():
    pytest.importorskip("benepar", reason="benepar is not installed; `make benepar` installs it")
    if not MODEL.exists():
        pytest.skip("../shared/models is not here")
    return open_parser(Parse(benepar_model=str(MODEL)))


def parse(parser, *sentences):
    return list(parser.parse([tuple(sentence.split()) for sentence in sentences]))


def spans(tree):
    """Return the (label, words) of every constituent above the words."""
    return {(node.label(), " ".join(node.leaves())) for node in tree.subtrees() if node.height() > 2}


@pytest.mark.benepar
def test_a_real_model_parses(parser):
    (made,) = parse(parser, EXAMPLE)
    assert spans(made.tree) >= {
        ("S", EXAMPLE),
        ("NP", "Connecting Point Systems"),
        ("VP", "tripled its sales of Apple Macintosh systems since last January"),
        ("NP", "its sales of Apple Macintosh systems"),
        ("PP", "of Apple Macintosh systems"),
        ("PP", "since last January"),
    }
    assert made.tree.label() == "TOP" and (made.pieces, made.refused) == (1, "")


@pytest.mark.benepar
def test_agreement_with_a_treebank(parser):
    trees = [tree for _, tree in read_treebank(TREEBANK) if tree]
    counts, refused, _ = evaluate(parser, trees)
    assert counts.sentences == 276 and refused == 0
    assert counts.scores()["f1"] > 0.82
    assert counts.scores()["tags"] > 0.93


@pytest.mark.benepar
def test_the_tree_of_any_tokens_has_these_tokens(parser):
    sentences = [
        tuple("The tram ( line [ 2 ] ) { again } stopped -LRB- .".split()),
        ("“", "naïve", "\u200b", "東京", "a\u00a0b", "🙂", "/", "''"),
        (".",),
        ("(",) * 5,
    ]
    for tokens, made in zip(sentences, parser.parse(sentences), strict=True):
        assert with_tokens(made.tree, tokens) == made.tree
        assert not made.refused


@pytest.mark.benepar
def test_a_long_sentence_is_cut_and_joined(parser):
    tokens = ("the old man saw the boat , and the boy heard a song ;".split() * 100)[:1200]
    assert len(tokens) > parser.longest
    short, long = parser.parse([tuple(EXAMPLE.split()), tuple(tokens)])
    assert short.pieces == 1 and long.pieces > 1
    assert long.tree.leaves() == tokens
    assert long.tree[0].label() == "S" and len(long.tree[0]) == long.pieces
    (fits,) = parser.parse([tuple(tokens[:400])])
    assert fits.pieces == 1 and not fits.refused


def test_long_sentences_come_in_small_batches():
    pieces = [["word"] * length for length in [500, 3, 20, 5, 499, 20] * 50]
    found = list(backend.batches(pieces))
    assert sorted(i for batch in found for i in batch) == list(range(300))
    assert max(len(batch) for batch in found) == 64
    assert max(len(batch) * max(len(pieces[i]) for i in batch) for batch in found) <= 4096
    assert len(found) <= 4 + 13
    assert list(backend.batches([["word"] * 5000])) == [[0]]


@pytest.mark.benepar
def test_two_runs_give_the_same_trees(parser):
    sentences = [EXAMPLE, "He left .", "She said that the harbour , which is old , closed ."] * 30
    assert parse(parser, *sentences) == parse(parser, *sentences)
    assert open_parser(Parse(benepar_model=str(MODEL))).version == parser.version


@pytest.mark.benepar
def test_only_the_sentence_that_fails_is_refused(parser, monkeypatch):
    real = parser._parser.parse_sents

    def fails(sentences):
        if any("bad" in sentence.words for sentence in sentences):
            raise RuntimeError("out of memory")
        return real(sentences)

    monkeypatch.setattr(parser._parser, "parse_sents", fails)
    first, second, third = parse(parser, "He left .", "a bad one", "She stayed .")
    assert (first.refused, second.refused, third.refused) == ("", "RuntimeError: out of memory", "")
    assert str(second.tree) == "(TOP (X (XX a) (XX bad) (XX one)))"


@pytest.mark.benepar
def test_another_file_than_a_model_is_an_error(parser):
    with pytest.raises(InputError, match="test_benepar.py: not a benepar model") as error:
        open_parser(Parse(benepar_model=__file__))
    assert len(str(error.value)) < 400


class Hostile:
    """Makes the folder `canary` when it is unpickled."""

    def __init__(self, canary):
        self.canary = canary

    def __reduce__(self):
        return os.mkdir, (str(self.canary),)


@pytest.mark.benepar
def test_a_model_that_would_run_code_is_refused(parser, tmp_path):
    import torch

    model, canary = tmp_path / "model.pt", tmp_path / "canary"
    torch.save({"config": Hostile(canary), "state_dict": {}}, model)
    with pytest.raises(InputError, match="model.pt: not a benepar model"):
        open_parser(Parse(benepar_model=str(model)))
    assert not canary.exists()


def test_the_error_names_a_missing_model():
    with pytest.raises(InputError, match=r"model absent does not exist.*fetch --name absent"):
        open_parser(Parse(benepar_model="absent"))


def test_the_error_names_a_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "benepar", None)
    with pytest.raises(InputError, match="`make benepar`"):
        open_parser(Parse(benepar_model=__file__))
    with pytest.raises(InputError, match="`make benepar`"):
        fetch.fetch("benepar_en3", "nowhere")


def test_tags_are_added_if_a_model_has_none():
    tree = Tree.fromstring("(TOP (S (NP (UNK The) (UNK harbour)) (VP (UNK closed))))")
    assert [label for _, label in backend._add_tags(tree).pos()] == ["DT", "NN", "VBD"]


class FakeBenepar:
    """A fake of the library, with or without a network."""

    def __init__(self, works):
        self.works = works

    def download(self, name, download_dir, **options):
        folder = Path(download_dir) / "models" / name
        folder.mkdir(parents=True)
        (folder / "benepar_model.bin").write_text("a model")
        if not self.works:
            raise ValueError("no network")
        return True


def test_models_are_downloaded_whole_or_not_at_all(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "benepar", FakeBenepar(works=False))
    with pytest.raises(InputError, match=r"benepar_en3 cannot be downloaded \(no network\)"):
        fetch.fetch("benepar_en3", tmp_path / "models/benepar_en3")
    assert not list((tmp_path / "models").iterdir())
    monkeypatch.setitem(sys.modules, "benepar", FakeBenepar(works=True))
    for _ in range(2):
        fetch.fetch("benepar_en3", tmp_path / "models/benepar_en3")
        (made,) = (tmp_path / "models").iterdir()
        assert [path.name for path in made.iterdir()] == ["benepar_model.bin"]


@pytest.mark.benepar
def test_a_failed_download_is_reported_in_one_line(parser, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "vorlage.trees.fetch", "--name", "no-such", "--output", tmp_path / "m"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: the benepar model no-such cannot be downloaded (")
    assert not list(tmp_path.iterdir())
