"""Tells in which language a text is.

Text with many English function words is English; the language of any other is the likeliest of the n-gram
model of `py3langid` (Lui & Baldwin 2012), if that is English or likely enough.
"""

import lzma
from collections.abc import Set
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import regex
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from vorlage.command.errors import InputError, shorten

UNKNOWN = "und"  # the code of an undetermined language (ISO 639-2)
# The characters that are looked at, the least probability of a language, and that of the expected one: 2 of
# 366 short English texts of the development sets without those words stay unclear, and all but one of 66
# sentences in 27 other languages do, or are told (tests/text/test_detect.py).
MAX_CHARACTERS, MIN_PROBABILITY, MIN_EXPECTED = 3000, 0.6, 0.04
# Bytes of letters that tell something alone, and beside the other text; a Chinese character has three.
MIN_BYTES, MIN_BYTES_TOGETHER = 12, 6
# Words that other languages with Latin letters do not have, and their share of an English text.
ENGLISH = frozenset(
    """about after against and any because been before between but could during from have him his how however
    if into its not of our she should some such than that the their them there these they this those through
    to until were what when where which while who with would you your""".split()
)
ENGLISH_SHARE = 0.12
NAMES = {UNKNOWN: "in an unknown language"} | dict(
    entry.split(":")
    for entry in """
    ar:Arabic bg:Bulgarian ca:Catalan cs:Czech da:Danish de:German el:Greek en:English es:Spanish
    fa:Persian fi:Finnish fr:French he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian
    it:Italian ja:Japanese ko:Korean nl:Dutch no:Norwegian pl:Polish pt:Portuguese ro:Romanian
    ru:Russian sk:Slovak sr:Serbian sv:Swedish th:Thai tr:Turkish uk:Ukrainian vi:Vietnamese
    zh:Chinese
    """.split()
)


class Languages(NamedTuple):
    """The languages of a text and of its document, two letters each; None where they are not known."""

    text: str | None = None
    document: str | None = None


def check_language(code: str, name: str) -> str:
    """Return the code of a language; raise `InputError` for what is none.

    `name`: of the argument or the option.
    """
    if not isinstance(code, str) or not regex.fullmatch("[a-z]{2}", code):
        raise InputError(f"{name} is {shorten(code)}; give a two-letter code (ISO 639-1), such as de")
    return code


def language_name(code: str) -> str:
    """Return the English name of a language, or its code."""
    return NAMES.get(code, code)


def name_languages(text: str, document: str) -> str:
    """Return in which languages a text and its document are, in words that follow *the*."""
    if text == document:
        return f"text and its document are {language_name(text)}"
    return f"text is {language_name(text)} and its document {language_name(document)}"


def find_language(text: str) -> str | None:
    """Return the code of the language of a text; None for one in no clear language.

    A word that is repeated counts once, unless the text is in English.
    """
    words = _words(text)
    if words and sum(word in ENGLISH for word in words) >= ENGLISH_SHARE * len(words):
        return "en"
    probabilities = _probabilities(text)
    code = max(probabilities, key=lambda code: probabilities[code], default="")
    return code if code == "en" or probabilities.get(code, 0.0) >= MIN_PROBABILITY else None


def find_languages(text: str, document: str, expected: str = "en") -> Languages:
    """Return the languages of a text and its document, None where one cannot be told.

    A text in no clear language is in that of the other, or in the `expected` one, unless both are unlikely
    and it has enough letters to tell.
    """
    here, there = find_language(text), find_language(document)
    if here is None and there is None:
        here = there = find_language(f"{text}\n{document}")
    return Languages(
        here or _choose_likeliest(text, document, {there or expected, expected}),
        there or _choose_likeliest(document, text, {here or expected, expected}),
    )


def _choose_likeliest(text: str, other: str, codes: Set[str]) -> str | None:
    """Return the likeliest of some languages for a text, None if its letters make all of them unlikely.

    A text of a few letters is read beside the other one.
    """
    context = text if _count_bytes(text) >= MIN_BYTES else f"{text}\n{other}"
    probabilities = _probabilities(context)
    code = max(sorted(codes), key=lambda code: probabilities.get(code, 0.0))
    tells_nothing = _count_bytes(context) < MIN_BYTES_TOGETHER
    return code if tells_nothing or probabilities.get(code, 0.0) >= MIN_EXPECTED else None


def _count_bytes(text: str) -> int:
    """Return the bytes of the letters of the different words of a text."""
    return len("".join({*_words(text)}).encode())


def _words(text: str) -> list[str]:
    return regex.findall(r"[\p{L}\p{M}]+", text[:MAX_CHARACTERS].lower())


def _probabilities(text: str) -> dict[str, float]:
    """Return the probabilities of the languages of a text by the n-gram model; none without letters."""
    distinct = " ".join(dict.fromkeys(text[:MAX_CHARACTERS].split()))
    return dict(_identifier().rank(distinct)) if _words(text) else {}


@cache
def _identifier() -> Any:
    """The model for codes of two letters: the probability of Chinese is not divided among its varieties.

    It is unpacked in memory; `LanguageIdentifier.from_model_file` would need a temporary file.
    """
    with np.load(BytesIO(lzma.decompress((MODEL_DIR / MODEL_FILE).read_bytes()))) as model:
        classes, features, rows = (model[name].tolist() for name in ("classes", "out_feat", "nextmove_row"))
        values = model["ptc"], model["pc"], classes, model["nextmove"], features
        identifier = LanguageIdentifier(*values, norm_probs=True, tk_row=rows)
    identifier.set_languages([code for code, _ in identifier.rank("") if len(code) == 2])
    return identifier
