"""The effects of a user's config, and the errors for a wrong one."""

import pytest
import yaml

HEADER = [
    "Using workflow specific profile profiles/default for setting default command line arguments.",
    "Config file config.yaml is extended by additional config specified via the command line.",
]


def write(toy, config):
    (toy.folder / "user.yaml").write_text(config if isinstance(config, str) else yaml.safe_dump(config))
    return "user.yaml"


def bundle(toy):
    """Write files where the bundled corpus has its files."""
    bundled = yaml.safe_load((toy.folder / "config.yaml").read_text())["corpus"]
    for key in ("path", "gold"):
        path = toy.folder / bundled[key]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((toy.folder / toy.config["corpus"][key]).read_bytes())
    return bundled


def test_the_bundled_config_is_the_bundled_corpus(toy):
    bundled = bundle(toy)
    outcome = toy.bare("-n", "-p")
    assert outcome.status == 0
    assert f"--path {bundled['path']} --gold {bundled['gold']} --reader jsonl" in outcome.text


def test_a_corpus_section_replaces_the_bundled_corpus_completely(toy):
    bundle(toy)
    user = write(toy, {"corpus": {"name": "mine", "reader": "jsonl", "path": "toy.jsonl"}})
    outcome = toy.bare("-n", "-p", "--configfile", user)
    assert outcome.status == 0, outcome.text
    # Without gold, nothing is scored.
    assert "--path toy.jsonl  --reader jsonl --tokenized false" in outcome.text
    assert "data/" not in outcome.text
    assert not outcome.jobs & {"score", "evaluate_extracts"}
    assert {"align", "cutpaste", "statistics"} <= outcome.jobs


def test_the_last_corpus_section_counts(toy):
    first = write(toy, {"corpus": {"name": "first", "reader": "jsonl", "path": "toy.jsonl", "gold": "x"}})
    outcome = toy.snakemake("-n", "-p", "--force", "results/toy/corpus/corpus.jsonl", configfiles=[first])
    assert "--path toy.jsonl --gold toy-gold.jsonl" in outcome.text
    outcome = toy.snakemake("-n", "-p", "--config", "corpus={name: last, reader: text, path: pipeline}")
    assert "--path pipeline  --reader text" in outcome.text
    assert "results/last/" in outcome.text


def test_other_sections_are_merged(toy):
    outcome = toy.snakemake("-n", "-p", "--config", "extract={sentences: 2}", "seed=5")
    assert "--enabled true --method cosine --sentences 2" in outcome.text
    assert "--seed 5" in outcome.text


def test_the_preset_paper_sets_its_options(toy):
    outcome = toy.snakemake("-n", "-p", configfiles=["workflow/presets/paper.yaml"])
    assert outcome.status == 0
    assert "--null-start uniform" in outcome.text
    assert "--beam 0.5" in outcome.text
    assert "--fake-counts.word 2 " in outcome.text and "--fake-counts.unigram 0 " in outcome.text
    assert "--null-learned true" in outcome.text and "--sentence-similarity 0 " in outcome.text
    assert "train/reverse" not in outcome.text
    assert "--decoder viterbi" in outcome.text
    assert "results/toy/score/scores.tsv" in outcome.text


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"semihm": {"beam": 1}}, "unknown key `semihm`; known here: corpus, extract"),
        ({"semihmm": {"iteration": 5}}, "unknown key `semihmm.iteration`"),
        ({"systems": ["giza"]}, '`systems` is "giza"; it must be one of: semihmm-relative'),
        ({"corpus": {"name": "mine", "reader": "jsonl"}}, "`corpus.path` is missing; add it"),
        (
            {"corpus": {"name": "mine", "reader": "jsonl", "path": "no.jsonl"}},
            "`corpus.path` is no.jsonl, which does not exist",
        ),
        (
            {"corpus": {"name": "mine", "reader": "jsonl", "path": "toy.jsonl", "gold": "no.jsonl"}},
            "`corpus.gold` is no.jsonl, which does not exist",
        ),
        ({"corpus": None}, "`corpus` is null; it must be a section of settings"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_a_wrong_config_is_refused_in_one_line(toy, config, message):
    outcome = toy.bare("-n", "--configfile", write(toy, config))
    assert outcome.status == 1
    *header, line = outcome.text.splitlines()
    assert header == HEADER
    assert line.startswith("error: config: ") and message in line


def test_a_stage_that_fails_says_why_in_one_line(toy):
    (toy.folder / "broken.jsonl").write_text('{"id": "a", "document": "One .", "summary": \n')
    outcome = toy.snakemake(
        "--cores", "1", corpus={"name": "broken", "path": "broken.jsonl", "gold": None}, systems=["cutpaste"]
    )
    assert outcome.status == 1
    assert "Traceback" not in outcome.text
    lines = [line for line in outcome.text.splitlines() if line.startswith("error: ")]
    assert "broken.jsonl, line 1: not valid JSON" in lines[0]
    assert lines[1:] == lines[:1]  # repeated at the end of the run
    assert lines[0].removeprefix("error: ") in (toy.folder / "results/broken/logs/corpus.log").read_text()
    assert not list((toy.folder / "results/broken/corpus").glob("*.jsonl"))
