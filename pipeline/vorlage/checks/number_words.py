"""Reads the numbers, months and weekdays of languages other than English.

Number words are those of `num2words`; scales, months and weekdays are those of the Unicode Common Locale Data
Repository, from `babel`. Both packages are optional; without them, or for a language that neither knows, only
digits are read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from vorlage.checks.dates import Date
from vorlage.checks.quantities import Quantity, make_quantity
from vorlage.text.detect import UNKNOWN
from vorlage.types import Span

# Chinese writes small numbers as Japanese does.
_SAME_NUMBERS = {"zh": "ja"}
# *One* is an article or a pronoun in most languages.
_NUMBERS = (*range(2, 1000), *range(1000, 100_000, 1000))
_LONGEST = 5  # tokens of a number: *treinta y cinco mil*
_SHORT = 3  # letters of the shortest abbreviation of a scale; shorter ones are other words too
_DIGITS = re.compile(r"([$£€]?)(\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?)(%?)")
_GROUP = re.compile(r"\d{3}(,\d+)?")  # of *12 500 000*
# Languages with a point before decimals; others have a comma there, and points or spaces in thousands.
_POINT = frozenset(("zh", "ja", "ko", "th", "he", "hi"))
_SWAPPED = str.maketrans(".,", ",.")
_JOINED = str.maketrans("", "", ".,")  # where nothing tells which of them is before decimals
_YEARS = range(1500, 2100)


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
    try:  # the optional group `languages`
        from babel import Locale, UnknownLocaleError
        from babel.units import format_unit
        from num2words import num2words
    except ImportError:
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


def read_numbers(words: Sequence[str], language: str) -> Iterator[tuple[Span, Quantity | Date]]:
    """Yield the numbers, months and weekdays of a sentence, with the spans of their words."""
    known = number_words(language)
    place = 0
    while place < len(words):
        found: tuple[Quantity | Date, int] | None
        if month := longest(words, place, known.months):
            found = Date(month=int(month[0])), month[1]
        elif weekday := longest(words, place, known.weekdays):
            found = Date(weekday=int(weekday[0])), weekday[1]
        else:
            found = _number(words, place, language, known)
        end = place + (found[1] if found else 1)
        if found:
            yield (place, end), found[0]
        place = end


def _number(
    words: Sequence[str], place: int, language: str, known: NumberWords
) -> tuple[Quantity | Date, int] | None:
    """Return the number that begins at `place` with its scale and percent sign, and its number of words."""
    written, size = words[place].lower(), 1
    if language not in _POINT:
        for following in words[place + 1 :] if len(written) < 4 else ():
            if not (written.isdecimal() and _GROUP.fullmatch(following)):
                break
            written, size = written + following, size + 1
        written = written.translate(_JOINED if language == UNKNOWN else _SWAPPED)
    currency = percent = ""
    if match := _DIGITS.fullmatch(written):
        currency, written, percent = match[1], match[2].replace(",", ""), match[3]
    elif phrase := longest(words, place, known.numbers):
        value, size = phrase
        if value >= 1000 and (rest := longest(words, place + size, known.numbers)) and rest[0] < 1000:
            value, size = value + rest[0], size + rest[1]  # 一千 and 八百
        written = f"{value:.0f}"
    else:
        return None
    scale, end = 1.0, place + size
    while phrase := longest(words, end, known.scales):
        scale, end = scale * phrase[0], end + phrase[1]
    if end < len(words) and (first := known.scales.get(words[end][:1])):  # 亿 of the token 亿元
        scale *= first
    if " ".join(words[end : end + 2]).lower().startswith(("%", *known.percent)):
        percent, end = "%", end + 1
    currency = currency or (words[place - 1] if place and words[place - 1] in "$£€" else "")
    plain = words[place].isdecimal() and size == 1 and scale == 1 and not (currency or percent)
    if plain and int(written) in _YEARS:
        return Date(year=int(written)), end - place
    return make_quantity(written, scale, percent or currency), end - place


def longest(words: Sequence[str], place: int, known: Mapping[str, float]) -> tuple[float, int] | None:
    """Return the value of the longest phrase of `known` that begins at `place`, and its number of words."""
    for end in range(min(place + _LONGEST, len(words)), place, -1) if known else ():
        value = known.get("".join(words[place:end]).lower())
        if value is not None:
            return value, end - place
    return None


def _key(name: str) -> str:
    return "".join(name.lower().split()).strip(".'")
