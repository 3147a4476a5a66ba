"""Attributions as text, Markdown and a table."""

import pytest
from vorlage import load_model
from vorlage.semihmm.decode.load import SHIPPED

DOCUMENTS = {
    "a.txt": "The fast printer of Acme ships in June.",
    "b.txt": "It sells 38 *old* printers for less. No one asked.",
}
TEXT = "Acme ships a fast printer in July.\nIt sells 83 *old* printers."


@pytest.fixture(scope="module")
def found():
    return load_model(SHIPPED / "without-encoder.npz").attribute(DOCUMENTS, TEXT)


def test_print_shows_what_the_terminal_shows(found):
    lines = str(found).splitlines()
    assert lines[0] == "0 of 2 statements supported; 2 to check"
    assert lines[2].startswith("✗ Acme ships a fast printer in [July].")
    assert max(map(len, lines)) <= 80 and "\x1b" not in str(found)


def test_markdown_has_footnotes_for_findings_and_sources(found):
    title, first, second, *notes = found.to_markdown().strip().split("\n\n")
    assert title == "**0 of 2 statements supported; 2 to check**"
    assert first.startswith("✗ Acme ships a fast printer in July[^1].[^2]")
    assert second.startswith("✗ It sells 83[^") and r"\*old\* printers" in second
    assert [note.split(":")[0] for note in notes] == [f"[^{n}]" for n in range(1, len(notes) + 1)]
    assert notes[0].startswith("[^1]: differs (date): “July” ≠ “June”")
    assert notes[1].startswith("[^2]: source: a.txt:1 (0.")
    assert r"sells 38 \*old\* printers for less.”" in notes[-1]


def test_a_table_has_a_row_for_each_word(found):
    table = found.to_dataframe()
    assert list(table["word"]) == [TEXT[slice(*word.text)] for word in found.words]
    assert list(table["state"]) == [word.state for word in found.words]
    row = table[table["word"] == "83"].iloc[0]
    assert (row["kind"], row["severity"], row["document"], row["source"]) == ("number", 3, "b.txt", "38")
    assert (row["sentence"], row["verdict"]) == (1, "unsupported")
    assert table[table["word"] == "Acme"]["kind"].isna().all()
