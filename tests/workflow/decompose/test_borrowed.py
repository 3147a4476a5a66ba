"""The phrases of a summary sentence by any links."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Link, soft_links
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.workflow.decompose.borrowed import NOWHERE, borrowed_phrases
from vorlage.workflow.decompose.operations import decompose


def phrases_of(summary, links):
    """Return the phrases of a summary of a document of two sentences, `a … h` and `i … p`."""
    texts = ["a b c d e f g h", "i j k l m n o p"], [" ".join(summary)]
    pair = Pair("a", *(make_text(text, tokenized=True) for text in texts))
    (decomposed,) = decompose(pair, soft_links(links, pair.summary.words, pair.document.words))
    return borrowed_phrases(decomposed, links)


@pytest.mark.parametrize(
    ("summary", "links", "expected"),
    [
        # Both sentences are sources; "c" is taken first, and then "d" continues it.
        (
            "cd",
            [((0, 1), (2, 3)), ((1, 2), (11, 12)), ((1, 2), (3, 4)), ((0, 1), (10, 11))],
            [((0, 2), (2, 4), 0)],
        ),
        # The longest link from the first word, then what is left of the other, clipped on both sides.
        (
            "bcdk",
            [((0, 3), (1, 4)), ((2, 4), (9, 11)), ((1, 2), (0, 1))],
            [((0, 3), (1, 4), 0), ((3, 4), (10, 11), 1)],
        ),
        ("xyzd", [((0, 3), (1, 3)), ((3, 4), (3, 4))], [((0, 4), (1, 4), 0)]),
    ],
)
def test_phrases(summary, links, expected):
    assert phrases_of(summary, [Link(*link) for link in links]) == expected


LETTERS = "abcdefghijklmnop"


@given(
    st.text(LETTERS, min_size=1, max_size=8),
    st.lists(
        st.tuples(*[st.integers(0, 7), st.integers(1, 3), st.integers(0, 15), st.integers(1, 3)]), max_size=8
    ),
)
def test_phrases_cover_the_sentence(summary, numbers):
    links = [
        Link((i, min(i + m, len(summary))), (j, min(j + n, 8 if j < 8 else 16)))
        for i, m, j, n in numbers
        if i < len(summary)
    ]
    phrases = phrases_of(summary, links)
    assert [token for phrase in phrases for token in range(*phrase.summary)] == list(range(len(summary)))
    for phrase in phrases:
        if phrase.source == NOWHERE:
            assert phrase.document is None
            continue
        start, end = phrase.document
        assert 8 * phrase.source <= start < end <= 8 * phrase.source + 8
        # Every word has a link that reaches a word of the place of its phrase.
        for token in range(*phrase.summary):
            places = [link.document for link in links if token in range(*link.summary)]
            assert any(first < end and last > start for first, last in places)
    for phrase, following in pairwise(phrases):
        assert phrase.source != following.source or phrase.document[1] != following.document[0]
