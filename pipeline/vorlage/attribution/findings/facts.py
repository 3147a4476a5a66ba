"""Reads the facts that one word can state: numbers, months, weekdays, names.

Two texts that agree in the words around may still differ in one of these. In languages other than English,
names are not read.

In other languages, number words are those of `num2words`; scales, months and weekdays are those of the
Unicode Common Locale Data Repository, from `babel`. Both packages are optional; without them, or for a
language that neither knows, nothing is found.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_stop_word

try:  # the optional group `languages`
    from babel import Locale, UnknownLocaleError
    from babel.units import format_unit
    from num2words import num2words
except ImportError:
    num2words = None


# Chinese writes small numbers as Japanese does.
_SAME_NUMBERS = {"zh": "ja"}
# *One* is an article or a pronoun in most languages.
_NUMBERS = (*range(2, 1000), *range(1000, 100_000, 1000))
_LONGEST = 5  # tokens of a number: *treinta y cinco mil*
_SHORT = 3  # letters of the shortest abbreviation of a scale; shorter ones are other words too
_NUMBER = re.compile(
    r"([$£€])?(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{1,9})?(%|st|nd|rd|th|-[a-z][a-z-]*|[kmb]|mn|bn)?"
)
# Languages with a point before decimals; others have a comma there, and points or spaces in thousands.
_POINT = frozenset(("en", "zh", "ja", "ko", "th", "he", "hi"))
_SWAPPED = str.maketrans(".,", ",.")
_YEARS = range(1500, 2100)
_SAME_START = 4  # letters that *Russia* and *Russian* share
_SAME_SHARE = 0.7  # of the letters of two spellings of a name


class NumberWords(NamedTuple):
    """What the words of a language state; keys are in lower case and without spaces.

    `numbers`: the values of whole numbers from 2. `scales`: of words such as *Millionen*. `months`,
    `weekdays`: their numbers from 0. `percent`: what *percent* is, in words with spaces.
    """

    numbers: Mapping[str, float] = {}
    scales: Mapping[str, float] = {}
    months: Mapping[str, float] = {}
    weekdays: Mapping[str, float] = {}
    percent: tuple[str, ...] = ()


@cache
def number_words(language: str) -> NumberWords:
    """Return the number words of a language, given as two letters; none where no package knows them."""
    if num2words is None:
        return NumberWords()
    try:
        locale = Locale(language)
    except UnknownLocaleError:
        return NumberWords()
    numbers: dict[str, float] = {}
    try:
        for number in _NUMBERS:
            numbers.setdefault(_key(num2words(number, lang=_SAME_NUMBERS.get(language, language))), number)
    except NotImplementedError:
        pass  # the languages of num2words are fewer
    scales = {
        _key(pattern.pattern.strip("0")): float(size) / 10 ** (pattern.pattern.count("0") - 1)
        for patterns in map(locale.compact_decimal_formats.get, ("long", "short"))
        for sizes in (patterns or {}).values()
        for size, pattern in sizes.items()
        if pattern.pattern.startswith("0")
    }
    months = {
        _key(name): number - 1.0
        for names in locale.months.values()
        for width in ("wide", "abbreviated")
        for number, name in names.get(width, {}).items()
        if width == "wide" or name[:1].isdigit()
    }
    weekdays = {_key(name): float(n) for names in locale.days.values() for n, name in names["wide"].items()}
    percent = {format_unit(n, "concentr-percent", locale=locale).strip("012 \xa0").lower() for n in (1, 2)}
    return NumberWords(
        numbers,
        {word: value for word, value in scales.items() if not word.isascii() or len(word) >= _SHORT},
        months,
        weekdays,
        tuple(word for word in percent if "concentr" not in word),
    )


def longest(words: Sequence[str], place: int, known: Mapping[str, float]) -> tuple[float, int] | None:
    """Return the value of the longest phrase of `known` that begins at `place`, and its number of words."""
    for end in range(min(place + _LONGEST, len(words)), place, -1) if known else ():
        value = known.get("".join(words[place:end]).lower())
        if value is not None:
            return value, end - place
    return None


def starting(
    words: Sequence[str], place: int, first: int, known: Mapping[str, float]
) -> tuple[float, int] | None:
    """Return what `longest` does, or None if a phrase that begins from `first` on holds the word already."""
    for start in range(max(first, place - _LONGEST + 1), place):
        if (phrase := longest(words, start, known)) and start + phrase[1] > place:
            return None
    return longest(words, place, known)


def _key(name: str) -> str:
    return "".join(name.lower().split()).strip(".'")


class Fact(NamedTuple):
    """What a word states: a kind and a value.

    `kind`: `number`, with the unit if one is part of the word as in *19-inch*, `amount` of money,
    `percentage`, `ordinal`, `year`, `month`, `weekday` or `name`. `value`: the number, that of
    a month or weekday from 0, or the name in lower case. `unit`: the place value of the last digit of a
    number, zeros at the end of a whole one left out: 10 of *40*.
    """

    kind: str
    value: float | str
    unit: float = 0.0

    def agrees(self, source: "Fact") -> bool:
        """Return whether this fact of a text may come from `source`: rounded, or another form of a name."""
        if (self.kind, self.value) == (source.kind, source.value):
            return True
        if self.kind != source.kind:
            return False
        if self.kind == "name":
            return _alike(str(self.value), str(source.value))
        rounded = self.kind in ("amount", "percentage") or self.kind.startswith("number")
        return rounded and _rounds(float(source.value), float(self.value), self.unit)

    def has_digits_of(self, source: "Fact") -> bool:
        """Return whether two numbers have the same digits, but for zeros: *1.4 million* and *140万*."""
        if "name" in (self.kind, source.kind):
            return False
        digits, others = (f"{fact.value:.12g}".partition("e")[0] for fact in (self, source))
        return digits.replace(".", "").strip("0") == others.replace(".", "").strip("0")


def read_fact(words: Sequence[str], place: int, first: int, language: str) -> Fact | None:
    """Return what the word at `place` states, or None; `first`: the place where its sentence begins."""
    if language != "en":
        return _read_date_of(words, place, first, language) or _read_number(words, place, first, language)
    return (
        _read_number(words, place, first, language)
        or _read_date(words[place])
        or (_read_name(words[place]) if place > first else None)
    )


def scales(language: str) -> Mapping[str, float]:
    """Return the words that multiply the number before them, such as *million*, with their values."""
    return ENGLISH.scales if language == "en" else number_words(language).scales


def _read_number(words: Sequence[str], place: int, first: int, language: str) -> Fact | None:
    """Return the number that a word is, times the scale in the words that follow: *2.5* of *2.5 million*."""
    lower, following = words[place].lower(), words[place + 1 : place + 8]
    previous = words[place - 1] if place > first else ""
    known = NumberWords() if language == "en" else number_words(language)
    if language not in _POINT:
        if previous.isdecimal() and len(previous) < 4 and re.fullmatch(r"\d{3}(,\d+)?", lower):
            return None  # the second half of *12 500*
        if lower.isdecimal() and len(lower) < 4 and following and re.fullmatch(r"\d{3}(,\d+)?", following[0]):
            lower, following = lower + following[0], following[1:]
        lower = lower.translate(_SWAPPED)
    if lower in ENGLISH.tens and following and following[0].lower() in ENGLISH.ones[1:10]:
        lower, following = f"{lower}-{following[0].lower()}", following[1:]
    if match := _NUMBER.fullmatch(lower):
        currency, whole, decimals, suffix = (part or "" for part in match.groups())
        written = whole.replace(",", "") + decimals
        if lower.isdecimal() and int(written) in _YEARS and previous not in ENGLISH.currencies:
            return Fact("year", float(written))
        kind = f"number{suffix}" if suffix.startswith("-") else "number"
        if suffix in ENGLISH.ordinal_suffixes:
            kind = "ordinal"
    elif lower in ENGLISH.ordinals and language == "en":
        return Fact("ordinal", 3.0 + ENGLISH.ordinals.index(lower), 1.0)
    elif (in_words := _word_value(lower)) is not None and lower != "one" and language == "en":
        currency, written, suffix, kind = "", str(in_words), "", "number"
    elif language != "en" and (phrase := starting(words, place, first, known.numbers)):
        currency, written, suffix, kind = "", f"{phrase[0]:.0f}", "", "number"
        following = following[phrase[1] - 1 :]
    else:
        return None  # *one* is often a pronoun
    scale, rest = _scale(following, scales(language))
    scale *= ENGLISH.scales.get(suffix, 1.0)
    percent = ENGLISH.percent if language == "en" else ("%", *known.percent)
    if currency or previous in ENGLISH.currencies:
        kind, scale = "amount", scale * ENGLISH.money_scales.get(suffix, 1.0)
    elif suffix == "%" or " ".join(rest[:2]).lower().startswith(percent):
        kind = "percentage"
    return Fact(kind, float(written) * scale, _unit(written) * scale)


def _unit(written: str) -> float:
    """Return the place value of the last digit of a number, zeros at the end of a whole one left out."""
    decimals = len(written.partition(".")[2])
    zeros = 0 if decimals else len(written) - len(written.rstrip("0") or "0")
    return float(10.0 ** (zeros - decimals))


def _scale(following: Sequence[str], known: Mapping[str, float]) -> tuple[float, Sequence[str]]:
    """Return the product of the scales that words begin with, as *hundred thousand*, and the words after."""
    scale, size = 1.0, 0
    while phrase := longest(following, size, known):
        scale, size = scale * phrase[0], size + phrase[1]
    if size < len(following) and (first := known.get(following[size][0])):  # 亿 of the token 亿元
        scale *= first
    return scale, following[size:]


def _word_value(lower: str) -> int | None:
    """Return the value of a number in words below 100, in one token."""
    if lower in ENGLISH.ones:
        return ENGLISH.ones.index(lower)
    tens, _, ones = lower.partition("-")
    if tens in ENGLISH.tens and (not ones or ones in ENGLISH.ones[1:10]):
        return 10 * (ENGLISH.tens.index(tens) + 2) + (ENGLISH.ones.index(ones) if ones else 0)
    return None


def _read_date(word: str) -> Fact | None:
    """Return the month or weekday that a word is: capitalised, or the full name of one."""
    lower = word.lower().rstrip(".")
    full = lower.removesuffix("s") in ENGLISH.months + ENGLISH.weekdays and lower not in ENGLISH.common_months
    if word[:1].islower() and not full:
        return None
    for kind, names in (("month", ENGLISH.months), ("weekday", ENGLISH.weekdays)):
        for number, name in enumerate(names):
            short = len(lower) in (3, 4, 5) and name.startswith(lower)
            short = short and lower not in ENGLISH.ambiguous_abbreviations  # *Sept*, *Tues*
            several = kind == "weekday" and lower == f"{name}s"
            if lower == name or short or several:
                return Fact(kind, float(number))
    return None


def _read_date_of(words: Sequence[str], place: int, first: int, language: str) -> Fact | None:
    """Return the month or weekday that begins at `place`, in a language other than English."""
    known = number_words(language)
    for kind, names in (("month", known.months), ("weekday", known.weekdays)):
        if name := starting(words, place, first, names):
            return Fact(kind, name[0])
    return None


def _read_name(word: str) -> Fact | None:
    """Return the name that a capitalised word is."""
    lower = word.lower()
    common = lower in CLOSED_CLASS or lower in AUXILIARIES or lower.rstrip(".") in ENGLISH.titles
    if common or is_stop_word(word) or not word[:1].isupper() or len(word) < 3 or not word.isalpha():
        return None
    return Fact("name", lower) if not word.isupper() else None


def _rounds(number: float, rounded: float, unit: float) -> bool:
    """Return whether `rounded` is `number` to the nearest `unit` or down."""
    return abs(number - rounded) <= unit / 2 or 0 <= number - rounded < unit


def _alike(name: str, other: str) -> bool:
    """Return whether two names may be one, as *Russia* and *Russian*, or *Reagan* and *Regan*, may."""
    if name[:_SAME_START] == other[:_SAME_START] or name in other or other in name:
        return True
    return SequenceMatcher(None, name, other, autojunk=False).ratio() >= _SAME_SHARE
