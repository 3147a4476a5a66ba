"""Unaligned summary words by kind (Daumé & Marcu 2005, Section 2.3).

In their gold 16 % of the summary words are unaligned: 4 % punctuation marks, 7 % function words, 5 %
words that would count as content words.
"""

from collections import Counter
from collections.abc import Iterable

from vorlage.alignments.alignment import Link
from vorlage.score.ratios import share
from vorlage.score.tsv import Row
from vorlage.text.words import is_punctuation, is_stop_word

KINDS = ("punctuation", "function", "content")
COLUMNS = ("system", "words", "unaligned", *KINDS)


def kind_of(word: str, language: str = "en") -> str:
    """Return `punctuation` for a token without letters or digits, else `function` or `content`.

    Function words are the stop words.
    """
    if is_punctuation(word):
        return "punctuation"
    return "function" if is_stop_word(word, language) else "content"


def count(links: Iterable[Link], summary_words: list[str], language: str = "en") -> Counter[str]:
    """Count the unaligned words of one pair by kind, and all its words under the key `words`."""
    aligned = {i for link in links if link.document is not None for i in range(*link.summary)}
    counts = Counter(kind_of(word, language) for i, word in enumerate(summary_words) if i not in aligned)
    counts["words"] = len(summary_words)
    return counts


def row(system: str, counts: Counter[str]) -> Row:
    """Return the row with the keys `COLUMNS`: shares of all summary words."""
    shares = {kind: share(counts[kind], counts["words"]) for kind in KINDS}
    unaligned = share(sum(counts[kind] for kind in KINDS), counts["words"])
    return {"system": system, "words": counts["words"], "unaligned": unaligned, **shares}
