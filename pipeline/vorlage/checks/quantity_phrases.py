"""Reads the quantities that an English sentence states: numbers with their bounds, scales, units and rates.

Words and units are in `english.toml`.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain
from typing import Any
from unicodedata import normalize

import regex

from vorlage.checks.quantities import Quantity, make_quantity
from vorlage.text.english import ENGLISH
from vorlage.types import Span

ABOUT = 0.1  # by which an approximate number may be off
# Digits, with thousands set apart, and fractions.
_DIGITS = (
    r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,3}(?:[ ']\d{3}){1,4}(?![\d,.])"
    r"|\d{1,15}(?:\.\d{1,9})?|\.\d{1,9}"
)
# Powers of ten: *10⁶*, *3 × 10⁻³*
_POWER = r"10(?P<power>⁻?[⁰¹²³⁴-⁹]+)"
_FRACTION = r"(?:\d+ ?)?[¼-¾⅐-⅞]|(?:\d+ )?\d{1,2}/(?!00?\b)\d{1,2}(?![/\d])"
# What stands before a change or what something changes to, and behind a change.
_MOVES = re.compile(
    r"\b(?:(?:(?P<growth>gr[eo]w\w*) )?"
    r"(?P<by>by|(?:increase|rise|fall|drop|gain|decline|decrease|cut|reduction) of)|to) $"
)
_MORE = re.compile(r"(?<!or) (?:more|fewer|less|higher|lower)\b(?! or\b)")
# What turns a bound round: *not longer than*.
_NEGATED = re.compile(r"(?:\bnot|n't|\bnever|\bcannot)(?: [a-z]+){0,2} $")
_FLIPPED = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "~": "~"}


def read_quantities(sentence: str) -> Iterator[tuple[Span, Quantity]]:
    """Yield the quantities of a sentence, with the spans of their characters, in order.

    `sentence`: its words in lower case, with single spaces between.
    """
    for match in _pattern().finditer(sentence):
        quantity = _read(*match.groupdict().items())
        if quantity is None:
            continue
        (start, end), before = match.span(), sentence[: match.start()]
        if match["bound"] and _NEGATED.search(before):
            quantity = _bounded(quantity.centre, _FLIPPED[ENGLISH.bounds[match["bound"]]])
        if move := _MOVES.search(before):
            # *Growth of 2 percent* and *growth fell to 2 percent* may be the same.
            is_growth = quantity.dimension == "ratio" and move["growth"]
            quantity = replace(quantity, move="" if is_growth else "by" if move["by"] else "to")
        elif _MORE.match(sentence, end):
            quantity = replace(quantity, move="by")
        elif match["between"] == "from " and match["to"]:
            quantity = replace(quantity, move="to")
        if (per := _pers().match(sentence, end)) and quantity.dimension not in ("rate", "frequency"):
            unit = (per["unit"] or "").replace(" ", "_")
            dimension, _, size = ENGLISH.units.get(unit, ("", "", 0.0))
            quantity = replace(quantity, per=(dimension, float(per["count"] or 1) * size))
            end = end if per["noun"] else per.end()
        yield (start, end), quantity


@lru_cache(maxsize=1 << 12)  # a document states the same few quantities again and again
def _read(*groups: tuple[str, Any]) -> Quantity | None:
    """Return the quantity of the groups of a match of `_pattern`, None for a word that states none."""
    parts = dict(groups)
    if parts["frequency"]:
        level = ENGLISH.frequencies[parts["frequency"]]
        return Quantity("frequency", "", level, level - 0.5, level + 0.5, 0.0)
    if parts["every"] or parts["period"]:
        return _rate(parts)
    if parts["vague"]:
        return _vague(parts["vague"])
    scale = 1.0
    unit = (parts["after"] or parts["before"] or parts["hyphened"] or "").replace(" ", "_").strip("-")
    if parts["and_half"]:
        return make_quantity("1.5", 1.0, unit)
    if parts["share"]:
        share, whole = count_of(parts["share"]), count_of(parts["whole"])
        quantity = make_quantity(repr(100 * share / whole), 1.0, "%") if 0 < share < whole else None
        return quantity and replace(quantity, step=0.0)
    if parts["change"]:
        quantity = make_quantity(repr(ENGLISH.changes[parts["change"]] * 100), 1.0, "%")
    elif parts["part"]:
        count = 1.0 if parts["count"] in (None, "a", "an") else count_of(parts["count"])
        value = count / (ENGLISH.parts.index(parts["part"].removesuffix("s").replace("halve", "half")) + 2)
        quantity = replace(make_quantity(repr(value if unit else value * 100), 1.0, unit or "%"), step=0.0)
    elif parts["fraction"]:
        value = _fraction(parts["fraction"])
        is_share = not unit and value < 1
        quantity = make_quantity(repr(value * 100 if is_share else value), 1.0, "%" if is_share else unit)
        quantity = replace(quantity, step=0.0)
    else:
        written = parts["digits"] or (parts["power"] and "1")
        if written is None:
            if parts["words"] == "one" and not unit and not parts["scales"]:
                return None  # often a pronoun
            written = f"{_words_value(parts['words']):.12g}"
        if parts["letter"]:
            scale = ENGLISH.letter_scales.get(parts["letter"], ENGLISH.scales.get(parts["letter"], 1.0))
        scale *= 10.0 ** int(normalize("NFKC", parts["power"] or "0").replace("−", "-"))
        for word in (parts["scales"] or "").split():
            scale *= ENGLISH.scales.get(word, 1.0)
        quantity = make_quantity(re.sub("[, ']", "", written), scale, unit)
    if parts["sign"]:
        quantity = replace(quantity, value=-quantity.value, low=-quantity.low, high=-quantity.high)
    if parts["to"]:
        end = make_quantity(re.sub("[, ']", "", parts["to"]), scale, unit)
        low, high = sorted((quantity.low, end.low))
        quantity = replace(quantity, low=low, high=high, spans=True)
    bound = ENGLISH.bounds.get(parts["bound"] or "") or ENGLISH.bounds_behind.get(parts["behind"] or "", "=")
    return _bounded(quantity, bound)


def _rate(parts: dict[str, str]) -> Quantity | None:
    """Return how often something happens, in times a second: *twice a week*, *daily*, *every two hours*."""
    often, period = parts["often"] or "once", parts["every"] or parts["period"]
    count = {"once": 1.0, "twice": 2.0, "thrice": 3.0}.get(often) or count_of(often.removesuffix(" times"))
    _, _, seconds = ENGLISH.units[ENGLISH.rates.get(period, period)]
    every = parts["each"] or "1"
    value = count / seconds / (2.0 if every == "other" else count_of(every) or 1.0)
    return Quantity("rate", "times", value, value, value, 0.0)


def _vague(words: str) -> Quantity:
    """Return the number that *hundreds* or *a handful* may be."""
    first, _, scale = words.partition(" of ")
    sizes = {"tens": 10.0, "scores": 20.0, "a handful": 0.6}
    size = sizes.get(first) or ENGLISH.scales[first.removesuffix("s")]
    size *= ENGLISH.scales[scale.removesuffix("s")] if scale else 1.0
    return Quantity("", "", 2 * size, 2 * size, math.nextafter(20 * size, 0), 0.0, about=True)


def _bounded(quantity: Quantity, bound: str) -> Quantity:
    """Return a quantity with a bound."""
    low, high, reach = quantity.low, quantity.high, ABOUT * abs(quantity.low)
    match bound[0]:
        case "<":
            low, high = -math.inf, high if bound == "<=" else math.nextafter(high, -math.inf)
        case ">":
            low, high = low if bound == ">=" else math.nextafter(low, math.inf), math.inf
        case "~":
            low, high = low - reach, high + reach
    return replace(quantity, low=low, high=high, about=bound == "~")


def _fraction(written: str) -> float:
    """Return the value of *3/4*, *½* or *2 1/2*."""
    parts = normalize("NFKC", re.sub("([¼-¾⅐-⅞])", r" \1", written)).replace("⁄", "/")
    return float(sum(map(Fraction, parts.split())))


def count_of(words: str) -> float:
    """Return the value of a whole number in digits or in words."""
    return float(words) if words.isdecimal() else _words_value(words)


def _words_value(words: str) -> float:
    """Return the value of a number in words: *one hundred and five*, *three and a half*."""
    total, current = 0.0, 0.0
    for word in regex.split("[ -]", words):
        if word in ENGLISH.ones:
            current += ENGLISH.ones.index(word)
        elif word in ENGLISH.tens:
            current += 10 * (ENGLISH.tens.index(word) + 2)
        elif word == "half":
            current += 0.5
        elif word in ENGLISH.scales and ENGLISH.scales[word] < 1e3:
            current = (current or 1) * ENGLISH.scales[word]
        elif word in ENGLISH.scales:
            total, current = total + (current or 1) * ENGLISH.scales[word], 0
    return total + current


@cache
def _pattern() -> regex.Pattern[str]:
    """Return the pattern of a quantity in a sentence of lower-case words, with a group for each part."""
    dimensions = {name: dimension for name, (dimension, _, _) in ENGLISH.units.items()}
    currencies = [name for name, dimension in dimensions.items() if dimension == "money"]
    money = any_of(currencies)
    times = any_of(name for name, dimension in dimensions.items() if dimension == "time")
    scales, units = any_of(ENGLISH.scales), any_of(name.replace("_", " ") for name in dimensions)
    simple = rf"(?:{any_of(ENGLISH.tens)}(?:[ -]{any_of(ENGLISH.ones[1:10])})?|{any_of(ENGLISH.ones)})"
    words = (
        rf"(?:{simple}|(?:half )?an?(?= {scales}\b))"
        rf"(?:[ -]{scales}\b(?: and(?= {simple}))?(?:[ -]{simple}\b)?)*(?: and a half)?"
    )
    often = rf"(?P<often>once|twice|thrice|(?:\d+|{simple}) times) "
    rate = (
        rf"(?:{often})?(?P<every>{any_of(ENGLISH.rates)})"
        rf"|(?:every|{often}(?:an?|per|every|each)) (?:(?P<each>\d+|{simple}|other) )?(?P<period>{times})"
    )
    large = any_of(f"{scale}s" for scale, size in ENGLISH.scales.items() if size >= 1e3)
    vague = rf"(?P<vague>a handful|(?:tens|scores|dozens|hundreds|{large})(?: of {large})?)"
    # *a third* of something, *by a third in May*; not *the third* one, *the third quarter*, a *third party*.
    part = (
        rf"(?<!{any_of(ENGLISH.ordinals[:4])} )(?:(?P<count>an?|half an?|\d+|{simple})[ -]|(?=hal[fv]))"
        rf"(?P<part>{any_of(ENGLISH.parts)}|halve)s?(?! an? {scales})"
        r"(?=(?: of)? (?:of|the|an?|its|their|his|her|all|that|those)\b|s?(?: [.,;:)]|$)|(?<=s)"
        r"|(?<=\bby [a-z]+ [a-z]+)"
        r"(?= (?:after|and|as|at|before|between|but|during|from|in|last|on|since|this|to|when|while)\b))"
    )
    share = rf"(?P<share>\d+|{simple}) (?:in|out of) (?:every )?(?P<whole>\d+|{simple})"
    letter = rf"(?P<letter>(?:{any_of(ENGLISH.letter_scales)}|bn|mn|tn)\b)?"
    digits = rf"(?:(?:(?P<digits>{_DIGITS}) ?[x×·] ?)?{_POWER}|(?P<digits>{_DIGITS}){letter})"
    # What a quantity begins with is looked for first, because most words begin none.
    others = (
        "between |from |minus |negative |every |once |twice |thrice |halve|scores|us$|us $|a$|c$|nz$|a |an "
    )
    known = ENGLISH.bounds, ENGLISH.frequencies, ENGLISH.rates, ENGLISH.changes, ENGLISH.scales, ENGLISH.parts
    start = any_of(chain(*known, ENGLISH.ones, ENGLISH.tens, currencies, others.split("|")))
    return regex.compile(
        rf"(?<![\w.,/-])(?=[\d¼-¾⅐-⅞.-]|{start})"
        rf"(?:(?P<bound>{any_of(ENGLISH.bounds)})(?!\p{{L}}) ?|(?P<between>between |from ))?"
        rf"(?P<sign>minus |negative |-(?=[\d.$£€]))?(?:(?:(?:us ?|a|c|nz)(?=\$))?(?P<before>{money}) ?)?"
        rf"(?:(?P<and_half>an? (?={times} and a half\b))|{rate}|{share}|{vague}"
        rf"|(?P<change>{any_of(ENGLISH.changes)})|{part}|(?P<frequency>{any_of(ENGLISH.frequencies)})|(?P<fraction>{_FRACTION})"
        rf"|{digits}|(?P<words>{words}))"
        rf"(?: ?(?:(?(between)and|to)|to|-) ?"
        rf"(?P<to>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)(?!\d*[/\d⁻⁰¹²³⁴-⁹]))?"
        rf"(?P<scales>(?:[ -]{scales})+)?"
        rf"(?:[ -]?(?:(?:of|(?<=\bhalf)) ?an? )?(?P<after>{units})(?![\w⁻⁰¹²³⁴-⁹]|/(?!\d)))?"
        rf"(?P<hyphened>-(?!{any_of(ENGLISH.ordinals)})[a-z][a-z-]*)?"
        r"(?(and_half) and a half)(?!\w|-\w|[.,]\d|(?(after)(?!)|/\d))"
        r"(?(bound)|(?=(?: (?!or\b)[a-z-]+){0,3}?(?: ,)? ?"
        rf"(?P<behind>{any_of(ENGLISH.bounds_behind)})(?! ?\d| {simple}\b|\w))?)"
    )


@cache
def _pers() -> regex.Pattern[str]:
    """Return the pattern of what a quantity is counted for, behind it: *a year*, */5 ml*, *per hectare*."""
    units = any_of(
        name.replace("_", " ")
        for name, (dimension, _, _) in ENGLISH.units.items()
        if dimension not in ("money", "ratio", "points", "degree")
    )
    return regex.compile(
        rf"(?: ?/ ?(?P<count>\d+(?:\.\d+)?)? ?|(?P<noun>(?: [a-z-]+){{1,2}}?)?"
        rf" (?:an?|per|each|every) (?:(?P<count>\d+(?:\.\d+)?) )?)(?P<unit>{units})(?![\w-])"
        r"(?! (?:ago|earlier|later|before|after|old)\b)"
        rf"|(?P<noun>(?: [a-z-]+)??) per (?!{any_of(ENGLISH.scales)})\p{{L}}+"
    )


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of some phrases, the longest first of those with one first letter."""
    ends: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        ends.setdefault(regex.escape(word[0]), []).append(regex.escape(word[1:]))
    branches = (first + (f"(?:{'|'.join(rest)})" if rest[1:] else rest[0]) for first, rest in ends.items())
    return f"(?:{'|'.join(branches)})"
