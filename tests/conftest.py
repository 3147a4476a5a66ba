"""Fixtures and hooks for all tests."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from once import build_once
from printers import make_files
from toy import Toy

# The first call of a kernel compiles it; with a deadline, that would count as a slow example.
settings.register_profile("vorlage", deadline=None)
settings.load_profile("vorlage")

# What a shell starts in the background ignores SIGINT, and nohup SIGHUP; the commands of the tests would
# inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", metavar="FOLDER", help="folder for pictures of the report page")


@pytest.fixture
def stops(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command that must fail, and returns its one line of error."""

    def run(command: Callable[..., object], *arguments: object, **options: object) -> str:
        with pytest.raises(SystemExit) as stop:
            command(*arguments, **options)
        (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("error: "))
        assert stop.value.code == 1
        return line

    return run


@pytest.fixture(scope="session")
def printers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with pairs, their corpus and extracts, and a model without WordNet and encoder."""
    return build_once(tmp_path_factory, "printers", make_files)


@pytest.fixture(scope="session")
def finished_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a toy in which the whole workflow has run once; tests copy it."""

    def run(folder: Path) -> None:
        outcome = Toy(folder).snakemake("--cores", "2")
        assert outcome.status == 0, outcome.text

    return build_once(tmp_path_factory, "toy", run)


@pytest.fixture(scope="session")
def toy(finished_toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """Return a toy in which the whole workflow has run once, a copy for each worker."""
    return Toy(tmp_path_factory.mktemp("toy"), finished_toy)
