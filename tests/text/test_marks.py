"""Marks of citations in their many forms, and brackets that state something."""

import pytest
from vorlage.text.marks import cited_labels, find_citation_marks, find_marks, find_unread
from vorlage.text.tokenize import split_text

NAMES = ("doc1.txt", "doc2.txt", "minutes.pdf", "Holt 2014")
NUMBERED = ("ferry", "pier", "crane")


def silent(text, names=()):
    """Return the characters of a text that state nothing, white space left out."""
    places = {place for span in find_marks(text, names) for place in range(*span)}
    return "".join(text[place] for place in sorted(places) if not text[place].isspace())


@pytest.mark.parametrize(
    "mark",
    [
        "[E1, E2]",
        "[doc1, doc2]",
        "[S12; S13]",
        "[see E4]",
        "[Holt 2014]",
        "[Holt et al., 2014; Marsh, 2019a]",
        "(Holt, 2008, p. 34)",
        "(Holt 2014; Marsh et al. 2019)",
        "(see Holt 2014; Marsh et al. 2019)",
        "(e.g., Holt & Marsh, 2014, pp. 3–5)",
        "(cf. Holt, Brook and Marsh 2014)",
        "(A. van der Berg, 1999)",
        "(World Health Organization, 2019)",
        "(WHO, 2019)",
        "(Müller 2014: 34)",
        "(Source: minutes.pdf, p. 3)",
        "(minutes.pdf)",
        "(source: minutes of may.pdf; agenda.docx)",
        "(from annual-report.pdf, page 12)",
        "(Source: E4)",
        "(Document 3)",
        "<cite>1</cite>",
        "<cite>doc2</cite>",
        '<cite id="a">1, 2</cite>',
    ],
)
@pytest.mark.parametrize(
    "text", ["The bridge is new {}.", "The bridge is new.{} It is red.", "Now {} it is."]
)
def test_marks_of_citations_state_nothing(text, mark):
    assert silent(text.format(mark)) == "".join(mark.split())


@pytest.mark.parametrize(
    "text",
    [
        "Ben (9) won.",
        "Ben (9), Ida (11) and Tom (12) won.",
        "It opened late (2008).",
        "The race (Holt won in 2008) was short.",
        "It is long (see the annex).",
        "It is long (see page 3 of the annex).",
        "It opened (May 2008) and closed (June, 2014).",
        "It closed (Spring 2019; Monday, 2014).",
        "It cost much (EUR 2014) in a room (G20).",
        "It opened (in 2008; by Holt).",
        "It opened (since Holt 2014).",
        "It is old (The Holt, 2014 crowns).",
        "He said [the bridge] was new [sic] and [in 2008] red.",
        "It grew [by 2014 boats].",
        "It was a success (source: the minutes).",
        "It went to the cup (World Cup 2010).",
        "The flag (red, 20 feet) is old (Holt 4).",
        "He <b>won</b> it.",
        "A vote (2 to 1) was held (No. 2).",
    ],
)
def test_other_brackets_state_something(text):
    assert silent(text).strip("*") == ""


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Fog came (2).", "(2)"),
        ("Fog came (2), then (see pier; crane) rain (4).", "(2)(seepier;crane)(4)"),
        ("Fog came [ferry, pier].", "[ferry,pier]"),
        ("Fog came (Ferry, p. 3) and went (Source: crane).", "(Ferry,p.3)(Source:crane)"),
        ("Fog came <cite>pier</cite> and went.", "<cite>pier</cite>"),
        ("Fog (9) came (10) late, Ben (2) says.", ""),
        ("Fog came (the ferry) with a (pier light).", ""),
        ("Fog came (9), Ben says (2008).", ""),
        ("It needs (1) a pump and (2) a valve.", ""),
    ],
)
def test_documents_are_named_in_brackets(text, marks):
    assert silent(text, NUMBERED) == marks


@pytest.mark.parametrize(
    ("mark", "labels"),
    [
        ("[doc1, doc2]", ["doc1", "doc2"]),
        ("(doc2)", ["doc2"]),
        ("(2)", ["2"]),
        ("<cite>1</cite>", ["1"]),
        ("(Source: minutes.pdf, p. 3)", ["minutes.pdf"]),
        ("(see Holt 2014; Marsh et al. 2019)", ["Holt 2014", "Marsh et al. 2019"]),
        ("[1–3; 5]", ["1", "2", "3", "5"]),
        ("[doc1][2]", ["doc1", "2"]),
    ],
)
def test_marks_name_documents(mark, labels):
    (found,) = find_citation_marks(f"It rained {mark}.", NUMBERED if mark == "(2)" else NAMES)
    assert found[0] == mark and cited_labels(found) == labels


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("It cost 125³ crowns.", "³"),
        ("It opened in 1931⁴ and closed in 2010¹².", "⁴¹²"),
        ("It cost 3.50¹ and grew by 40%².", "¹²"),
        ("A town of 1,010³ people.", "³"),
        ("It has 10⁶ cells, 3 × 10⁶ or 3×10⁻³ of them.", ""),
        ("It has 5 m², 6 km² and 7 s⁻¹ of H₂O.", ""),
        ("It took 1¹⁄₂ hours, 10³ at most.", ""),
        ("The word³ and the end.⁴", "³⁴"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_raised_digits(text, marks, language):
    assert silent(text) == marks
    words = split_text(text, language).words
    expected = [word for word in words if set(word) <= set("⁰¹²³⁴⁵⁶⁷⁸⁹")]
    assert "".join(expected) == marks and not any("1253" in word for word in words)
    if "10⁶" in text:
        assert words.count("10⁶") == 2
    if "m²" in text:
        assert {"m²", "km²", "s⁻¹", "H2O"} <= set(words)
    if "¹²." in text:
        assert "¹²" in words and "2010" in words


def test_code_and_rows_of_tables_are_no_prose():
    text = (
        "Run it so:\n```sh\nmake | tee log\n```\n| Ship | Built |\n|---|---|\n| Heron | 1994 |\nIt | sails.\n"
    )
    unread = [(text[slice(*span)].strip(), name) for span, name in find_unread(text)]
    assert [words for words, name in unread if name == "code"] == ["make | tee log", "```"]
    assert [words for words, name in unread if name != "code"] == [
        "| Ship | Built |",
        "|---|---|",
        "| Heron | 1994 |",
    ]
