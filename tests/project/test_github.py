"""The files for GitHub and pre-commit have their formats, and name tools, targets and Pythons that exist."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_workflow_tests_every_python_of_the_package_on_two_systems():
    jobs = load(GITHUB / "workflows/tests.yml")["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    classifiers = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert matrix["python"] == classifiers and len(classifiers) == 3
    assert PROJECT["requires-python"] == f">={classifiers[0]}"
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos"}


def test_the_workflow_runs_targets_of_the_makefile():
    workflow = load(GITHUB / "workflows/tests.yml")
    # YAML 1.1 reads the key `on` as true.
    assert set(workflow[True]) == {"push", "pull_request"} and workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    makes = [step["run"].split() for step in steps if step.get("run", "").startswith("make ")]
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [words[1] for words in makes] == ["setup", "test"] and {"setup", "test"} <= set(targets)
    variables = re.findall(r"^(\w+) = ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {word.partition("=")[0] for words in makes for word in words[2:]} <= set(variables)


def test_issue_forms_have_what_github_requires():
    forms = sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 2
    for form in map(load, forms):
        assert form.keys() >= {"name", "description", "body"}
        ids = [field["id"] for field in form["body"]]
        assert len(set(ids)) == len(ids)
        for field in form["body"]:
            assert field["type"] in {"markdown", "textarea", "input", "dropdown", "checkboxes"}
            assert field["attributes"]["label"]


def test_pre_commit_runs_tools_of_the_environment():
    (repository,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system" and hook.keys() >= {"id", "name", "entry"}
        assert shutil.which(hook["entry"].split()[0], path=str(Path(sys.executable).parent)), hook["entry"]
        assert re.compile(hook.get("files", ""))
