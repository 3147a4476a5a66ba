"""A model for the console command, and two texts."""

import pytest
from printers import PAIRS, make_files


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with a corpus, its extracts and a model without WordNet and encoder."""
    return make_files(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def model(made):
    """The path of the model."""
    return str(made / "model.npz")


@pytest.fixture
def texts(tmp_path):
    """A document and its summary as files."""
    for name in ("document", "summary"):
        (tmp_path / f"{name}.txt").write_text(PAIRS[0][name] + "\n", encoding="utf-8")
    return str(tmp_path / "document.txt"), str(tmp_path / "summary.txt")


@pytest.fixture
def fails(capsys):
    """A function that runs a command that must fail, and returns its error."""
    from vorlage.cli.main import main

    def run(*arguments, status=1):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert stop.value.code == status and captured.out == ""
        if status == 1:
            assert captured.err.count("\n") == 1 and captured.err.startswith("error: ")
        return captured.err

    return run
