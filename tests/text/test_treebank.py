"""The tokenizer that skips patterns of NLTK gives the tokens of NLTK."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.nltk import NLTKWordTokenizer
from pipeline.text.treebank import MARKS, TreebankTokenizer

# What the patterns match or look at, in either case, letters that equal others if case is ignored, and words.
BITS = (
    *("cannot", "CANNOT", "gimme", "gımme", "Gonna", "wanna", "lemme", "gotta", "d'ye", "more'n"),
    *("'tis", "'TWAS", "'tıs", "don't", "N'T ", "'s ", "'S", "'ll ", "’", "“", "”", "„", "«", "»"),
    *(" ", "  ", "\t", "\x1c", "\u2028", "\xa0", ".", "..", "...", ",", ":", ";", "'", "''", '"', "`"),
    *("``", "--", "-", "–", "—", "(", ")", "[", "]", "{", "}", "<", ">", "?", "!", "*", "$3.5", "3,000"),
    *("@", "#", "%", "&", "a", "B", "ſ", "İ", "Mr.", " .", "word", "can", "not"),
)


def spans(tokenizer, text):
    try:
        return list(tokenizer.span_tokenize(text))
    except ValueError:  # NLTK does not find some of its tokens in the text
        return None


@given(st.lists(st.sampled_from(BITS), max_size=9).map("".join))
def test_tokens_are_those_of_nltk(text):
    found, expected = TreebankTokenizer(), NLTKWordTokenizer()
    assert found.tokenize(text) == expected.tokenize(text)
    assert spans(found, text) == spans(expected, text)


def test_marks_are_known_for_every_pattern_of_nltk():
    nltk = NLTKWordTokenizer
    rules = [*nltk.STARTING_QUOTES, *nltk.PUNCTUATION, nltk.PARENS_BRACKETS, nltk.DOUBLE_DASHES]
    contractions = [*nltk.CONTRACTIONS2, *nltk.CONTRACTIONS3]
    patterns = [pattern for pattern, _ in (*rules, *nltk.ENDING_QUOTES)] + contractions
    assert {pattern.pattern for pattern in patterns} == set(MARKS)
