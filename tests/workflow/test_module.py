"""The workflow as a module of another one, in a folder like those that snakedeploy makes."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml
from toy import ROOT, write_corpus
from vorlage import settings

pytestmark = pytest.mark.slow

# What `snakedeploy deploy-workflow` writes to Snakefile.
SNAKEFILE = """configfile: "config/config.yaml"

module vorlage:
    snakefile:
        "{}"
    config:
        config

use rule * from vorlage
"""


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """A folder with the module, config and profiles, as snakedeploy copies them, and a corpus of its own."""
    folder = tmp_path_factory.mktemp("deployed")
    for name in ("config", "profiles"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "workflow").mkdir()
    (folder / "Snakefile").write_text(SNAKEFILE.format(ROOT / "Snakefile"))
    config = yaml.safe_load((folder / "config/config.yaml").read_text())
    config["corpus"] |= {"name": "toy", "path": "toy.jsonl", "gold": "toy-gold.jsonl", "tokenized": True}
    config["semihmm"] |= {"jumps": ["relative"], "iterations": 2, "wordnet": False, "encoder": False}
    config["systems"] = ["semihmm-relative", "cutpaste"]
    (folder / "config/config.yaml").write_text(yaml.safe_dump(config))
    write_corpus(folder / "toy.jsonl", folder / "toy-gold.jsonl")
    return folder


def snakemake(folder, *arguments):
    """Run Snakemake in `folder`, where the package is installed but the clone is not."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "pipeline"), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_a_deployed_workflow_runs_through_and_then_has_nothing_to_do(deployed):
    done = snakemake(deployed)
    assert done.returncode == 0, done.stderr[-3000:]
    results = deployed / "results/toy"
    assert len((results / "align/semihmm-relative/alignments.jsonl").read_text().splitlines()) == 6
    assert (results / "report/index.html").exists()
    assert "Nothing to be done" in snakemake(deployed, "-n").stdout
    assert snakemake(deployed, "--report", "report.html").returncode == 0
    assert "scores of word links" in (deployed / "report.html").read_text()


def test_a_wrong_setting_of_a_deployed_workflow_is_named_in_one_line(deployed):
    done = snakemake(deployed, "-n", "--config", "seeed=1")
    assert done.returncode == 1
    assert "\nerror: config: unknown key `seeed`" in f"\n{done.stderr}"


def test_the_catalog_finds_what_it_shows():
    """The catalog lists a repository with these files under standardized usage."""
    assert (ROOT / "Snakefile").is_file() and (ROOT / "config/README.md").is_file()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["report"] is True and usage["software-stack-deployment"]
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert settings.complete(config, encoder=False)["corpus"]["name"] == "sample"
