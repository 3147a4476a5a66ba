"""The settings of the core: one class a section of the config, with defaults, limits and descriptions.

The checks of a config, the options of each command and the built `docs/reference.md` come from these classes.
An experiment has more sections, see `vorlage.workflow.settings`.
"""

import argparse
import json
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from vorlage.command.errors import InputError, did_you_mean
from vorlage.extensions import JUMPS
from vorlage.types import JsonObject

SEMIHMM = "semihmm"  # the semi-HMM with the settings of the config; others are its variants


def setting(default: Any, description: str, with_encoder: Any = None, **limits: Any) -> Any:
    """Return the field of a setting, whose default is another, `with_encoder`, where the encoder is on."""
    extra = {"with_encoder": with_encoder}
    return Field(default, description=description, json_schema_extra=extra, **limits)


def _with_encoder(field: FieldInfo) -> Any:
    """Return what `setting` was given as `with_encoder`."""
    return field.json_schema_extra.get("with_encoder") if isinstance(field.json_schema_extra, dict) else None


def check_unique(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries; raise `ValueError` if one comes twice."""
    if len(set(entries)) < len(entries):
        raise ValueError("remove the entry that occurs twice")
    return entries


Count = Annotated[int, Field(ge=1, le=10**9)]
Iterations = Annotated[int, Field(ge=1, le=10**4)]
PhraseLength = Annotated[int, Field(ge=1, le=8)]
FakeCount = Annotated[float, Field(ge=0, le=1e6)]
Smoothing = Annotated[float, Field(ge=1e-30, le=1e6)]
Exponent = Annotated[float, Field(ge=0, le=10)]
Share = Annotated[float, Field(ge=0, le=1)]
PositiveShare = Annotated[float, Field(gt=0, le=1)]
Backend = Literal["auto", "pattern", "benepar", "trees"]
Jump = Annotated[str, AfterValidator(JUMPS.check), Field(json_schema_extra={"enum": list(JUMPS.names())})]
Jumps = Annotated[tuple[Jump, ...], Field(min_length=1), AfterValidator(check_unique)]


class Section(BaseModel):
    """A section of the config: an unknown key is an error, and nothing changes after the checks.

    `key` is its name in the config, empty for the whole config and for a part of a section.
    """

    key: ClassVar[str] = ""

    # The checks of a section are built when they are needed.
    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, validate_default=True, defer_build=True
    )

    @classmethod
    def settings(cls, only: Collection[str] | None = None) -> Iterator[tuple[str, FieldInfo]]:
        """Yield the dotted key and the field of each setting: of all, or of `only` some keys."""
        for key in [key for key in cls.model_fields if only is None or key in only]:
            field = cls.model_fields[key]
            if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
                yield from ((f"{key}.{name}", inner) for name, inner in field.annotation.settings())
            else:
                yield key, field

    def options(self, only: Collection[str] | None = None) -> str:
        """Return command-line options that set all settings or some, such as `--fake-counts.word 2`."""
        values = {key.replace("_", "-"): to_text(attrgetter(key)(self)) for key, _ in self.settings(only)}
        return " ".join(f"--{key} {shlex.quote(text)}" for key, text in values.items())

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser, only: Collection[str] | None = None) -> None:
        """Add an option for each setting, or for some, to a parser."""
        group = parser.add_argument_group(f"settings of the stage ({cls.key} in config.yaml)")
        for key, field in cls.settings(only):
            default = "required" if field.is_required() else f"default: {json.dumps(field.default)}"
            group.add_argument(
                f"--{key.replace('_', '-')}",
                metavar=key.rpartition(".")[2].upper(),
                dest=f"{cls.key}/{key}",
                default=argparse.SUPPRESS,
                help=f"{field.description} ({default})".replace("%", "%%"),
            )

    @classmethod
    def from_options(cls, arguments: argparse.Namespace, encoder: bool = False) -> Self:
        """Return the section from parsed arguments of `add_options`, see `validate`."""
        values: dict[str, Any] = {}
        for key, text in vars(arguments).items():
            if key.startswith(f"{cls.key}/"):
                group, _, name = key.partition("/")[2].rpartition(".")
                place = values.setdefault(group, {}) if group else values
                place[name] = json.loads(text) if text == "null" or text.startswith("[") else text
        return validate(cls, values, encoder)


SectionType = TypeVar("SectionType", bound=Section)


class Extraction(Section):
    """The document sentences that a summary is aligned to."""

    key = "extract"

    enabled: bool = setting(True, "whether to align extracts; false aligns whole documents")
    method: Literal["cosine", "deletion", "deletion-each"] = setting(
        "cosine",
        "the sentences most similar to each summary sentence, what Marcu's deletion algorithm leaves for the "
        "summary, or what deletion leaves for each summary sentence, as in the 2005 paper",
    )
    sentences: Iterations = setting(
        3, "number of document sentences for each summary sentence; method `deletion` stops by itself"
    )
    unit: Literal["sentence", "clause"] = setting(
        "sentence", "what is compared with the summary, document sentences or units like clauses"
    )

    @property
    def label(self) -> str:
        """What summaries are aligned to, as tables name it: `cosine 3`, `deletion clauses`, `documents`."""
        count = "" if self.method == "deletion" else f" {self.sentences}"
        return f"{self.method}{count}{' clauses' * (self.unit == 'clause')}" if self.enabled else "documents"


def fetched_parser(name: str) -> str:
    """Return where `vorlage fetch` and the workflow put a model of benepar."""
    return f"results/benepar/{name}"


class Parse(Section):
    """The parse trees that the jump model `syntax` needs."""

    key = "parse"

    backend: Backend = setting(
        "auto",
        "TextBlob's chunks in a cascade of rules (English), the neural benepar, or your own trees; `auto`: "
        "benepar if it and its model are installed, otherwise pattern",
    )
    benepar_model: str = setting("benepar_en3", "for benepar only: name or path of its model", min_length=1)
    trees: str | None = setting(None, "for trees only: a file of Penn bracketed trees, one on each line")

    @model_validator(mode="before")
    @classmethod
    def _decide_on_parser(cls, values: JsonObject) -> JsonObject:
        """Replace `auto` by what it means on this machine."""
        if values.get("backend", "auto") != "auto":
            return values
        model = str(values.get("benepar_model", cls.model_fields["benepar_model"].default))
        found = find_spec("benepar") and any(map(os.path.exists, (model, fetched_parser(model))))
        return {**values, "backend": "benepar" if found else "pattern"}


class FakeCounts(Section):
    """Dirichlet fake counts of the lexical table."""

    word: FakeCount = setting(0, "fake count of one word to one word")
    identical: FakeCount = setting(4, "fake count of equal phrases")
    stem: FakeCount = setting(3, "fake count of phrases equal up to stem")
    phrase: FakeCount = setting(
        0, "fake count of a pair with a longer phrase; 0 leaves out such pairs that differ"
    )
    unigram: FakeCount = setting(
        2000, "fake counts of each document word, distributed over the summary words by their frequency"
    )


class _ByEncoder(Section):
    """A section with defaults that depend on its `encoder` or, without such a setting, on the context."""

    @model_validator(mode="wrap")
    @classmethod
    def _decide_on_encoder(
        cls, values: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        """Replace `encoder: auto`, and fill in the defaults that depend on the encoder."""
        decides = "encoder" in cls.model_fields and isinstance(values, dict)
        if decides and values.get("encoder", "auto") == "auto":
            values = values | {"encoder": bool(info.context)}
        section = handler(values)
        if not getattr(section, "encoder", info.context):
            return section
        absent = {key: cls.model_fields[key] for key in cls.model_fields.keys() - section.model_fields_set}
        defaults = {key: _with_encoder(field) for key, field in absent.items()}
        return section.model_copy(update={key: value for key, value in defaults.items() if value is not None})


class Training(_ByEncoder):
    """The training of the semi-HMM: what a model keeps."""

    key = "semihmm"

    iterations: Iterations = setting(5, "maximum number of iterations of EM")
    tolerance: FakeCount = setting(0, "relative change of the log-posterior below which training stops early")
    max_document_phrase: PhraseLength = setting(3, "maximum number of words of a document phrase")
    max_summary_phrase: PhraseLength = setting(3, "maximum number of words of a summary phrase")
    paper: Annotated[int, Field(ge=2004, le=2005)] = setting(
        2005, "year of the paper whose mixture of rewrites the model has"
    )
    null_state: Literal["stays", "jumps", "jumps-phrases"] = setting(
        "stays",
        "what the null state does: it stays where the last phrase ended (text of 2005), or it jumps to a "
        "document word and emits words (Table 4.1.1 of 2005) or also phrases (2004)",
    )
    null_probability: Annotated[float, Field(ge=1e-30, lt=1)] | Literal["uniform"] = setting(
        0.2, "initial probability of the null state, or `uniform` for that of each jump", with_encoder=0.5
    )
    null_learned: bool = setting(False, "whether to learn the probability of a transition to the null state")
    gaussian: Literal["fitted", "literal"] = setting(
        "fitted",
        "Gaussian jumps: a normal density that is fitted to the jumps, or equation 1 of 2005 without ½, with "
        "the mean and variance of the jumps",
    )
    jump_smoothing: Smoothing = setting(
        0.01, "fake count of each distance, and of each label and direction of the jumps `syntax-counts`"
    )
    null_smoothing: Smoothing = setting(0.01, "fake count of each word of the null state")
    fake_counts: FakeCounts = setting(FakeCounts(), "")
    wordnet: bool | Literal["first"] = setting(
        True, "whether to rewrite by WordNet, in English; `first`, as in the paper: by first senses alone"
    )
    sentence_similarity: Exponent = setting(
        1.5, "exponent of the similarity of two sentences, a factor of all rewrites between them; 0: off"
    )
    sentence_support: Exponent = setting(
        0.5, "the same for their similarity relative to related ones", with_encoder=0.25
    )
    sentence_baseline: Annotated[float, Field(ge=-1, lt=1)] = setting(
        0.0, "cosine of sentences that have nothing to do with each other, for factors by the encoder"
    )
    encoder: bool = setting(
        "auto", "whether to rewrite by the encoder of section embed too; `auto`: if it is installed"
    )
    encoder_temperature: Annotated[float, Field(ge=0.001, le=10)] = setting(
        0.05, "temperature of the encoder's part; the lower, the more probable is the most similar word"
    )
    encoder_baseline: Annotated[float, Field(ge=-1, le=1)] = setting(
        0.3, "cosine of words that have nothing to do with each other, for the encoder's part"
    )
    beam: PositiveShare = setting(1.0, "share of the states kept at each summary word; 1 is exact")
    lexical_threshold: FakeCount = setting(0.001, "expected count below which a word pair is not stored")


# Settings of decoding that the best path does without.
UNREAD_BY_VITERBI = frozenset(
    "rescorer posterior_threshold gap_threshold stretch_support phrase_support diagonal_discount".split()
)


class Decoding(_ByEncoder):
    """The decoding of the semi-HMM: how links are taken from posteriors."""

    key = "semihmm"

    decoder: Literal["posterior", "viterbi", "rescored"] = setting(
        "posterior", "how links are derived from the model; `rescored` is trained with gold"
    )
    rescorer: str | None = setting(
        None, "for decoder rescored: a file that `vorlage fit-rescorer` made from gold of other pairs"
    )
    posterior_threshold: Annotated[float, Field(gt=0, lt=1)] = setting(
        0.4, "links with a lower posterior are left out; this and the next ones are for decoder posterior"
    )
    gap_threshold: PositiveShare = setting(
        0.1, "the same for links in a short gap between links; `posterior_threshold` leaves gaps empty"
    )
    unigram_null: Share = setting(
        0.25, "share of the words rewritten by unigram fake counts that have no source", with_encoder=0.5
    )
    stretch_support: Share = setting(
        0.2, "weight of the words around a word in the probability that it has no source; 0: off"
    )
    phrase_support: Share = setting(
        0.4, "how much a link gains from links of the same word to neighbouring words; 0: off"
    )
    diagonal_discount: Exponent = setting(
        0, "how much a link loses that only continues its neighbour on the diagonal; 0: off", with_encoder=1.0
    )
    candidate_threshold: PositiveShare = setting(
        0.05, "minimum posterior of a candidate, a link that is written although the decoder left it out"
    )

    @property
    def settings_read(self) -> list[str]:
        """The names of the settings that its decoder reads."""
        unread = UNREAD_BY_VITERBI if self.decoder == "viterbi" else frozenset()
        return [name for name in Decoding.model_fields if name not in unread]

    @model_validator(mode="after")
    def _check_rescorer(self) -> Self:
        if self.decoder == "rescored" and self.rescorer is None:
            raise ValueError(
                "`semihmm.decoder` is rescored, which needs `semihmm.rescorer`; make the file with "
                "`vorlage fit-rescorer`"
            )
        return self


class SemiHmm(Decoding, Training):
    """The semi-HMM: its training and its decoding."""

    jumps: Jumps = setting(("syntax", "relative", "gaussian"), "jump models to train")
    agreement: bool = setting(
        True, "whether to train both directions and combine their posteriors; the paper trains one"
    )

    @property
    def training(self) -> Training:
        """The settings of training alone."""
        return Training.model_validate(self.model_dump(include=set(Training.model_fields)))


# The settings in which the models of both directions must agree.
SHARED = (
    "max_document_phrase",
    "max_summary_phrase",
    "paper",
    "null_state",
    "wordnet",
    "sentence_similarity",
    "sentence_support",
    "sentence_baseline",
    "encoder",
)


class Embed(Section):
    """The encoder of `semihmm.encoder` and of the systems that align by it."""

    key = "embed"

    model: str = setting(
        "sentence-transformers/all-MiniLM-L6-v2",
        "path of an encoder, or name of one to download; the default one comes with a package",
    )
    layer: Annotated[int, Field(ge=0, le=1000)] = setting(4, "hidden layer that gives the word vectors")
    device: str = setting(
        "cpu", "where the encoder runs; any device other than cpu, such as cuda, needs torch (`make torch`)"
    )


def validate(
    section: type[SectionType], values: Mapping[str, Any] | None = None, encoder: bool = False
) -> SectionType:
    """Return a section of given values, with the defaults of all others.

    Args:
        section: its class, such as `Extraction`, or `Config`.
        values: its settings by key; numbers and truth values may be texts.
        encoder: what `semihmm.encoder: auto` becomes.

    Raises:
        InputError: for an unknown key or a value that is not allowed.
    """
    try:
        return section.model_validate(dict(values or {}), context=encoder)
    except ValidationError as error:
        raise InputError(f"config: {_explain(section, error.errors())}") from None


def to_text(value: Any) -> str:
    """Return a value as the text of an option: JSON, but a text as it is."""
    return value if isinstance(value, str) else json.dumps(value)


def _explain(section: type[Section], errors: Sequence[ErrorDetails]) -> str:
    """Return the first of pydantic's errors: which setting, its value, what it must be."""
    first, place, keys, description = errors[0], section, [section.key], ""
    for part in first["loc"]:
        if part not in getattr(place, "model_fields", ()):
            break  # an unknown key, a number in a list, or an alternative of a union
        keys.append(str(part))
        field = place.model_fields[str(part)]
        description, place = field.description or "", cast(type[Section], field.annotation)
    where = ".".join(filter(None, keys))
    if first["type"] == "value_error" and "`" in first["msg"]:
        return str(first["ctx"]["error"])  # a check of several settings, which it names
    if first["type"] == "extra_forbidden":
        unknown = ".".join(filter(None, [where, str(first["loc"][-1])]))
        similar = did_you_mean(str(first["loc"][-1]), place.model_fields)
        return f"unknown key `{unknown}`; known here: {', '.join(place.model_fields)}{similar}"
    if first["type"] == "missing":
        return f"`{where}` is missing; add it"
    named = {"string_pattern_mismatch": description, "model_type": "a section of settings"}.get(first["type"])
    if named:
        return f"`{where}` is {json.dumps(first['input'])}; it must be {named}"
    messages = [  # the alternatives of a union have an error each
        re.sub("^(Input|String|Tuple) should", "it must", error["msg"].removeprefix("Value error, "))
        for error in errors
        if error["loc"][: len(keys) - 1] == first["loc"][: len(keys) - 1]
        and len(error["loc"]) == len(first["loc"])
    ]
    must = ", or ".join(dict.fromkeys(messages))
    return f"`{where}` is {json.dumps(first['input'], default=str):.300}; {must}"
