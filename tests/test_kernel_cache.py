"""No state of the disk keeps a kernel from running, and compiled kernels are found where they can be."""

import importlib.util
import os
from pathlib import Path

import pytest
from vorlage import kernel_cache

CODE = """
from vorlage.kernel_cache import compile_kernel

@compile_kernel
def double(number):
    return 2 * number
"""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The four folders of kernels in the order of their choice; none exists yet."""
    monkeypatch.setattr(kernel_cache, "__file__", str(tmp_path / "beside/kernel_cache.py"))
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    kernel_cache._say.cache_clear()
    private = tmp_path / f"vorlage-{os.getuid()}"
    return [
        tmp_path / "chosen/vorlage",
        tmp_path / "beside/__pycache__/kernels",
        tmp_path / "home/vorlage",
        private,
    ]


def call(tmp_path):
    """Call a kernel as a new process would; return the number of compilations."""
    path = tmp_path / "double.py"
    path.write_text(CODE)
    spec = importlib.util.spec_from_file_location("double", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.double(4) == 8
    return sum(module.double.stats.cache_misses.values())


def block(folder):
    """Make a folder unusable, for root, too."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file")


@pytest.mark.parametrize("blocked", range(5))
def test_the_first_folder_that_can_be_written_is_used(folders, tmp_path, capsys, blocked):
    for folder in folders[:blocked]:
        block(folder)
    assert [call(tmp_path), call(tmp_path)] == [1, 1 if blocked == 4 else 0]
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("compiling") and len(said) == (2 if blocked == 4 else 1)
    kept = [len(list(folder.glob("double-*.kernel"))) for folder in folders]
    assert kept == [int(index == blocked) for index in range(4)]


@pytest.mark.parametrize("damage", ["empty", "halved", "flipped"])
def test_a_damaged_file_is_compiled_again_once(folders, tmp_path, damage):
    call(tmp_path)
    [file] = folders[0].iterdir()
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    if damage == "flipped":
        content[middle : middle + 64] = (byte ^ 255 for byte in content[middle : middle + 64])
    file.write_bytes(content[: {"empty": 0, "halved": middle}.get(damage)])
    assert [call(tmp_path), call(tmp_path)] == [1, 0]


def test_what_another_user_has_compiled_is_read_and_a_full_disk_only_noted(
    folders, tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    call(tmp_path)
    block(folders[0])
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    assert call(tmp_path) == 0 and list(folders[1].iterdir())

    def fail(path, data):
        raise OSError(28, "No space left on device")

    capsys.readouterr()
    monkeypatch.setattr(Path, "write_bytes", fail)
    folders[1].rename(tmp_path / "gone")
    kernel_cache._say.cache_clear()
    assert call(tmp_path) == 1 and "No space left on device" in capsys.readouterr().err


def test_a_temporary_folder_that_others_can_write_is_never_used(folders, tmp_path):
    for folder in folders[:3]:
        block(folder)
    call(tmp_path)
    assert folders[3].stat().st_mode & 0o777 == 0o700
    folders[3].chmod(0o777)
    assert call(tmp_path) == 1 and len(list(folders[3].iterdir())) == 1
