"""Cuts of long sentences into pieces."""

from hypothesis import given
from hypothesis import strategies as st
from vorlage.trees.pieces import cut_sentence


@given(st.lists(st.sampled_from(["a", "bb", ",", ";", ")"]), max_size=60), st.integers(1, 12))
def test_every_token_is_in_one_piece_and_no_piece_is_too_long(tokens, longest):
    pieces = cut_sentence(tokens, longest)
    assert [token for piece in pieces for token in piece] == tokens
    assert all(len(piece) <= longest for piece in pieces)


@given(st.lists(st.sampled_from(["a", "bb", "cccccc"]), min_size=1, max_size=30), st.integers(1, 12))
def test_another_measure_may_be_given(tokens, longest):
    pieces = cut_sentence(tokens, longest, lambda piece: sum(map(len, piece)))
    assert [token for piece in pieces for token in piece] == tokens
    assert all(len(piece) == 1 or sum(map(len, piece)) <= longest for piece in pieces)


def test_a_sentence_that_fits_is_left_alone():
    assert cut_sentence("one , two".split(), 3) == ["one , two".split()]


def test_cuts_are_made_after_the_strongest_punctuation_near_the_middle():
    tokens = "a , b c ; d , e f g".split()
    assert cut_sentence(tokens, 9) == ["a , b c ;".split(), "d , e f g".split()]
    tokens = "a , b c d , e f g h".split()
    assert cut_sentence(tokens, 9) == ["a , b c d ,".split(), "e f g h".split()]
    # Punctuation near the edge is not used.
    tokens = "a ; b c d e f g h i".split()
    assert cut_sentence(tokens, 9) == ["a ; b c d".split(), "e f g h i".split()]
