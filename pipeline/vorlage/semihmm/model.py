"""A trained model: its parameters, normalised, and the file that holds them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, NamedTuple

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
from vorlage.files.jsonl import parse_form, parse_json
from vorlage.semihmm.jumps.base import JumpModel, jump_model
from vorlage.semihmm.kernels.phrase_table import IDENTICAL, UNLIKE
from vorlage.semihmm.rewrite.mixture import PARTS, STEEPEST, Mixture
from vorlage.semihmm.rewrite.null_jumps import emits_phrases
from vorlage.semihmm.rewrite.stems import StemTable
from vorlage.semihmm.rewrite.table import PADDING, Lexicon
from vorlage.semihmm.rewrite.wordnet_distance import FAR, Readings
from vorlage.settings import SHARED, TREE_JUMPS, Jump, Parse, Training, validate
from vorlage.text.wordnet import SYNSETS
from vorlage.types import AnyArray, ArraySource, Floats, JsonObject, StrPath

# Before the names of their arrays.
LEXICON, READINGS, REVERSE, STEMS = "lexicon_", "readings_", "reverse_", "stems_"
JUMP, MIXTURE, NULL = "jump_", "mixture_", "null_"
MAKER = "vorlage train"
MOST, LONGEST = 10**15, 10**7  # above all counts, and the words of all documents, of training


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
    settings: Training
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
        return load_arrays(path, cls._from_arrays, "a model", MAKER)

    def reverses(self, settings: Training, encoder: JsonObject) -> bool:
        """Return whether it can be the other direction of a model with some settings and an encoder."""
        same = all(getattr(self.settings, key) == getattr(settings, key) for key in SHARED)
        return same and self.encoder == encoder and not (self.reverse or self.jumps.TREES)

    def _to_arrays(self) -> dict[str, AnyArray]:
        about = {
            "jump": self.jump,
            "language": self.language,
            "settings": self.settings.model_dump(mode="json"),
            "parser": self.parser,
            "encoder": self.encoder,
            "origin": self.origin._asdict(),
        }
        reverse = self.reverse._to_arrays() if self.reverse else {}
        stems = {}
        if self.stems:
            arrays = fields_to_arrays(self.stems, "")
            stems = {"words": lines_to_array(arrays.pop("stems")), **arrays}
        return {
            "about": lines_to_array([json.dumps(about, sort_keys=True)]),
            "words": lines_to_array(self.words),
            "word_stems": lines_to_array(self.word_stems),
            **{f"{READINGS}{name}": array for name, array in self.readings._asdict().items()},
            **fields_to_arrays(self.jumps, JUMP),
            **fields_to_arrays(self.mixture, MIXTURE),
            **fields_to_arrays(self.null, NULL),
            **{f"{LEXICON}{name}": array for name, array in self.lexicon.to_arrays().items()},
            **{f"{REVERSE}{name}": array for name, array in reverse.items()},
            **{f"{STEMS}{name}": array for name, array in stems.items()},
        }

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, AnyArray], prefix: str = "") -> "Model":
        """Do the inverse of `_to_arrays`; `prefix`: before the names of arrays in messages."""
        check_arrays(arrays, [("about", TEXT)], prefix)
        about = parse_form(About, parse_json("".join(array_to_lines(arrays["about"]))), f"`{prefix}about`")
        validate(Parse, about.parser)
        if about.settings.encoder or about.encoder:
            parse_form(Encoding, about.encoder, f"`{prefix}about`: encoder")
        check_arrays(arrays, _forms(arrays, about), prefix)
        reverse = _with_prefix(arrays, REVERSE)
        stems = _with_prefix(arrays, STEMS) if about.settings.paper == 2004 else {}
        other = cls._from_arrays(reverse, REVERSE) if reverse and not prefix else None
        if other and not other.reverses(about.settings, about.encoder):
            raise ValueError("the settings of its two directions differ")
        return cls(
            about.jump,
            arrays_to_fields(arrays, jump_model(about.jump), JUMP),
            arrays_to_fields(arrays, Mixture, MIXTURE),
            arrays_to_fields(arrays, Null, NULL),
            Lexicon.from_arrays(_with_prefix(arrays, LEXICON)),
            array_to_lines(arrays["words"]),
            array_to_lines(arrays["word_stems"]),
            Readings(*(arrays[f"{READINGS}{name}"] for name in Readings._fields)),
            about.language,
            about.settings,
            about.origin,
            about.parser,
            about.encoder,
            other,
            StemTable(array_to_lines(stems.pop("words")), **stems) if stems else None,
        )


def _forms(arrays: ArraySource, about: About) -> Iterator[tuple[str, Form]]:
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

    yield "jump_null", Form(float, (), 0, 1)
    if about.jump in ("relative", "syntax-counts"):
        yield "jump_smoothing", Form(float, (), 0, MOST)
    if about.jump == "relative":
        yield "jump_smallest", Form(np.int64, (), 1 - LONGEST, 0)
        distances, jumps = 3 - 2 * arrays["jump_smallest"].item(), 1 - arrays["jump_null"].item()
        yield "jump_table", Form(float, (distances,), TINY, 1, total=jumps)
    elif about.jump in TREE_JUMPS:
        yield "jump_labels", Form(np.str_, (None,))
        least, total = (1e-22, None) if about.jump == "syntax" else (TINY, 1)
        yield "jump_factors", Form(float, (len(arrays["jump_labels"]), 2), least, 1, total=total)
    else:
        yield "jump_longest", Form(np.int64, (), 1, LONGEST)
        longest = arrays["jump_longest"].item()
    if about.jump == "syntax":  # its limits are those of its search, as of the next two
        yield "jump_next_word", Form(float, (), 1e-22, 1e22)
        yield "jump_precision", Form(float, (), 0, MOST)
    elif about.jump == "gaussian":
        yield "jump_mean", Form(float, (), -2 * longest, 2 * longest)
        yield "jump_standard_deviation", Form(float, (), 0.29, 101 * longest)
    elif about.jump == "exponential":
        yield "jump_forward", Form(float, (), 0, 30)
        yield "jump_backward", Form(float, (), 0, 30)

    parts = len(PARTS) if about.settings.paper == 2004 else len(PARTS) - 1
    yield "mixture_weights", Form(float, (parts,), 0, 1, total=1)
    yield "mixture_eta", Form(float, (), 0, STEEPEST)

    yield "lexicon_longer", Form(np.int32, (None, None), PADDING, words - 1, rows_ascend)
    rows = words + len(arrays["lexicon_longer"])
    yield "lexicon_word_rows", Form(np.int64, (words + 1,), 0, arrays["lexicon_partners"].size, are_bounds)
    document = np.repeat(np.arange(words), np.diff(arrays["lexicon_word_rows"]))
    yield "lexicon_partners", Form(np.int32, document.shape, 0, words - 1, partial(rows_ascend, document))
    yield "lexicon_phrase_pairs", Form(np.int32, (None, 2), 0, rows - 1, rows_ascend)
    document = np.concatenate([document, arrays["lexicon_phrase_pairs"][:, 0]])
    yield "lexicon_kind", Form(np.uint8, document.shape, UNLIKE, IDENTICAL)
    yield "lexicon_counts", Form(float, document.shape, 0, MOST)
    sums = np.bincount(document, arrays["lexicon_counts"], rows)
    yield "lexicon_totals", Form(float, (rows,), sums * (1 - ROUNDING), MOST)
    yield "lexicon_frequency", Form(np.int64, (words,), 0, MOST)

    emitted = rows if emits_phrases(about.settings) else words
    yield "null_probability", Form(float, (emitted,), 0, 1, total=1)
    yield "null_unseen", Form(float, (), TINY, 1)

    if about.settings.paper == 2004:
        yield "stems_words", TEXT
        stems = len(array_to_lines(arrays["stems_words"]))
        yield "stems_phrases", Form(np.int32, (None, None), PADDING, stems - 1, rows_ascend)
        phrases = len(arrays["stems_phrases"])
        yield "stems_pairs", Form(np.int32, (None, 2), 0, phrases - 1, rows_ascend)
        pairs = len(arrays["stems_pairs"])
        yield "stems_fake", Form(float, (pairs,), 0, MOST)
        yield "stems_counts", Form(float, (pairs,), 0, MOST)
        sums = np.bincount(
            arrays["stems_pairs"][:, 0], arrays["stems_fake"] + arrays["stems_counts"], phrases
        )
        yield "stems_totals", Form(float, (phrases,), sums * (1 - ROUNDING), sums * (1 + ROUNDING))


def _with_prefix(arrays: Mapping[str, AnyArray], prefix: str) -> dict[str, AnyArray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
