"""Writes raised and lowered characters of a file as text: 125³ crowns, 10⁶, H₂O, 1st, crowns[^a].

A reader puts them between `RAISED` or `LOWERED`, which Unicode has given no character.
"""

import re

RAISED, LOWERED = "\u0378\u0379", "\u0380\u0381"
_SIGNS = "0123456789+-\u2212\u2013"
_SUPERSCRIPTS, _SUBSCRIPTS = (str.maketrans(_SIGNS, signs) for signs in ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋"))
_NUMBERS = re.compile(r"([\u0378\u0380])([\s\d.,;+\u2212\u2013-]+)[\u0379\u0381]")
# A letter that marks a note, behind a word or the end of a sentence.
_NOTE = re.compile(r"(?:(?<=[^\W\d_]{2}[a-zß-ÿ])|(?<=[a-zß-ÿ][.,;:!?]))\u0378([a-z])\u0379")


def write_raised(text: str) -> str:
    """Return a text with Unicode's digits and signs for raised and lowered ones, and without their marks."""
    joined = re.sub("\u0379\u0378|\u0381\u0380", "", text)  # what a file has in two pieces
    forms = {RAISED[0]: _SUPERSCRIPTS, LOWERED[0]: _SUBSCRIPTS}
    written = _NUMBERS.sub(lambda found: found[2].translate(forms[found[1]]), joined)
    return re.sub("[\u0378\u0379\u0380\u0381]", "", _NOTE.sub(r"[^\1]", written))
