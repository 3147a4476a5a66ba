"""Gaps between links are found and filled."""

import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Link
from vorlage.semihmm.decode.links import decode_posterior, find_gaps, make_links
from vorlage.text.tokenize import make_text
from vorlage.text.words import is_punctuation, stem
from whole_posteriors import no_phrases, whole

DOCUMENT = "the chief executive of acme resigned on monday ."
SUMMARY = "the ceo of acme stepped down on monday ."


def side(*sentences):
    return side_of(make_text(list(sentences), tokenized=True))


def side_of(text):
    stems = [-1 if is_punctuation(word) else zlib.crc32(stem(word).encode()) >> 1 for word in text.words]
    return np.array(text.sentence_numbers), np.array(stems)


def gaps(links, *sides):
    rows, columns = np.transpose(sorted(links)).astype(np.int32)
    return find_gaps(rows, columns, *sides)


# the–the, of–of, acme–acme, on–on, monday–monday and the full stops.
AROUND = (0, 0), (2, 3), (3, 4), (6, 6), (7, 7), (8, 8)


def test_a_gap_is_what_is_left_between_links():
    found = gaps(AROUND, side(SUMMARY), side(DOCUMENT))
    assert list(found) == [(1, 1, 1, 2), (4, 2, 5, 1)]


WORDS = st.lists(st.sampled_from(["a", "b", "printers", "printer", ","]), min_size=1, max_size=4)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=3)


@given(TEXTS, TEXTS, st.data())
def test_gaps_are_those_of_the_definition(summary, document, data):
    texts = [make_text(text, tokenized=True) for text in (summary, document)]
    (S, D), sides = ([text.words for text in texts]), [side_of(t) for t in texts]
    cell = st.tuples(st.integers(0, len(S) - 1), st.integers(0, len(D) - 1))
    chosen = data.draw(st.sets(cell, min_size=1, max_size=8))
    sentence = [
        {p: s for s, (start, end) in enumerate(text.sentences) for p in range(start, end)} for text in texts
    ]
    same = [("a",), ("b",), ("printer", "printers"), (",",)]
    expected = set()
    for t in range(len(S)):
        for j in range(len(D)):
            for k in range(1, 5):
                for span in range(1, 5):
                    rows, columns = range(t, t + k), range(j, j + span)
                    around = {(t - 1, j - 1), (t + k, j + span)}
                    if not around <= chosen:
                        continue
                    one = len({sentence[0][p] for p in range(t - 1, t + k + 1)}) == 1
                    one &= len({sentence[1][p] for p in range(j - 1, j + span + 1)}) == 1
                    words = "," not in [S[p] for p in rows] + [D[p] for p in columns]
                    apart = all((i in rows) == (p in columns) for i, p in chosen)
                    equal = any(
                        S[i] in group and D[p] in group
                        for i, p in chosen
                        if i in rows and p in columns
                        for group in same
                    )
                    here = [p for p in sentence[1] if sentence[1][p] == sentence[1][j] and D[p] != ","]
                    covered = 2 * sum(p in {p for _, p in chosen} for p in here) >= len(here)
                    if one and words and apart and covered and not equal:
                        expected.add((t, k, j, span))
    found = gaps(chosen, *sides)
    assert set(found) == expected and len(found) == len(expected)


def posteriors(words):
    words = np.array(words, dtype=float)
    return whole(words, 1 - words.sum(axis=1), *no_phrases())


def fill(gaps, gap_threshold):
    """Return the links of `WHOLE` with its gaps filled."""
    given = posteriors(WHOLE)
    return make_links(decode_posterior(given, 0.5, gaps, gap_threshold), np.arange(4), given.nulls.tolist())


WHOLE = [[0.75, 0, 0, 0], [0, 0.25, 0.125, 0], [0, 0, 0, 0.625]]


def test_a_gap_is_filled_with_one_link_if_all_its_words_are_likely_enough():
    around = [Link((0, 1), (0, 1), 0.75), Link((2, 3), (3, 4), 0.625)]
    gap = [(1, 1, 1, 2)]
    found = fill(gap, 0.1)
    assert found == [around[0], Link((1, 2), (1, 3), 0.375), around[1]]
    found = fill(gap, 0.2)
    assert found == [around[0], Link((1, 2), (1, 2), 0.25), around[1]]
    found = fill(gap, 0.25)
    assert found == [around[0], Link((1, 2), None, 0.625), around[1]]


def test_a_gap_inside_another_is_written_once():
    both = [(1, 1, 1, 1), (1, 1, 1, 2)]
    found = fill(both, 0.1)
    assert [link.document for link in found] == [(0, 1), (1, 3), (3, 4)]
