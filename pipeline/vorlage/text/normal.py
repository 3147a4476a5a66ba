"""The normal form of a word: one string for all the ways in which its characters may be encoded.

Ligatures and full-width characters are those of NFKC, accents are composed, hyphens, apostrophes and
quotation marks are plain, and characters that nobody sees are gone. Superscripts and fractions state
something else than their digits, and so remain.
"""

import re
from unicodedata import category, normalize

_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63", "-")
    | dict.fromkeys("\u00ad\u200b\u2060\ufeff", "")  # soft hyphens, spaces without width
)
_JOINERS = re.compile(r"(?<=[a-z])[\u200c\u200d](?=[a-z])", re.IGNORECASE)  # other scripts need them


def normal_form(word: str) -> str:
    """Return the normal form of a word; the word itself if nothing remains, as of a soft hyphen alone."""
    if word.isascii():
        return word
    return normalize("NFC", "".join(map(_compatible, _JOINERS.sub("", word.translate(_PLAIN))))) or word


def _compatible(character: str) -> str:
    """Return what a character is compatible with, itself if that has another meaning or a space in it."""
    compatible = normalize("NFKC", character)
    return character if category(character) == "No" or " " in compatible else compatible
