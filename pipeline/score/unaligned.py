"""Summary words that are aligned to nothing, by kind (Daumé & Marcu 2005, Section 2.3).

In their gold 16 % of the summary words are unaligned: 4 % punctuation marks, 7 % function words, 5 %
words that would count as content words.
"""

from collections import Counter

from pipeline.score.identical import share
from pipeline.text.words import is_stop_word

KINDS = ("punctuation", "function", "content")
UNALIGNED = ("system", "words", "unaligned", *KINDS)


def kind_of(word):
    """``punctuation`` for a token without letter or digit, ``function`` for a stop word, else ``content``."""
    if not any(character.isalnum() for character in word):
        return "punctuation"
    return "function" if is_stop_word(word) else "content"


def count(links, summary_words):
    """The unaligned words of one pair by kind, and all ``words``: a Counter."""
    aligned = {i for link in links if link.document is not None for i in range(*link.summary)}
    counts = Counter(kind_of(word) for i, word in enumerate(summary_words) if i not in aligned)
    counts["words"] = len(summary_words)
    return counts


def row(system, counts):
    """Shares of all summary words: a dict with the keys ``UNALIGNED``."""
    shares = {kind: share(counts[kind], counts["words"]) for kind in KINDS}
    unaligned = share(sum(counts[kind] for kind in KINDS), counts["words"])
    return {"system": system, "words": counts["words"], "unaligned": unaligned, **shares}
