"""Fingerprints of the package's code, and of files."""

from importlib.metadata import version

import pytest
from vorlage import fingerprint as module
from vorlage.fingerprint import PACKAGE, digest, file_digest, fingerprint

GAUSSIAN = PACKAGE / "semihmm/jumps/gaussian.py"
TRAIN = ("vorlage.semihmm.train.stage", "vorlage.semihmm.jumps.{}")


def of_training(jump):
    """Return the fingerprint of the training of a jump model."""
    return fingerprint(*(name.format(jump) for name in TRAIN))


@pytest.fixture
def edit(monkeypatch):
    """A function that edits what is read of a file, by default that of the Gaussian jumps."""
    read = type(GAUSSIAN).read_bytes

    def edit(change, edited=GAUSSIAN):
        def read_bytes(path):
            text = read(path)
            return change(text.decode()).encode() if path == edited else text

        monkeypatch.setattr(type(GAUSSIAN), "read_bytes", read_bytes)
        module._code.cache_clear()

    yield edit
    module._code.cache_clear()


def test_a_fingerprint_has_the_modules_that_are_imported_and_the_versions_of_libraries():
    parts = fingerprint("vorlage.extract.stage")
    assert {"vorlage.extract.stage", "vorlage.corpus.pair", "vorlage.types"} <= parts.keys()
    assert not any(name.startswith(("vorlage.semihmm", "vorlage.score", "vorlage.api")) for name in parts)
    assert parts["numpy"] == version("numpy") and "yaml" not in parts
    assert all(len(part) == 12 for name, part in parts.items() if name.startswith("vorlage."))
    assert parts | fingerprint("vorlage.score.stage") == fingerprint(
        "vorlage.extract.stage", "vorlage.score.stage"
    )


def test_an_edit_of_the_gaussian_jumps_changes_the_training_of_that_model_alone(edit):
    before = {jump: of_training(jump) for jump in ("gaussian", "relative", "syntax", "syntax_counts")}
    edit(lambda text: f"{text}\nEDITED = 1\n")
    after = {jump: of_training(jump) for jump in before}
    changed = {name for name, part in before["gaussian"].items() if after["gaussian"][name] != part}
    assert changed == {"vorlage.semihmm.jumps.gaussian"}
    assert all(after[jump] == before[jump] for jump in before if jump != "gaussian")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"# A comment.\n{text}",
        lambda text: text.replace('"""', '"""Another docstring. ', 1),
        lambda text: text.replace("\n    def ", "\n\n    def "),
    ],
)
def test_a_comment_a_docstring_or_layout_changes_nothing(edit, change):
    before = of_training("gaussian")
    edit(change)
    assert of_training("gaussian") == before


def test_an_edit_of_a_list_of_words_changes_what_reads_them(edit):
    before = fingerprint("vorlage.extract.stage")
    edit(lambda text: text.replace("the ", "", 1), PACKAGE / "text/english.toml")
    after = fingerprint("vorlage.extract.stage")
    assert {name for name, part in before.items() if after[name] != part} == {"vorlage.text.english"}


def test_an_unknown_module_is_an_error():
    with pytest.raises(ModuleNotFoundError, match=r"no module vorlage\.extrac in"):
        fingerprint("vorlage.extrac")


def test_a_library_that_is_not_installed_is_absent():
    assert module._version("no_such_library") == "absent"


def test_digests_are_those_of_content_and_names(tmp_path):
    for name in ("a/1.txt", "a/2.txt", "b/1.txt"):
        path = tmp_path / "first" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    before = file_digest(tmp_path / "first"), file_digest(tmp_path / "first/b/1.txt")
    (tmp_path / "first").rename(tmp_path / "second")
    assert (file_digest(tmp_path / "second"), file_digest(tmp_path / "second/b/1.txt")) == before
    (tmp_path / "second/b/1.txt").rename(tmp_path / "second/b/2.txt")
    assert file_digest(tmp_path / "second") != before[0]
    assert digest(("a", 1)) != digest(("a", 2))
