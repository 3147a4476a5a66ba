"""Calculates what follows from the quantities and dates of the source: sums, shares, products, later dates.

A summary calculates: *sold 410 in May and 385 in June* becomes *25 fewer*, *60 of 94* becomes *nearly two
thirds*, *opened in 2019 and moved two years later* becomes *moved in 2021*.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from vorlage.checks.dates import Date, Shift
from vorlage.checks.quantities import Quantity, Value, make_quantity
from vorlage.text.english import ENGLISH

# A calculation for a person, as *335 − 310*, and its result.
Calculation: TypeAlias = tuple[str, Value]

# Words that say that something was calculated.
CUES = frozenset("all altogether both combined difference overall remaining rest sum together total".split())
MONTH = ENGLISH.units["month"][2]


class Number(NamedTuple):
    """A number of the source: its size in the base unit of its dimension, and as it is written."""

    size: float
    written: float

    def __str__(self) -> str:
        return f"{self.written:,.12g}"


def calculate(
    value: Value, sources: Sequence[Value], beside: Sequence[Value], may_compare: bool
) -> str | None:
    """Return the calculation by which a value follows from one or two of the source, if any.

    Args:
        value: of the text.
        sources: what the source states.
        beside: what the sentence of the text states besides, which may be how often something counts.
        may_compare: whether the value may be a sum or a share of two, though it states no change.
    """
    dates = [each for each in sources if isinstance(each, Date) and each.year is not None]
    found: list[Calculation] = []
    if isinstance(value, Date) and value.year is not None:
        found.extend(_later(dates, sources))
    elif isinstance(value, Quantity) and value.dimension not in ("rate", "frequency") and not value.spans:
        quantities = [each for each in sources if isinstance(each, Quantity)]
        found.extend(_products(value, quantities, [each for each in beside if isinstance(each, Quantity)]))
        if may_compare or value.move == "by" or value.dimension == "points":
            found.extend(_compared(value, quantities))
    for said, result in found:
        if value.agrees(result):
            return f"calculated: {said} = {_write(result)}"
    return None


def recalculate(value: Value, sources: Sequence[Value]) -> str | None:
    """Return what a change or a share is instead, if the two levels of the source say so.

    Args:
        value: of the text.
        sources: what a sentence states, which has two quantities of the kind that the value compares.
    """
    if not isinstance(value, Quantity) or not (value.move == "by" or value.dimension == "ratio"):
        return None
    quantities = [each for each in sources if isinstance(each, Quantity)]
    if value.dimension == "ratio":
        levels = [n for each in quantities if each.dimension not in ("ratio", "rate") for n in _numbers(each)]
    else:
        levels = _levels(value, quantities)
    changes = [q for q in quantities if q.move == "by" or (q.dimension, value.dimension) == ("ratio",) * 2]
    if len(levels) != 2 or changes:
        return None
    made = list(_shares(value, levels) if value.dimension == "ratio" else _sums(value, levels))[:1]
    return next((f"“{{}}” ≠ {_write(result)} ({said})" for said, result in made), None)


def _compared(value: Quantity, quantities: Sequence[Quantity]) -> Iterator[Calculation]:
    """Yield the sums, differences and shares of the kind of a value."""
    if value.dimension == "ratio":
        yield from _shares(value, [number for each in quantities for number in _numbers(each)])
    if value.dimension != "ratio" or value.move != "by":
        yield from _sums(value, _levels(value, quantities))


def _numbers(quantity: Quantity) -> list[Number]:
    """Return the numbers that a quantity states: both ends, as they are written, or its middle."""
    unit = ENGLISH.units.get(quantity.unit, ("", "", 1.0))[2]
    ends = (quantity.low, quantity.high) if quantity.spans else (quantity.centre.low,)
    return [Number(end, end / unit) for end in sorted(ends, key=lambda end: abs(end / unit - quantity.value))]


def _levels(value: Quantity, quantities: Sequence[Quantity]) -> list[Number]:
    """Return the numbers whose difference a value may be."""
    measure = {"points": "ratio"}.get(value.dimension, value.dimension)
    return [number for each in quantities if each.dimension == measure for number in _numbers(each)]


def _sums(value: Quantity, levels: Sequence[Number]) -> Iterator[Calculation]:
    """Yield the differences and sums of two numbers, in the unit of a value."""
    for pair in combinations(levels, 2):
        low, high = sorted(pair)
        yield f"{high} − {low}", _in_unit(value, high.size - low.size)
        if value.move != "by":
            yield f"{pair[0]} + {pair[1]}", _in_unit(value, high.size + low.size)


def _shares(value: Quantity, counts: Sequence[Number]) -> Iterator[Calculation]:
    """Yield the shares that the smaller of two numbers is of the other, or by how much it differs."""
    for first, second in combinations(counts, 2):
        low, high = sorted((first, second), key=lambda number: number.written)
        if low.written <= 0:
            continue
        if value.move == "by":
            change = (high.written - low.written) / first.written
            yield f"({high} − {low}) / {first}", _in_unit(value, change)
        else:
            yield f"{low} / {high}", _in_unit(value, low.written / high.written)


def _products(
    value: Quantity, quantities: Sequence[Quantity], beside: Sequence[Quantity]
) -> Iterator[Calculation]:
    """Yield a quantity for one of something times how much there is: *20 cents a day* for *ten days*."""
    for rate in quantities:
        measure, size = rate.per or ("", 0.0)
        for other in (*quantities, *beside) if size and rate.dimension == value.dimension else ():
            for number in _numbers(other) if other.dimension == measure else ():
                times = number.size / size
                yield f"{_numbers(rate)[0]} × {times:,.6g}", _in_unit(value, rate.low * times)


def _later(dates: Sequence[Date], sources: Sequence[Value]) -> Iterator[Calculation]:
    """Yield the dates that are as long after another one, or before, as the source says."""
    for date in dates:
        for each in sources:
            if isinstance(each, Quantity):
                away = each.low if each.dimension == "time" and each.is_exact else 0.0
            else:
                away = each.away if isinstance(each, Shift) else 0.0
            months = round(away / MONTH)
            if date.year is None or not months or (date.month is None and months % 12):
                continue
            year, month = divmod(date.year * 12 + (date.month or 0) + months, 12)
            later = Date(year, None if date.month is None else month)
            sign = "−" if months < 0 else "+"
            length, unit = (months, "month") if months % 12 else (months // 12, "year")
            yield f"{_say(date)} {sign} {abs(length)} {unit}{'s' * (abs(length) > 1)}", later


def _in_unit(value: Quantity, size: float) -> Quantity:
    """Return the quantity of some base units, in the unit of a value; shares become percentage points."""
    unit = ENGLISH.units.get(value.unit, ("", "", 1.0))[2] * (0.01 if value.dimension == "points" else 1.0)
    return make_quantity(f"{size / unit:.9g}", 1.0, value.unit)


def _write(result: Value) -> str:
    """Return a result as a person writes it."""
    if isinstance(result, Date):
        return _say(result)
    size = getattr(result, "value", 0.0)
    digits = f"{size:,.4g}" if abs(size) < 1e4 else f"{size:,.0f}"
    return digits + "%" * (getattr(result, "unit", "") == "%")


def _say(date: Date) -> str:
    month = "" if date.month is None else f"{ENGLISH.months[date.month].capitalize()} "
    return f"{month}{date.year}"
