"""The benepar parser with a real model, and with a fake library."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from nltk import Tree
from parser_agreement import evaluate, read_treebank, scores
from vorlage.command.errors import InputError, find_missing
from vorlage.settings import Parse
from vorlage.trees import benepar as backend
from vorlage.trees.benepar import open_parser
from vorlage.trees.parser import with_tokens

SHARED = Path(__file__).parents[3] / "shared"
MODEL = SHARED / "models/benepar_char_ptb_sample.pt"
TREEBANK = SHARED / "data/ptb-sample/dev.mrg"
EXAMPLE = "Connecting Point Systems tripled its sales of Apple Macintosh systems since last January ."


@pytest.fixture(scope="module")
def parser():
    pytest.importorskip("benepar", reason="benepar is not installed; `make torch` installs it")
    if not MODEL.exists():
        pytest.skip("../shared/models is not here")
    return open_parser(Parse(benepar_model=str(MODEL)))


def parse(parser, *sentences):
    return list(parser([tuple(sentence.split()) for sentence in sentences]))


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
    assert made.tree.label() == "TOP" and not made.refused


@pytest.mark.benepar
def test_agreement_with_a_treebank(parser):
    counts = evaluate(parser, list(read_treebank(TREEBANK)))
    assert counts["sentences"] == 276 and not counts["refused"]
    assert scores(counts)["f1"] > 0.82
    assert scores(counts)["tags"] > 0.93


@pytest.mark.benepar
def test_the_tree_of_any_tokens_has_these_tokens(parser):
    sentences = [
        tuple("The tram ( line [ 2 ] ) { again } stopped -LRB- .".split()),
        ("“", "naïve", "\u200b", "東京", "a\u00a0b", "🙂", "/", "''"),
        (".",),
        ("(",) * 5,
    ]
    for tokens, made in zip(sentences, parser(sentences), strict=True):
        assert with_tokens(made.tree, tokens) == made.tree
        assert not made.refused


class Hostile:
    """Makes the folder `canary` when it is unpickled."""

    def __init__(self, canary):
        self.canary = canary

    def __reduce__(self):
        return os.mkdir, (str(self.canary),)


@pytest.mark.benepar
def test_what_is_no_model_or_would_run_code_is_refused(parser, tmp_path):
    import torch

    torch.save({"config": Hostile(tmp_path / "canary"), "state_dict": {}}, tmp_path / "model.pt")
    for path in (tmp_path / "model.pt", Path(__file__)):
        with pytest.raises(InputError, match=f"{path.name}: not a benepar model") as error:
            open_parser(Parse(benepar_model=str(path)))
        assert len(str(error.value)) < 400
    assert not (tmp_path / "canary").exists()


class FakeParser:
    """A parser of the library, which fails at sentences with the word `bad`."""

    def __init__(self, path, batch_size):
        parameters = SimpleNamespace(retokenizer=None, config={"hparams": {"encoder_max_len": 12}})
        self._parser = parameters

    def parse_sents(self, sentences):
        if any("bad" in sentence.words for sentence in sentences):
            raise RuntimeError("out of memory")
        return [Tree("S", [Tree("UNK", [word]) for word in sentence.words]) for sentence in sentences]


def test_only_the_sentence_that_fails_or_is_too_long_is_refused():
    fake = backend.Benepar(SimpleNamespace(Parser=FakeParser, InputSentence=SimpleNamespace), "model").parse
    parses = parse(fake, "He left .", "a bad one", "She stayed .", "very " * 11)
    reasons = ["", "RuntimeError: out of memory", "", "ValueError: 11 word pieces; the model takes 10"]
    assert [made.refused for made in parses] == reasons
    assert str(parses[1].tree) == "(TOP (X (XX a) (XX bad) (XX one)))"
    # Words are tagged if the model has no tagger.
    assert [label for _, label in parses[0].tree.pos()] == ["PRP", "VBD", "."]


def test_errors_name_a_missing_model_and_a_missing_package(monkeypatch):
    with pytest.raises(InputError, match=r"model absent does not exist.*fetch --parser absent"):
        open_parser(Parse(benepar_model="absent"))
    monkeypatch.setitem(sys.modules, "benepar", None)
    with pytest.raises(ModuleNotFoundError) as missing:
        open_parser(Parse(benepar_model=__file__))
    assert find_missing(missing.value).startswith("benepar is not installed; install it with")
