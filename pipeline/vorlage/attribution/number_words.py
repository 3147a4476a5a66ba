"""Number words, scales, months and weekdays of languages other than English.

Number words are those of `num2words`; the others are those of the Unicode Common Locale Data Repository, from
`babel`. Both packages are optional; without them, or for a language that neither knows, nothing is found.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

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
