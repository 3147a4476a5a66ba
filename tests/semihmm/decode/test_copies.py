"""Links of copied words are joined."""

from types import SimpleNamespace

import numpy as np
import pytest
from vorlage.alignments.alignment import Link
from vorlage.semihmm.decode import links as decoders
from vorlage.text.tokenize import make_text


def text(*sentences):
    return make_text(list(sentences), tokenized=True)


def join_copies(links, summary, document):
    words = [*summary.words, *document.words]
    numbers = np.unique([word.lower() for word in words], return_inverse=True)[1]
    middle = len(summary.words)
    pair = SimpleNamespace(
        summary=SimpleNamespace(words=numbers[:middle], sentences=summary.sentence_numbers),
        document=SimpleNamespace(words=numbers[middle:], sentences=document.sentence_numbers),
    )
    chosen = {(a, b - a, c, d - c): posterior for (a, b), (c, d), posterior in links}
    return decoders.make_links(decoders.join_copies(chosen, pair), np.arange(len(document.words)))


DOCUMENT = text("yes the Old printer sells", "the printer sells", "for less")
SUMMARY = text("the old printer sells", "for less")


def test_equal_words_that_continue_each_other_are_one_link():
    words = [Link((t, t + 1), (t + 1, t + 2), 0.9 - t / 10) for t in range(4)]
    assert join_copies(words, SUMMARY, DOCUMENT) == [Link((0, 4), (1, 5), 0.9 - 3 / 10)]
    # Also in the parts of phrases, which may overlap, and in any order.
    phrases = [Link((2, 4), (3, 5), 0.75), Link((0, 2), (1, 3), 0.5), Link((1, 3), (2, 4), 0.625)]
    assert join_copies(phrases, SUMMARY, DOCUMENT) == [Link((0, 4), (1, 5), 0.5)]
    assert join_copies([Link((0, 4), (1, 5), 0.5), Link((1, 2), (2, 3), 0.25)], SUMMARY, DOCUMENT) == [
        Link((0, 4), (1, 5), 0.25)
    ]


@pytest.mark.parametrize(
    "links",
    [
        # Another diagonal; a gap; the ends of sentences on both sides; other words.
        [Link((0, 1), (1, 2), 0.9), Link((1, 2), (2, 3), None), Link((2, 3), (6, 7), 0.8)][::2],
        [Link((0, 1), (1, 2), 0.9), Link((2, 3), (3, 4), 0.8)],
        [Link((2, 4), (6, 8), 0.9), Link((4, 6), (8, 10), 0.8)],
        [Link((0, 1), (0, 1), 0.9), Link((1, 2), (1, 2), 0.8)],
        [Link((0, 2), (5, 6), 0.9), Link((2, 3), (6, 7), 0.8)],
    ],
)
def test_other_links_stay_apart(links):
    assert join_copies(links[::-1], SUMMARY, DOCUMENT) == links


def test_a_stretch_ends_with_a_sentence_of_either_side():
    summary, document = text("old printer sells", "sells"), text("old printer", "sells sells")
    words = [Link((t, t + 1), (t, t + 1), 0.9) for t in range(4)]
    joined = [Link((0, 2), (0, 2), 0.9), Link((2, 3), (2, 3), 0.9), Link((3, 4), (3, 4), 0.9)]
    assert join_copies(words, summary, document) == joined


def test_links_of_one_word_to_several_stay_links():
    copies = text("old old"), text("old old")
    links = [Link((0, 1), (0, 1), 0.5), Link((0, 1), (1, 2), 0.4), Link((1, 2), (1, 2), 0.3)]
    # The first and the last continue each other; the one between them is on another diagonal.
    assert join_copies(links, *copies) == [Link((0, 1), (1, 2), 0.4), Link((0, 2), (0, 2), 0.3)]
