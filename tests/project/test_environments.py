"""The conda environment and the image install what `make setup` installs. Neither is built here."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
SPEED = r" --(?:quiet|disable-pip-version-check|no-compile|no-cache-dir)\b"


def installs(text):
    """Return what each `pip install` in a text installs, without options for speed and output."""
    return [re.sub(SPEED, "", line) for line in re.findall(r"\bpip install(.*)", text)]


def instructions(name):
    """Return the arguments of an instruction of the Dockerfile, each a list of words."""
    return [line.split() for line in re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)]


def test_the_image_installs_what_setup_does():
    makefile = re.sub(r"\s*\\\n\s*", " ", (ROOT / "Makefile").read_text())
    setup = re.search(r"^\.venv/set-up:.*?(?=^\S+:|^# Packages)", makefile, re.MULTILINE | re.DOTALL)
    assert len(installs(setup[0])) == 3
    assert installs(DOCKERFILE) == installs(setup[0])


def test_the_image_copies_files_that_exist_and_are_not_ignored():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    sources = {source for copy in instructions("COPY") for source in copy[:-1]}
    assert sources == kept
    assert all((ROOT / source).exists() for source in sources)
    # The Snakefile includes files of the folders that were copied.
    included = re.findall(r'^\s*include: "(.*?)/', (ROOT / "Snakefile").read_text(), re.MULTILINE)
    assert included and {*included} <= sources


def test_conda_installs_the_lock_file_with_the_same_python():
    conda = yaml.safe_load((ROOT / "environment.yaml").read_text())
    assert conda["name"] == PROJECT["name"]
    *packages, pip = conda["dependencies"]
    assert pip == {"pip": ["--require-hashes -r requirements.lock"]}
    ((image,),) = instructions("FROM")
    version = re.fullmatch(r"python:([\d.]+)-slim", image)[1]
    assert packages == [f"python={version}", "pip"]
    assert PROJECT["requires-python"] == f">={version}"


def test_the_lock_file_has_every_package_of_the_groups_that_setup_installs():
    locked = set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    groups = PROJECT["optional-dependencies"]
    named = [
        PROJECT["dependencies"],
        *(groups[name] for name in ("documents", "workflow", "serve", "report")),
    ]
    names = {re.match(r"[\w.-]+", requirement)[0].lower() for group in named for requirement in group}
    assert len(names) > 20 and names <= locked
