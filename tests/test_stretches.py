"""Stretches: which part of a sentence comes from which part of the document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Link
from vorlage.alignments.stretches import MAX_BETWEEN, find_stretches
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.text.words import is_stop_word

DOCUMENT = make_text(
    ["the mayor opened the new bridge over the river on Monday .", "traffic had doubled in ten years ."], True
)


def test_a_word_without_a_link_takes_the_place_of_one_between_others():
    summary = make_text(["mayor inaugurated new bridge ."], True)
    links = [Link((t, t + 1), (j, j + 1), 0.8) for t, j in ((0, 1), (2, 4), (3, 5))]
    [stretch] = find_stretches(links, Pair("1", DOCUMENT, summary))
    assert DOCUMENT.words[slice(*stretch.document)] == "mayor opened the new bridge".split()
    assert stretch.summary == (0, 4) and stretch.posterior == pytest.approx(0.6)


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 18)), max_size=12))
def test_every_content_word_of_a_sentence_with_links_is_in_one_stretch(links):
    text = make_text(["bridge mayor of river saw", "traffic the years new doubled"], True)
    found = find_stretches([Link((t, t + 1), (j, j + 1), 0.5) for t, j in links], Pair("1", DOCUMENT, text))
    sentence_of = [k for k, (first, end) in enumerate(DOCUMENT.sentences) for _ in range(first, end)]
    inside = [t for stretch in found for t in range(*stretch.summary) if not is_stop_word(text.words[t])]
    assert len(inside) == len(set(inside))
    for first, end in text.sentences:
        content = {t for t in range(first, end) if not is_stop_word(text.words[t])}
        assert content & set(inside) == (content if content & {t for t, _ in links} else set())
    for stretch in found:
        places = sorted(
            j
            for t, j in links
            if stretch.summary[0] <= t < stretch.summary[1] and j in range(*stretch.document)
        )
        assert {sentence_of[stretch.document[0]]} == {sentence_of[stretch.document[1] - 1]}
        assert all(b - a <= MAX_BETWEEN + 1 for a, b in zip(places, places[1:], strict=False))
