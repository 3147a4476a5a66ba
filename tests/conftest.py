"""Shared by all tests."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, which a deadline would take for a slow example.
settings.register_profile("palimpsest", deadline=None)
settings.load_profile("palimpsest")


def pytest_addoption(parser):
    parser.addoption("--screenshots", metavar="FOLDER", help="folder for pictures of the report page")


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
