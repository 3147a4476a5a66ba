"""Fixtures and hooks for all tests. No test has a network."""

import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from guarantees import TABLE, Ledger, names
from hypothesis import settings
from once import build_once
from toy import Toy

# The first call of a kernel compiles it; with a deadline, that would count as a slow example.
settings.register_profile("vorlage", deadline=None)
settings.load_profile("vorlage")

OFFLINE = runpy.run_path(str(Path(__file__).parent / "offline" / "sitecustomize.py"))

LEDGER = pytest.StashKey[Ledger]()

# The workers of `make test` take these files first, in this order: they are the longest, and no worker should
# end late. The tests of the documentation compile the kernels before other workers need them.
FIRST = (
    "slurm/test_slurm.py",
    "project/test_docs.py",
    "workflow/test_reruns.py",
    "workflow/test_sharded.py",
    "workflow/test_in_parts.py",
    "faults/test_kills.py",
    "workflow/test_field.py",
    "faults/test_damage.py",
    "semihmm/test_numerics.py",
    "train/test_em.py",
    "project/test_quality.py",
    "hostile/test_hostile_lines.py",
    "serve/test_server.py",
    "serve/test_load.py",
    "faults/test_clock_jumps.py",
    "faults/test_clock.py",
    "train/test_resume.py",
    "hostile/test_hostile_files.py",
    "encode/test_encoder.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", metavar="FOLDER", help="folder for pictures of the report page")
    parser.addoption("--guarantees", action="store_true", help=f"write the numbers of cases to {TABLE}")


def pytest_configure(config: pytest.Config) -> None:
    # What is started in the background or by nohup ignores these, and so does all that it starts.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    config.stash[LEDGER] = Ledger(TABLE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    first = {here / name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: first.get(item.path, len(first)))
    for item in items:
        if os.environ.get("NUMBA_DISABLE_JIT") == "1" and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip("needs compiled kernels"))
        for mark in item.iter_markers("guarantee"):
            unknown = set(mark.args) - set(names())
            if unknown or not mark.args:
                raise pytest.UsageError(f"{item.nodeid}: no guarantees {unknown}; see tests/guarantees.py")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    ledger = item.config.stash[LEDGER]
    ledger.begin()
    result = yield
    ledger.end(item)
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("guarantees") and not session.testsfailed:
        session.config.stash[LEDGER].write()


@pytest.fixture(scope="session")
def own_ports() -> set[int]:
    """Return the ports of this machine that tests may connect to: those of servers that they have started."""
    return OFFLINE["OWN"]


@pytest.fixture(scope="session")
def wordnet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with WordNet 3.0; skip tests that need it if it is neither here nor can be fetched."""
    made = Path(__file__).parents[1] / "results" / "wordnet"
    if (made / "wordnet.json").exists():
        return made

    def fetch(folder: Path) -> None:
        command = [sys.executable, "-m", "vorlage.text.wordnet", "--output", str(folder / "wordnet")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"WordNet is not available: {done.stderr.strip()}")

    return build_once(tmp_path_factory, "wordnet", fetch) / "wordnet"


@pytest.fixture(scope="session")
def finished_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a toy in which the whole workflow has run once; tests copy it."""

    def run(folder: Path) -> None:
        outcome = Toy(folder).snakemake("--cores", "2")
        assert outcome.status == 0, outcome.text

    return build_once(tmp_path_factory, "toy", run)


@pytest.fixture(scope="module")
def toy(finished_toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """Return a copy of the project in which the whole workflow has run once, fresh for each file of tests."""
    return Toy(tmp_path_factory.mktemp("toy"), finished_toy)
