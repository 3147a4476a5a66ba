"""Fingerprints of code, over a package written for these tests."""

import importlib.metadata
import os
import shutil

import pytest
from vorlage import fingerprint as module
from vorlage.fingerprint import fingerprint, folder_digest, folder_size

FILES = {
    "__init__.py": "",
    "base.py": '"""Base."""\n\n\ndef double(x):\n    """Twice x."""\n    return 2 * x\n',
    "user.py": "from pipeline.base import double\n\nprint(double(3))\n",
    "stage/__init__.py": '"""A stage."""\n',
    "stage/__main__.py": "import numpy.linalg\nimport yaml\n\nfrom pipeline.stage.parts import one\n",
    "stage/parts.py": "from pipeline import base\n\none = base.double(0.5)\n",
    "lazy.py": "def load():\n    import pipeline.stage.parts\n",
    "relative.py": "from . import base\nfrom .stage import parts\n",
    "circle.py": "import pipeline.circle\nimport pipeline.user\n",
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes one file of the package, which starts out as `FILES`."""

    def write(name, text):
        path = tmp_path / "pipeline" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        clear_caches()

    for name, text in FILES.items():
        write(name, text)
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "pipeline")
    yield write
    clear_caches()


def clear_caches():
    for cached in (module._source, module._inspect, module._version):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("pipeline.base", {"pipeline.base"}),
        ("pipeline.user", {"pipeline.user", "pipeline.base"}),
        # A package run as a command is its __main__; yaml moves bytes, numpy decides results.
        (
            "pipeline.stage",
            {"pipeline.stage.__main__", "pipeline.stage.parts", "pipeline.base", "numpy"},
        ),
        # A package that is imported is not the command of the same name.
        ("pipeline.stage.parts", {"pipeline.stage.parts", "pipeline.base"}),
        ("pipeline.lazy", {"pipeline.lazy", "pipeline.stage.parts", "pipeline.base"}),
        ("pipeline.relative", {"pipeline.relative", "pipeline.stage.parts", "pipeline.base"}),
        ("pipeline.circle", {"pipeline.circle", "pipeline.user", "pipeline.base"}),
    ],
)
def test_parts_are_the_modules_imported_transitively(write, name, parts):
    assert set(fingerprint(name)) == parts


def test_several_modules_make_one_fingerprint(write):
    assert fingerprint("pipeline.user", "pipeline.lazy") == (
        fingerprint("pipeline.user") | fingerprint("pipeline.lazy")
    )


@pytest.mark.parametrize(
    "text",
    [
        '"""Another docstring."""\n\n\ndef double(x):\n    """Two times x."""\n    return 2 * x\n',
        "def double(x):\n    return 2 * x\n",
        "# A comment.\ndef double(\n    x,\n):\n    return (2 * x)  # and another\n",
    ],
)
def test_docstrings_comments_and_layout_do_not_count(write, text):
    before = fingerprint("pipeline.stage")
    write("base.py", text)
    assert fingerprint("pipeline.stage") == before


@pytest.mark.parametrize(
    "text",
    [
        FILES["base.py"].replace("2 * x", "3 * x"),
        FILES["base.py"].replace("2 * x", "2.0 * x"),
        FILES["base.py"].replace("    return 2 * x", '    ("",)\n    return 2 * x'),
        FILES["base.py"].replace('    """Twice x."""', '    x += 1\n    """Twice x."""'),
    ],
)
def test_code_counts_and_is_named(write, text):
    before = fingerprint("pipeline.stage")
    write("base.py", text)
    after = fingerprint("pipeline.stage")
    assert {name for name in before if before[name] != after[name]} == {"pipeline.base"}


def test_code_in_a_package_around_a_module_counts(write):
    write("stage/__init__.py", "import pipeline.base\n\npipeline.base.double = abs\n")
    assert "pipeline.stage" in fingerprint("pipeline.stage.parts")


def test_edit_elsewhere_does_not_count(write):
    before = fingerprint("pipeline.user")
    write("stage/parts.py", "one = 1\n")
    assert fingerprint("pipeline.user") == before


def test_libraries_count_by_version(write, monkeypatch):
    assert fingerprint("pipeline.stage")["numpy"] == importlib.metadata.version("numpy")
    monkeypatch.setattr(module, "version", lambda name: "99.0")
    clear_caches()
    assert fingerprint("pipeline.stage")["numpy"] == "99.0"


def test_library_that_is_not_installed_is_absent(write, monkeypatch):
    monkeypatch.setattr("vorlage.fingerprint.DISTRIBUTIONS", {"thot": "no-such-distribution"})
    write("base.py", "def align():\n    import thot\n")
    assert fingerprint("pipeline.base")["thot"] == "absent"


def kept_files(tmp_path):
    return {path.name: path for path in tmp_path.rglob("*.fingerprint")}


def test_what_is_kept_of_a_module_gives_the_same_fingerprint(write, tmp_path, monkeypatch):
    before = fingerprint("pipeline.stage")
    assert kept_files(tmp_path).keys() >= {"base.fingerprint", "parts.fingerprint"}
    clear_caches()
    monkeypatch.setattr(module, "_parse", lambda *_: pytest.fail("parses again"))
    assert fingerprint("pipeline.stage") == before


@pytest.mark.parametrize(
    "damage", [lambda kept: b"", lambda kept: kept.replace(b'["', b'["0', 1), lambda kept: b"\xff"]
)
def test_damage_to_what_is_kept_is_noticed(write, tmp_path, damage):
    before = fingerprint("pipeline.stage")
    kept = kept_files(tmp_path)["base.fingerprint"]
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    clear_caches()
    assert fingerprint("pipeline.stage") == before
    assert kept.read_bytes() == whole


def test_a_package_that_cannot_be_changed_has_the_same_fingerprint(write, tmp_path):
    before = fingerprint("pipeline.stage")
    for folder in {path.parent for path in kept_files(tmp_path).values()}:
        shutil.rmtree(folder)
        folder.write_text("")  # a file where the folder would be
    clear_caches()
    assert fingerprint("pipeline.stage") == before


def test_missing_module_is_an_error(write):
    with pytest.raises(ModuleNotFoundError, match=r"pipeline\.stag "):
        fingerprint("pipeline.stag")


def test_fingerprint_of_the_extract_stage_has_no_later_stage():
    parts = fingerprint("vorlage.extract")
    assert {"vorlage.extract.stage", "vorlage.corpus.pair", "nltk"} <= set(parts)
    assert not any(name.startswith(("vorlage.semihmm", "vorlage.score")) for name in parts)


@pytest.fixture
def folder(tmp_path):
    for name in ("a/1.txt", "a/2.txt", "b/1.txt"):
        path = tmp_path / "corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
        os.utime(path, (10, 10))
    return tmp_path / "corpus"


def _change_in_place(folder):
    """Change a file but not its size and time."""
    path = folder / "b/1.txt"
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, (10, 10))


def _link(folder):
    (folder / "b/1.txt").unlink()
    (folder / "b/1.txt").symlink_to("nowhere")


def _grow(folder):
    (folder / "b/1.txt").write_text("texts")
    os.utime(folder / "b/1.txt", (10, 10))


def _rename(folder):
    (folder / "b/1.txt").rename(folder / "b/2.txt")


def _add(folder):
    (folder / "c").mkdir()
    (folder / "c/1.txt").write_text("")


@pytest.mark.parametrize("change", [_change_in_place, _grow, _rename, _add, _link])
def test_folder_digest_sees_a_change(folder, change):
    before = folder_digest(folder)
    change(folder)
    assert folder_digest(folder) != before


def test_folder_digest_depends_on_the_content_only(folder, tmp_path):
    before = folder_digest(folder)
    (folder / "passing").touch()
    (folder / "passing").unlink()
    os.utime(folder / "b/1.txt", (10, 11))
    folder.rename(tmp_path / "elsewhere")
    assert folder_digest(f"{tmp_path}/elsewhere/") == before


def test_folder_size_is_the_sum_over_all_files(folder):
    assert folder_size(folder) == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) > 0
