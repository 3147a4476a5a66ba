"""Settings: validation with one-line errors, defaults, and conversion to options and back."""

import argparse
import shlex
import string

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from vorlage import settings
from vorlage.command.errors import InputError

CORPUS = {"name": "toy", "reader": "jsonl", "path": "toy.jsonl"}


def complete(**sections):
    return settings.complete({"corpus": CORPUS} | sections)


def test_schema_is_valid_and_forbids_unknown_keys():
    Draft202012Validator.check_schema(settings.schema())

    def check(rule):
        assert rule["additionalProperties"] is False
        for part in rule["properties"].values():
            if part.get("type") == "object":
                check(part)
            else:
                assert part["description"]

    check({**settings.schema()})


def test_every_default_is_valid_and_filled_in():
    config = complete()
    assert settings.complete(config) == config
    for name, rule in settings.schema()["properties"].items():
        if rule.get("type") == "object":
            assert set(config[name]) == set(rule["properties"])
    assert config["semihmm"]["fake_counts"] == {"word": 0, "identical": 4, "stem": 3, "unigram": 2000}


def test_given_settings_are_kept():
    config = complete(extract={"sentences": 5}, semihmm={"fake_counts": {"stem": 1}}, seed=7)
    assert config["extract"] == {"enabled": True, "method": "cosine", "sentences": 5, "unit": "sentence"}
    assert config["semihmm"]["fake_counts"] == {"word": 0, "identical": 4, "stem": 1, "unigram": 2000}
    assert config["seed"] == 7


@pytest.mark.parametrize(
    "name", ["config.yaml", "workflow/presets/paper.yaml", "workflow/presets/encoder.yaml"]
)
def test_the_configs_of_the_project_are_valid(name):
    path = settings.SCHEMA.parents[1] / name
    config = yaml.safe_load(path.read_text())
    assert settings.complete({"corpus": CORPUS} | config)


def test_the_bundled_config_spells_out_the_defaults():
    text = (settings.SCHEMA.parents[1] / "config.yaml").read_text()
    # A setting whose default depends on the encoder is a comment.
    config = yaml.safe_load(text.replace("\n  # ", "\n  "))
    assert config["semihmm"]["encoder"] == "auto"
    config["semihmm"]["encoder"] = False
    assert config == settings.complete({"corpus": config["corpus"]})


WITH_ENCODER = {"null_start": 0.5, "sentence_support": 0.25, "unigram_null": 0.5, "diagonal_discount": 1}


def test_some_defaults_depend_on_the_encoder():
    plain, found = complete()["semihmm"], settings.complete({"corpus": CORPUS}, encoder=True)["semihmm"]
    assert plain["encoder"] is False and found == plain | WITH_ENCODER | {"encoder": True}
    assert complete(semihmm={"encoder": True})["semihmm"] == found
    off = settings.complete({"corpus": CORPUS, "semihmm": {"encoder": False}}, encoder=True)
    assert off["semihmm"] == plain
    given = settings.section("semihmm", {"unigram_null": 0, "encoder": "auto"}, encoder=True)
    assert given == found | {"unigram_null": 0}
    commented = yaml.safe_load((settings.SCHEMA.parents[1] / "config.yaml").read_text())["semihmm"]
    assert not set(WITH_ENCODER) & set(commented)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"semihm": {}}, "unknown key `semihm`; known here: corpus, extract, parse, semihmm"),
        ({"semihmm": {"iteration": 3}}, "unknown key `semihmm.iteration`; known here: jumps, iterations"),
        ({"corpus": CORPUS | {"select": {"shorter": 3}}}, "unknown key `corpus.select.shorter`"),
        ({"semihmm": {"iterations": 0}}, "`semihmm.iterations` is 0; it must be a whole number at least 1"),
        ({"semihmm": {"iterations": 2.5}}, "`semihmm.iterations` is 2.5; it must be a whole number"),
        (
            {"semihmm": {"beam": "wide"}},
            '`semihmm.beam` is "wide"; it must be a number above 0 and at most 1',
        ),
        (
            {"semihmm": {"null_start": 2}},
            "`semihmm.null_start` is 2; it must be a number at least 1e-30 and below 1 or uniform",
        ),
        ({"extract": {"method": "tfidf"}}, '"tfidf"; it must be one of: cosine, deletion'),
        ({"extract": None}, "`extract` is null; it must be a section of settings"),
        ({"systems": ["giza"]}, '`systems` is "giza"; it must be one of: semihmm-relative'),
        ({"systems": ["cutpaste", "cutpaste"]}, "remove the entry that occurs twice"),
        ({"cutpaste": {"weights": [1, 1]}}, "`cutpaste.weights` is [1, 1]; it must be a list of at least 6"),
        ({"corpus": {"name": "toy", "reader": "jsonl"}}, "`corpus.path` is missing; add it"),
        ({"corpus": CORPUS | {"name": "a/b"}}, "letters, digits"),
        ({"corpus": CORPUS | {"name": "toy\n\n.."}}, "letters, digits"),
        ({"corpus": CORPUS | {"name": "x" * 101}}, "at most 100"),
        ({"corpus": CORPUS | {"reader": "pdf"}}, "`corpus.reader` is"),
        (
            {"corpus": CORPUS | {"select": {"shortest": "all"}}},
            "it must be a whole number at least 1 and at most 1000000000 or null",
        ),
    ],
)
def test_invalid_config_is_an_error_that_names_the_key(config, message):
    with pytest.raises(InputError) as caught:
        complete(**config)
    assert str(caught.value).startswith("config: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_system_needs_its_jump_model(monkeypatch):
    wider = yaml.safe_load(settings.SCHEMA.read_text())
    wider["properties"]["systems"]["items"]["enum"].append("semihmm-other")
    monkeypatch.setattr(settings, "schema", lambda: wider)
    assert complete()["systems"]
    with pytest.raises(InputError, match=r"`systems` has semihmm-other but `semihmm\.jumps` does not"):
        complete(systems=["cutpaste", "semihmm-other"])


@pytest.mark.parametrize(
    ("value", "read"), [("1e-5", 1e-5), ("3", 3), (".5", 0.5), (0.25, 0.25), ("uniform", "uniform")]
)
def test_texts_are_converted_to_the_type_in_the_schema(value, read):
    key = "null_start" if read == "uniform" else "tolerance"
    assert complete(semihmm={key: value})["semihmm"][key] == read


def test_whole_numbers_become_integers_and_texts_stay_texts():
    assert isinstance(complete(semihmm={"iterations": 10.0})["semihmm"]["iterations"], int)
    assert complete(corpus=CORPUS | {"name": "2005"})["corpus"]["name"] == "2005"
    assert complete(semihmm={"wordnet": "off"})["semihmm"]["wordnet"] is False


def test_line_break_at_the_end_of_a_name_is_removed():
    assert complete(corpus=CORPUS | {"name": "toy\n"})["corpus"]["name"] == "toy"


def test_missing_corpus_files_and_shared_names_are_errors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.jsonl").touch()
    settings.check_corpus(complete()["corpus"])
    for key in ("path", "gold"):
        with pytest.raises(InputError, match=rf"`corpus\.{key}` is nowhere, which does not exist"):
            settings.check_corpus(complete()["corpus"] | {key: "nowhere"})
    with pytest.raises(InputError, match=r"`corpus\.name` is logs"):
        settings.check_corpus(complete()["corpus"] | {"name": "logs"})


def parse(name, text, only=None):
    parser = argparse.ArgumentParser()
    settings.add_options(parser, name, only)
    return settings.from_options(parser.parse_args(shlex.split(text)), name)


positive = st.floats(min_value=1e-30, max_value=1e6)
semihmm = st.fixed_dictionaries(
    {},
    optional={
        "iterations": st.integers(1, 10**4),
        "tolerance": st.floats(0, 1),
        "null_start": st.floats(1e-30, 1, exclude_max=True) | st.just("uniform"),
        "jump_smoothing": positive,
        "wordnet": st.booleans(),
        "fake_counts": st.fixed_dictionaries({}, optional={"word": positive, "stem": positive}),
        "decoder": st.sampled_from(["posterior", "viterbi"]),
    },
)


@given(semihmm)
def test_section_is_the_same_after_a_command_line(values):
    completed = settings.section("semihmm", values)
    assert parse("semihmm", settings.options(completed)) == completed


@given(st.text(string.printable, min_size=1))
def test_options_are_quoted_for_the_shell(text):
    assert shlex.split(settings.options({"path": text, "other": 1})) == ["--path", text, "--other", "1"]


def test_options_can_be_limited_to_some_keys():
    completed = settings.section("extract")
    assert settings.options(completed, only=("sentences",)) == "--sentences 3"
    assert settings.options(completed, without=("enabled", "method", "unit")) == "--sentences 3"


def test_missing_options_have_their_defaults():
    assert parse("cutpaste", "--run 1") == settings.section("cutpaste", {"run": 1})
    assert parse("semihmm", "--decoder viterbi", only=("decoder",))["decoder"] == "viterbi"


def test_error_in_an_option_names_the_setting():
    with pytest.raises(InputError, match=r"`extract\.sentences` is \"many\"; it must be a whole number"):
        parse("extract", "--sentences many")


def test_help_describes_each_setting_and_its_default():
    parser = argparse.ArgumentParser()
    settings.add_options(parser, "cutpaste")
    text = " ".join(parser.format_help().split())
    assert "least number of consecutive words in a run (n of the 2005 paper) (default: 2)" in text


def test_null_survives_the_command_line():
    given = settings.options(complete()["giza"])
    assert given == "--path null --iterations 5 --longest 100"
    parser = argparse.ArgumentParser()
    settings.add_options(parser, "giza")
    assert settings.from_options(parser.parse_args(given.split()), "giza")["path"] is None
    assert settings.from_options(parser.parse_args(["--path", "bin"]), "giza")["path"] == "bin"


@pytest.mark.parametrize(
    ("parse", "says"),
    [
        ({"backend": "trees"}, "`parse.trees` is missing"),
        ({"backend": "trees", "trees": "absent.mrg"}, "`parse.trees` is absent.mrg, which is not a file"),
        ({"backend": "benepar", "benepar_model": "models/absent"}, "`parse.benepar_model` is models/absent"),
    ],
)
def test_missing_files_of_a_parser_are_errors(parse, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=says):
        settings.check_parse(complete(parse=parse))


def test_parser_with_its_files_is_accepted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.mrg").touch()
    for parse in ({}, {"backend": "benepar"}, {"backend": "trees", "trees": "own.mrg"}):
        settings.check_parse(complete(parse=parse))


def test_the_parser_must_read_the_language_of_the_corpus():
    corpus = {"name": "mine", "reader": "jsonl", "path": "mine.jsonl", "language": "de"}
    with pytest.raises(InputError, match="`corpus.language` is de, but the parser `pattern` reads English"):
        settings.check_parse(complete(corpus=corpus))
    settings.check_parse(complete(corpus=corpus, semihmm={"jumps": ["relative"]}, systems=["identity"]))
    settings.check_parse(complete(corpus=corpus, parse={"backend": "benepar"}))
    with pytest.raises(InputError, match='`corpus.language` is "German"; it must be the language'):
        complete(corpus=corpus | {"language": "German"})
