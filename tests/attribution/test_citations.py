"""The marks of citations: what they name, which are wrong, and the text with right ones."""

import json

import pytest
from vorlage import load_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.text.marks import cited_labels, find_citation_marks, find_marks

FERRY = "The ferry to Sund was late because of fog. Two hundred people waited."
PIER = "The harbour will get a second pier. Work starts in March."


@pytest.fixture(scope="module")
def model():
    return load_model(SHIPPED / "without-encoder.npz")


@pytest.mark.parametrize(
    ("marks", "labels"),
    [
        ("[1]", ["1"]),
        ("[1, 2; 4]", ["1", "2", "4"]),
        ("[2-4]", ["2", "3", "4"]),
        ("[1][3]", ["1", "3"]),
        ("[1], [3]", ["1", "3"]),
        ("【4†source】", ["4"]),
        ("【4:0†a.txt】", ["a.txt"]),
        ("[^7]", ["7"]),
        ("[Source 2]", ["2"]),
        ("[monday.txt]", ["monday.txt"]),
        ("[a.pdf, b.md]", ["a.pdf", "b.md"]),
        ("[1](https://example.org/a)", ["1"]),
        ("¹²", ["12"]),
    ],
)
def test_marks_name_documents(marks, labels):
    text = f"It rained.{marks}"
    (found,) = find_citation_marks(text)
    assert found.span() == (10, len(text)) and cited_labels(found) == labels
    silent = {place for span in find_marks(text) for place in range(*span)}
    assert silent >= {place for place in range(10, len(text)) if text[place] not in " ,"}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("[2]", "[1]"),
        ("[2][2]", "[1]"),
        ("【2†source】", "【1†source】"),
        ("[Source 2]", "[Source 1]"),
        ("[2](https://example.org/2)", "[1]"),
        ("[tuesday.txt]", "[monday.txt]"),
        ("【4:1†tuesday.txt】", "【4:1†monday.txt】"),
        ("[^2]", "[^1]"),
        ("²", "¹"),
    ],
)
def test_a_wrong_mark_is_put_right_in_its_own_form(model, wrong, right):
    names = ("monday.txt", "tuesday.txt") if ".txt" in wrong else ("1", "2")
    text = f"Fog made the ferry to Sund late.{wrong} Work on the pier starts in March.{wrong}"
    found = model.attribute(dict(zip(names, (FERRY, PIER), strict=True)), text, marks=True)
    assert [(each.mark, each.sources) for each in found.citations] == [
        ("misattributed", (names[0],)),
        ("right", (names[1],)),
    ]
    assert [text[slice(*each.text)] for each in found.citations] == [wrong, wrong]
    assert found.to_markdown(marks=True) == text.replace(wrong, right, 1)


def test_numbers_count_documents_that_have_other_names(model):
    text = "Fog made the ferry to Sund late [2]. Work starts in March [3]."
    found = model.attribute({"ferry": FERRY, "pier": PIER}, text, marks=True)
    assert [each.mark for each in found.citations] == ["misattributed", "unknown"]
    assert found.to_markdown(marks=True) == text.replace("[2]", "[1]")


def test_footnotes_say_what_they_are(model):
    text = "Fog made the ferry to Sund late.[^a]\n\n[^a]: The pier, 2024\n[^b]: ferry, p. 3\n"
    found = model.attribute({"ferry": FERRY, "pier": PIER}, text, marks=True)
    assert found.to_markdown(marks=True) == text.replace("late.[^a]", "late.[^b]")
    assert [each.verdict for each in found.sentences[1:]] == ["no statement"] * 2


def test_each_mark_has_the_words_since_the_mark_before(model):
    text = "Fog made the ferry late [1] and work starts in March [2]; see [the site](https://example.org)."
    found = model.attribute({"1": FERRY, "2": PIER}, text, marks=True)
    statements = [text[slice(*each.statement)] for each in found.citations]
    assert statements == ["Fog made the ferry late", "and work starts in March"]
    assert {each.mark for each in found.citations} == {"right"}


def test_two_sources_and_none(model):
    documents = {"1": FERRY, "2": FERRY + " It rained.", "3": PIER}
    text = "The ferry to Sund was late [1]. Work starts in April [3]. Zebras eat grass quietly [2]."
    first, second, third = model.attribute(documents, text, marks=True).citations
    assert str(first) == "2 sources: 1, 2"
    assert (second.mark, second.sources[0]) == ("unsupported", "3")
    assert (third.mark, third.sources) == ("unsupported", ())


def test_marks_are_checked_only_where_they_are_asked_for(model):
    documents = {"1": FERRY, "2": PIER}
    found = model.attribute(documents, "Fog [2]."), model.attribute(FERRY, "Fog [2].", marks=True)
    assert [each.citations for each in found] == [(), ()]
    assert not any("citations" in each.to_json() for each in found)
    assert model.attribute(documents, "Fog.", marks=True).to_json()["citations"] == []
    found = model.attribute(documents, "Fog made the ferry late [2].", marks=True)
    (citation,) = json.loads(json.dumps(found.to_json()))["citations"]
    assert citation == {
        "text": [24, 27],
        "statement": [0, 23],
        "names": ["2"],
        "mark": "misattributed",
        "sources": ["1"],
    }
    assert not found.ok() and model.attribute(documents, "Fog made the ferry late [1].", marks=True).ok()
    assert "0 of 1 statement supported; 1 to check" in str(found) and "[2] misattributed: see 1" in str(found)
    assert found.viewer_data()["sentences"][0]["marks"] == [["[2]", "misattributed: see 1", "misattributed"]]


def test_an_empty_document_keeps_its_number(model):
    documents = {"dock": "", **dict(zip(("ferry", "pier"), (FERRY, "The pier opens in March."), strict=True))}
    text = "The pier opens in March [3]. It opens in March [1]."
    found = model.attribute(documents, text, marks=True)
    assert [(each.names, each.mark) for each in found.citations] == [
        (("pier",), "right"),
        (("dock",), "misattributed"),
    ]
    assert found.to_markdown(marks=True) == "The pier opens in March [3]. It opens in March [3]."


@pytest.mark.parametrize(
    "mark", ["(doc1)", "[doc1, doc1]", "(see doc1; doc1.txt)", "<cite>doc1</cite>", "(1)"]
)
def test_documents_are_named_in_brackets_of_any_form(model, mark):
    text = f"Fog made the ferry to Sund late {mark}. Work on the pier starts in March {mark}."
    names = ("a.txt", "b.txt") if mark == "(1)" else ("doc1.txt", "doc2.txt")
    found = model.attribute(dict(zip(names, (FERRY, PIER), strict=True)), text, marks=True)
    assert [each.mark for each in found.citations] == ["right", "misattributed"]
    assert [text[slice(*each.text)] for each in found.citations] == [mark, mark]
    assert not found.unsupported
    right = mark.replace(", doc1", "").replace("; doc1.txt", "").replace("1", "2")
    assert found.to_markdown(marks=True) == f"{text[: text.rindex(mark)]}{right}."


@pytest.mark.parametrize(
    ("mark", "cited"),
    [
        ("[E1, E2]", "unknown"),
        ("(Holt, 2008, p. 34)", None),
        ("(see Holt 2014; Marsh et al. 2019)", None),
        ("(Source: minutes.pdf, p. 3)", "right"),
        ("(Source: annex.pdf)", "unknown"),
        ("[Holt 2014]", None),
        ("[E9]", "unknown"),
        ("[the annex](https://example.org)", None),
    ],
)
def test_works_that_are_no_documents_are_not_checked(model, mark, cited):
    names = ("E1", "E2") if mark == "[E9]" else ("minutes.pdf", "agenda.pdf")
    text = f"Fog made the ferry to Sund late {mark}."
    found = model.attribute(dict(zip(names, (FERRY, PIER), strict=True)), text, marks=True)
    assert [each.mark for each in found.citations] == ([cited] if cited else [])
    assert not found.unsupported and found.sentences[0].verdict == "supported"


def test_a_work_beside_a_document_is_not_checked(model):
    text = "Fog made the ferry to Sund late (ferry; see Holt 2014)."
    found = model.attribute({"ferry": FERRY, "pier": PIER}, text, marks=True)
    assert [(each.names, each.mark) for each in found.citations] == [(("ferry",), "right")]


def test_the_label_of_a_tag_is_corrected_and_not_its_attribute(model):
    text = 'Work on the pier starts in March<cite id="1">1</cite>.'
    found = model.attribute({"ferry": FERRY, "pier": PIER}, text, marks=True)
    assert found.to_markdown(marks=True) == 'Work on the pier starts in March<cite id="1">2</cite>.'
