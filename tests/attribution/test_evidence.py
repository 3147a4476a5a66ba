"""Stretches of sources and phrases, compared with what enumeration finds in small posteriors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Alignment, Columns, Link, PosteriorAlignment
from vorlage.attribution.evidence import (
    MAX_BETWEEN,
    MIN_PROBABILITY,
    find_evidence,
    find_phrases,
    find_stretches,
    linked_words,
)
from vorlage.attribution.reading import read_pair
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import number_sentences


@st.composite
def posteriors(draw):
    """Sources (T, n) of few words, in sixteenths, and the sentences of the document."""
    T, sizes = draw(st.integers(1, 4)), draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    n = sum(sizes)
    rows = st.lists(st.integers(0, 4), min_size=n, max_size=n).filter(lambda row: sum(row) <= 16)
    sources = np.array(draw(st.lists(rows, min_size=T, max_size=T))) / 16
    ends = np.cumsum([0, *sizes]).tolist()
    return sources, list(zip(ends, ends[1:], strict=False))


@st.composite
def links(draw, T, sentences):
    """Links inside sentences; all words of the text are one sentence."""
    made = []
    for _ in range(draw(st.integers(0, 3))):
        t, (first, end) = draw(st.integers(0, T - 1)), draw(st.sampled_from(sentences))
        j = draw(st.integers(first, end - 1))
        made.append(Link((t, draw(st.integers(t + 1, T))), (j, draw(st.integers(j + 1, end))), 0.5))
    return made


def naive_stretches(words, sources, made, sentences, punctuation):
    """All spans of document words that are a maximal chain of likely or linked words, with their mean."""
    n = sources.shape[1]
    linked = {j for link in made for j in range(*link.document) if set(words) & set(range(*link.summary))}
    linked -= punctuation
    kept = {
        j for j in range(n) if j in linked or max(sources[t, j] for t in words) >= MIN_PROBABILITY
    } - punctuation
    found = {}
    for first, end in sentences:
        for a in range(first, end):
            for b in range(a + 1, end + 1):
                inside = sorted(kept & set(range(a, b)))
                chained = inside and inside[0] == a and inside[-1] == b - 1
                chained = chained and all(
                    y - x <= MAX_BETWEEN + 1 for x, y in zip(inside, inside[1:], strict=False)
                )
                wider = [
                    j
                    for j in kept
                    if first <= j < end and (0 < a - j <= MAX_BETWEEN + 1 or 0 <= j - b <= MAX_BETWEEN)
                ]
                if chained and not wider:
                    mean = sum(sources[t, j] for t in words for j in range(a, b)) / len(words)
                    if mean >= MIN_PROBABILITY or linked & set(range(a, b)):
                        found[a, b] = mean
    return found


def all_columns(sources):
    return Columns(sources, np.arange(sources.shape[1], dtype=np.int32))


@given(st.data())
def test_stretches_are_those_of_the_definition(data):
    sources, sentences = data.draw(posteriors())
    T = len(sources)
    made = data.draw(links(T, sentences))
    first = data.draw(st.integers(0, T - 1))
    words = range(first, data.draw(st.integers(first + 1, T)))
    marks = data.draw(st.sets(st.integers(0, sources.shape[1] - 1), max_size=2))
    punctuation = np.isin(np.arange(sources.shape[1]), list(marks))
    unlike = ["a"] * T, ["b"] * sources.shape[1]
    linked = linked_words(made, *unlike)
    stretches = find_stretches(words, all_columns(sources), linked, number_sentences(sentences), punctuation)
    expected = naive_stretches(words, sources, made, sentences, marks)
    assert {stretch.words: stretch.probability for stretch in stretches} == pytest.approx(expected)
    probabilities = [stretch.probability for stretch in stretches]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) <= 1 + 1e-12


@pytest.mark.parametrize(
    ("made", "phrases"),
    [
        ([], []),
        ([Link((0, 2), None, 0.5)], []),
        ([Link((0, 2), (0, 2), 0.5), Link((2, 3), (2, 3), 0.5)], [(0, 3)]),  # continue one another
        ([Link((0, 2), (0, 2), 0.5), Link((2, 3), (4, 5), 0.5)], [(0, 2), (2, 3)]),
        ([Link((0, 1), (0, 1), 0.5), Link((2, 3), (1, 2), 0.5)], [(0, 1), (2, 3)]),  # a word between
        ([Link((0, 2), (0, 2), 0.5), Link((1, 3), (7, 9), 0.5)], [(0, 3)]),  # share a word
        ([Link((0, 1), (0, 1), 0.5), Link((0, 1), (5, 6), 0.4), Link((1, 2), (6, 7), 0.5)], [(0, 2)]),
        ([Link((2, 3), (2, 3), 0.5), Link((3, 4), (3, 4), 0.5)], [(2, 3), (3, 4)]),  # text sentence ends
        ([Link((0, 1), (4, 5), 0.5), Link((1, 2), (5, 6), 0.5)], [(0, 1), (1, 2)]),  # document sentence ends
    ],
)
def test_phrases_are_links_that_share_or_continue(made, phrases):
    assert (
        find_phrases(made, number_sentences([(0, 3), (3, 6)]), number_sentences([(0, 5), (5, 9)])) == phrases
    )


WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=9)


@given(WORDS, WORDS)
def test_the_longest_copied_stretch_of_each_word(text, document):
    longest = [0] * len(text)
    for first in range(len(text)):
        for size in range(1, len(text) - first + 1):
            stretch = text[first : first + size]
            if any(document[j : j + size] == stretch for j in range(len(document))):
                for t in range(first, first + size):
                    longest[t] = max(longest[t], size)
    here, there = (make_text([" ".join(words)], tokenized=True) for words in (text, document))
    alignment = Alignment("p", "made", None, there.words, here.words, [])
    sources, nulls = np.zeros((len(text), len(document))), np.ones(len(text))
    pair = PosteriorAlignment(Pair("p", there, here), alignment, all_columns(sources), nulls)
    assert find_evidence(read_pair(here, there, {}), pair).copied.tolist() == longest
