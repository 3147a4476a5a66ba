"""Copied stretches, against all stretches one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from vorlage.attribution.evidence import _copied

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
    places = [np.flatnonzero(np.array(document) == word) for word in text]
    assert _copied(places, len(document)).tolist() == longest
