"""Settings: checks with one-line errors, defaults, and conversion to options and back."""

import argparse
import json
import shlex
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from vorlage.command.errors import InputError
from vorlage.settings import Embed, Extraction, FakeCounts, Parse, SemiHmm, Training, validate
from vorlage.workflow.config import load_config
from vorlage.workflow.settings import DEFAULT_SYSTEMS, Config, CutPaste, check_files, semihmm_system

ROOT = Path(__file__).parents[1]
CORPUS = {"name": "toy", "reader": "jsonl", "path": "toy.jsonl"}
WITH_ENCODER = {
    "null_probability": 0.5,
    "sentence_support": 0.25,
    "unigram_null": 0.5,
    "diagonal_discount": 1,
}


def config(encoder=False, **sections):
    return validate(Config, {"corpus": CORPUS} | sections, encoder)


def test_defaults_are_filled_in_and_given_settings_kept():
    made = config(extract={"sentences": 5}, semihmm={"fake_counts": {"stem": 1}}, seed=7)
    assert made.extract == Extraction(sentences=5) and made.extract.method == "cosine"
    assert made.semihmm.fake_counts.model_dump() == {
        "word": 0,
        "identical": 4,
        "stem": 1,
        "phrase": 0,
        "unigram": 2000,
    }
    assert made.seed == 7 and config() == validate(Config, config().model_dump())


@pytest.mark.parametrize(
    "path", ["config.yaml", *sorted(map(str, (ROOT / "workflow/presets").glob("*.yaml")))]
)
def test_the_configs_of_the_project_are_valid(path):
    bundled, changes = (yaml.safe_load((ROOT / name).read_text()) for name in ("config.yaml", path))
    sections = {
        key: bundled.get(key, {}) | value if isinstance(value, dict) else value
        for key, value in changes.items()
    }
    assert validate(Config, bundled | sections)


def test_the_preset_of_the_paper_names_all_that_decides_its_models():
    paper = yaml.safe_load((ROOT / "workflow/presets/paper.yaml").read_text())
    assert {*paper["extract"]} == {*Extraction.model_fields}
    assert {*paper["semihmm"]} == {*SemiHmm.model_fields} - {"jumps"}
    assert {*paper["semihmm"]["fake_counts"]} == {*FakeCounts.model_fields}


def test_the_default_systems_are_those_of_the_jump_models():
    made = config(semihmm={"jumps": ["exponential", "relative"]}).systems
    assert made[:3] == ("semihmm-exponential", "semihmm-relative", "semihmm-relative-viterbi")
    assert made[3:5] == ("paper-relative", "cutpaste") and len(made) == 10
    assert "paper-relative" not in config(variants={"mine": {}}).systems
    made = config(semihmm={"jumps": ["syntax"]}).systems
    assert made[:3] == ("semihmm-syntax", "paper-syntax", "paper-syntax-counts")
    assert config().systems == DEFAULT_SYSTEMS


def test_the_config_of_a_run_has_the_languages_of_its_corpus(tmp_path):
    german = "Der Hafen wurde am Montag geschlossen, weil ein Kran in das Wasser gefallen war."
    record = {"id": "a", "document": german, "summary": german}
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    corpus = CORPUS | {"path": str(tmp_path / "a.jsonl")}
    made = load_config({"corpus": corpus, "semihmm": {"jumps": ["relative"], "encoder": False}})
    assert (made.corpus.language, made.corpus.document_language) == ("de", "de")
    assert made.semihmm.wordnet is False and made.parse.backend in ("pattern", "benepar")
    assert load_config({"corpus": corpus | {"language": "en"}}).semihmm.wordnet is True
    with pytest.raises(InputError, match="reads English alone"):
        load_config({"corpus": corpus})
    (tmp_path / "a.jsonl").write_text("broken")
    assert load_config({"corpus": corpus}).corpus.language is None


def test_a_corpus_of_the_user_replaces_the_whole_section(tmp_path):
    (tmp_path / "a.jsonl").touch()
    mine = {"name": "mine", "reader": "jsonl", "path": str(tmp_path / "a.jsonl"), "language": "en"}
    merged = {"corpus": mine | {"gold": "of the bundled corpus"}, "seed": 2}
    made = load_config(merged, {"corpus": CORPUS}, {"seed": 2}, {"corpus": mine})
    assert made.corpus.gold is None and made.corpus.name == "mine" and made.seed == 2


def test_the_bundled_config_has_defaults():
    bundled = yaml.safe_load((ROOT / "config.yaml").read_text())
    for encoder in (False, True):
        assert validate(Config, bundled, encoder) == validate(Config, {"corpus": bundled["corpus"]}, encoder)


def test_some_defaults_depend_on_the_encoder():
    plain = validate(SemiHmm)
    found = validate(SemiHmm, encoder=True)
    assert not plain.encoder and found == plain.model_copy(update=WITH_ENCODER | {"encoder": True})
    for given_encoder in (True, "true", "True", "yes"):
        assert validate(SemiHmm, {"encoder": given_encoder}) == found
    assert config(encoder=True).semihmm == found
    assert validate(SemiHmm, {"encoder": False}, encoder=True) == plain
    assert validate(SemiHmm, {"encoder": "auto", "unigram_null": 0}, encoder=True).unigram_null == 0


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"semihm": {}}, "unknown key `semihm`; known here: corpus, extract, parse, semihmm"),
        ({"corpus": CORPUS | {"select": {"shorter": 3}}}, "unknown key `corpus.select.shorter`"),
        ({"systems": ["semihm-relative"]}, "; did you mean semihmm-relative?"),
        ({"semihmm": {"iterations": 0}}, "`semihmm.iterations` is 0; it must be greater than or equal to 1"),
        ({"semihmm": {"beam": "wide"}}, '`semihmm.beam` is "wide"; it must be a valid number'),
        ({"extract": {"method": "tfidf"}}, "\"tfidf\"; it must be 'cosine', 'deletion' or"),
        ({"extract": None}, "`extract` is null; it must be a section of settings"),
        ({"systems": ["hmm"]}, "`systems` has hmm; it must be one of: semihmm-exponential"),
        (
            {"systems": ["mine-relative"]},
            "`systems` has mine-relative; it must be one of: semihmm-exponential",
        ),
        ({"variants": {"mine": {"seed": {}}}}, "`variants.mine` has seed; a variant has the sections"),
        ({"systems": ["cutpaste", "cutpaste"]}, "remove the entry that occurs twice"),
        ({"cutpaste": {"weights": [1, 1]}}, "`cutpaste.weights` is [1, 1]; it must have at least 6"),
        ({"corpus": {"name": "toy", "reader": "jsonl"}}, "`corpus.path` is missing; add it"),
        ({"corpus": CORPUS | {"name": "a/b"}}, "letters, digits"),
        ({"corpus": CORPUS | {"name": "logs"}}, "`corpus.name` is logs, a folder of all corpora; rename it"),
        ({"corpus": CORPUS | {"language": "German"}}, '`corpus.language` is "German"; it must be a two'),
    ],
)
def test_invalid_config_is_an_error_that_names_the_key(sections, message):
    with pytest.raises(InputError) as caught:
        config(**sections)
    assert str(caught.value).startswith("config: ") and message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("semihmm-syntax", ("semihmm", "syntax", False)),
        ("paper-syntax-counts-viterbi", ("paper", "syntax-counts", True)),
        ("paper-gaussian-viterbi", ("paper", "gaussian", True)),
        ("my-relative-relative", ("my-relative", "relative", False)),
        *((name, None) for name in ("relative", "hmm-doc", "paper-viterbi", "paper-relative-2")),
    ],
)
def test_the_name_of_a_semihmm_says_variant_jumps_and_decoder(name, system):
    assert semihmm_system(name) == system
    if system:
        assert config(variants={"paper": "x.yaml", "my-relative": {}}, systems=[name]).systems == (name,)


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"corpus": CORPUS | {"path": "nowhere"}}, r"`corpus\.path` is nowhere, which does not exist"),
        ({"corpus": CORPUS | {"gold": "nowhere"}}, r"`corpus\.gold` is nowhere, which does not exist"),
        ({"parse": {"backend": "trees"}}, r"`parse\.trees` is missing"),
        ({"parse": {"backend": "trees", "trees": "no.mrg"}}, r"`parse\.trees` is no\.mrg, which does not"),
        ({"parse": {"backend": "benepar", "benepar_model": "a/b"}}, r"`parse\.benepar_model` is a/b"),
        (
            {"parse": {"backend": "benepar"}, "corpus": CORPUS | {"language": "de"}},
            r"parser `benepar_en3` reads",
        ),
        ({"corpus": CORPUS | {"language": "de"}}, r"is de, but the parser `pattern` reads English alone"),
    ],
)
def test_missing_files_and_a_parser_of_another_language_are_errors(sections, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("toy.jsonl", "benepar.py"):
        (tmp_path / name).touch()
    check_files(config())
    own = {"backend": "benepar", "benepar_model": "benepar_de2"}
    check_files(config(parse=own, corpus=CORPUS | {"language": "de"}))
    with pytest.raises(InputError, match=message):
        check_files(config(**sections))


def parse(section, text, only=None):
    parser = argparse.ArgumentParser()
    section.add_options(parser, only)
    return section.from_options(parser.parse_args(shlex.split(text)))


positive = st.floats(min_value=1e-30, max_value=1e6)
some_settings = {
    "iterations": st.integers(1, 10**4),
    "null_probability": st.floats(1e-30, 1, exclude_max=True) | st.just("uniform"),
    "jump_smoothing": positive,
    "wordnet": st.booleans() | st.just("first"),
    "encoder": st.booleans(),
    "jumps": st.permutations(["relative", "syntax", "syntax-counts"]),
    "fake_counts": st.fixed_dictionaries({}, optional={"word": positive, "stem": positive}),
    "decoder": st.sampled_from(["posterior", "viterbi"]),
}


@given(st.fixed_dictionaries({}, optional=some_settings))
def test_a_section_is_the_same_after_a_command_line(values):
    section = validate(SemiHmm, values)
    assert parse(SemiHmm, section.options()) == section


def test_options_are_quoted_and_limited_to_some_keys():
    assert shlex.split(Embed(model="a b'c").options(("model",))) == ["--model", "a b'c"]
    parsing = Parse(backend="pattern")
    assert parsing.options() == "--backend pattern --benepar-model benepar_en3 --trees null"
    assert parse(Parse, parsing.options()) == parsing
    assert parse(CutPaste, "--run 1", only=("run",)) == CutPaste(run=1)
    assert "--fake-counts.word 0.0" in validate(SemiHmm).options(Training.model_fields)


def test_options_describe_each_setting_and_errors_name_it():
    parser = argparse.ArgumentParser()
    CutPaste.add_options(parser)
    assert "in a run (n of the 2005 paper) (default: 2)" in " ".join(parser.format_help().split())
    with pytest.raises(InputError, match=r"`extract\.sentences` is \"many\"; it must be a valid integer"):
        parse(Extraction, "--sentences many")
