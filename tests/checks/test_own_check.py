"""A check of one's own: a function in the registry, whose findings reach JSON and terminal."""

import pytest
from vorlage import load_model
from vorlage.attribution.reading import CHECK, LIKELY, SILENT
from vorlage.checks import check
from vorlage.semihmm.decode.load import SHIPPED

DOCUMENT = "The ferry to Orm was late. Nobody complained about it."
TEXT = "The ferry to Orm was LATE. Nobody complained."


def find_shouted(pair):
    """Yield the words in capitals that the document has in small letters."""
    for t, word in enumerate(pair.text.tokenized.words):
        for j in sorted(pair.links[t]):
            written = pair.document.tokenized.words[j]
            if len(word) > 1 and word.isupper() and written.islower():
                yield pair.finding((t, t + 1), (j, j + 1), "shouted", LIKELY, "“{}” is only “{}” there")


@pytest.fixture(scope="module")
def model():
    return load_model(SHIPPED / "without-encoder.npz")


def test_the_finding_of_a_new_check_reaches_json_and_terminal(model, monkeypatch):
    assert model.attribute(DOCUMENT, TEXT).unsupported == ()
    monkeypatch.setattr(check, "CHECKS", (*check.CHECKS, find_shouted))
    found = model.attribute(DOCUMENT, TEXT)
    (finding,) = found.to_json()["unsupported"]
    start, source = TEXT.index("LATE"), DOCUMENT.index("late")
    assert finding["text"] == [start, start + 4] and finding["document"] == [source, source + 4]
    assert (finding["kind"], finding["severity"], finding["reason"]) == ("shouted", 2, "differs")
    assert [sentence.verdict for sentence in found.sentences] == ["unsupported", "supported"]
    assert "“LATE” is only “late” there" in " ".join(str(found).split())


def finder(severity, span):
    """A check that says one thing."""
    return lambda pair: [pair.finding(span, None, f"kind {severity}", severity, "“{}” is wrong")]


def test_the_graver_of_two_findings_stays_and_silent_words_have_none(model, monkeypatch):
    def kinds(*found):
        monkeypatch.setattr(check, "CHECKS", found)
        return [part.kind for part in model.attribute(DOCUMENT, TEXT).unsupported]

    assert kinds(finder(CHECK, (0, 2)), finder(LIKELY, (1, 3))) == ["kind 2"]
    assert kinds(finder(LIKELY, (1, 3)), finder(CHECK, (0, 2))) == ["kind 2"]
    assert kinds(finder(CHECK, (0, 2)), finder(LIKELY, (2, 4))) == ["kind 1", "kind 2"]
    assert kinds(finder(SILENT, (1, 2)), finder(LIKELY, (1, 3))) == []
