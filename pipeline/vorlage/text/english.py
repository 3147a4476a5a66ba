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


def _read_units(dimensions: Mapping[str, str]) -> dict[str, tuple[str, str, float]]:
    """Return the dimension, the first spelling and the size of the unit of each spelling."""
    units: dict[str, tuple[str, str, float]] = {}
    for dimension, line in dimensions.items():
        for unit in line.split():
            spellings, _, size = unit.rpartition("=")
            first, *others = spellings.replace("km/h", "km⁄h").split("/")
            for spelling in (first, *others):
                units[spelling.replace("⁄", "/")] = dimension, first, float(size)
    return units


def _invert(groups: Mapping[str, str | Sequence[str]]) -> dict[str, str]:
    """Return the name of the group of each word, or of each phrase of a list."""
    return {
        phrase: name
        for name, phrases in groups.items()
        for phrase in (phrases.split() if isinstance(phrases, str) else phrases)
    }


def _number_pairs(pairs: Sequence[Sequence[str]]) -> dict[str, set[tuple[int, int]]]:
    """Return the numbers of the pairs that each word is in, with the side that it is on."""
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, pair in enumerate(pairs):
        for side, words in enumerate(pair):
            for word in words.split():
                sides.setdefault(word, set()).add((number, side))
    return sides


def _number_words(lines: Sequence[str]) -> dict[str, set[tuple[int, int]]]:
    """Return the numbers of the lines that each word is in, with its place there."""
    return _number_pairs([line.split() for line in lines])


Words: TypeAlias = Annotated[frozenset[str], BeforeValidator(str.split)]
WordRow: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(str.split)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class EnglishWords:
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
    before_months: Words
    ones: WordRow
    tens: WordRow
    ordinals: WordRow
    parts: WordRow
    titles: Words
    clause_boundaries: Words
    frame_nouns: Words
    frame_verbs: Words
    addresses: tuple[str, ...]
    negations: Words
    idle_after_negation: Words
    negation_fillers: Words
    negative_subjects: Words
    truth_words: Words
    negating_verbs: Words
    negating_nouns: Words
    negative_words: Words
    negative_prefixes: WordRow
    hedges: Words
    weak_hedges: Words
    modals: Words
    uncertain_words: Words
    speech_verbs: Words
    asking_verbs: Words
    opening_verbs: Words
    denying_verbs: Words
    third_persons: Words
    quantities: Annotated[Mapping[str, int], BeforeValidator(_number_lines)]
    vague_quantities: Words
    comparing_words: Words
    directions: Annotated[Mapping[str, frozenset[tuple[int, int]]], BeforeValidator(_number_pairs)]
    namesakes: Annotated[Mapping[str, int], BeforeValidator(_number_lines)]
    alternatives: Annotated[Mapping[str, frozenset[tuple[int, int]]], BeforeValidator(_number_words)]
    scales: Mapping[str, float]
    letter_scales: Mapping[str, float]
    changes: Mapping[str, float]
    rates: Annotated[Mapping[str, str], BeforeValidator(_invert)]
    units: Annotated[Mapping[str, tuple[str, str, float]], BeforeValidator(_read_units)]
    bounds: Annotated[Mapping[str, str], BeforeValidator(_invert)]
    frequencies: Annotated[Mapping[str, int], BeforeValidator(_invert)]
    bounds_behind: Annotated[Mapping[str, str], BeforeValidator(_invert)]
    token_tags: Annotated[Mapping[str, str], BeforeValidator(_invert)]


ENGLISH = TypeAdapter(EnglishWords).validate_python(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
)
