"""No folder that cannot be written keeps a kernel from running."""

import pytest
from vorlage import compiled


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The three folders of compiled kernels in the order of their choice; none exists yet."""
    (tmp_path / "semihmm/kernels").mkdir(parents=True)
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder/kernels.py").write_text("")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    monkeypatch.setattr(compiled, "user_cache_path", lambda name: tmp_path / "home" / name)
    compiled.cache_folder.cache_clear()
    yield [tmp_path / "chosen", tmp_path / "home/vorlage", tmp_path / "__pycache__"]
    compiled.cache_folder.cache_clear()


def double(number):
    return 2 * number


@pytest.mark.parametrize("blocked", range(4))
def test_the_first_folder_that_can_be_written_is_used(folders, blocked):
    for folder in folders[:blocked]:
        folder.parent.mkdir(exist_ok=True)
        folder.write_text("a file where the folder should be")
    assert compiled.compiled(double)(4) == 8
    assert [bool(list(folder.rglob("*.nbc"))) for folder in folders] == [i == blocked for i in range(3)]
