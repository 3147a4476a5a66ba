"""Attributions of made posteriors: exact quotes, sums of probabilities, what has no source."""

import json
from unittest.mock import ANY

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Alignment, Columns, Link, PosteriorAlignment
from vorlage.api.trained_model import Attribution
from vorlage.attribution.attribute import attribute
from vorlage.attribution.reading import is_function, read_pair
from vorlage.attribution.result import Documents
from vorlage.checks.check import note_languages
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text

DOCUMENT = "Ann sold 38 ships. The ships sailed to Oslo in May."
TEXT = "Ann sold 83 ships. Crews cheered. They sailed in May."


def pair_of(document, text):
    return Pair("p", make_text(document), make_text(text))


def made(pair, sources, nulls, links, documents=None, span=None):
    alignment = Alignment("p", "made", None, pair.document.words, pair.summary.words, links)
    documents = documents or Documents(pair.document, pair.document.raw)
    columns = Columns(sources, np.arange(len(pair.document.words), dtype=np.int32))
    posteriors = PosteriorAlignment(pair, alignment, columns, nulls)
    found = attribute(posteriors, documents, pair.summary.raw, span)
    return Attribution(**vars(found))


def example():
    """Return the pair of TEXT and DOCUMENT, its sources and nulls, and its links; words 5 to 7 have none."""
    pair = pair_of(DOCUMENT, TEXT)
    cells = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 9: 7, 10: 10, 11: 11, 12: 12}
    sources = np.zeros((13, 13))
    for t, j in cells.items():
        sources[t, j] = 0.9
    sources[8, 6], sources[8, 0] = 0.3, 0.2
    links = [Link((0, 5), (0, 5), 0.9), Link((9, 10), (7, 8), 0.9), Link((10, 13), (10, 13), 0.9)]
    return pair, sources, 1 - sources.sum(axis=1), links


def test_an_attribution_has_the_documented_form():
    found = made(*example()).to_json()
    assert json.loads(json.dumps(found)) == found
    assert 0 < found["supported"] == min(sentence["supported"] for sentence in found["sentences"]) < 1
    assert found["notes"] == []
    assert found["sentences"] == [
        {
            "text": [0, 18],
            "supported": ANY,
            "linked": pytest.approx(0.9),
            "verdict": "unsupported",
            "sources": [{"document": [0, 18], "sentence": 0, "probability": pytest.approx(0.9)}],
        },
        {
            "text": [19, 33],
            "supported": ANY,
            "linked": 0.0,
            "verdict": "unclear",
            "reason": "few of its words have a source",
            "sources": [],
        },
        {
            "text": [34, 53],
            "supported": ANY,
            "linked": pytest.approx(0.9),
            "verdict": ANY,
            "sources": [{"document": [19, 51], "sentence": 1, "probability": pytest.approx(0.9)}],
        },
    ]
    states = {TEXT[slice(*word["text"])]: word["state"] for word in found["words"]}
    assert states == {
        **dict.fromkeys(["Ann", "sold", "ships", "sailed", "in", "May"], "sourced"),
        **{"83": "differs", "Crews": "no source", "cheered": "no source", "They": "function"},
    }
    assert [(span["quote"], [source["quote"] for source in span["sources"]]) for span in found["spans"]] == [
        ("Ann sold 83 ships", ["Ann sold 38 ships"]),
        ("sailed", ["sailed"]),
        ("in May", ["in May"]),
    ]
    assert found["spans"][1] == {
        "text": [39, 45],
        "quote": "sailed",
        "null": pytest.approx(0.1),
        "sources": [
            {"document": [29, 35], "quote": "sailed", "sentence": 1, "probability": pytest.approx(0.9)}
        ],
    }
    assert found["unsupported"] == [
        {
            "text": [9, 11],
            "quote": "83",
            "null": pytest.approx(0.1),
            "reason": "differs",
            "kind": "number",
            "severity": 3,
            "message": "“83” ≠ “38”",
            "document": [9, 11],
        },
        {
            "text": [19, 32],
            "quote": "Crews cheered",
            "null": 1.0,
            "reason": "no source",
            "kind": "no source",
            "severity": 1,
            "message": "“Crews cheered” has no source",
        },
    ]


def test_a_word_elsewhere_in_the_document_is_never_without_source():
    pair = pair_of("A cautious plan came. Ann saw it.", "Ann saw a cautious budget.")
    sources = np.zeros((6, 9))
    sources[0, 5] = sources[1, 6] = 0.9
    links = [Link((0, 2), (5, 7), 0.9)]
    found = made(pair, sources, 1 - sources.sum(axis=1), links)
    words = {pair.summary.raw[slice(*word.text)]: (word.state, word.sentence) for word in found.words}
    assert words["cautious"] == ("elsewhere", 0) and words["budget"] == ("no source", None)
    assert [part.quote for part in found.unsupported] == ["budget"]


def test_a_span_has_all_its_sources():
    pair, sources, nulls, links = example()
    found = made(pair, sources, nulls, links, span=(30, 40)).to_json()
    assert [sentence["text"] for sentence in found["sentences"]] == [[19, 33], [34, 53]]
    (span,) = found["spans"]
    # The words cheered, the full stop, They, sailed.
    assert span["text"] == [30, 40] and span["quote"] == TEXT[30:40]
    assert span["null"] == pytest.approx((1 + 1 + 0.5 + 0.1) / 4)
    expected = [("ships sailed", (0.3 + 0.9) / 4), ("Ann", 0.2 / 4)]
    assert [(s["quote"], s["probability"]) for s in span["sources"]] == [
        (quote, pytest.approx(probability)) for quote, probability in expected[:1]
    ]
    assert [found["reason"] for found in found["unsupported"]] == ["no source"]
    word = made(pair, sources, nulls, links, span=(34, 38)).to_json()["spans"][0]
    assert [(s["quote"], s["probability"]) for s in word["sources"]] == [
        ("ships", pytest.approx(0.3)),
        ("Ann", pytest.approx(0.2)),
    ]


def test_sources_have_the_names_of_their_documents():
    pair, sources, nulls, links = example()
    documents = Documents.merge({"a.txt": DOCUMENT[:18], "b.txt": DOCUMENT[19:]})
    found = made(pair, sources, nulls, links, documents).to_json()
    assert found["sentences"][2]["sources"][0] == {
        "name": "b.txt",
        "document": [0, 32],
        "sentence": 0,
        "probability": pytest.approx(0.9),
    }
    assert found["spans"][1]["sources"][0]["document"] == [10, 16]
    assert found["unsupported"][0]["name"] == "a.txt" and "name" not in found["unsupported"][1]


GERMAN = "Die Reederei hat am Dienstag mitgeteilt, dass sie die Fähren nicht vor dem Sommer verkauft."
ENGLISH = "The shipping group said on Tuesday that it will not sell the ferries before the end of the year."


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        (ENGLISH, ENGLISH, []),
        (ENGLISH, GERMAN, ["The text is English and its document German"]),
        (GERMAN, GERMAN, ["The text and its document are German"]),
        ("Nein.", ENGLISH, []),
    ],
)
def test_languages_that_are_not_checked_are_noted(text, document, expected):
    sides = [make_text(side, language="de" if side == GERMAN else "en") for side in (text, document)]
    for many, mark in ((False, ","), (True, ":")):
        reading = read_pair(*sides, {}, many_languages=many)
        assert [note.split(mark)[0] for note in note_languages(reading)] == expected
        assert reading.is_read == (many or not expected)


WORDS = st.lists(
    st.sampled_from("Ann sold 38 83 ships , The in May June Oslo not .".split()), min_size=1, max_size=9
)


@given(WORDS, WORDS, st.data())
def test_quotes_sums_and_unsupported_words(document, text, data):
    pair = pair_of(" ".join(document), " ".join(text))
    T, n = len(pair.summary.words), len(pair.document.words)
    weights = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=n + 1, max_size=n + 1), min_size=T, max_size=T)
    )
    rows = np.array(weights, dtype=float) + [*[0] * n, 0.01]
    rows /= rows.sum(axis=1, keepdims=True)
    cells = data.draw(st.sets(st.tuples(st.integers(0, T - 1), st.integers(0, n - 1)), max_size=4))
    links = [Link((t, t + 1), (j, j + 1), 0.5) for t, j in sorted(cells)]
    found = made(pair, rows[:, :n], rows[:, n], links)
    assert json.loads(json.dumps(found.to_json())) == found.to_json()
    for span in found.spans:
        assert span.quote == pair.summary.raw[slice(*span.text)]
        assert span.null + sum(source.probability for source in span.sources) <= 1 + 1e-9
        for source in span.sources:
            assert source.quote == pair.document.raw[slice(*source.document)]
            first, end = pair.document.sentences[source.sentence]
            tokens = pair.document.tokens[first:end]
            assert tokens[0][0] <= source.document[0] < source.document[1] <= tokens[-1][1]
    assert len(found.sentences) == len(pair.summary.sentences)
    for sentence in found.sentences:
        assert sum(source.probability for source in sentence.sources) <= sentence.linked + 1e-9
        assert 0 <= sentence.supported <= 1
    linked = {t for t, _ in cells}
    for part in found.unsupported:
        assert part.quote == pair.summary.raw[slice(*part.text)]
        words = [t for t, (a, b) in enumerate(pair.summary.tokens) if a < part.text[1] and part.text[0] < b]
        assert part.null == pytest.approx(float(rows[words, n].mean()))
        if part.kind == "no source":
            assert not linked & set(words)
            said = {word for word in pair.document.words if not is_function(word)}
            assert not {pair.summary.words[t] for t in words} & said
    whole = (0, len(pair.summary.raw))
    asked = made(pair, rows[:, :n], rows[:, n], links, span=whole)
    assert asked.unsupported == found.unsupported and asked.sentences == found.sentences
    assert [span.text for span in asked.spans] == [whole]
