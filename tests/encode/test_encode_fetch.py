"""The download of encoders, from a hub that stands in for Hugging Face's."""

import hashlib
import sys
from types import SimpleNamespace

import pytest

from pipeline.baselines import embed
from pipeline.encode import fetch

WEIGHTS = b"weights"


@pytest.fixture
def hub(monkeypatch):
    """A hub with one encoder; what it says of it can be changed."""
    says = SimpleNamespace(sha="1", sha256=hashlib.sha256(WEIGHTS).hexdigest(), files=("model.safetensors",))

    def model_info(name, files_metadata):
        if name != "we/small":
            raise OSError(f"404 Client Error\n for {name}")
        files = [SimpleNamespace(rfilename=f, lfs=SimpleNamespace(sha256=says.sha256)) for f in says.files]
        return SimpleNamespace(sha=says.sha, siblings=[*files, SimpleNamespace(rfilename="a.json", lfs=None)])

    def snapshot_download(name, revision, local_dir, allow_patterns):
        assert revision == says.sha and "*.bin" not in allow_patterns
        (local_dir / ".cache").mkdir()
        (local_dir / "a.json").write_text("{}")
        for file in says.files:
            (local_dir / file).write_bytes(WEIGHTS)

    api = SimpleNamespace(model_info=model_info)
    module = SimpleNamespace(HfApi=lambda: api, snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    return says


def ends(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        fetch.main([str(argument) for argument in arguments])
    error = capsys.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    return error


def test_an_encoder_is_fetched_whole(hub, tmp_path):
    fetch.main(["--name", "we/small", "--output", str(tmp_path / "e"), "--log", str(tmp_path / "log")])
    assert sorted(path.name for path in (tmp_path / "e").iterdir()) == ["a.json", "model.safetensors"]


@pytest.mark.guarantee("checksums")
def test_an_encoder_with_another_checksum_is_refused(hub, tmp_path, capsys):
    hub.sha256 = "0" * 64
    error = ends(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert "we/small: model.safetensors is not what the hub has" in error
    assert not list(tmp_path.iterdir())


def test_what_is_not_there_is_one_line(hub, tmp_path, capsys, monkeypatch):
    error = ends(["--name", "we/nothing", "--output", tmp_path / "e"], capsys)
    assert "encoder we/nothing cannot be fetched (404 Client Error for we/nothing); check its name" in error
    hub.files = ("pytorch_model.bin",)
    assert "no weights as safetensors" in ends(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert "`make embed`" in ends(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert not list(tmp_path.iterdir())


def test_names_and_folders(tmp_path, capsys):
    assert fetch.find_model(str(tmp_path)) == str(tmp_path)
    assert fetch.find_model("we/small") is None
    with pytest.raises(SystemExit):
        embed.main(
            ["--corpus", "c", "--extracts", "e", "--output", str(tmp_path / "o"), "--model", "we/small"]
        )
    assert "the encoder we/small is no folder and not installed; download it" in capsys.readouterr().err
