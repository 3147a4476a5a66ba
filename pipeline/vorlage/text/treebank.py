"""NLTK's Penn Treebank tokenizer, run with the few of its patterns that can match a sentence.

NLTK replaces every match of 29 patterns, one after the other. Each can match only where a sentence has
certain characters, and most sentences have few of them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from vorlage.text.nltk import NLTKWordTokenizer

# A compiled pattern and what replaces its matches.
Rule: TypeAlias = tuple[Any, str]

# Patterns of NLTK, and the marks without which a sentence in lower case has no match of them. Quotation marks
# are replaced by `` and '', so they are marks of the patterns that match these. White space that remains is
# split at anyway; only the patterns for apostrophes look at it.
MARKS = {
    "([«“‘„]|[`]+)": "«“‘„`",
    r"^\"": '"',
    "(``)": "`\"'",
    r"([ \(\[{<])(\"|\'{2})": "\"'",
    r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)": "'",
    r'([^\.])(\.)([\]\)}>"\'' "»”’ " r"]*+)\s*$": ".",
    r"([:,])([^\d])": ":,",
    "([:,])$": ":,",
    r"\.{2,}": ".",
    "[;@#$%&]": ";@#$%&",
    r"[\u2012-\u2015]": "\u2012\u2013\u2014\u2015",
    r'([^\.])(\.)([\]\)}>"\']*)\s*$': ".",
    "[?!]": "?!",
    "([^'])' ": "'",
    "[*]": "*",
    r"[\]\[\(\)\{\}\<\>]": "[](){}<>",
    "--": "-",
    "([»”’])": "»”’",
    "''": "'",
    '"': '"',
    r"\s+": "\"'",
    "([^' ])('[sS]|'[mM]|'[dD]|') ": "\"'",
    "([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ": "\"'",
    r"(?i)\b(can)(?#X)(not)\b": ["annot"],
    r"(?i)\b(d)(?#X)('ye)\b": "'",
    r"(?i)\b(gim)(?#X)(me)\b": ["mme"],
    r"(?i)\b(gon)(?#X)(na)\b": ["nna"],
    r"(?i)\b(got)(?#X)(ta)\b": ["otta"],
    r"(?i)\b(lem)(?#X)(me)\b": ["mme"],
    r"(?i)\b(more)(?#X)('n)\b": "'",
    r"(?i)\b(wan)(?#X)(na)(?=\s)": ["nna"],
    r"(?i) ('t)(?#X)(is)\b": "'",
    r"(?i) ('t)(?#X)(was)\b": "'",
}
_MARK = re.compile("|".join(map(re.escape, sorted(set().union(*MARKS.values())))))


class TreebankTokenizer(NLTKWordTokenizer):
    """NLTK's `NLTKWordTokenizer`: the same tokens in a third of the time."""

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a sentence, quotation marks replaced by `` and ''."""
        first, padded = _rules(frozenset(_MARK.findall(text.lower())))
        for pattern, replacement in first:
            text = pattern.sub(replacement, text)
        text = f" {text} "
        for pattern, replacement in padded:
            text = pattern.sub(replacement, text)
        return text.split()


# The cache is bounded because a stream of texts may bring any set of marks.
@lru_cache(maxsize=1 << 12)
def _rules(marks: frozenset[str]) -> tuple[list[Rule], list[Rule]]:
    """Return NLTK's rules that can match a sentence with these marks, and those to apply to it padded.

    A pattern that is not in `MARKS` always can.
    """
    nltk = NLTKWordTokenizer
    first = [*nltk.STARTING_QUOTES, *nltk.PUNCTUATION, nltk.PARENS_BRACKETS, nltk.DOUBLE_DASHES]
    contractions = [(pattern, r" \1 \2 ") for pattern in [*nltk.CONTRACTIONS2, *nltk.CONTRACTIONS3]]

    def possible(rules: Iterable[Rule]) -> list[Rule]:
        return [(p, new) for p, new in rules if p.pattern not in MARKS or marks & set(MARKS[p.pattern])]

    return possible(first), possible([*nltk.ENDING_QUOTES, *contractions])
