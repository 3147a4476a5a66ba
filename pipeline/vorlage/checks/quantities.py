"""Quantities that a sentence states, and when one follows from another.

A quantity is an interval of a dimension: *250 mg* and *0.25 g*, *two years* and *24 months*, *fewer than
13,000* and *12,900* agree, *at least 40* and *up to 40* do not.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from vorlage.text.english import ENGLISH

CONVERTED = 0.02  # by which equal quantities in two units may differ: *30 days*, *a month*
FAR_BOUND = 2  # times the number that a bound may be away
EXACT_DIGITS = 2  # a number of so few digits is never rounded without a word

# Dimensions of which one may stand for the other, and those that differ if their numbers are equal.
_CONFUSED = ({"", "money"}, {"ratio", "points"})
_MEASURES = frozenset("time length area mass volume power energy data ratio points money".split())


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

    def numerals(self) -> list[tuple[float, float]] | None:
        """Return between which positive numbers one is in the words of a value that agrees; None for any."""
        return None

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
    - `about`: whether it is said to be approximate; `spans`: whether both ends are stated;
    - `move`: *by* for a change, *to* for what something changes to, empty where nothing tells;
    - `per`: the dimension and the size of what it is counted for, as of *a year*; the dimension is empty for
      what has no unit, such as *per tree*.
    """

    dimension: str
    unit: str
    value: float
    low: float
    high: float
    step: float
    about: bool = False
    spans: bool = False
    move: str = ""
    per: tuple[str, float] | None = None

    @property
    def kind(self) -> str:
        """The kind of a finding about it."""
        return self.dimension if self.dimension in ("rate", "frequency") else "number"

    @property
    def is_long(self) -> bool:
        """Whether it has so many digits that it may be rounded."""
        return self.step > 0 and abs(self.value) >= 10**EXACT_DIGITS * self.step

    @property
    def is_exact(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    @property
    def centre(self) -> "Quantity":
        """The number in the middle of what it may be, or its only end."""
        ends = [end for end in (self.low, self.high) if math.isfinite(end)]
        middle = sum(ends) / max(len(ends), 1)
        return replace(self, low=middle, high=middle)

    def is_comparable(self, source: Value) -> bool:
        """Return whether the source has the same dimension, one that is confused with it, or the same number.

        *5 percent* is comparable with *5 percentage points*, and *40 m²* with *40 m³*.
        """
        if not isinstance(source, Quantity):
            return False
        dimensions = {self.dimension, source.dimension}
        is_measure = dimensions <= _MEASURES and self.unit != "pound" != source.unit
        return len(dimensions) == 1 or dimensions in _CONFUSED or (is_measure and self.value == source.value)

    def numerals(self) -> list[tuple[float, float]] | None:
        """Return between which positive numbers it is in any unit."""
        if not self.value or self.dimension in ("rate", "frequency", "temperature"):
            return None
        if not self.is_exact:
            low, high = (end if math.isfinite(end) and end > 0 else None for end in (self.low, self.high))
            ends = low or self.centre.low / FAR_BOUND, high or self.centre.low * FAR_BOUND
            if not 0 < ends[1] < 10 * ends[0]:
                return None
        else:
            ends = abs(self.low), abs(self.low)
        near = max(self.step / abs(self.value), 1e-6)
        sizes = {size for dimension, _, size in ENGLISH.units.values() if dimension == self.dimension} or {
            1.0
        }
        own = ENGLISH.units.get(self.unit, ("", "", 1.0))[2]
        reaches = {size: near if size == own else max(near, CONVERTED) for size in sizes}
        return [(ends[0] / size * (1 - r), ends[1] / size * (1 + r)) for size, r in reaches.items()]

    def is_rate_of(self, source: "Quantity") -> bool:
        """Return whether what both are counted for is one, or is not stated by one of them."""
        return not (self.per and source.per) or self.per == source.per

    def _follows(self, source: "Quantity") -> bool:
        """Return whether it is equal to another one, rounds it, or is a bound that holds."""
        dimensions = {self.dimension, source.dimension}
        if {self.move, source.move} == {"by", "to"} or (len(dimensions) > 1 and "" not in dimensions):
            return False
        if not self.is_rate_of(source) or (dimensions == {"money"} and self.unit != source.unit):
            return False
        if self.spans and source.spans:
            ends = (self.low, source.low), (self.high, source.high)
            near = 1e-9 if self.unit == source.unit else CONVERTED
            return all(math.isclose(*pair, rel_tol=near) for pair in ends)
        exact = self.is_exact, source.is_exact
        if all(exact):
            return self._rounds(source)
        if self.low <= source.low and source.high <= self.high:
            # A bound that is true but far away tells of another number: *over 1,400* of 14,000.
            near, far = sorted((abs(self.value), abs(source.value)))
            return self.about or far <= FAR_BOUND * near
        if self.about and source.about and self.step and source.step:
            return self.centre._rounds(source.centre)
        if exact[0] and math.isfinite(source.low + source.high):
            return source.low <= self.low <= source.high  # *from 25 to 40* states both
        # The other side leaves the bound out: *40* and *at least 40*; an estimate may be rounded besides.
        return any(exact) and (self.value, self.unit) == (source.value, source.unit)

    def has_digits_of(self, source: "Quantity") -> bool:
        """Return whether two numbers have the same digits, but for zeros: *1.4 million* and *140万*."""
        digits, others = (f"{number.value:.12g}".partition("e")[0] for number in (self, source))
        return digits.replace(".", "").strip("0") == others.replace(".", "").strip("0")

    def _rounds(self, source: "Quantity") -> bool:
        """Return whether an exact number is another one, or rounds it: to the nearest step or down."""
        if math.isclose(self.low, source.low, rel_tol=1e-9):
            return True
        if self.dimension and (self.unit != source.unit or self.dimension == "rate"):
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
