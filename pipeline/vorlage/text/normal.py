"""The normal form of a word: one string for all the ways in which its characters may be encoded.

Ligatures and full-width characters are those of NFKC, accents are composed, hyphens, apostrophes and
quotation marks are plain, lowered digits are digits (*CO₂*), and characters that nobody sees are gone.
Superscripts and fractions state something else than their digits, and so remain.
"""

from collections.abc import Sequence
from unicodedata import category, decomposition, normalize

import regex

_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63", "-")
)
_SIGNS = "⁺⁻₊₋"  # of exponents and indices, as their digits
# Joiners, between letters of scripts that need them, and all that nobody sees: marks of direction, spaces
# without width, soft hyphens, variation selectors.
_JOINED = r"[[\p{L}\p{M}]--[\p{Latin}\p{Greek}\p{Cyrillic}\p{Han}\p{Hangul}\p{Inherited}]]"
_INVISIBLE = regex.compile(
    rf"(?<={_JOINED})[\u200c\u200d](?={_JOINED})(*SKIP)(*FAIL)"
    r"|[[\p{Default_Ignorable_Code_Point}\p{Cf}]--\p{Prepended_Concatenation_Mark}]",
    regex.VERSION1,
)


def normal_form(word: str) -> str:
    """Return the normal form of a word; the word itself if nothing remains, as of a soft hyphen alone."""
    if word.isascii():
        return word
    visible = _INVISIBLE.sub("", word).translate(_PLAIN)
    return normalize("NFC", "".join(map(_compatible, visible))) or word


def remove_invisible(text: str) -> tuple[str, Sequence[int]]:
    """Return the characters of a text that somebody sees, and their places in it."""
    hidden = set() if text.isascii() else {match.start() for match in _INVISIBLE.finditer(text)}
    if not hidden:
        return text, range(len(text))
    places = [place for place in range(len(text)) if place not in hidden]
    return "".join(map(text.__getitem__, places)), places


def _compatible(character: str) -> str:
    """Return what a character is compatible with, itself if that has another meaning or a space in it."""
    compatible = normalize("NFKC", character)
    is_lowered = decomposition(character).startswith("<sub>")
    is_other = category(character) == "No" and not is_lowered or character in _SIGNS or " " in compatible
    return character if is_other else compatible
