"""The archives of a release, and the files that describe it."""

import importlib.util
import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
import yaml

import pipeline

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
SPEC = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
release = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(release)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Two builds of the last commit, at different times and by users with different rights for new files."""
    if subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("this copy is not a git repository")
    builds = []
    for mask in (0o022, 0o077):
        before = os.umask(mask)
        try:
            builds.append(release.build(tmp_path_factory.mktemp("dist")))
        finally:
            os.umask(before)
    return builds


def test_two_builds_have_the_same_bytes(built):
    first, second = built
    assert {path.suffix for path in first} == {".whl", ".gz"}
    assert [path.name for path in first] == [path.name for path in second]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_the_epoch_is_the_time_of_every_file(monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    for path in release.build(tmp_path):
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                assert {file.date_time for file in archive.infolist()} == {(2001, 9, 9, 1, 46, 40)}
        else:
            with tarfile.open(path) as archive:
                assert {member.mtime for member in archive} == {1000000000}


def test_the_source_archive_builds_the_wheel(built, tmp_path):
    sdist = next(path for path in built[0] if path.suffix == ".gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    names = {path.relative_to(source).as_posix() for path in source.rglob("*")}
    assert {"LICENSE", "README.md", "pyproject.toml", "pipeline/models/with-encoder.npz"} <= names
    assert not [name for name in names if name.startswith("tests")]


def test_the_metadata_of_the_wheel(built):
    wheel = next(path for path in built[0] if path.suffix == ".whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    assert metadata["License-Expression"] == "MIT" and metadata["Description-Content-Type"] == "text/markdown"
    assert set(metadata.get_all("Provides-Extra")) == PROJECT["optional-dependencies"].keys()
    assert "Typing :: Typed" in metadata.get_all("Classifier")


def test_the_package_knows_its_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", pipeline.__version__)
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        pipeline.version  # noqa: B018


def test_the_citation_is_that_of_this_version():
    """What CITATION.cff requires (Druskat et al. 2021, version 1.2.0), and what the package states too."""
    assert {"authors", "cff-version", "message", "title"} <= CITATION.keys()
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    assert (CITATION["version"], CITATION["license"]) == (PROJECT["version"], PROJECT["license"])
    assert CITATION["authors"] == PROJECT["authors"]
    assert CITATION["keywords"] == PROJECT["keywords"]


@pytest.mark.skipif(not shutil.which("cffconvert"), reason="cffconvert is not installed")
def test_cffconvert_accepts_the_citation():
    done = subprocess.run(["cffconvert", "--validate"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_changelog_has_the_sections_of_keep_a_changelog():
    text = (ROOT / "CHANGELOG.md").read_text()
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert titles
    for title in titles:
        assert title == "[Unreleased]" or re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", title)


def test_what_is_missing_for_a_release_is_named(tmp_path):
    for name, text in (
        ("pyproject.toml", '[project]\nversion = "1.2.0"\n'),
        ("CHANGELOG.md", "## [Unreleased]\n"),
        ("CITATION.cff", "version: 1.1.0\n"),
    ):
        (tmp_path / name).write_text(text)
    assert [problem.partition(":")[0] for problem in release.problems(tmp_path)] == [
        "CHANGELOG.md",
        "CITATION.cff",
    ]
    (tmp_path / "CHANGELOG.md").write_text("## [1.2.0] - 2026-12-01\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\n")
    (problem,) = release.problems(tmp_path)
    assert "date-released is not 2026-12-01" in problem
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\ndate-released: 2026-12-01\n")
    assert release.problems(tmp_path) == []
