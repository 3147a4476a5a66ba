"""Reads the dates, times of day, ordinals and codes that an English sentence states."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TypeAlias

import regex

from vorlage.checks.quantities import Quantity, Value
from vorlage.checks.quantity_phrases import any_of, count_of
from vorlage.text.english import ENGLISH
from vorlage.types import Span

# Returns what a match states in a sentence, given with capitals if they tell something, or None.
Reader: TypeAlias = Callable[["regex.Match[str]", str | None], "Date | Time | Code | Shift | None"]

HALF_DAY = 12 * 60
# How far into this century a year of two digits may be.
PIVOT = 50
_FAR = 1.5  # how many times as far away a time may be that is said in other words
_WEEK = 604800.0
# Which way from now, or from another time, a word goes.
_DIRECTIONS = {
    -1: ("last", "past", "previous", "yesterday", "ago", "earlier", "before"),
    0: ("this", "current", "today", "tonight"),
    1: ("next", "coming", "following", "tomorrow", "later", "after", "in"),
}
_YEAR = r"(?:1[5-9]|20)\d\d"
_WORDS, _DIGIT = re.compile(r"[a-z]+|\d+|:"), re.compile(r"\d")
_compile = cache(regex.compile)
# What does not follow the group `plain` of a date or a code.
_MEASURE = rf" ?{any_of((*ENGLISH.scales, *(unit.replace('_', ' ') for unit in ENGLISH.units)))}(?!\w)"
_ORDINAL = (
    rf"(?<![\w.,/-])(?:\d[\d,]*(?:st|nd|rd|th)|(?:{any_of(ENGLISH.tens)}-)?{any_of(ENGLISH.ordinals)}"
    r"|(?:hundred|thousand|million)th)\b(?!-)"
)


@dataclass(frozen=True)
class Date(Value):
    """A date, as far as it is stated.

    - `year`, `day`, `quarter`: as counted by people; `month`, `weekday`: from 0;
    - `decade`: its first year; `end`: the last year of several, as in *2012–13*;
    - `swapped`: whether day and month may be the other way round, as in *4/3/2021*.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    quarter: int | None = None
    decade: int | None = None
    end: int | None = None
    swapped: bool = False

    def is_comparable(self, source: Value) -> bool:
        """Return whether the source is a date that states a part of this one."""
        return isinstance(source, Date) and bool(self._beside(source))

    def _follows(self, source: "Date") -> bool:
        """Return whether no part contradicts one of the source."""
        if self.swapped or source.swapped:
            return any(here.agrees(there) for here in self._readings() for there in source._readings())
        return all(here == there for here, there in self._beside(source))

    def numerals(self) -> list[tuple[float, float]] | None:
        """Return its year, which may have two digits, or its decade; None where neither is stated."""
        first = self.year or self.decade
        last = self.year or (first or 0) + 9
        return [(first, last), (first % 100 or 1, last % 100)] if first else None

    def _readings(self) -> list["Date"]:
        """Return the date, and if day and month may be exchanged, that one too."""
        plain = replace(self, swapped=False)
        if not self.swapped or self.month is None or self.day is None or self.day > 12:
            return [plain]
        return [plain, replace(plain, month=self.day - 1, day=self.month + 1)]

    def _beside(self, source: "Date") -> list[tuple[int, int]]:
        """Return the parts that both dates state, beside each other."""
        here, there = self._whole(), source._whole()
        pairs = ((getattr(here, part), getattr(there, part)) for part in _PARTS)
        return [pair for pair in pairs if None not in pair]

    def _whole(self) -> "Date":
        """Return the date with the quarter of its month and the decade of its year."""
        quarter = self.quarter if self.month is None else self.month // 3 + 1
        decade = self.decade if self.year is None else self.year // 10 * 10
        return replace(self, quarter=quarter, decade=decade)


_PARTS = [field.name for field in fields(Date) if field.name != "swapped"]


@dataclass(frozen=True)
class Time(Value):
    """A time of day in minutes; `half`: whether it may be before or after noon."""

    minutes: int
    half: bool

    def _follows(self, source: "Time") -> bool:
        """Return whether both may be the same time."""
        off = self.minutes - source.minutes
        return off % HALF_DAY == 0 if self.half or source.half else off == 0


@dataclass(frozen=True)
class Code(Value):
    """A word with a number that counts nothing: an ordinal, a score, a version, a flight, a regnal number.

    `form`: what codes of one kind share, such as the letters of a flight; `number`: the rest.
    """

    form: str
    number: str

    kind = "number"

    def is_comparable(self, source: Value) -> bool:
        """Return whether the source is a code of the same form."""
        return isinstance(source, Code) and self.form == source.form


@dataclass(frozen=True)
class Shift(Value):
    """A time from now, or from another time, in seconds: *last week*, *tomorrow*, *two years later*.

    `counted`: whether a number says how far, rather than a word.
    """

    away: float
    counted: bool = False

    kind = "date"

    def is_comparable(self, source: Value) -> bool:
        """Return whether the source is a time from another one too, or a duration."""
        is_duration = isinstance(source, Quantity) and source.dimension == "time"
        return isinstance(source, Shift) or (self.counted and is_duration)

    def _follows(self, source: "Shift | Quantity") -> bool:
        """Return whether both are on one side, about as far away."""
        away = math.copysign(source.low, self.away) if isinstance(source, Quantity) else source.away
        return self.away == away or (self.away * away > 0 and 1 / _FAR < self.away / away < _FAR)


def read_dates(sentence: str, cased: str | None) -> Iterator[tuple[Span, Date | Time | Code | Shift]]:
    """Yield the dates, times and codes of a sentence, with the spans of their characters.

    Args:
        sentence: its words in lower case, with single spaces between.
        cased: the same with capitals, which tell *March* from *march*; None where all letters have one case.
    """
    words = {"", *_WORDS.findall(sentence), *("0" if _DIGIT.search(sentence) else "")}
    for cues, pattern, read in _readers():
        for match in () if words.isdisjoint(cues) else _compile(pattern).finditer(sentence):
            end = match.end("plain") if match.groupdict().get("plain") == "" else None
            is_counted = end is not None and _compile(_MEASURE).match(sentence, end)
            if not is_counted and (value := read(match, cased)):
                yield match.span(), value
                start, end = match.span()
                sentence = f"{sentence[:start]}{'_' * (end - start)}{sentence[end:]}"


def read_ordinals(sentence: str) -> Iterator[tuple[Span, Code]]:
    """Yield the ordinals of a sentence, as *third* and *21st*, with the spans of their characters."""
    for match in _compile(_ORDINAL).finditer(sentence):
        yield match.span(), Code("ordinal", str(_ordinal(match[0])))


def _full_date(match: regex.Match[str], cased: str | None) -> Date | None:
    """Return a date with a month: *4 March 2021*, *March 4*, *in March*."""
    parts = match.groupdict()
    month = _index(ENGLISH.months, parts["month"])
    year, day = parts["year"], _ordinal(parts["day"]) if parts.get("day") else None
    is_first = day is not None and match.start("month") == match.start()  # *may 5*, not *5 may*
    if not (year or is_first or _is_month(match, cased)) or not 1 <= (1 if day is None else day) <= 31:
        return None
    return Date(int(year) if year else None, month, day)


def _is_month(match: regex.Match[str], cased: str | None) -> bool:
    """Return whether a word that may be a month is one: *March* or *in march*, but not *may*."""
    start = match.start("month")
    word = match["month"]
    if word not in ENGLISH.common_months | ENGLISH.ambiguous_abbreviations:
        return word in ENGLISH.months or cased is None or cased[start].isupper()
    if cased is None:
        # *in march*, *1st of may*
        before = [*match.string[: match.start()].split()[-1:], *match[0].split()[1:2]]
        return word in ENGLISH.months and not ENGLISH.before_months.isdisjoint(before)
    return cased[start].isupper() and word in ENGLISH.months and start > 0


def _number_date(match: regex.Match[str], cased: str | None) -> Date | None:
    """Return a date in digits: *2021-03-04*, *4/3/21*."""
    year, month, day = (int(match[name]) if match[name] else None for name in ("year", "month", "day"))
    swapped = "/" in match[0] or "." in match[0]
    if swapped and month and day and month > 12:
        month, day, swapped = day, month, False
    if year is not None and year < 100:
        year += 2000 if year < PIVOT else 1900
    if not month or month > 12 or (day or 1) > 31:
        return None
    return Date(year, month - 1, day, swapped=swapped)


def _weekday(match: regex.Match[str], cased: str | None) -> Date | None:
    word = match["weekday"]
    if word in ENGLISH.ambiguous_abbreviations or (
        len(word) < 6 and not (cased and cased[match.start()].isupper())
    ):
        return None
    return Date(weekday=_index(ENGLISH.weekdays, word))


def _period(match: regex.Match[str], cased: str | None) -> Date | None:
    """Return a quarter, a decade or a year."""
    parts = match.groupdict()
    if parts.get("decade"):
        decade = int(parts["decade"])
        return Date(decade=decade if decade > 99 else 1900 + decade)
    quarter = _ordinal(parts["quarter"]) if parts.get("quarter") else None
    end = parts.get("end") and int(parts["year"][: -len(parts["end"])] + parts["end"])
    return Date(year=int(parts["year"]) if parts["year"] else None, quarter=quarter, end=end)


def _time(match: regex.Match[str], cased: str | None) -> Time | None:
    """Return a time of day: *5.30 pm*, *17:30*, *noon*, *half past five*."""
    parts = match.groupdict()
    if named := parts.get("named"):
        return Time(0 if named == "midnight" else HALF_DAY, False)
    minutes = int(parts.get("minute") or 0)
    hour = ENGLISH.ones.index(parts["hour"]) if parts["hour"] in ENGLISH.ones else int(parts["hour"])
    if past := parts.get("past"):
        away = 30 if past.startswith("half") else 15
        minutes = -away if past.endswith("to") else away
    if hour > 24 or minutes > 59:
        return None
    suffix = (parts.get("suffix") or "")[:1]
    if suffix in ("a", "p"):
        return Time(hour % 12 * 60 + minutes + HALF_DAY * (suffix == "p"), False)
    return Time(hour % 24 * 60 + minutes, hour <= 12)


def _code(match: regex.Match[str], cased: str | None) -> Code:
    code = match[0].replace(" ", "")
    return Code(re.sub(r"[\d.]+", "", code), code)


def _regnal(match: regex.Match[str], cased: str | None) -> Code | None:
    start, end = match.span("roman")
    is_number = cased is not None and cased[start:end].isupper() and cased[match.start()].isupper()
    return Code(match["king"], match["roman"]) if is_number else None


def _shift(match: regex.Match[str], cased: str | None) -> Shift:
    """Return a time from another one: *last week*, *in two weeks*, *a year ago*, *the following day*."""
    parts = match.groupdict()
    unit = parts.get("unit") or "day"
    _, _, size = ENGLISH.units.get(unit, ("", "", _WEEK))
    count = parts.get("count") or "one"
    number = 1.0 if count in ("a", "an") else count_of(count)
    direction = parts.get("word") or parts.get("after") or "in"
    sign = next(sign for sign, words in _DIRECTIONS.items() if direction in words)
    return Shift(size * number * sign, "count" in parts)


def _ordinal(word: str) -> int:
    """Return the number that *third*, *twenty-first*, *21st* or *q3* states."""
    if digits := regex.sub(r"\D", "", word):
        return int(digits)
    if scale := ENGLISH.scales.get(word.removesuffix("th")):
        return int(scale)
    tens, _, ones = word.rpartition("-")
    return (10 * (ENGLISH.tens.index(tens) + 2) if tens else 0) + ENGLISH.ordinals.index(ones) + 1


def _index(names: Sequence[str], word: str) -> int:
    """Return the number of the month or weekday that a word abbreviates."""
    return next(number for number, name in enumerate(names) if name.startswith(word[:3]))


@cache
def _readers() -> list[tuple[frozenset[str], str, Reader]]:
    """Return the patterns of dates, times and codes with what reads them, the longest forms first.

    Before each are words and numbers of which its sentences have one; 0 stands for any number, and the empty
    word is in all sentences.
    """
    months = [*ENGLISH.months, *(name[:3] for name in ENGLISH.months), "sept"]
    month = rf"(?P<month>{any_of(months)})\b\.?"
    year = rf"(?:(?: ?,)? (?P<year>{_YEAR})\b)?"
    tens = rf"(?:{any_of(ENGLISH.tens)}-)?"
    day = rf"(?<![\w.,/-])(?P<day>\d{{1,2}}|{tens}{any_of(ENGLISH.ordinals)})(?:st|nd|rd|th)?"
    weekdays = [*ENGLISH.weekdays, "tues", "thur", "thurs", *(name[:3] for name in ENGLISH.weekdays)]
    weekday = any_of(weekdays)
    hour = rf"(?P<hour>\d{{1,2}}|{any_of(ENGLISH.ones[1:13])})"
    half_day = r"(?P<suffix>[ap]\.? ?m\b\.?|o'clock)"
    quarter = (
        rf"(?P<quarter>{any_of(ENGLISH.ordinals[:4])}|[1-4](?:st|nd|rd|th)) quarter|\b(?P<quarter>q[1-4])"
    )
    durations = [unit for unit, (dimension, _, _) in ENGLISH.units.items() if dimension == "time"]
    times, years = any_of(durations), [*map(str, range(1500, 2100))]
    days, seasons = "yesterday|today|tonight|tomorrow", "spring|summer|autumn|winter"
    count = rf"(?P<count>an?|\d+|{any_of(ENGLISH.ones[1:])})"
    patterns = [
        (rf"\b(?P<word>{days})\b", _shift),
        (
            r"\b(?P<word>last|past|previous|this|current|next|coming|following)"
            rf"(?: (?P<unit>{times})\b|(?= (?:{weekday}|{any_of(ENGLISH.months)}|{seasons})\b))(?! of)",
            _shift,
        ),
        (rf"\b{count} (?P<unit>{times}) (?P<after>ago|earlier|later|before|after)\b", _shift),
        (rf"\bin {count} (?P<unit>{times}) ?(?:'s )?(?:time\b|(?=[.,;]|$))", _shift),
        (rf"(?P<year>{_YEAR})-(?P<month>\d\d)(?:-(?P<day>\d\d))?(?![\d-])", _number_date),
        (
            r"(?<![\w.,/-])(?P<day>\d{1,2})([/.])(?P<month>\d{1,2})\2(?P<year>\d{4}|\d\d)(?![\d./])",
            _number_date,
        ),
        (rf"(?<![\w.,/-])(?P<year>{_YEAR}) ?(?:--?|to) ?(?P<end>{_YEAR}|\d\d)(?![\w-]|[.,]\d)", _period),
        (rf"{day} (?:of )?{month}{year}", _full_date),
        (rf"\b{month} {day}(?P<plain>)(?![\d,]\d|\w){year}", _full_date),
        (rf"\b{month}(?: of)?{year}", _full_date),
        (rf"\b(?P<weekday>{weekday})s?\b\.?", _weekday),
        (rf"\b(?:{quarter})(?: of)?(?: (?P<year>{_YEAR}))?\b", _period),
        (r"(?<![\w.])(?:'|(?:early|mid|late)-)?(?P<decade>(?:1[5-9]|20)\d0|[2-9]0)'?s\b", _period),
        (rf"\b(?P<past>half past|(?:a )?quarter past|(?:a )?quarter to) {hour}(?: {half_day})?", _time),
        (rf"(?<![\w.,/-]){hour}(?:[:.](?P<minute>\d\d))? ?{half_day}", _time),
        (r"(?<![\w.,/-])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?![\d:])", _time),
        (r"\b(?P<named>noon|midday|midnight)\b", _time),
        (r"(?P<king>\b\p{L}{3,}) (?P<roman>[ivx]{2,}|v|x)\b", _regnal),
        (
            rf"(?<![\w.,/-]|[$£€] |around |about |circa )(?:(?:early|mid|late)-)?(?P<year>{_YEAR})"
            r"(?P<plain>)(?![\w,/%]|[.-]\d)",
            _period,
        ),
        (
            r"(?<![\w.,/-])(?:\p{L}{1,8}-?\d[\d.-]*\d*\p{L}?|v?\d+(?:\.\d+){2,}"
            r"|\d{1,3}(?:[-:]| - )\d{1,3}(?P<plain>))(?![\w/-])",
            _code,
        ),
    ]
    cues: dict[Reader, Sequence[str]] = {
        _shift: [*durations, *months, *weekdays, *f"{days}|{seasons}".split("|")],
        _number_date: ["0"],
        _full_date: months,
        _weekday: [*weekdays, *(f"{name}s" for name in weekdays)],
        _period: [*years, *map(str, range(20, 100, 10)), "quarter", "q"],
        _time: [":", "half", "quarter", "am", "pm", "m", "clock", "noon", "midday", "midnight"],
        _code: ["0"],
    }
    return [(frozenset(cues.get(read, [""])), pattern, read) for pattern, read in patterns]
