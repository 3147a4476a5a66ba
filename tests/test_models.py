"""The models that come with the package: `make model` makes them, and they need nothing beside them."""

import json
import logging
from pathlib import Path

import numpy as np
import pytest
from vorlage import load_model
from vorlage import train as train_pairs
from vorlage.corpus import stage as corpus
from vorlage.encoder import stage as encode
from vorlage.encoder.installed import PACKAGED, find_model
from vorlage.extract import stage as extract
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.semihmm.train import stage as train
from vorlage.settings import Training

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "corpus.jsonl"
DOCUMENT = "The board of Lumen Freight met on Friday. It named Ines Okafor chief executive from May."
SUMMARY = "Lumen Freight purchased rails and named Ines Okafor."
WITH_ENCODER = pytest.param(
    "with-encoder",
    1e-3,  # the similarities are float16, and another processor rounds some otherwise
    marks=[
        pytest.mark.embed,
        pytest.mark.skipif(find_model(PACKAGED) is None, reason="the encoder is not installed: `make setup`"),
    ],
)


@pytest.mark.parametrize(("name", "atol"), [("without-encoder", 1e-9), WITH_ENCODER])
def test_training_on_the_bundled_corpus_gives_the_model(name, atol, tmp_path):
    both = ["--corpus", f"{tmp_path}/corpus/corpus.jsonl", "--extracts", f"{tmp_path}/extracts.jsonl"]
    corpus.main(["--reader", "jsonl", "--path", str(SAMPLE), "--output", f"{tmp_path}/corpus"])
    extract.main([*both[:2], "--output", both[3]])
    options = [*both, "--encoder", str(name == "with-encoder")]
    if name == "with-encoder":
        encode.main([*both, "--output", f"{tmp_path}/encode/1-of-1"])
        options += ["--similarities", f"{tmp_path}/encode"]
    for reverse in ("reverse", "forward"):
        directed = ["--reverse"] if reverse == "reverse" else ["--reverse-model", f"{tmp_path}/reverse.npz"]
        files = ["--model", f"{tmp_path}/{reverse}.npz", "--em", f"{tmp_path}/em.tsv"]
        train.main(["--jump", "relative", *options, *directed, *files])
    made, shipped = np.load(tmp_path / "forward.npz"), np.load(SHIPPED / f"{name}.npz")
    assert made.files == shipped.files
    for key in made.files:
        if np.issubdtype(made[key].dtype, np.floating):
            # Another processor adds in another order.
            np.testing.assert_allclose(made[key], shipped[key], rtol=1e-4, atol=atol, err_msg=key)
        elif not key.endswith("about"):
            assert np.array_equal(made[key], shipped[key]), key


def test_training_from_python_gives_the_same_model():
    pairs = map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines())
    trained, shipped = train_pairs(pairs, encoder=False), load_model(SHIPPED / "without-encoder.npz")
    for made, expected in (
        (trained.parameters, shipped.parameters),
        (trained.parameters.reverse, shipped.parameters.reverse),
    ):
        assert made.words == expected.words
        assert all(
            getattr(made.settings, key) == getattr(expected.settings, key) for key in Training.model_fields
        )
        np.testing.assert_allclose(made.parameters.weights, expected.parameters.weights, rtol=1e-6)
        np.testing.assert_allclose(made.parameters.null, expected.parameters.null, rtol=1e-6)


def test_the_tables_of_wordnet_carry_its_licence():
    licence = np.load(SHIPPED / "wordnet.npz")["licence"].tobytes().decode()
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in licence
    assert "Permission to use, copy, modify and distribute this software" in licence


def test_a_model_needs_nothing_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    aligned = load_model(SHIPPED / "without-encoder.npz").align(DOCUMENT, SUMMARY)
    found = {phrase.summary: phrase.document for phrase in aligned.phrases}
    assert found["Lumen Freight"] == "Lumen Freight" and found["purchased"] is None


@pytest.mark.embed
@pytest.mark.skipif(find_model(PACKAGED) is None, reason="the encoder is not installed: `make setup`")
def test_the_encoder_is_used_where_it_is_installed(caplog):
    with caplog.at_level(logging.WARNING):
        assert load_model().parameters.encoder
    assert caplog.text == ""
