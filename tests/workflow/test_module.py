"""The workflow as a module of another one, in a folder of its own."""

import os
import subprocess
import sys

import pytest
import yaml
from toy import ROOT, write_corpus

pytestmark = pytest.mark.slow

# As in docs/cluster.md.
SNAKEFILE = """configfile: "config/config.yaml"

module vorlage:
    snakefile: "{}"
    config: config

use rule * from vorlage
"""
CONFIG = {
    "corpus": {
        "name": "toy",
        "reader": "jsonl",
        "path": "toy.jsonl",
        "gold": "gold.jsonl",
        "tokenized": True,
    },
    "semihmm": {"jumps": ["relative"], "iterations": 2, "wordnet": False, "encoder": False},
    "systems": ["semihmm-relative", "cutpaste"],
}


def snakemake(folder, *arguments):
    """Run Snakemake in `folder`, where the package is installed but its environment is not active."""
    environment = {"PATH": os.defpath, "PYTHONPATH": str(ROOT / "pipeline"), "NUMBA_DISABLE_JIT": "1"}
    environment = os.environ | environment
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("way", ["module", "-s", "--directory"])
def test_a_copy_of_the_config_runs_from_any_folder(tmp_path, way):
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    (tmp_path / "config").mkdir()
    path = tmp_path / ("config/config.yaml" if way == "module" else "config.yaml")
    path.write_text(yaml.safe_dump(config | {"corpus": CONFIG["corpus"]}))
    write_corpus(tmp_path / "toy.jsonl", tmp_path / "gold.jsonl")
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(ROOT / "workflow/Snakefile"))
    options = {"module": [], "-s": ["-s", ROOT / "Snakefile"], "--directory": ["--directory", tmp_path]}[way]
    planned = snakemake(ROOT if way == "--directory" else tmp_path, "-n", *options)
    assert planned.returncode == 0, planned.stderr[-3000:]
    assert "results/toy/variants/paper/extract/extracts.jsonl" in planned.stdout + planned.stderr


def test_the_workflow_as_a_module_runs_through_and_then_has_nothing_to_do(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(ROOT / "workflow/Snakefile"))
    (tmp_path / "config/config.yaml").write_text(yaml.safe_dump(CONFIG))
    write_corpus(tmp_path / "toy.jsonl", tmp_path / "gold.jsonl")
    done = snakemake(tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    results = tmp_path / "results/toy"
    assert len((results / "align/semihmm-relative/alignments.jsonl").read_text().splitlines()) == 6
    assert "Nothing to be done" in snakemake(tmp_path, "-n").stdout
    assert snakemake(tmp_path, "--report", "report.html").returncode == 0
    assert "scores of word links" in (tmp_path / "report.html").read_text()
    wrong = snakemake(tmp_path, "-n", "--config", "seeed=1")
    assert "\nerror: config: unknown key `seeed`" in f"\n{wrong.stderr}"
