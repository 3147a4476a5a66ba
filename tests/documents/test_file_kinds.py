"""A kind of files is a function and a line in the list of kinds: one is defined here."""

import json

import pytest
from vorlage.cli.main import main
from vorlage.documents import formats as documents
from vorlage.documents.formats import FileKind, find_files, of_text
from vorlage.semihmm.decode.load import SHIPPED

TEXT = "The mill sold 300 boats.\nInes Okafor runs it."


def read_reversed(text):
    """Return the lines of a text from the last to the first."""
    return "\n".join(reversed(text.splitlines()))


@pytest.fixture
def reversed_files(monkeypatch):
    """Files whose names end in `.rev` or whose text says so have their lines in reverse order."""
    kind = FileKind((".rev",), of_text(read_reversed), lambda content: content.startswith(b"REVERSED"))
    monkeypatch.setattr(documents, "KINDS", [*documents.KINDS, kind])


@pytest.mark.parametrize(("name", "first"), [("x.rev", ""), ("x.REV", ""), ("x.txt", "REVERSED\n")])
def test_a_new_kind_of_files_is_read(tmp_path, capsys, reversed_files, name, first):
    (tmp_path / name).write_text(f"{first}{TEXT}")
    (tmp_path / "y.txt").write_text("Ines Okafor runs it. The mill sold 300 boats.")
    files = [str(tmp_path / "y.txt"), str(tmp_path / name)]
    main(["attribute", *files, "--json", "--model", str(SHIPPED / "without-encoder.npz")])
    sentences = json.loads(capsys.readouterr().out)["sentences"]
    expected = "Ines Okafor runs it.\nThe mill sold 300 boats."
    assert [expected[slice(*sentence["text"])] for sentence in sentences[:2]] == expected.splitlines()


def test_a_folder_has_files_of_a_new_kind(tmp_path, reversed_files):
    (tmp_path / "x.rev").write_text(TEXT)
    assert find_files(str(tmp_path)) == [("x.rev", str(tmp_path / "x.rev"))]
