"""The words and units that the rules of English know, from `english.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, TypeAlias, get_args


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


# A field has its type and what reads it from the file.
Words: TypeAlias = Annotated[frozenset[str], lambda line: frozenset(line.split())]
WordRow: TypeAlias = Annotated[tuple[str, ...], lambda line: tuple(line.split())]
Factors: TypeAlias = Annotated[Mapping[str, float], dict]


@dataclass(frozen=True)
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
    addresses: Annotated[tuple[str, ...], tuple]
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
    quantities: Annotated[Mapping[str, int], _number_lines]
    vague_quantities: Words
    comparing_words: Words
    directions: Annotated[Mapping[str, set[tuple[int, int]]], _number_pairs]
    namesakes: Annotated[Mapping[str, int], _number_lines]
    alternatives: Annotated[
        Mapping[str, set[tuple[int, int]]], lambda lines: _number_pairs([line.split() for line in lines])
    ]
    scales: Factors
    letter_scales: Factors
    changes: Factors
    rates: Annotated[Mapping[str, str], _invert]
    units: Annotated[Mapping[str, tuple[str, str, float]], _read_units]
    bounds: Annotated[Mapping[str, str], _invert]
    frequencies: Annotated[
        Mapping[str, int], lambda x: {word: int(level) for word, level in _invert(x).items()}
    ]
    bounds_behind: Annotated[Mapping[str, str], _invert]
    token_tags: Annotated[Mapping[str, str], _invert]


_READERS = {field.name: get_args(field.type)[1] for field in fields(EnglishWords)}
_LINES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ENGLISH = EnglishWords(**{name: _READERS[name](value) for name, value in _LINES.items()})
