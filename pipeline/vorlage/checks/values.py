"""Values that a text states: quantities, which are intervals of a dimension, and names, capitalised words.

As intervals, *250 mg* and *0.25 g*, *two years* and *24 months*, *fewer than 13,000* and *12,900* agree, and
*at least 40* and *up to 40* do not.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations, groupby
from os.path import commonprefix
from typing import Any

from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_stop_word
from vorlage.types import Span

# The first letters that *Russia* and *Russian* share, and their least share of the longer name.
_SAME_START, _START_SHARE = 4, 0.6
_SAME_SHARE = 0.75  # of the letters of two spellings of a name
_PEOPLE = re.compile(r"(?:[ie]?ans?|ese|ish)$")  # of a place, whose name loses its last vowels
_ACRONYM_SHARE = 0.6  # and of two acronyms
CONVERTED = 0.02  # by which equal quantities in two units may differ: *30 days*, *a month*
FAR_BOUND = 2  # times the number that a bound may be away
EXACT_DIGITS = 2  # a number of so few digits is never rounded without a word


class Value:
    """What words state: a quantity, a date, a time of day, a code or a name."""

    @property
    def kind(self) -> str:
        """The kind of a finding about it."""
        return type(self).__name__.lower()

    def is_comparable(self, source: "Value") -> bool:
        """Return whether the source is of the same kind, so that the two agree or contradict each other."""
        return type(source) is type(self)

    def agrees(self, source: "Value") -> bool:
        """Return whether the value follows from the source."""
        return self.is_comparable(source) and self._follows(source)

    def _follows(self, source: Any) -> bool:
        """Return whether the value follows from a comparable one."""
        return bool(self == source)


@dataclass(frozen=True)
class Quantity(Value):
    """A quantity: the numbers from `low` to `high`, in the base unit of its dimension.

    - `dimension`: that of the unit, such as `length`; empty for a mere number; `unit`: its first spelling;
    - `value`: the number as stated, times its scale;
    - `low`, `high`: what it may be, equal for an exact number;
    - `step`: the place value of the last digit of `value`, zeros at the end of a whole number left out: 10 of
      *40*; 0 for a fraction, in words or not;
    - `about`: whether it is said to be approximate.
    """

    dimension: str
    unit: str
    value: float
    low: float
    high: float
    step: float
    about: bool = False

    @property
    def kind(self) -> str:
        """The kind of a finding about it."""
        return self.dimension if self.dimension in ("rate", "frequency") else "number"

    @property
    def is_long(self) -> bool:
        """Whether it has so many digits that it may be rounded."""
        return self.step > 0 and abs(self.value) >= 10**EXACT_DIGITS * self.step

    def is_comparable(self, source: Value) -> bool:
        """Return whether the source is a quantity of the same dimension."""
        return isinstance(source, Quantity) and (
            self.dimension == source.dimension or {self.dimension, source.dimension} == {"", "money"}
        )

    def _follows(self, source: "Quantity") -> bool:
        """Return whether it is equal to another one, rounds it, or is a bound that holds."""
        if self.dimension == "money" == source.dimension and self.unit != source.unit:
            return False
        exact = self.low == self.high, source.low == source.high
        if all(exact):
            return self._rounds(source)
        if self.low <= source.low and source.high <= self.high:
            # A bound that is true but far away tells of another number: *over 1,400* of 14,000.
            near, far = sorted((abs(self.value), abs(source.value)))
            return far <= FAR_BOUND * near
        if self.about and source.about and self.step and source.step:
            return self._rounds(replace(source, low=source.value, high=source.value))
        if self.about and source.about:  # *nearly half*, *about 45 percent*
            return self.low <= source.low + (source.high - source.low) / 2 <= self.high
        if exact[0] and math.isfinite(source.low + source.high):
            return source.low <= self.low <= source.high  # *from 25 to 40* states both
        # The other side leaves the bound out: *40* and *at least 40*; an estimate may be rounded besides.
        return any(exact) and (self.value, self.unit) == (source.value, source.unit)

    def is_computed(self, sources: Sequence["Quantity"]) -> bool:
        """Return whether it may be the sum, the difference or the share of two exact quantities."""
        exact = [source for source in sources if source.low == source.high]
        if self.dimension == "ratio":
            counts = [source.value for source in exact if not source.dimension and source.value > 0]
            shares = (min(pair) / max(pair) for pair in combinations(counts, 2))
            return any(
                self.low <= share <= self.high or abs(100 * share - self.value) <= self.step / 2
                for share in shares
            )
        values = [source.value for source in exact if source.unit in (self.unit, "")]
        return self.low == self.high and any(
            math.isclose(self.value, value, rel_tol=1e-9)
            for first, second in combinations(values, 2)
            for value in (first + second, abs(first - second))
        )

    def has_digits_of(self, source: "Quantity") -> bool:
        """Return whether two numbers have the same digits, but for zeros: *1.4 million* and *140万*."""
        digits, others = (f"{number.value:.12g}".partition("e")[0] for number in (self, source))
        return digits.replace(".", "").strip("0") == others.replace(".", "").strip("0")

    def _rounds(self, source: "Quantity") -> bool:
        """Return whether an exact number is another one, or rounds it: to the nearest step or down."""
        if math.isclose(self.low, source.low, rel_tol=1e-9):
            return True
        if self.unit != source.unit and self.dimension:
            return math.isclose(self.low, source.low, rel_tol=CONVERTED)
        if self.dimension == "ratio" and not (self.step and source.step):  # *two thirds*, *67 percent*
            return abs(self.value - source.value) <= min(self.step + source.step, 1.0) / 2
        if self.step <= source.step or not source.is_long:
            return False
        off = abs(source.value) - abs(self.value)
        return abs(off) <= self.step / 2 or 0 <= off < self.step


def make_quantity(written: str, scale: float = 1.0, unit: str = "") -> Quantity:
    """Return an exact quantity; `written`: digits, with a point before decimals."""
    value = float(written) * scale
    dimension, name, factor = ENGLISH.units.get(unit, (unit, unit, 1.0))
    base = (value - 32) * factor if name == "°f" else value * factor
    return Quantity(dimension, name, value, base, base, _step(written) * scale)


def _step(written: str) -> float:
    """Return the place value of the last digit of a number, zeros at the end of a whole one left out."""
    whole, _, part = written.partition(".")
    decimals = len(part.rstrip("0")) if "e" not in written else 0
    zeros = 0 if decimals else len(whole) - len(whole.rstrip("0") or "0")
    return float(10.0 ** (zeros - decimals))


@dataclass(frozen=True)
class Name(Value):
    """A name of one word, in lower case."""

    word: str

    def _follows(self, source: "Name") -> bool:
        """Return whether two names may be one, as *Russia* and *Russian*, or *Reagan* and *Regan*, may."""
        name, other = self.word, source.word
        least = max(_SAME_START, _START_SHARE * max(len(name), len(other)))
        if name in other or other in name or len(commonprefix((name, other))) >= least:
            return True
        return SequenceMatcher(None, name, other, autojunk=False).ratio() >= _SAME_SHARE

    def is_misspelled(self, source: "Name") -> bool:
        """Return whether it differs by a letter or two, and not by an ending as *Russian* does."""
        name, other = self.word, source.word
        if name.startswith(other) or other.startswith(name) or _is_of(name, other) or _is_of(other, name):
            return False
        blocks = SequenceMatcher(None, name, other, autojunk=False).get_matching_blocks()
        shared = sum(block.size for block in blocks)
        return len(name) > 3 and max(len(name), len(other)) - shared <= 2 and name[:1] == other[:1]


def _is_of(name: str, place: str) -> bool:
    """Return whether a name may be that of the people of a place, as *Mexican* and *Mexico*."""
    return bool(_PEOPLE.search(name)) and _PEOPLE.sub("", name) == place.rstrip("aeiouy")


def is_acronym(word: str) -> bool:
    """Return whether a word may be an acronym: three to six capitals."""
    return word.isalpha() and word.isupper() and 3 <= len(word) <= 6


def initials(words: Iterable[str]) -> str:
    """Return the first letters of some words, but for those of the closed class, in lower case."""
    return "".join(word[0].lower() for word in words if word.lower() not in CLOSED_CLASS)


def are_confused(acronym: str, other: str) -> bool:
    """Return whether two acronyms differ by a letter or two or by order, and neither begins the other."""
    if acronym[0] != other[:1] or acronym.startswith(other) or other.startswith(acronym):
        return False
    return SequenceMatcher(None, acronym, other, autojunk=False).ratio() >= _ACRONYM_SHARE


def read_acronyms(words: Sequence[str]) -> Iterator[tuple[Span, str]]:
    """Yield the acronyms and the long names of a text with their initials, all in lower case."""
    first = 0
    for is_part, run in groupby(words, lambda word: word[0].isupper() or word in ("of", "the", "for", "and")):
        name = list(run)
        if is_part:
            yield (first, first + len(name)), initials(name)
            yield from (((t, t + 1), word.lower()) for t, word in enumerate(name, first) if is_acronym(word))
        first += len(name)


def read_names(words: Sequence[str]) -> Iterator[tuple[int, Name]]:
    """Yield the places of the names in a sentence, but for its first word."""
    for place, word in enumerate(words[1:], 1):
        if is_name(word):
            yield place, Name(word.lower())


def is_name(word: str) -> bool:
    """Return whether a word may be a name, or a part of one."""
    lower = word.lower()
    common = lower in CLOSED_CLASS or lower in AUXILIARIES or lower.rstrip(".") in ENGLISH.titles
    return (
        word[:1].isupper()
        and len(word) > 2
        and word.isalpha()
        and not (common or is_stop_word(word) or word.isupper())
    )
