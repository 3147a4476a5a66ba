"""Compare scores of phrases in characters with a count of characters and a worked example."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pair_files import write_pairs
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import write_jsonl
from vorlage.text.tokenize import make_text
from vorlage.text.words import is_stop_word
from vorlage.workflow.gold import Gold, GoldLink
from vorlage.workflow.score import phrases

DOCUMENT = "Two boats left the harbour. The wind, a gale, was strong."
SUMMARY = "Boats left in a gale."
PAIR = Pair("a", make_text(DOCUMENT), make_text(SUMMARY))


def spans(text, *parts):
    return tuple((text.index(part), text.index(part) + len(part)) for part in parts)


# Boats left ← Two boats left; in a gale ← The wind … was strong, and ← a gale.
GOLD = Gold(
    "a",
    "A",
    "char",
    (
        GoldLink(spans(SUMMARY, "Boats left"), spans(DOCUMENT, "Two boats left"), True),
        GoldLink(spans(SUMMARY, "in a gale"), spans(DOCUMENT, "The wind", "was strong"), True),
        GoldLink(spans(SUMMARY, "a gale"), spans(DOCUMENT, "a gale"), True),
    ),
)


def test_worked_example():
    assert PAIR.summary.words == ["Boats", "left", "in", "a", "gale", "."]
    assert PAIR.document.words[6:12] == ["The", "wind", ",", "a", "gale", ","]
    allowed = phrases.allowed_tokens(PAIR, [GOLD])
    wind = {6, 7, 12, 13}
    assert allowed == {0: {0, 1, 2}, 1: {0, 1, 2}, 2: wind, 3: wind | {9, 10}, 4: wind | {9, 10}}
    links = [
        Link((0, 1), (1, 2)),  # right
        Link((1, 2), (4, 5)),  # left ← harbour: wrong
        Link((2, 3), None),
        Link((3, 5), (9, 11)),  # a gale: both right
        Link((5, 6), (14, 15)),  # the full stop is in no gold phrase
    ]
    counts = phrases.count(links, PAIR, [GOLD])
    # Linked: Boats, left, a, gale; non-stop words of them, and of the phrases: Boats, left, gale.
    assert counts.tolist() == [[4, 3, 3, 2], [3, 2, 3, 2]]
    measured = phrases.scores(counts)
    assert measured["precision"] == pytest.approx([3 / 4, 2 / 3])
    assert measured["recall"] == pytest.approx([2 / 3, 2 / 3])


inside = st.tuples(st.integers(0, len(DOCUMENT) - 1), st.integers(1, 20))
outside = st.tuples(st.integers(0, len(SUMMARY) - 1), st.integers(1, 20))
words = st.tuples(st.integers(0, 5), st.integers(0, 14))


@given(
    st.lists(st.tuples(outside, inside, inside, st.booleans()), max_size=4),
    st.lists(words, unique=True, max_size=8),
)
def test_counts_equal_those_of_characters(marks, cells):
    """Count again with sets of characters: a token is inside a span when their sets intersect."""

    def span(start_and_length, text):
        return start_and_length[0], min(sum(start_and_length), len(text))

    gold = Gold(
        "a",
        "A",
        "char",
        tuple(
            GoldLink((span(s, SUMMARY),), (span(d, DOCUMENT), span(e, DOCUMENT)), sure)
            for s, d, e, sure in marks
        ),
    )
    summary, document = (
        [set(range(*token)) for token in text.tokens] for text in (PAIR.summary, PAIR.document)
    )
    expected = np.zeros((2, 4))
    for i, characters in enumerate(summary):
        covering = [link for link in gold.links if characters & set(range(*link.summary[0]))]
        links = [j for s, j in cells if s == i]
        stop = is_stop_word(PAIR.summary.words[i])

        def right(covering, links=links):
            targets = {c for link in covering for part in link.document for c in range(*part)}
            return [j for j in links if document[j] & targets]

        if covering and links:
            expected[: 2 - stop, :2] += [1, len(right(covering)) / len(links)]
        sure = [link for link in covering if link.sure]
        if sure and not stop:
            expected[:, 2:] += [1, bool(right(sure))]
    links = [Link((i, i + 1), (j, j + 1)) for i, j in cells]
    counted = phrases.count(links, PAIR, [gold])
    assert counted == pytest.approx(expected)


def test_the_command_writes_the_scores(tmp_path, stops):
    write_pairs(tmp_path / "corpus.jsonl", [PAIR])
    write_jsonl(tmp_path / "gold.jsonl", [GOLD.to_json()])
    alignment = Alignment("a", "s", None, PAIR.document.words, PAIR.summary.words, [Link((0, 1), (1, 2))])
    write_alignments(tmp_path / "s.jsonl", [alignment])
    names = {"corpus": "corpus.jsonl", "gold": "gold.jsonl", "alignments": "s.jsonl", "output": "phrases.tsv"}
    arguments = [f"--{option}={tmp_path / name}" for option, name in names.items()]
    phrases.main(arguments)
    rows = pd.read_table(tmp_path / "phrases.tsv")
    assert rows[["words", "precision", "recall"]].values.tolist() == [
        ["all", 1, 0.333333],
        ["nonstop", 1, 0.333333],
    ]
    token = Gold("a", "A", "token", (GoldLink(((0, 1),), ((1, 2),), True),))
    write_jsonl(tmp_path / "gold.jsonl", [token.to_json()])
    assert "score words: vorlage score" in stops(phrases.main, arguments)
