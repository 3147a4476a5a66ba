"""Downloads of encoders and parsers, from fakes of their libraries."""

import sys
from pathlib import Path
from socket import gaierror
from types import SimpleNamespace

import pytest
from requests.exceptions import ConnectionError as NoConnection
from urllib3.exceptions import MaxRetryError
from vorlage.cli import fetch


@pytest.fixture
def hub(monkeypatch):
    """A hub with one encoder, of which tests may change the files."""
    described = SimpleNamespace(files=["a.json", "model.safetensors"])

    def snapshot_download(name, local_dir, allow_patterns, ignore_patterns=()):
        assert "*.bin" not in allow_patterns
        described.patterns = allow_patterns
        (local_dir / ".cache").mkdir()
        for file in described.files:
            (local_dir / file).write_text("{}")
        if name != "we/small":
            raise OSError(f"404 Client Error\n for {name}")

    networks = ["onnx/model.onnx", "onnx/model_quint8_avx2.onnx", "model.safetensors"]
    monkeypatch.setattr(fetch, "list_repo_files", lambda name: networks)
    monkeypatch.setattr(fetch, "snapshot_download", snapshot_download)
    return described


@pytest.fixture
def benepar(monkeypatch):
    """A fake of benepar, with one model."""

    def download(name, download_dir, **options):
        (Path(download_dir) / "models" / name).mkdir(parents=True)
        (Path(download_dir) / "models" / name / "benepar_model.bin").write_text("a model")
        if name != "benepar_en3":
            raise ValueError(f"{name} is unknown")

    monkeypatch.setitem(sys.modules, "benepar", SimpleNamespace(download=download))


def run(tmp_path, kind, name):
    fetch.main([kind, name, "--output", str(tmp_path / "made"), "--log", str(tmp_path / "log")])
    return sorted(path.name for path in (tmp_path / "made").iterdir())


def error_of(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        run(*arguments)
    (line,) = capsys.readouterr().err.splitlines()
    assert end.value.code == 1 and not (arguments[0] / "made").exists()
    return line


def test_a_model_is_downloaded_whole_or_not_at_all(hub, benepar, tmp_path, capsys, monkeypatch):
    for _ in range(2):
        assert run(tmp_path, "--encoder", "we/small") == ["a.json", "model.safetensors"]
    assert run(tmp_path / "parser", "--parser", "benepar_en3") == ["benepar_model.bin"]
    assert run(tmp_path / "judge", "--judge", "we/small") == ["a.json", "model.safetensors"]
    assert hub.patterns == ["*.json", "*.txt", "onnx/model_quint8_avx2.onnx"]
    new = tmp_path / "new"
    error = error_of(capsys, new, "--encoder", "we/nothing")
    assert "we/nothing cannot be downloaded (404 Client Error for we/nothing); check its name" in error
    assert "(benepar_xx is unknown)" in error_of(capsys, new, "--parser", "benepar_xx")
    assert {path.name for path in new.iterdir()} == {"log"}
    hub.files = ["pytorch_model.bin"]
    assert "no weights as safetensors" in error_of(capsys, new, "--encoder", "we/small")
    monkeypatch.setitem(sys.modules, "benepar", None)
    assert "benepar is not installed; install it with" in error_of(capsys, new, "--parser", "benepar_en3")


@pytest.mark.parametrize("kind", ["--judge", "--encoder"])
@pytest.mark.parametrize("is_cause", [True, False])
def test_no_network_is_one_short_line(hub, tmp_path, capsys, monkeypatch, kind, is_cause):
    """As requests raises it: the error of the system is that of two others."""

    def download(name, **options):
        try:
            try:
                raise gaierror(-2, "Name or service not known")
            except OSError as error:
                raise MaxRetryError(None, f"/api/models/{name}", error) from error
        except MaxRetryError as error:
            if is_cause:
                raise NoConnection(error) from error
            raise NoConnection(error)  # noqa: B904

    monkeypatch.setattr(fetch, "list_repo_files", download)
    monkeypatch.setattr(fetch, "snapshot_download", download)
    assert error_of(capsys, tmp_path, kind, "we/small") == (
        "error: we/small cannot be downloaded (Name or service not known); check its name and the network"
    )
