"""The words and units that the rules of English know, from `english.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass


def _number_lines(lines: Sequence[str]) -> dict[str, int]:
    """Return the number of the line of each word."""
    return {word: number for number, line in enumerate(lines) for word in line.split()}


def _number_units(lines: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the number of the line and of the unit in it for each spelling."""
    return {
        spelling: (number, unit)
        for number, line in enumerate(lines)
        for unit, spellings in enumerate(line.split())
        for spelling in spellings.split("/")
    }


def _number_pairs(pairs: Sequence[Sequence[str]]) -> dict[str, set[tuple[int, int]]]:
    """Return the numbers of the pairs that each word is in, with the side that it is on."""
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, pair in enumerate(pairs):
        for side, words in enumerate(pair):
            for word in words.split():
                sides.setdefault(word, set()).add((number, side))
    return sides


def _invert(groups: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the group of each word."""
    return {word: name for name, words in groups.items() for word in words.split()}


Words: TypeAlias = Annotated[frozenset[str], BeforeValidator(str.split)]
WordRow: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(str.split)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class English:
    """Words of English in lower case; `english.toml` says what each field is for."""

    stop_words: Words
    closed_class: Words
    auxiliaries: Words
    participle_auxiliaries: Words
    particles: Words
    phrase_auxiliaries: Words
    subordinators: Words
    clause_prepositions: Words
    noun_prepositions: Words
    verb_prepositions: Words
    approximators: Words
    ago: Words
    months: WordRow
    weekdays: WordRow
    ambiguous_abbreviations: Words
    common_months: Words
    ones: WordRow
    tens: WordRow
    ordinals: WordRow
    ordinal_suffixes: Words
    currencies: Words
    percent: tuple[str, ...]
    number_parts: Words
    units: Annotated[Mapping[str, tuple[int, int]], BeforeValidator(_number_units)]
    titles: Words
    clause_boundaries: Words
    frame_nouns: Words
    frame_verbs: Words
    negations: Words
    negating_verbs: Words
    negative_words: Words
    negative_prefixes: WordRow
    hedges: Words
    uncertain_words: Words
    passive_auxiliaries: Words
    quantities: Annotated[Mapping[str, int], BeforeValidator(_number_lines)]
    vague_quantities: Words
    comparing_words: Words
    directions: Annotated[Mapping[str, frozenset[tuple[int, int]]], BeforeValidator(_number_pairs)]
    scales: Mapping[str, float]
    money_scales: Mapping[str, float]
    token_tags: Annotated[Mapping[str, str], BeforeValidator(_invert)]


ENGLISH = TypeAdapter(English).validate_python(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
)
