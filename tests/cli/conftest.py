"""A model for the console command, and two texts."""

import pytest
from printers import PAIRS
from vorlage.cli.main import main


@pytest.fixture
def model(printers):
    """The path of the model."""
    return str(printers / "model.npz")


@pytest.fixture
def texts(tmp_path):
    """A document and its summary as files."""
    for name in ("document", "summary"):
        (tmp_path / f"{name}.txt").write_text(PAIRS[0][name] + "\n", encoding="utf-8")
    return str(tmp_path / "document.txt"), str(tmp_path / "summary.txt")


@pytest.fixture
def fails(capsys):
    """A function that runs a command that must fail, and returns its error."""

    def run(*arguments, status=1):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert stop.value.code == status and captured.out == ""
        if status == 1:
            assert captured.err.count("\n") == 1 and captured.err.startswith("error: ")
        return captured.err

    return run
