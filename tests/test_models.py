"""The models that come with the package: `make model` makes them, and they need nothing beside them."""

import json
import logging
from pathlib import Path

import numpy as np
import pytest
from vorlage import load_model
from vorlage import train as train_pairs
from vorlage.cli import train
from vorlage.encoder.installed import PACKAGED, find_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.settings import Training
from vorlage.workflow.stages import corpus as corpus
from vorlage.workflow.stages import encode as encode
from vorlage.workflow.stages import extract as extract

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "corpus.jsonl"
DOCUMENT = "The board of Lumen Freight met on Friday. It named Ines Okafor chief executive from May."
SUMMARY = "Lumen Freight purchased rails and named Ines Okafor."
needs_encoder = pytest.mark.skipif(
    find_model(PACKAGED) is None, reason="the encoder is not installed: `make setup`"
)


def train_both(folder, encoder):
    """Train both directions on the bundled corpus in a folder, as `make model` does, and return the file."""
    both = ["--corpus", f"{folder}/corpus/corpus.jsonl", "--extracts", f"{folder}/extracts.jsonl"]
    corpus.main(["--reader", "jsonl", "--path", str(SAMPLE), "--output", f"{folder}/corpus"])
    extract.main([*both[:2], "--output", both[3]])
    options = [*both, "--encoder", str(encoder)]
    if encoder:
        encode.main([*both, "--output", f"{folder}/encode/1-of-1"])
        options += ["--similarities", f"{folder}/encode"]
    for reverse in ("reverse", "forward"):
        directed = ["--reverse"] if reverse == "reverse" else ["--reverse-model", f"{folder}/reverse.npz"]
        files = ["--model", f"{folder}/{reverse}.npz", "--em", f"{folder}/em.tsv"]
        train.main(["--jump", "relative", *options, *directed, *files])
    return folder / "forward.npz"


def test_training_on_the_bundled_corpus_gives_the_model(tmp_path):
    made, shipped = np.load(train_both(tmp_path, False)), np.load(SHIPPED / "without-encoder.npz")
    assert made.files == shipped.files
    for key in made.files:
        if np.issubdtype(made[key].dtype, np.floating):
            # Another processor adds in another order.
            np.testing.assert_allclose(made[key], shipped[key], rtol=1e-4, atol=1e-9, err_msg=key)
        elif not key.endswith("about"):
            assert np.array_equal(made[key], shipped[key]), key


@pytest.mark.embed
@needs_encoder
def test_training_with_the_encoder_gives_the_links_of_the_model(tmp_path):
    """Another processor rounds some similarities otherwise, so that other rare counts are stored."""
    models = [load_model(path) for path in (train_both(tmp_path, True), SHIPPED / "with-encoder.npz")]
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        pairs = [model.align(record["document"], record["summary"]) for model in models]
        made, shipped = (
            {(link.summary, link.document): link.posterior for link in pair.alignment.links} for pair in pairs
        )
        assert made == pytest.approx(shipped, abs=0.01), record["id"]


def test_training_from_python_gives_the_same_model():
    pairs = map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines())
    trained, shipped = train_pairs(pairs, encoder=False), load_model(SHIPPED / "without-encoder.npz")
    for made, expected in (
        (trained.parameters, shipped.parameters),
        (trained.parameters.reverse, shipped.parameters.reverse),
    ):
        assert made.vocabulary.words == expected.vocabulary.words
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
@needs_encoder
def test_the_encoder_is_used_where_it_is_installed(caplog):
    with caplog.at_level(logging.WARNING):
        assert load_model().parameters.encoder
    assert caplog.text == ""
