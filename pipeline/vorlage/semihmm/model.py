"""A trained model: its parameters, normalised, and the file that holds them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.files.arrays import array_to_lines, lines_to_array, load_arrays, save_arrays
from vorlage.semihmm.jumps.base import JumpModel, jump_model
from vorlage.semihmm.rewrite.lexicon import Lexicon
from vorlage.semihmm.rewrite.mixture import Mixture
from vorlage.semihmm.rewrite.stems import StemTable
from vorlage.semihmm.rewrite.wordnet_distance import Readings
from vorlage.settings import SemiHmm, validate
from vorlage.types import AnyArray, Floats, JsonObject, StrPath

# Before the names of their arrays.
LEXICON, READINGS, REVERSE, STEMS = "lexicon_", "readings_", "reverse_", "stems_"
MAKER = "vorlage train"


@dataclass(frozen=True)
class Null:
    """r(word | ∅): `probability` (V), 0 for a word in no summary; `unseen`, that of such a word.

    If the null state emits longer phrases, `probability` (V+P) has theirs, in the numbers of the lexicon.
    """

    probability: Floats
    unseen: float


class Origin(NamedTuple):
    """What a model was made from, as fingerprints; empty for what it was made without.

    `corpus`: of `corpus.jsonl`; `fingerprint`: of everything that decides the model: code, settings and
    inputs.
    """

    corpus: str = ""
    fingerprint: str = ""


@dataclass(frozen=True)
class Model:
    """Everything that aligning a new pair needs.

    `jump`: name of the jump model, `jumps` its parameters. `words`: the vocabulary of the training
    corpus, lower-cased, in its `language`, which is empty if its texts have two; `word_stems`: their stems.
    `readings`: those of the summary phrases of that corpus; empty without WordNet. `settings`: those of
    training. `parser`: settings of the parser of its trees, empty without trees. `encoder`: a description
    of the encoder of its similarities, see `vorlage.encoder.similarities`, empty without an encoder.
    `reverse`: the model of the other direction, which generates the document from the summary, or None; the
    posteriors of both are combined. `stems`: the table over stems of the 2004 paper, or None.
    """

    jump: str
    jumps: JumpModel
    mixture: Mixture
    null: Null
    lexicon: Lexicon
    words: list[str]
    word_stems: list[str]
    readings: Readings
    language: str
    settings: SemiHmm
    origin: Origin = Origin()
    parser: JsonObject = field(default_factory=dict)
    encoder: JsonObject = field(default_factory=dict)
    reverse: "Model | None" = None
    stems: StemTable | None = None

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
        arrays = load_arrays(path, "a model", MAKER)
        try:
            if not all(np.isfinite(array).all() for array in arrays.values() if array.dtype.kind == "f"):
                raise ValueError("a number is infinite")
            return cls._from_arrays(arrays)
        except (KeyError, ValueError, TypeError, ImportError, InputError):
            raise InputError(
                f"{path}: of another version, or not a model; train it again with `{MAKER}`"
            ) from None

    def _to_arrays(self) -> dict[str, AnyArray]:
        about = {
            "jump": self.jump,
            "language": self.language,
            "settings": self.settings.model_dump(mode="json", include=set(SemiHmm.read_by("train"))),
            "parser": self.parser,
            "encoder": self.encoder,
            "origin": self.origin._asdict(),
        }
        reverse = self.reverse._to_arrays() if self.reverse else {}
        stems = {}
        if self.stems:
            stems = {"words": lines_to_array(self.stems.stems), **self.stems.to_arrays()}
        return {
            "about": lines_to_array([json.dumps(about, sort_keys=True)]),
            "words": lines_to_array(self.words),
            "word_stems": lines_to_array(self.word_stems),
            **{f"{READINGS}{name}": array for name, array in self.readings._asdict().items()},
            **self.jumps.to_arrays(),
            **self.mixture.to_arrays(),
            "null_probability": self.null.probability,
            "null_unseen": np.asarray(self.null.unseen),
            **{f"{LEXICON}{name}": array for name, array in self.lexicon.to_arrays().items()},
            **{f"{REVERSE}{name}": array for name, array in reverse.items()},
            **{f"{STEMS}{name}": array for name, array in stems.items()},
        }

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, AnyArray]) -> "Model":
        about = json.loads("".join(array_to_lines(arrays["about"])))
        reverse, stems = _with_prefix(arrays, REVERSE), _with_prefix(arrays, STEMS)
        return cls(
            about["jump"],
            jump_model(about["jump"]).from_arrays(arrays),
            Mixture.from_arrays(arrays),
            Null(arrays["null_probability"], float(arrays["null_unseen"])),
            Lexicon.from_arrays(_with_prefix(arrays, LEXICON)),
            array_to_lines(arrays["words"]),
            array_to_lines(arrays["word_stems"]),
            Readings(*(arrays[f"{READINGS}{name}"] for name in Readings._fields)),
            about["language"],
            validate(SemiHmm, about["settings"]),
            Origin(**about["origin"]),
            about["parser"],
            about["encoder"],
            cls._from_arrays(reverse) if reverse else None,
            StemTable.from_arrays(array_to_lines(stems["words"]), stems) if stems else None,
        )


def _with_prefix(arrays: Mapping[str, AnyArray], prefix: str) -> dict[str, AnyArray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
