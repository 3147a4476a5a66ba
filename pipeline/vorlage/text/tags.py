"""Penn Treebank tags: TextBlob's, with a few rules that correct the mistakes of its tagger."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from vorlage.text.english import ENGLISH
from vorlage.text.nltk import en

NUMBER, TAG = re.compile(r"[-+]?[.,]?\d[\d.,/:-]*$"), re.compile(r"[A-Z]+\$?$")
FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS"])
# Tags that begin an object, and so may follow a verb.
OBJECTS = frozenset(["DT", "PRP$", "PRP", "$", "CD", "NNP"])


@cache
def _lexicon() -> dict[str, str]:
    """Return TextBlob's lexicon, a word and its tag a line below comments, much faster than TextBlob does."""
    _, _, lines = Path(en.lexicon.path).read_text(encoding="utf-8").rpartition(";;;")
    words = lines.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def is_known(word: str) -> bool:
    """Return whether the tagger knows a word with capitals and small letters as they are."""
    return word in _lexicon()


def tag(tokens: Sequence[str]) -> list[str]:
    """Return the Penn Treebank tags of the tokens of a sentence."""
    words = [token.lower() for token in tokens]
    tags = [tag for _, tag in en.parser.find_tags(list(tokens), lexicon=_lexicon(), map=None)]
    quoted = False
    for i, word in enumerate(words):
        if word == '"':
            tags[i], quoted = "''" if quoted else "``", not quoted
        elif word in ENGLISH.token_tags:
            tags[i] = ENGLISH.token_tags[word]
        elif NUMBER.match(word):
            tags[i] = "CD"
        elif not TAG.match(tags[i] or ""):
            tags[i] = "NN" if word[:1].isalpha() else "SYM"
    for i, word in enumerate(words):
        tags[i] = _tag_that(tags, i) if word == "that" else _correct_tag(words, tags, i)
    if not FINITE.intersection(tags) and "VBN" in tags[1:]:
        i = tags.index("VBN", 1)
        tags[i] = "VBD" if tags[i - 1] in NOUNS else "VBN"
    return tags


def _neighbours(tags: Sequence[str], i: int) -> tuple[str, str]:
    """Return the tags before and after word i, empty at the ends."""
    return tags[i - 1] if i else "", tags[i + 1] if i + 1 < len(tags) else ""


def _tag_that(tags: Sequence[str], i: int) -> str:
    """Return the tag of the word that: relative pronoun, determiner or complementizer."""
    last, following = _neighbours(tags, i)
    if last in NOUNS and following in FINITE | {"RB"}:
        return "WDT"
    if following in FINITE or (following == "NN" and last in ("IN", "")):
        return "DT"
    return "IN"


def _correct_tag(words: Sequence[str], tags: Sequence[str], i: int) -> str:
    """Return the corrected tag of word i; the tags before it are corrected, those after it not yet."""
    word, old = words[i], tags[i]
    last, following = _neighbours(tags, i)
    if word in ("'s", "’s"):
        return "VBZ" if last in ("PRP", "EX", "WP", "DT", "WRB") else "POS"
    if word in ("'", "’"):
        return "POS" if last in ("NNS", "NNPS") else "''"
    if word in ENGLISH.particles and old == "IN" and following not in OBJECTS | NOUNS | {"JJ", "IN", "JJR"}:
        return "RP" if last.startswith("VB") else "RB"
    if word in ENGLISH.particles and old == "IN" and following == "CD":
        return "RB"
    helpers = (words[j] for j in range(max(0, i - 4), i) if tags[j] != "POS")
    if old == "VBN" and ENGLISH.participle_auxiliaries.isdisjoint(helpers):
        # Without an auxiliary, a participle with an object or with a pronoun as subject is a past tense.
        after_subject = last in NOUNS | {"RB", ",", "CD"} and following in OBJECTS | {".", ""}
        return "VBD" if after_subject or last in ("PRP", "WDT", "WP") else old
    if old == "VBD" and any(words[j] in ENGLISH.participle_auxiliaries for j in range(max(0, i - 2), i)):
        return "VBN"
    if last == "MD" and old in ("NN", "VBP", "JJ"):
        return "VB"
    if last == "TO" and (old == "VBP" or (old in ("NN", "JJ") and following in OBJECTS)):
        return "VB"
    if old == "VB" and last in ("PRP", "NNS", "NNPS", "WDT", "WP"):
        return "VBP"
    if old == "VB" and last in ("DT", "PRP$", "POS"):
        return "NN"
    return old
