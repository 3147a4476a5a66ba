"""Fingerprints of the package's code, and of files."""

from importlib.metadata import version

import pytest
from vorlage.workflow.fingerprint import digest, file_digest, fingerprint


def test_a_fingerprint_has_the_modules_that_are_imported_and_the_versions_of_libraries():
    parts = fingerprint("vorlage.workflow.stages.extract")
    assert {"vorlage.workflow.stages.extract", "vorlage.documents.pair", "vorlage.types"} <= parts.keys()
    assert not any(
        name.startswith(("vorlage.semihmm", "vorlage.workflow.score", "vorlage.api")) for name in parts
    )
    assert parts["numpy"] == version("numpy") and "yaml" not in parts
    assert all(len(part) == 12 for name, part in parts.items() if name.startswith("vorlage."))
    assert parts | fingerprint("vorlage.workflow.score.stage") == fingerprint(
        "vorlage.workflow.stages.extract", "vorlage.workflow.score.stage"
    )


def test_an_unknown_module_is_an_error():
    with pytest.raises(ModuleNotFoundError, match=r"no module vorlage\.extrac in"):
        fingerprint("vorlage.extrac")


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
