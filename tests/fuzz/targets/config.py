"""The config: YAML or JSON that is completed with every default, and settings given as texts."""

from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from fuzz.mutators import yaml_document
from fuzz.target import Target
from pipeline.errors import InputError
from pipeline.settings import check_corpus, check_parse, complete, options, schema

ROOT = Path(__file__).parents[3]


def check(data):
    """A config that is taken is valid, and has nothing to complete any more."""
    config = _load(data)
    if config is None:
        raise InputError("config: not taken by Snakemake")
    completed = complete(config)
    assert Draft202012Validator(schema()).is_valid(completed)
    assert complete(completed) == completed
    for section in completed.values():
        if isinstance(section, dict):
            options(section)
    check_parse(completed["parse"])
    check_corpus(completed["corpus"])


def _load(data):
    """What Snakemake hands on of a config file: a dict; None for what it does not take itself."""
    try:
        config = yaml.load(data.decode(), Loader=yaml.FullLoader)
    except (ValueError, RecursionError, yaml.YAMLError, TypeError, AttributeError):
        return None
    return config if isinstance(config, dict) else None


def seeds():
    """The configs of the project, a small one, and numbers as texts."""
    corpus = {"name": "toy", "reader": "jsonl", "path": "data/sample/corpus.jsonl"}
    small = {
        "corpus": corpus,
        "semihmm": {"iterations": "3", "tolerance": "1e-5", "fake_counts": {"word": ".5"}},
    }
    lists = {
        "corpus": corpus,
        "systems": ["cutpaste"],
        "cutpaste": {"weights": [1, 1, 1, 1, 1, 0.5]},
        "seed": 10.0,
    }
    paper = {"corpus": corpus} | yaml.safe_load((ROOT / "workflow/presets/paper.yaml").read_text())
    made = [yaml.safe_dump(config, sort_keys=False).encode() for config in (small, lists, paper)]
    return [(ROOT / "config.yaml").read_bytes(), *made]


TARGET = Target((check,), seeds, yaml_document, ("config: ",))
