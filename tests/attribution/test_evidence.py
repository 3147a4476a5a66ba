"""Copied stretches, against all stretches one by one."""

from hypothesis import given
from hypothesis import strategies as st
from vorlage.attribution.evidence import find_evidence
from vorlage.attribution.rules.linked import Linked
from vorlage.text.tokenize import make_text

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
    sides = (make_text([" ".join(words)], tokenized=True) for words in (text, document))
    assert find_evidence(Linked(*sides, {}), None).copied.tolist() == longest
