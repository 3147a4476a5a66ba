"""The effects of a user's config, and the errors for a wrong one."""

import re

import pytest
import yaml

BUNDLED = {"name": "toy", "reader": "jsonl", "path": "toy.jsonl"}
WRONG = {"semihmm": {"iteration": 5}}


def write(toy, config):
    (toy.folder / "user.yaml").write_text(yaml.safe_dump(config))
    return "user.yaml"


def test_later_configs_replace_earlier_settings_but_a_corpus_as_a_whole(toy):
    first = write(toy, {"corpus": {"name": "first", "reader": "jsonl", "path": "toy.jsonl", "gold": "x"}})
    configs = ["workflow/presets/paper.yaml", first]
    corpus = "corpus={name: last, reader: text, path: pipeline}"
    outcome = toy.snakemake(
        "-n", "-p", "--config", corpus, "extract={sentences: 2}", "seed=5", configfiles=configs
    )
    assert outcome.status == 0, outcome.text
    assert "--path pipeline  --reader text" in outcome.text and "toy-gold" not in outcome.text
    assert "results/last/" in outcome.text and not outcome.counts.keys() & {"score", "evaluate_extracts"}
    for options in (
        "--enabled true --method deletion-each --sentences 2",
        "--seed 5",
        "--null-probability uniform",
    ):
        assert options in outcome.text
    # The toy config comes after the preset.
    assert "--iterations 2 " in outcome.text and "--wordnet false" in outcome.text
    assert "--beam 0.5" in outcome.text and "--decoder viterbi" in outcome.text
    assert "train/reverse" not in outcome.text


def test_without_gold_the_same_systems_run(toy):
    corpus = {
        "name": "all",
        "reader": "jsonl",
        "path": "toy.jsonl",
        "gold": "toy-gold.jsonl",
        "tokenized": True,
    }
    scored = toy.bare("-n", "--configfile", write(toy, {"corpus": corpus})).counts
    corpus["gold"] = None
    plain = toy.bare("-n", "--configfile", write(toy, {"corpus": corpus})).counts
    assert plain == {
        rule: scored[rule] for rule in scored.keys() - {"score", "agreement", "evaluate_extracts"}
    }
    assert (plain["extract"], plain["train"], plain["align"], plain["baseline"]) == (2, 8, 8, 2)
    config = {"corpus": corpus, "semihmm": {"jumps": ["relative"]}}
    outcome = toy.bare("-n", "--configfile", write(toy, config))
    # semihmm-relative in both directions, and paper-relative; -viterbi has the model of the first.
    assert (outcome.counts["train"], outcome.counts["align"]) == (3, 3) and "parse" not in outcome.counts


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (WRONG, "unknown key `semihmm.iteration`"),
        ({"variants": {"a": WRONG}, "systems": ["a-relative"]}, "unknown key `semihmm.iteration`"),
        ({"variants": {"a": "no.yaml"}, "systems": ["a-relative"]}, "no.yaml: cannot be read"),
        ({"corpus": BUNDLED | {"gold": "no.jsonl"}}, "`corpus.gold` is no.jsonl, which does not exist"),
    ],
)
def test_a_wrong_config_is_refused_in_one_line(toy, config, message):
    outcome = toy.bare("-n", "--configfile", write(toy, {"corpus": BUNDLED} | config))
    assert outcome.status == 1
    line = outcome.text.splitlines()[-1]
    assert re.match(r"error: (variant a: |config: )", line) and message in line
    assert "Traceback" not in outcome.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("corpus:\n  name: x\n path: y\n", "my.yaml, line 3: not valid YAML (expected <block end>"),
        ("semihmm: {iterations: 5\nseed: 1\n", "my.yaml, line 2: not valid YAML (expected ',' or '}'"),
        ("seed:\n\t1\n", "my.yaml, line 2: not valid YAML (found character '\\t'"),
        ("seed: 1: 2\n", "my.yaml, line 1: not valid YAML (mapping values are not allowed"),
        ("extract: {method: 'cosine}\n", "my.yaml, line 2: not valid YAML (found unexpected end"),
        ('{"seed": 1', "my.yaml, line 1: not valid YAML (expected ',' or '}'"),
        ("- seed\n", "my.yaml: no sections; write them as in config.yaml"),
        ("# seed: 1\n", "my.yaml: no sections; write them as in config.yaml"),
        (None, "my.yaml: cannot be read (No such file or directory); check the path"),
    ],
)
def test_a_config_that_cannot_be_read_is_named_with_its_line(toy, text, message):
    path = toy.folder / "my.yaml"
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(text)
    outcome = toy.bare("-n", "--configfile=my.yaml")
    assert outcome.status == 1
    assert outcome.text.splitlines()[-1].startswith(f"error: {message}") and "Error" not in outcome.text


def test_so_is_the_bundled_config(toy):
    with toy.edited("config.yaml", "corpus:", "corpus: ["):
        outcome = toy.bare("-n", "--configfile", write(toy, {"seed": 1}))
    assert re.match(r"error: config.yaml, line \d+: not valid YAML", outcome.text.splitlines()[-1])


@pytest.mark.parametrize(
    "text", ["", "# Nothing.\n", "report: {pairs: 5}\n", "report:\n  pairs: 5\n", "---\nseed: 1\n"]
)
def test_a_broken_config_among_others_is_the_one_that_is_named(toy, text):
    (toy.folder / "good.yaml").write_text("seed: 1\n")
    (toy.folder / "bad.yaml").write_text(f"{text}semihmm: [\n")
    outcome = toy.bare("-n", "--configfile", "good.yaml", "bad.yaml")
    assert outcome.text.splitlines()[-1].startswith("error: bad.yaml, line ")


@pytest.mark.slow
def test_a_stage_that_fails_says_why_in_one_line(toy):
    (toy.folder / "broken.jsonl").write_text('{"id": "a", "document": "One .", "summary": \n')
    outcome = toy.snakemake(
        "--cores", "1", corpus={"name": "broken", "path": "broken.jsonl", "gold": None}, systems=["cutpaste"]
    )
    assert outcome.status == 1
    assert "Traceback" not in outcome.text
    (line,) = {line.partition("error: ")[2] for line in outcome.text.splitlines() if "error: " in line}
    assert "broken.jsonl, line 1: not valid JSON" in line
    assert line in (toy.folder / "results/broken/logs/corpus.log").read_text()
    assert not list((toy.folder / "results/broken/corpus").glob("*.jsonl"))
