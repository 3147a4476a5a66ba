"""The code is formatted and lint reports nothing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
# `snakemake --lint` asks for an environment for each rule, which the project does not use.
ENVIRONMENTS = "Specify a conda environment or container for each rule."


def run(*command):
    path = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "format", "--check", "."),
        ("ruff", "check", "."),
        ("snakefmt", "--check", "Snakefile", "workflow"),
    ],
    ids=" ".join,
)
def test_code_is_formatted_and_clean(command):
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflow_is_clean():
    report = run("snakemake", "--lint").stderr
    titles = re.findall(r"^    \* (.+?):?$", report, flags=re.MULTILINE)
    assert ENVIRONMENTS in titles, f"lint did not look at the rules: {report}"
    assert set(titles) == {ENVIRONMENTS}, report
