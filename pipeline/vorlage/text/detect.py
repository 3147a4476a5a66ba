"""Tells in which language a text is.

Text with many English function words is English; the language of any other is the likeliest of the n-gram
model of `py3langid` (Lui & Baldwin 2012), if it is likely enough.
"""

import lzma
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import regex
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from vorlage.command.errors import InputError, shorten

# The characters that are looked at, the fewest bytes of letters from which a language is told (a Chinese
# character has three), and the least probability of a language.
LOOKED_AT, ENOUGH, LIKELY = 3000, 45, 0.6
# Words that other languages with Latin letters do not have, and their share of an English text.
ENGLISH = frozenset(
    """about after against and any because been before between but could during from have him his how however
    if into its not of our she should some such than that the their them there these they this those through
    to until were what when where which while who with would you your""".split()
)
ENGLISH_SHARE = 0.12
NAMES = dict(
    entry.split(":")
    for entry in """
    ar:Arabic bg:Bulgarian ca:Catalan cs:Czech da:Danish de:German el:Greek en:English es:Spanish
    fa:Persian fi:Finnish fr:French he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian
    it:Italian ja:Japanese ko:Korean nl:Dutch no:Norwegian pl:Polish pt:Portuguese ro:Romanian
    ru:Russian sk:Slovak sr:Serbian sv:Swedish th:Thai tr:Turkish uk:Ukrainian vi:Vietnamese
    zh:Chinese
    """.split()
)


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


def find_language(text: str) -> str | None:
    """Return the code of the language of a text; None for one that is short or in no clear language.

    A text that repeats a few words is short, too.
    """
    words = regex.findall(r"[\p{L}\p{M}]+", text[:LOOKED_AT].lower())
    if len("".join(words).encode()) < ENOUGH:
        return None
    if sum(word in ENGLISH for word in words) >= ENGLISH_SHARE * len(words):
        return "en"
    if 3 * len("".join(set(words)).encode()) < ENOUGH:
        return None
    code, probability = _identifier().classify(text[:LOOKED_AT])
    return code if probability >= LIKELY else None


def find_languages(text: str, document: str) -> tuple[str | None, str | None]:
    """Return the languages of a text and its document, None where one cannot be told.

    Beside a text in another language, a short one is in that language or in English.
    """
    here, there = find_language(text), find_language(document)
    if here is None and there not in (None, "en"):
        here = _likelier(text, there)
    if there is None and here not in (None, "en"):
        there = _likelier(document, here)
    return here, there


def _likelier(text: str, other: str) -> str:
    """Return `other` or English, whichever is likelier."""
    probabilities = dict(_identifier().rank(text[:LOOKED_AT]))
    return other if probabilities.get(other, 0.0) >= probabilities["en"] else "en"


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
