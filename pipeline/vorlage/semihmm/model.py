"""A trained model: its parameters, normalised, and the file that holds them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.files.arrays import array_to_lines, lines_to_array, load_arrays
from vorlage.files.jsonl import parse_json
from vorlage.files.outputs import replacing
from vorlage.semihmm.checks import check_counts, check_distribution, check_shape
from vorlage.semihmm.jumps.base import JumpModel, jump_model
from vorlage.semihmm.rewrite.lexicon import Lexicon
from vorlage.semihmm.rewrite.mixture import PARTS, Mixture
from vorlage.settings import read_by, schema, section
from vorlage.types import AnyArray, Bytes, Floats, JsonObject, StrPath

FORMAT = 5
MAKER = "vorlage train"
LEXICON, REVERSE = "lexicon_", "reverse_"  # before the names of their arrays


@dataclass(frozen=True)
class Null:
    """r(word | ∅): `probability` (V), 0 for a word in no summary; `unseen`, that of such a word."""

    probability: Floats
    unseen: float


class Origin(NamedTuple):
    """What a model was made from, as fingerprints; empty for what it was made without.

    `corpus`: of `corpus.jsonl`; `fingerprint`: of everything that
    decides the model: code, settings and inputs.
    """

    corpus: str = ""
    fingerprint: str = ""


# Settings that the models of earlier versions lack, with the values that leave these models as they were.
LATER: JsonObject = {"corresponding": {"factor": 0, "sentences": 0}}


@dataclass(frozen=True)
class Model:
    """Everything that aligning a new pair needs.

    `jump`: name of the jump model, `jumps` its parameters. `words`: the vocabulary of the training
    corpus, lower-cased. `phrases`: the summary phrases of that corpus that WordNet has, words between
    spaces; empty without WordNet. `settings`: section `semihmm` of the config. `parser`:
    settings of the parser of its trees, empty without trees. `encoder`: a description of the encoder of its
    similarities, see `vorlage.encoder.similarities`, empty without an encoder. `reverse`: the model of
    the other direction, which generates the document from the summary, or None; the posteriors of both are
    combined.
    """

    jump: str
    jumps: JumpModel
    mixture: Mixture
    null: Null
    lexicon: Lexicon
    words: list[str]
    phrases: list[str]
    settings: JsonObject
    parser: JsonObject
    origin: Origin
    encoder: JsonObject = field(default_factory=dict)
    reverse: "Model | None" = None

    @property
    def language(self) -> str:
        """The language of the texts, a two-letter code."""
        return str(self.settings["language"])

    def save(self, path: StrPath) -> None:
        """Write the model to `path`, an npz without pickles; the same model gives the same bytes."""
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez_compressed(out, allow_pickle=False, **self._to_arrays())

    def _to_arrays(self) -> dict[str, AnyArray]:
        reverse = self.reverse._to_arrays() if self.reverse else {}
        return {
            "format": np.asarray(FORMAT),
            "jump": _encode(self.jump),
            **self.jumps.to_arrays(),
            "mixture_weights": self.mixture.weights,
            "mixture_eta": np.asarray(self.mixture.eta),
            "null_probability": self.null.probability,
            "null_unseen": np.asarray(self.null.unseen),
            **{f"{LEXICON}{name}": array for name, array in self.lexicon.to_arrays().items()},
            "words": lines_to_array(self.words),
            "phrases": lines_to_array(self.phrases),
            "settings": _encode(json.dumps(self.settings, sort_keys=True)),
            "parser": _encode(json.dumps(self.parser, sort_keys=True)),
            "encoder": _encode(json.dumps(self.encoder, sort_keys=True)),
            **{name: _encode(digest) for name, digest in self.origin._asdict().items()},
            **{f"{REVERSE}{name}": array for name, array in reverse.items()},
        }

    @classmethod
    def load(cls, path: StrPath) -> "Model":
        """Read a model; raise `InputError` for a file that is missing, damaged or not a model."""
        arrays = load_arrays(path, "a model", MAKER)
        version = arrays.get("format")
        if version is None or version.dtype != np.int64 or version.ndim:
            raise InputError(f"{path}: not a model; make one with `{MAKER}`")
        if version != FORMAT:
            raise InputError(f"{path}: a model of format {version}, not {FORMAT}; train it again")
        try:
            arrays |= _later_settings(arrays)
            model = cls._from_arrays(arrays)
        except (KeyError, IndexError, ValueError, OverflowError, TypeError):
            raise InputError(f"{path}: not a model; make one with `{MAKER}`") from None
        try:
            model.check()
            _check_same_shapes(arrays, model._to_arrays())
        except (ValueError, InputError) as error:
            raise InputError(f"{path}: a damaged model, {error}; train it again") from None
        return model

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, AnyArray]) -> "Model":
        reverse = _with_prefix(arrays, REVERSE)
        jump = _decode(arrays["jump"])
        if jump not in schema()["properties"]["semihmm"]["properties"]["jumps"]["items"]["enum"]:
            raise ValueError(f"{jump!r} is not a jump model")
        return cls(
            jump,
            jump_model(jump).from_arrays(arrays),
            Mixture(arrays["mixture_weights"], float(arrays["mixture_eta"])),
            Null(arrays["null_probability"], float(arrays["null_unseen"])),
            Lexicon.from_arrays(_with_prefix(arrays, LEXICON)),
            array_to_lines(arrays["words"]),
            array_to_lines(arrays["phrases"]),
            parse_json(_decode(arrays["settings"])),
            parse_json(_decode(arrays["parser"])),
            Origin(*(_decode(arrays[name]) for name in Origin._fields)),
            parse_json(_decode(arrays["encoder"])),
            cls._from_arrays(reverse) if reverse else None,
        )

    def check(self) -> None:
        """Raise ValueError, or `InputError`, for what no training gives.

        All numbers are finite, distributions sum to one, words have numbers of the vocabulary, and the schema
        allows the settings.
        """
        words = len(self.words)
        self.jumps.check()
        check_shape("weights of the rewrite model", self.mixture.weights, (len(PARTS),))
        check_distribution("weights of the rewrite model", self.mixture.weights)
        check_counts("eta and the null probability of an unseen word", [self.mixture.eta, self.null.unseen])
        check_shape("null probabilities of words", self.null.probability, (words,))
        check_distribution("null probabilities of words", self.null.probability)
        self.lexicon.check(words)
        for what, texts in (("vocabulary", self.words), ("phrases of WordNet", self.phrases)):
            if len(set(texts)) < len(texts):
                raise ValueError(f"an entry of its {what} is repeated")
        if not isinstance(self.settings, dict) or not isinstance(self.parser, dict):
            raise ValueError("its settings are not objects")
        completed = section("semihmm", self.settings)
        if any(self.settings.get(key) != completed[key] for key in {*read_by("align"), *self.settings}):
            raise ValueError("its settings are incomplete")
        section("parse", self.parser)
        if not isinstance(self.encoder, dict) or bool(self.encoder) != self.settings["encoder"]:
            raise ValueError("its encoder does not match its settings")
        for digest in filter(None, self.origin):
            if not re.fullmatch("[0-9a-f]+", digest):
                raise ValueError(f"{digest!r} is not a fingerprint")
        if self.reverse:
            self.reverse.check()
            check_reverse(self.reverse, self.settings, self.encoder)


def check_reverse(reverse: Model, settings: JsonObject, encoder: JsonObject) -> None:
    """Raise ValueError unless `reverse` can be the other direction of a model of these `settings`."""
    if reverse.reverse or reverse.jumps.TREES:
        raise ValueError("its model of the other direction has another inside, or walks over trees")
    if reverse.encoder != encoder or any(
        reverse.settings[key] != settings[key] for key in read_by("reverse")
    ):
        raise ValueError("its model of the other direction has other settings or another encoder")


def _with_prefix(arrays: Mapping[str, AnyArray], prefix: str) -> dict[str, AnyArray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _check_same_shapes(read: Mapping[str, AnyArray], made: Mapping[str, AnyArray]) -> None:
    """Raise ValueError unless the arrays that were read have the shapes of those that would be written."""
    for name in read.keys() | made.keys():
        shapes = [arrays[name].shape for arrays in (read, made) if name in arrays]
        if len(shapes) < 2 or shapes[0] != shapes[1]:
            raise ValueError(f"the array {name} has another type or shape than it must have")


def _later_settings(arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Return the settings of both directions, with those of `LATER` that an earlier version lacks."""
    found = {}
    for name in {"settings", f"{REVERSE}settings"} & arrays.keys():
        settings = parse_json(_decode(arrays[name]))
        if isinstance(settings, dict):
            found[name] = _encode(json.dumps(LATER | settings, sort_keys=True))
    return found


def _encode(text: str) -> Bytes:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _decode(array: AnyArray) -> str:
    return array.tobytes().decode()
