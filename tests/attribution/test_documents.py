"""Several documents as one: every character and sentence is found again in its own document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.attribution.result import Documents, check_span
from vorlage.command.errors import InputError
from vorlage.command.progress import warn_once
from vorlage.documents.records import raw_text
from vorlage.text.tokenize import make_text

WORDS = st.lists(
    st.sampled_from(["One", "ship", "sailed.", "Two", "é\u2028x", "№", "came!\n"]), min_size=1, max_size=6
)
SENTENCES = WORDS.map(" ".join)
SIDES = SENTENCES | st.lists(SENTENCES, min_size=1, max_size=3)


@given(st.lists(SIDES, min_size=1, max_size=4), st.booleans())
def test_places_are_found_again(sides, tokenized):
    named = {f"d{number}": side for number, side in enumerate(sides)}
    documents = Documents.merge(named, tokenized)
    tokens = [
        documents.locate(token, number)
        for number, (first, end) in enumerate(documents.text.sentences)
        for token in documents.text.tokens[first:end]
    ]
    expected = []
    for name, side in named.items():
        text = make_text(side, tokenized)
        for number, (first, end) in enumerate(text.sentences):
            expected += [(name, token, number) for token in text.tokens[first:end]]
    assert tokens == expected
    for (name, place, _), token in zip(tokens, documents.text.tokens, strict=True):
        assert raw_text(named[name])[slice(*place)] == documents.raw[slice(*token)]


def test_pages_are_counted_in_each_document():
    text = "One goes on\fover a page. Two.\n\f\fThree."
    documents = Documents.merge({"a.pdf": text, "b.txt": "Four."})
    places = [(text.index(word), page) for word, page in (("One", 1), ("over", 2), ("Two", 2), ("Three", 4))]
    assert [documents.page("a.pdf", place) for place, _ in places] == [page for _, page in places]
    assert documents.page("b.txt", 0) is None
    assert [
        documents.raw[slice(*documents.text.characters(words))] for words in documents.text.sentences
    ] == [
        "One goes on\fover a page.",
        "Two.",
        "Three.",
        "Four.",
    ]


def test_empty_documents_are_left_out_with_a_note():
    documents = Documents.merge({"a": " ", "b": "One ship sailed.", "c": [], "d": "It sank."})
    assert (documents.names, documents.given) == (("b", "d"), ("a", "b", "c", "d"))
    assert documents.notes == ("documents left out, because they are empty: a, c",)
    assert documents.texts == {"b": "One ship sailed.", "d": "It sank."}
    assert documents.locate(documents.text.tokens[-1], 1) == ("d", (7, 8), 0)


@pytest.mark.parametrize(
    ("strings", "is_noted"),
    [
        (["1. Fix the pump.", "2. Buy a valve."], False),
        (["It sold boats. It sank.", "A mill."], False),
        (["It sold boats. It sank. No one was hurt."], True),
    ],
)
def test_each_string_of_a_list_is_a_sentence(strings, is_noted, caplog):
    warn_once.cache_clear()
    documents = Documents.merge(strings)
    assert len(documents.text.sentences) == len(strings) and documents.raw == "\n".join(strings)
    notes = [f"note: {note}" for note in documents.notes]
    assert (
        notes == caplog.messages
        and ["give several documents as" in note for note in notes] == [True] * is_noted
    )


@pytest.mark.parametrize("span", [(0, 0), (3, 2), (-1, 3), (0, 9), (0,), 5, ("a", "b"), (True, 3), (0.0, 3)])
def test_a_span_outside_of_the_text_is_an_error(span):
    with pytest.raises(InputError, match=r"which has 8 characters; give its start and end"):
        check_span(span, "One ship")
