"""Only what changed runs again. The whole workflow has run on the toy corpus before each test."""

import json
import os
import re

import pytest
from toy import JUMPS, SYSTEMS, Toy
from vorlage.encoder.installed import PACKAGED, find_model

pytestmark = pytest.mark.slow

AFTER_SCORE = {"score", "analysis", "figures", "page"}
AFTER_DECOMPOSE = {"decompose", "figures", "page"}
AFTER_LINKS = AFTER_SCORE | AFTER_DECOMPOSE
AFTER_ALIGN = {"align"} | AFTER_LINKS
AFTER_TRAIN = {"train"} | AFTER_ALIGN
AFTER_PARSE = {"parse"} | AFTER_TRAIN
AFTER_ALIGN_TRANSLATION = {"align_translation", "symmetrize"} | AFTER_LINKS
AFTER_TRAIN_TRANSLATION = {"train_translation"} | AFTER_ALIGN_TRANSLATION
AFTER_EXTRACT = (
    {"extract", "evaluate_extracts", "statistics", "cutpaste", "identity"}
    | AFTER_TRAIN
    | AFTER_PARSE
    | AFTER_TRAIN_TRANSLATION
)
EVERYTHING = {"corpus", "agreement"} | AFTER_EXTRACT
INSTALLED = pytest.mark.skipif(
    find_model(PACKAGED) is None, reason="the encoder is not installed; `make setup` installs it"
)


def test_a_second_run_does_nothing(toy):
    outcome = toy.snakemake("--cores", "2")
    assert outcome.status == 0
    assert "Nothing to be done" in outcome.text
    assert outcome.jobs == set()


@pytest.mark.parametrize(
    ("path", "old", "new", "jobs"),
    [
        ("pipeline/vorlage/extract/stage.py", '"""The extract stage', '"""The stage of extracts', set()),
        ("pipeline/vorlage/semihmm/decode/decode.py", "\nimport ", "\n# A comment.\nimport ", set()),
        ("pipeline/vorlage/semihmm/decode/decode.py", "\nimport ", "\nEDITED = 1\nimport ", AFTER_ALIGN),
        ("pipeline/vorlage/semihmm/jumps/relative.py", "\nimport ", "\nEDITED = 1\nimport ", AFTER_TRAIN),
        ("pipeline/vorlage/trees/pattern.py", "\nfrom ", "\nEDITED = 1\nfrom ", AFTER_PARSE),
        ("pipeline/vorlage/trees/cascade.py", "\nfrom ", "\nEDITED = 1\nfrom ", AFTER_PARSE),
        ("pipeline/vorlage/trees/benepar.py", "\nimport ", "\nEDITED = 1\nimport ", set()),
        ("pipeline/vorlage/semihmm/jumps/gaussian.py", "\nimport ", "\nEDITED = 1\nimport ", AFTER_TRAIN),
        (
            "pipeline/vorlage/baselines/cutpaste.py",
            "\nimport ",
            "\nEDITED = 1\nimport ",
            {"cutpaste"} | AFTER_LINKS,
        ),
        (
            "pipeline/vorlage/baselines/translated.py",
            "\nimport ",
            "\nEDITED = 1\nimport ",
            AFTER_ALIGN_TRANSLATION,
        ),
        (
            "pipeline/vorlage/baselines/bitext.py",
            "\nimport ",
            "\nEDITED = 1\nimport ",
            AFTER_TRAIN_TRANSLATION,
        ),
        ("pipeline/vorlage/baselines/word_vectors.py", "\nimport ", "\nEDITED = 1\nimport ", set()),
        ("pipeline/vorlage/score/bootstrap.py", "\nimport ", "\nEDITED = 1\nimport ", AFTER_SCORE),
        (
            "pipeline/vorlage/score/calibration.py",
            "\nimport ",
            "\nEDITED = 1\nimport ",
            AFTER_SCORE - {"score"},
        ),
        ("pipeline/vorlage/report/figures.py", "\nimport ", "\nEDITED = 1\nimport ", {"figures", "page"}),
        ("pipeline/vorlage/viewer/viewer.py", "\nimport ", "\nEDITED = 1\nimport ", {"page"}),
        ("pipeline/vorlage/report/templates/viewer.js", "use strict", "use  strict", {"page"}),
        ("pipeline/vorlage/report/captions/jumps.rst", " ", "  ", {"page"}),
        (
            "pipeline/vorlage/extract/evaluate.py",
            "\nimport ",
            "\nEDITED = 1\nimport ",
            {"evaluate_extracts"} | AFTER_DECOMPOSE,
        ),
        ("pipeline/vorlage/decompose/operations.py", "\nfrom ", "\nEDITED = 1\nfrom ", AFTER_DECOMPOSE),
        ("pipeline/vorlage/extract/cosine.py", "\nimport ", "\nEDITED = 1\nimport ", AFTER_EXTRACT),
        ("toy.jsonl", "Visitors pay nothing", "Visitors pay little", EVERYTHING),
        ("toy-gold.jsonl", '"annotator": "A"', '"annotator": "B"', EVERYTHING),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_edit_reruns_what_it_decides(toy, path, old, new, jobs):
    with toy.edited(path, old, new):
        assert toy.planned() == jobs


@pytest.mark.parametrize(
    ("sections", "jobs"),
    [
        ({"extract": {"sentences": 2}}, AFTER_EXTRACT),
        ({"semihmm": {"decoder": "viterbi"}}, AFTER_ALIGN),
        ({"semihmm": {"posterior_threshold": 0.3}}, AFTER_ALIGN),
        ({"semihmm": {"gap_threshold": 1}}, AFTER_ALIGN),
        ({"semihmm": {"iterations": 3}}, AFTER_TRAIN),
        ({"semihmm": {"agreement": False}}, AFTER_TRAIN),
        ({"semihmm": {"unigram_null": 0}}, AFTER_ALIGN),
        ({"semihmm": {"stretch_support": 0}}, AFTER_ALIGN),
        ({"semihmm": {"sentence_similarity": 1}}, AFTER_TRAIN),
        ({"semihmm": {"sentence_support": 0}}, AFTER_TRAIN),
        ({"semihmm": {"encoder_baseline": 0}}, AFTER_TRAIN),
        ({"semihmm": {"wordnet_senses": "first"}}, AFTER_TRAIN),
        ({"semihmm": {"encoder_temperature": 0.1}}, AFTER_TRAIN),
        ({"semihmm": {"null_learned": True}}, AFTER_TRAIN),
        pytest.param({"semihmm": {"encoder": "auto"}}, {"encode"} | AFTER_TRAIN, marks=INSTALLED),
        ({"semihmm": {"encoder": "auto"}, "embed": {"model": "we/small"}}, set()),
        ({"semihmm": {"fake_counts": {"unigram": 100}}}, AFTER_TRAIN),
        # Two settings exchange their values.
        ({"semihmm": {"jump_smoothing": 0.02, "null_smoothing": 0.01}}, AFTER_TRAIN),
        ({"semihmm": {"wordnet": True}}, AFTER_TRAIN),
        ({"parse": {"backend": "benepar"}}, {"benepar_model"} | AFTER_PARSE),
        ({"parse": {"benepar_model": "other"}}, set()),
        (
            {"systems": [*SYSTEMS, "embed"], "embed": {"model": "we/small"}},
            {"encoder", "embed"} | AFTER_LINKS,
        ),
        (
            {"systems": [*SYSTEMS, "transport-partial"], "embed": {"model": "we/small"}},
            {"encoder", "embed"} | AFTER_LINKS,
        ),
        ({"cutpaste": {"run": 1}}, {"cutpaste"} | AFTER_LINKS),
        ({"translation": {"iterations": 3}}, AFTER_TRAIN_TRANSLATION),
        ({"giza": {"longest": 50}}, set()),
        ({"systems": [*SYSTEMS, "cutpaste-1"]}, {"cutpaste"} | AFTER_LINKS),
        ({"systems": [*SYSTEMS, "hmm-intersect"]}, {"symmetrize"} | AFTER_LINKS),
        ({"score": {"bootstrap": 500}}, AFTER_SCORE),
        ({"score": {"errors": 5}}, AFTER_SCORE - {"score"}),
        ({"report": {"pairs": 3}}, {"page"}),
        ({"seed": 2}, EVERYTHING),
        ({"systems": ["cutpaste"]}, AFTER_LINKS),
        # The same values, spelled differently.
        ({"extract": {"sentences": 3}, "semihmm": {"beam": "1.0", "iterations": 2.0}}, set()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_changed_setting_reruns_what_it_decides(toy, sections, jobs):
    assert toy.planned(**sections) == jobs


@pytest.mark.parametrize("jump", ["gaussian", "syntax"])
def test_an_edit_to_a_jump_model_retrains_that_model_alone(toy, jump):
    with toy.edited(f"pipeline/semihmm/jumps/{jump}.py", "\nimport ", "\nEDITED = 1\nimport "):
        outcome = toy.snakemake("-n")
    assert outcome.counts == {"train": 1, "align": 1} | dict.fromkeys(AFTER_LINKS, 1)
    assert f"results/toy/train/{jump}/model.npz" in outcome.text


def test_an_edit_to_relative_jumps_retrains_all_models(toy):
    with toy.edited("pipeline/vorlage/semihmm/jumps/relative.py", "\nimport ", "\nEDITED = 1\nimport "):
        outcome = toy.snakemake("-n")
    assert outcome.counts == {"train": 4, "align": 3} | dict.fromkeys(AFTER_LINKS, 1)


def test_without_agreement_an_edit_to_relative_jumps_retrains_one_model(finished_toy, tmp_path):
    toy = Toy(tmp_path, finished_toy)
    toy.config["semihmm"]["agreement"] = False
    models = [f"results/toy/train/{jump}/model.npz" for jump in JUMPS]
    assert toy.snakemake("--cores", "2", *models).counts == {"train": 3}
    with toy.edited("pipeline/vorlage/semihmm/jumps/relative.py", "\nimport ", "\nEDITED = 1\nimport "):
        assert toy.snakemake("-n", *models).counts == {"train": 1}


def test_an_edit_to_the_parser_retrains_the_syntax_model_alone(toy):
    with toy.edited("pipeline/vorlage/trees/tags.py", "\nimport ", "\nEDITED = 1\nimport "):
        outcome = toy.snakemake("-n")
    assert outcome.counts == {"parse": 1, "train": 1, "align": 1} | dict.fromkeys(AFTER_LINKS, 1)
    assert "results/toy/train/syntax/model.npz" in outcome.text


def test_the_reason_names_the_module_that_changed(toy):
    with toy.edited("pipeline/vorlage/semihmm/jumps/relative.py", "\nimport ", "\nEDITED = 1\nimport "):
        text = toy.snakemake("-n").text
    (reason,) = (line for line in text.splitlines() if "Params have changed" in line)
    before, now = (
        dict(re.findall(r"(pipeline[.\w]+) ([0-9a-f]{12})", parts))
        for parts in reason.split("before: ")[1].split("now: ")
    )
    assert before.keys() == now.keys()
    assert [name for name in before if before[name] != now[name]] == ["vorlage.semihmm.jumps.relative"]


def test_the_reason_shows_the_setting_that_changed(toy):
    text = toy.snakemake("-n", extract={"sentences": 2}).text
    assert (
        "--sentences 3 --unit sentence' now: '--enabled true --method cosine --sentences 2 --unit sentence'"
        in text
    )


def test_the_unit_of_the_gold_decides_the_scores(toy):
    spans = {"summary": [0, 5], "document": [0, 5]}
    gold = {"id": "boats", "annotator": "A", "unit": "char", "alignments": [spans]}
    (toy.folder / "characters.jsonl").write_text(json.dumps(gold) + "\n")
    scored = {"score", "score_phrases", "agreement"}
    assert toy.planned(corpus={"name": "other", "gold": "characters.jsonl"}) & scored == {"score_phrases"}
    without = toy.planned(corpus={"name": "other", "gold": None})
    assert not without & scored
    assert {"analysis", "figures", "page"} <= without


def test_a_corpus_that_is_a_folder_is_watched(toy):
    folder = toy.folder / "texts"
    for part in ("documents", "summaries"):
        (folder / part).mkdir(parents=True)
        (folder / part / "1.txt").write_text("Two boats left.")
    corpus = {"name": "texts", "reader": "text", "path": "texts", "gold": None, "tokenized": False}
    target = "results/texts/corpus/corpus.jsonl"

    def jobs():
        return toy.snakemake("-n", target, corpus=corpus).jobs

    outcome = toy.snakemake("--cores", "1", target, corpus=corpus)
    assert outcome.status == 0, outcome.text
    assert jobs() == set()
    (folder / "passing").touch()
    (folder / "passing").unlink()
    assert jobs() == set()
    path = folder / "documents" / "1.txt"
    times = path.stat()
    path.write_text("Few boats left.")
    assert jobs() == {"corpus"}
    path.write_text("Two boats left.")
    assert jobs() == set()
    path.write_text("Six boats left.")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert jobs() == {"corpus"}


def test_missing_results_are_made_again(toy):
    assert toy.untargeted() == []
    path = toy.folder / "results/toy/extract/extracts.jsonl"
    away = path.rename(toy.folder / "away")
    assert toy.planned() == AFTER_EXTRACT
    away.rename(path)
    assert toy.planned() == set()
