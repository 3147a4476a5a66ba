"""Shared by all tests, none of which has a network."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from guarantees import TABLE, Ledger, names
from hypothesis import settings
from toy import Toy

# The first call of a kernel compiles it, which a deadline would take for a slow example.
settings.register_profile("palimpsest", deadline=None)
settings.load_profile("palimpsest")

runpy.run_path(Path(__file__).parent / "offline" / "sitecustomize.py")

LEDGER = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--screenshots", metavar="FOLDER", help="folder for pictures of the report page")
    parser.addoption("--guarantees", action="store_true", help=f"write the cases that were tried to {TABLE}")


def pytest_configure(config):
    config.stash[LEDGER] = Ledger(TABLE)


def pytest_collection_modifyitems(items):
    for item in items:
        if os.environ.get("NUMBA_DISABLE_JIT") == "1" and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip("wants compiled kernels"))
        for mark in item.iter_markers("guarantee"):
            unknown = set(mark.args) - set(names())
            if unknown or not mark.args:
                raise pytest.UsageError(f"{item.nodeid}: no guarantees {unknown}; see tests/guarantees.py")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    ledger = item.config.stash[LEDGER]
    ledger.begin()
    result = yield
    ledger.end(item)
    return result


def pytest_sessionfinish(session):
    if session.config.getoption("guarantees") and not session.testsfailed:
        session.config.stash[LEDGER].write()


@pytest.fixture(scope="session")
def wordnet_folder(tmp_path_factory):
    """A folder with WordNet 3.0; tests that want it are skipped where it cannot be had."""
    made = Path(__file__).parents[1] / "results" / "wordnet"
    if (made / "wordnet.json").exists():
        return made
    folder = tmp_path_factory.mktemp("wordnet") / "wordnet"
    got = subprocess.run(
        [sys.executable, "-m", "pipeline.wordnet", "--output", folder], capture_output=True, text=True
    )
    if got.returncode:
        pytest.skip(f"WordNet cannot be had here: {got.stderr.strip()}")
    return folder


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A copy of the project in which the whole workflow has run once."""
    toy = Toy(tmp_path_factory.mktemp("toy"))
    outcome = toy.snakemake("--cores", "2")
    assert outcome.status == 0, outcome.text
    return toy
