"""A trained model: its parameters, normalised, and the file that holds them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from vorlage.encoder.similarities import Encoding
from vorlage.files.arrays import (
    ROUNDING,
    TEXT,
    TINY,
    Form,
    are_bounds,
    array_to_lines,
    arrays_to_fields,
    check_arrays,
    fields_to_arrays,
    lines_to_array,
    load_arrays,
    rows_ascend,
    save_arrays,
)
from vorlage.files.jsonl import FORMAT, parse_form, parse_json, without_format
from vorlage.semihmm.jump_model import MOST, JumpModel, jump_model
from vorlage.semihmm.mixture import STEEPEST, Parameters
from vorlage.semihmm.mixture import STEMS as STEM_TABLE
from vorlage.semihmm.null import null_state
from vorlage.semihmm.table import IDENTICAL, PADDING, UNLIKE, PhraseTable, Vocabulary
from vorlage.semihmm.wordnet import FAR, Readings
from vorlage.settings import SHARED, Jump, Parse, Training, validate
from vorlage.text.wordnet import SYNSETS
from vorlage.types import AnyArray, ArraySource, JsonObject, StrPath

# Before the names of their arrays.
TABLE, READINGS, REVERSE, STEMS, JUMP = "table_", "readings_", "reverse_", "stems_", "jump_"
MAKER = "vorlage train"
Part = TypeVar("Part", PhraseTable, Readings)


@dataclass(frozen=True)
class Origin:
    """What a model was made from, as fingerprints; empty for what it was made without.

    `corpus`: of `corpus.jsonl`; `fingerprint`: of everything that decides the model: code, settings and
    inputs.
    """

    corpus: str = ""
    fingerprint: str = ""


class About(BaseModel):
    """The fields of `Model` that are JSON in its file, in the array `about`."""

    model_config = ConfigDict(extra="forbid")

    jump: Jump
    language: Annotated[str, Field(pattern="^([a-z]{2})?$")]
    settings: Training
    parser: JsonObject
    encoder: JsonObject
    origin: Origin


@dataclass(frozen=True)
class Model:
    """Everything that aligning a new pair needs.

    - `parameters`: in the numbers of the `table`, the phrase pairs with a count, and the longer ones that are
      equal or equal up to stem; an entry that is not listed has only its fake counts;
    - `vocabulary`, `readings`: those of the training corpus; the latter are empty without WordNet;
    - `parser`: settings of the parser of its trees, empty without trees;
    - `encoder`: a description of the encoder of its similarities, see `vorlage.encoder.similarities`, empty
      without an encoder;
    - `reverse`: the model of the other direction, which generates the document from the summary, or None; the
      posteriors of both are combined;
    - `stems`: the stems, sorted, and the table over them of the 2004 paper, or None.
    """

    parameters: Parameters
    table: PhraseTable
    vocabulary: Vocabulary
    readings: Readings
    settings: Training
    origin: Origin = Origin()
    parser: JsonObject = field(default_factory=dict)
    encoder: JsonObject = field(default_factory=dict)
    reverse: "Model | None" = None
    stems: tuple[list[str], PhraseTable] | None = None

    @property
    def jump(self) -> str:
        """The name of the jump model."""
        return self.jumps.name

    @property
    def jumps(self) -> JumpModel:
        """The jump model."""
        return self.parameters.jumps

    @property
    def language(self) -> str:
        """The language of the corpus, empty if its texts have two."""
        return self.vocabulary.language

    @property
    def many_languages(self) -> bool:
        """Whether it aligns texts in any language: its encoder is not the default one, which is English."""
        return "name" in self.encoder

    def save(self, path: StrPath) -> None:
        """Write the model to `path`, an npz without pickles; the same model gives the same bytes."""
        save_arrays(path, self._to_arrays())

    @classmethod
    def load(cls, path: StrPath) -> "Model":
        """Read a model; raise `InputError` for a file that is missing, damaged or not a model."""
        return load_arrays(path, cls._from_arrays, "a model", MAKER)

    def reverses(self, settings: Training, encoder: JsonObject) -> bool:
        """Return whether it can be the other direction of a model with some settings and an encoder."""
        same = all(getattr(self.settings, key) == getattr(settings, key) for key in SHARED)
        return same and self.encoder == encoder and not (self.reverse or self.jumps.needs_trees)

    def _to_arrays(self) -> dict[str, AnyArray]:
        about = About.model_construct(**{name: getattr(self, name) for name in About.model_fields})
        described = {"format": FORMAT, **about.model_dump(mode="json")}
        reverse = self.reverse._to_arrays() if self.reverse else {}
        stems = {}
        if self.stems:
            stems = {"words": lines_to_array(self.stems[0]), **self.stems[1]._asdict()}
        return {
            "about": lines_to_array([json.dumps(described, sort_keys=True)]),
            "words": lines_to_array(self.vocabulary.words),
            "word_stems": lines_to_array(self.vocabulary.stems),
            "frequency": self.vocabulary.frequency,
            **_prefixed(READINGS, self.readings._asdict()),
            **_prefixed(TABLE, self.table._asdict()),
            **self.parameters.to_arrays(),
            **fields_to_arrays(self.jumps, JUMP),
            **_prefixed(REVERSE, reverse),
            **_prefixed(STEMS, stems),
        }

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, AnyArray], prefix: str = "") -> "Model":
        """Do the inverse of `_to_arrays`; `prefix`: before the names of arrays in messages."""
        check_arrays(arrays, [("about", TEXT)], prefix)
        where, described = f"`{prefix}about`", parse_json("".join(array_to_lines(arrays["about"])))
        about = parse_form(About, without_format(described, where), where)
        validate(Parse, about.parser)
        if about.settings.encoder or about.encoder:
            parse_form(Encoding, about.encoder, f"`{prefix}about`: encoder")
        check_arrays(arrays, _forms(arrays, about), prefix)
        reverse = {key.removeprefix(REVERSE): arrays[key] for key in arrays if key.startswith(REVERSE)}
        reverse_model = cls._from_arrays(reverse, REVERSE) if reverse and not prefix else None
        if reverse_model and not reverse_model.reverses(about.settings, about.encoder):
            raise ValueError("the settings of its two directions differ")
        stems = None
        if _has_stems(about):
            stems = array_to_lines(arrays[f"{STEMS}words"]), _part(PhraseTable, arrays, STEMS)
        words, word_stems = (array_to_lines(arrays[name]) for name in ("words", "word_stems"))
        return cls(
            parameters=Parameters.from_arrays(arrays, arrays_to_fields(arrays, jump_model(about.jump), JUMP)),
            table=_part(PhraseTable, arrays, TABLE),
            vocabulary=Vocabulary(words, word_stems, arrays["frequency"], about.language),
            readings=_part(Readings, arrays, READINGS),
            reverse=reverse_model,
            stems=stems,
            **{name: value for name, value in about if name not in ("jump", "language")},
        )


def _has_stems(about: About) -> bool:
    return STEM_TABLE.enabled(about.settings, False)


def _forms(arrays: Mapping[str, AnyArray], about: About) -> Iterator[tuple[str, Form]]:
    """Yield the arrays of a model and what they hold; sizes are those of arrays yielded before."""
    yield "words", TEXT
    yield "word_stems", TEXT
    words, stems = (len(array_to_lines(arrays[name])) for name in ("words", "word_stems"))
    if words != stems:
        raise ValueError(f"it has {words} words and {stems} stems of words")

    yield "readings_first", Form(np.int32, (None, 5), 0, MOST, are_bounds)
    bounds = arrays["readings_first"]
    yield "readings_above", Form(np.int32, (bounds.max(initial=0), 2), 0, (SYNSETS - 1, FAR - 1))
    yield "readings_counts", Form(float, (len(bounds),), 1, MOST)

    jumps = {name.removeprefix(JUMP): array for name, array in arrays.items() if name.startswith(JUMP)}
    for name, form in jump_model(about.jump).forms(jumps):
        yield f"{JUMP}{name}", form

    yield "weights", Form(float, (None,), 0, 1, total=1)
    yield "eta", Form(float, (), 0, STEEPEST)
    yield "frequency", Form(np.int64, (words,), 0, MOST)
    yield from _table_forms(arrays, TABLE, words, "")
    nulls = null_state(about.settings).size(_part(PhraseTable, arrays, TABLE))
    yield "null", Form(float, (nulls,), 0, 1, total=1)
    yield "unseen", Form(float, (), TINY, 1)
    if _has_stems(about):
        yield f"{STEMS}words", TEXT
        yield from _table_forms(arrays, STEMS, len(array_to_lines(arrays[f"{STEMS}words"])), "stem_")


def _table_forms(arrays: ArraySource, table: str, words: int, counts: str) -> Iterator[tuple[str, Form]]:
    """Yield the arrays of a phrase table, its counts and totals; `table`, `counts`: before their names."""
    yield f"{table}longer", Form(np.int32, (None, None), PADDING, words - 1, rows_ascend)
    rows = words + len(arrays[f"{table}longer"])
    entries = arrays[f"{table}partners"].size
    yield f"{table}rows", Form(np.int64, (rows + 1,), 0, entries, are_bounds)
    document = np.repeat(np.arange(rows), np.diff(arrays[f"{table}rows"]))
    yield f"{table}partners", Form(np.int32, document.shape, 0, rows - 1, partial(rows_ascend, document))
    yield f"{table}kind", Form(np.uint8, document.shape, UNLIKE, IDENTICAL)
    yield f"{counts}counts", Form(float, document.shape, 0, MOST)
    sums = np.bincount(document, arrays[f"{counts}counts"], rows)
    yield f"{counts}totals", Form(float, (rows,), sums * (1 - ROUNDING), MOST)


def _part(kind: type[Part], arrays: ArraySource, prefix: str) -> Part:
    """Return a tuple of arrays, whose names begin with a prefix."""
    return kind(*(arrays[f"{prefix}{name}"] for name in kind._fields))


def _prefixed(prefix: str, arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    return {f"{prefix}{name}": array for name, array in arrays.items()}
