"""The commands that train and align with both directions and an encoder, and their errors."""

import json

import numpy as np
import pytest
from sharded_training import Training, options, single, write_files, write_store
from toy_training import LONGER, Similar, make
from vorlage.encoder import transformer as encoders
from vorlage.semihmm.decode import load
from vorlage.semihmm.decode import stage as align
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.model import Model
from vorlage.semihmm.train import stage as train
from vorlage.train.sharded import collect, start

ENCODER = {"encoder": "true", "encoder_temperature": 0.2}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a corpus, its similarities, and models of one and both directions."""
    files = write_files(tmp_path_factory.mktemp("directions"))
    single(files, "relative", True, name="reverse", **ENCODER)
    single(files, "relative", files / "reverse.npz", name="both", **ENCODER)
    single(files, "relative", name="plain")
    single(files, "relative", True, name="plain-reverse")
    single(files, "relative", True, name="other-reverse", sentence_similarity=3)
    write_store(files / "other", make(LONGER), layer=5)
    return files


def aligned(made, folder, *more, model="both"):
    output = folder / "out.jsonl"
    given = options(model=made / f"{model}.npz", corpus=made / "corpus.jsonl", output=output)
    align.main([*given, *options(extracts=made / "extracts.jsonl"), *map(str, more)])
    return [json.loads(line) for line in output.read_text().splitlines()]


def test_stored_similarities_align_like_the_encoder(made, tmp_path, monkeypatch):
    """Pairs of the training run use stored similarities; new texts are encoded."""
    found = aligned(made, tmp_path, "--similarities", made / "encode")
    aligner = Aligner(Model.load(made / "both.npz"), similarities=Similar().of)
    for line, (pair, extract) in zip(found, make(LONGER), strict=True):
        alignment = aligner.align(pair, extract.sentences)
        assert line["log_likelihood"] == pytest.approx(alignment.log_likelihood, rel=1e-9)
        assert len(line["alignments"]) == len(alignment.links)
    opened = []

    def open_encoder(model, layer):
        opened.append((model, layer))
        return Similar(layer)

    monkeypatch.setattr(encoders, "open_encoder", open_encoder)
    monkeypatch.setattr(load, "measure", lambda encoder, pair, sentences: encoder.of(pair, sentences))
    again = aligned(made, tmp_path, "--encoder", "here/it/is")
    assert opened and set(opened) == {("here/it/is", 4)}
    assert again == found


def test_one_direction_and_both_differ(made, tmp_path):
    """Without a difference, the test above would compare nothing."""
    with np.load(made / "both.npz") as file:
        forward = {name: array for name, array in file.items() if not name.startswith("reverse_")}
    np.savez(made / "forward.npz", **forward)
    both = aligned(made, tmp_path, "--similarities", made / "encode")
    one = aligned(made, tmp_path, "--similarities", made / "encode", model="forward")
    assert [line["log_likelihood"] for line in both] == [line["log_likelihood"] for line in one]
    assert [line["alignments"] for line in both] != [line["alignments"] for line in one]


def ends(capsys, command, *given):
    """Return the one line that a command ends with."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        command.main([str(part) for part in given])
    assert stop.value.code == 1
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    return errors[0]


def training(made, tmp_path, **more):
    given = options(corpus=made / "corpus.jsonl", extracts=made / "extracts.jsonl", jump="relative")
    given += options(model=tmp_path / "model.npz", em=tmp_path / "em.tsv", wordnet="false", iterations=2)
    return [*given, *options(**{name.replace("_model", "-model"): value for name, value in more.items()})]


def test_training_without_similarities_is_refused(made, tmp_path, capsys):
    error = ends(capsys, train, *training(made, tmp_path, encoder="true"))
    assert "--similarities is missing; make the folder with `vorlage encode`" in error
    error = ends(capsys, train, *training(made, tmp_path, encoder="true", similarities=tmp_path))
    assert "has no similarities of words" in error
    given = options(corpus=made / "corpus.jsonl", extracts=made / "extracts.jsonl", output=tmp_path / "x")
    error = ends(capsys, collect, *given, *options(wordnet="false", encoder="true"))
    assert "--similarities is missing" in error
    assert not (tmp_path / "model.npz").exists()


def test_contradictory_directions_are_refused(made, tmp_path, capsys):
    def refused(*flags, **more):
        error = ends(capsys, train, *training(made, tmp_path, **more), *flags)
        assert not (tmp_path / "model.npz").exists()
        return error

    assert "--reverse and --reverse-model exclude each other" in refused(
        "--reverse", reverse_model=made / "plain-reverse.npz"
    )
    # A model of both directions, models with and without an encoder, and a model with another setting.
    for name in ("both", "reverse", "other-reverse"):
        error = refused(reverse_model=made / f"{name}.npz")
        assert f"{name}.npz: not the other direction of this model; train it with --reverse" in error
    more = {"encoder": "true", "similarities": made / "other", "reverse_model": made / "reverse.npz"}
    assert "reverse.npz: not the other direction of this model" in refused(**more)
    assert "nowhere.npz" in refused(reverse_model=made / "nowhere.npz")
    syntax = training(made, tmp_path)
    syntax[syntax.index("relative")] = "syntax"
    expected = "--reverse: the jump model syntax needs trees, and summaries have none; choose another"
    assert expected in ends(capsys, train, *syntax, "--reverse", "--trees", made / "trees.npz")
    given = options(jump="syntax", index=tmp_path, output=tmp_path / "state", trees=made / "trees.npz")
    assert expected in ends(capsys, start, *given, "--reverse")


def test_the_last_step_of_sharded_training_refuses_another_direction(made, tmp_path, capsys):
    sharded = Training(made, "sharded", 2, "relative", made / "other-reverse.npz", iterations=1)
    assert "other-reverse.npz: not the other direction" in ends(capsys, Run(sharded))
    assert not sharded.path("model.npz").exists()


class Run:
    """A sharded training as a command."""

    def __init__(self, training):
        self.training = training

    def main(self, arguments):
        self.training.run()


def test_aligning_without_the_encoder_of_the_model_is_refused(made, tmp_path, capsys):
    given = options(model=made / "both.npz", corpus=made / "corpus.jsonl", output=tmp_path / "out")
    error = ends(capsys, align, *given, "--similarities", made / "other")
    assert "other: not the encoder that the model was trained with; give that encoder (--encoder)" in error
    error = ends(capsys, align, *given, "--encoder", tmp_path / "nowhere")
    assert "nowhere" in error
    error = ends(capsys, align, *given, "--similarities", tmp_path)
    assert "has no similarities of words" in error
    # Whole documents are the same extracts here; a pair that was never encoded fails.
    (tmp_path / "new.jsonl").write_text(json.dumps({"id": "n", "document": "A mill.", "summary": "A mill."}))
    given = options(model=made / "both.npz", corpus=tmp_path / "new.jsonl", output=tmp_path / "out")
    error = ends(capsys, align, *given, "--similarities", made / "encode")
    assert "has no pair n; encode the corpus again" in error
    assert not (tmp_path / "out").exists()
