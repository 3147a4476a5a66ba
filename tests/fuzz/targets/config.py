"""The config: YAML or JSON completed with every default, and settings given as text."""

import argparse
import re
import shlex
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from fuzz.mutators import yaml_document
from fuzz.target import Target, put
from pipeline.io.yaml import read_yaml
from pipeline.settings import add_options, check_paths, complete, from_options, options, schema

ROOT = Path(__file__).parents[3]


def check(data):
    """Check that an accepted config is valid and complete."""
    config = read_yaml(put("config.yaml", data))
    completed = complete(config)
    assert Draft202012Validator(schema()).is_valid(completed)
    assert complete(completed) == completed
    check_paths(completed)
    assert re.fullmatch(r"[\w.-]{1,100}", completed["corpus"]["name"])
    for name, settings in completed.items():
        if isinstance(settings, dict):
            check_options(name, settings)


def check_options(name, settings):
    """Check that the settings of a section survive the command line of its stage."""
    parser = argparse.ArgumentParser()
    add_options(parser, name)
    given = parser.parse_args(shlex.split(options(settings)))
    assert from_options(given, name) == settings


def seeds():
    """Return the configs of the project, a small one, and numbers as text."""
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
