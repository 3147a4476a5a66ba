"""The settings: one class a section of the config, with defaults, limits and descriptions.

The checks of a config, the options of each command and `docs/settings.md` come from these classes.
"""

import argparse
import json
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self, TypeVar, overload

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from vorlage import settings_by_key
from vorlage.command.errors import InputError
from vorlage.settings_by_key import SCHEMA, complete, schema, section
from vorlage.types import JsonObject

__all__ = ["SCHEMA", "complete", "schema", "section"]  # until every stage reads the classes below

SEMIHMM = "semihmm-"  # before the name of a jump model: the name of a system
# Folders of `results/` that all corpora share; no corpus can have such a name.
SHARED_FOLDERS = ("benchmarks", "benepar", "encoders", "field", "logs")

# Who reads a setting of section `semihmm`: the rules; training, which stores it in the model; training in
# both directions, which must agree in it; the decoder.
RULES, TRAIN, BOTH_DIRECTIONS, DECODE = ["rules"], ["train"], ["train", "reverse"], ["decode"]


def _check_unique(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Raise ValueError if an entry of a list is repeated."""
    if len(set(entries)) < len(entries):
        raise ValueError("remove the entry that occurs twice")
    return entries


def setting(
    default: Any, description: str, read_by: Sequence[str] = (), with_encoder: Any = None, **limits: Any
) -> Any:
    """Return the field of a setting.

    Args:
        default: `...` for a setting that has none.
        description: its meaning, for `--help` and `docs/settings.md`.
        read_by: who reads it, in section `semihmm`.
        with_encoder: its default where `semihmm.encoder` is true, if it is another.
        limits: of pydantic, such as `ge=1`.
    """
    extra = {"read_by": list(read_by), "with_encoder": with_encoder}
    return Field(default, description=description, json_schema_extra=extra, **limits)


def _extra(field: FieldInfo) -> Mapping[str, Any]:
    """Return what a field says beyond its type: `read_by`, `with_encoder`."""
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


Count = Annotated[int, Field(ge=1, le=10**9)]
Iterations = Annotated[int, Field(ge=1, le=10**4)]
PhraseLength = Annotated[int, Field(ge=1, le=8)]
FakeCount = Annotated[float, Field(ge=0, le=1e6)]
Smoothing = Annotated[float, Field(ge=1e-30, le=1e6)]
Exponent = Annotated[float, Field(ge=0, le=10)]
Share = Annotated[float, Field(ge=0, le=1)]
PositiveShare = Annotated[float, Field(gt=0, le=1)]
Jump = Literal["relative", "gaussian", "exponential", "syntax"]
System = Literal[
    "semihmm-relative",
    "semihmm-gaussian",
    "semihmm-exponential",
    "semihmm-syntax",
    "identity",
    "cutpaste",
    "cutpaste-1",
    "cutpaste-2",
    "cutpaste-3",
    "cutpaste-document",
    "cutpaste-1-document",
    "cutpaste-2-document",
    "cutpaste-3-document",
    "ibm1-doc",
    "ibm1-sum",
    "ibm1-gdfa",
    "ibm1-intersect",
    "hmm-doc",
    "hmm-sum",
    "hmm-gdfa",
    "hmm-intersect",
    "model4-doc",
    "model4-sum",
    "model4-gdfa",
    "model4-intersect",
    "fastalign-doc",
    "fastalign-sum",
    "fastalign-gdfa",
    "fastalign-intersect",
    "eflomal-doc",
    "eflomal-sum",
    "eflomal-gdfa",
    "eflomal-intersect",
    "giza-doc",
    "giza-sum",
    "giza-gdfa",
    "giza-intersect",
    "embed",
    "awesome",
    "simalign-argmax",
    "simalign-itermax",
    "simalign-match",
    "transport-balanced",
    "transport-partial",
    "transport-unbalanced",
]


class Section(BaseModel):
    """A section of the config: an unknown key is an error, and nothing changes after the checks."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


SectionType = TypeVar("SectionType", bound=Section)


class Select(Section):
    """The pairs of a corpus to use."""

    shortest: Count | None = setting(
        None,
        "number of pairs to keep, those with the shortest documents; pairs with gold are kept too",
    )
    max_document_words: Count | None = setting(
        None, "maximum number of tokens of a document; pairs with a longer one are left out"
    )
    max_summary_words: Count | None = setting(
        None, "maximum number of tokens of a summary; pairs with a longer one are left out"
    )
    sample: Count | None = setting(
        None, "number of pairs to keep, chosen at random; pairs with gold are kept too"
    )
    unusable: Literal["error", "drop"] = setting(
        "error",
        "whether an unusable pair, such as one with an empty summary, ends the run or is dropped",
    )


class Corpus(Section):
    """The corpus to align."""

    name: str = setting(
        ...,
        "a name for the folder of results: at most 100 letters, digits, `.`, `_` and `-`, "
        "beginning with a letter or digit",
        pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
    )
    reader: Literal["jsonl", "scisummnet", "ziffdavis", "cnndm", "text"] = setting(
        ..., "format of the corpus"
    )
    path: str = setting(..., "file or folder of the corpus")
    gold: str | None = setting(None, "file of gold alignments")
    tokenized: bool = setting(False, "whether tokens are separated by single spaces and lists are sentences")
    language: str = setting(
        "en",
        "the language of the texts, a two-letter code (ISO 639-1); WordNet and the parser `pattern` know "
        "English alone",
        pattern="^[a-z]{2}$",
    )
    summary: Literal["human", "abstract", "citances"] = setting(
        "human",
        "for scisummnet only: the human summary, the author's abstract, or each sentence that "
        "cites the paper",
    )
    abstract: Literal["in", "out"] = setting(
        "out",
        "for scisummnet only: whether the author's abstract is in the document or out of it",
    )
    select: Select = Select()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.name in SHARED_FOLDERS:
            raise ValueError(f"`corpus.name` is {self.name}, a folder of all corpora; rename it")
        if (self.reader, self.abstract, self.summary) == ("scisummnet", "in", "abstract"):
            raise ValueError(
                "`corpus.abstract` is in and `corpus.summary` is abstract: each document would contain its "
                "summary; set `corpus.abstract: out`"
            )
        return self


class Extract(Section):
    """The document sentences that a summary is aligned to."""

    enabled: bool = setting(True, "whether to align extracts; false aligns whole documents")
    method: Literal["cosine", "deletion"] = setting(
        "cosine",
        "the most similar sentences for each summary sentence, or Marcu's deletion algorithm",
    )
    sentences: Iterations = setting(3, "number of document sentences for each summary sentence")
    unit: Literal["sentence", "clause"] = setting(
        "sentence",
        "what is compared with the summary, document sentences or units like clauses",
    )


class Parse(Section):
    """The parse trees that the jump model `syntax` needs."""

    backend: Literal["pattern", "benepar", "trees"] = setting(
        "pattern",
        "the parser: TextBlob's chunks in a cascade of rules, the neural benepar, or your own trees",
    )
    benepar_model: str = setting("benepar_en3", "for benepar only: name or path of its model", min_length=1)
    trees: str | None = setting(None, "for trees only: a file of Penn bracketed trees, one on each line")


class FakeCounts(Section):
    """Dirichlet fake counts of the lexical table."""

    word: FakeCount = setting(0, "fake count of one word to one word")
    identical: FakeCount = setting(4, "fake count of equal phrases")
    stem: FakeCount = setting(3, "fake count of phrases equal up to stem")
    unigram: FakeCount = setting(
        2000,
        "fake counts of each document word, distributed over the summary words by their frequency",
    )


class SemiHmm(Section):
    """The semi-HMM: its training and its decoding."""

    jumps: Annotated[tuple[Jump, ...], Field(min_length=1), AfterValidator(_check_unique)] = setting(
        ("relative", "gaussian", "syntax"), "jump models to train", RULES
    )
    iterations: Iterations = setting(5, "maximum number of iterations of EM", TRAIN)
    agreement: bool = setting(
        True,
        "whether to train both directions and combine their posteriors; false trains one, as in the paper",
        RULES,
    )
    tolerance: FakeCount = setting(
        0,
        "relative change of the log-posterior below which training stops early",
        TRAIN,
    )
    max_document_phrase: PhraseLength = setting(3, "maximum number of words of a document phrase", TRAIN)
    max_summary_phrase: PhraseLength = setting(3, "maximum number of words of a summary phrase", TRAIN)
    null_start: Annotated[float, Field(ge=1e-30, lt=1)] | Literal["uniform"] = setting(
        0.2,
        "initial probability of a transition to the null state, or `uniform` for that of each jump",
        TRAIN,
        with_encoder=0.5,
    )
    null_learned: bool = setting(
        False,
        "whether to learn the probability of a transition to the null state; false keeps the initial one",
        TRAIN,
    )
    jump_smoothing: Smoothing = setting(
        0.01,
        "fake count of each distance of the relative jumps, and of each label and direction of the "
        "syntax jumps",
        TRAIN,
    )
    null_smoothing: Smoothing = setting(0.01, "fake count of each word of the null state", TRAIN)
    fake_counts: FakeCounts = setting(FakeCounts(), "", TRAIN)
    wordnet: bool = setting(
        True,
        "whether the rewrite model has its WordNet part, in English",
        BOTH_DIRECTIONS,
    )
    wordnet_senses: Literal["all", "first"] = setting(
        "all",
        "the senses between which distances in WordNet are taken; of `all`, rarer ones are farther, "
        "and `first` is the rule of the paper",
        BOTH_DIRECTIONS,
    )
    sentence_similarity: Exponent = setting(
        1.5,
        "exponent of the similarity of two sentences, a factor of all rewrites between them; 0 turns it off",
        BOTH_DIRECTIONS,
    )
    sentence_support: Exponent = setting(
        0.5,
        "exponent of the similarity of two sentences relative to related ones, a factor of all "
        "rewrites between them; 0 turns it off",
        BOTH_DIRECTIONS,
        with_encoder=0.25,
    )
    encoder: bool = setting(
        "auto",
        "whether the encoder of section embed adds a fifth part to the rewrite model, and sentence "
        "similarities; `auto`: if it is installed",
        BOTH_DIRECTIONS,
    )
    encoder_temperature: Annotated[float, Field(ge=0.001, le=10)] = setting(
        0.05,
        "temperature of the encoder's part; the lower, the more probable is the most similar word",
        TRAIN,
    )
    encoder_baseline: Annotated[float, Field(ge=-1, le=1)] = setting(
        0.3,
        "cosine of words that have nothing to do with each other, for the encoder's part",
        TRAIN,
    )
    beam: PositiveShare = setting(
        1.0,
        "share of the states that is kept at each summary word; 1 is exact",
        TRAIN,
    )
    lexical_threshold: FakeCount = setting(
        0.001,
        "expected count below which a word pair is not stored in the model",
        TRAIN,
    )
    decoder: Literal["posterior", "viterbi"] = setting(
        "posterior", "how alignments are derived from the model", DECODE
    )
    posterior_threshold: Annotated[float, Field(gt=0, lt=1)] = setting(
        0.4,
        "for the posterior decoder: links with a lower posterior are left out",
        DECODE,
    )
    gap_threshold: PositiveShare = setting(
        0.1,
        "for the posterior decoder: the same for links in a short gap between links; with "
        "`posterior_threshold` or more, gaps are left empty",
        DECODE,
    )
    unigram_null: Share = setting(
        0.25,
        "share of the words rewritten by the fake counts `unigram` alone that have no source",
        DECODE,
        with_encoder=0.5,
    )
    stretch_support: Share = setting(
        0.2,
        "for the posterior decoder: weight of the words around it in the probability that a word has "
        "no source; 0 turns it off",
        DECODE,
    )
    phrase_support: Share = setting(
        0.4,
        "for the posterior decoder: how much a link gains from links of the same word to neighbouring "
        "words; 0 turns it off",
        DECODE,
    )
    diagonal_discount: Exponent = setting(
        0,
        "for the posterior decoder: how much a link loses that only continues its neighbour on the "
        "diagonal; 0 turns it off",
        DECODE,
        with_encoder=1,
    )
    candidate_threshold: PositiveShare = setting(
        0.05,
        "minimum posterior of a candidate, a link that is written although the decoder left it out",
        DECODE,
    )

    @model_validator(mode="before")
    @classmethod
    def _decide_on_encoder(cls, values: Any, info: ValidationInfo) -> Any:
        """Replace `encoder: auto`, and fill in the defaults that depend on the encoder."""
        if not isinstance(values, dict):
            return values
        encoder = values.get("encoder", "auto")
        if encoder == "auto":
            encoder = bool(info.context)
        defaults = {
            key: _extra(field)["with_encoder"]
            for key, field in cls.model_fields.items()
            if _extra(field)["with_encoder"] is not None
        }
        return (defaults if encoder in (True, "true") else {}) | values | {"encoder": encoder}


class CutPaste(Section):
    """The system Cut & Paste (Jing 2002)."""

    run: Annotated[int, Field(ge=1, le=1000)] = setting(
        2, "minimum number of consecutive words in a run (n of the 2005 paper)"
    )
    stem: bool = setting(True, "whether words with equal stems match; false requires equal words")
    weights: tuple[Annotated[float, Field(gt=0, le=1e6)], ...] = setting(
        (1.0, 0.9, 0.8, 0.7, 0.6, 0.5),
        "weights P1 to P6 of the bigrams",
        min_length=6,
        max_length=6,
    )
    window: Annotated[int, Field(ge=1, le=1000)] = setting(
        3, "maximum distance, in sentences, of a nearby sentence (CONST)"
    )


class Translation(Section):
    """The translation models."""

    iterations: Iterations = setting(
        5, "iterations of EM for each of Model 1, HMM and Model 4; eflomal has its own schedule"
    )


class Giza(Section):
    """The programs GIZA++ or MGIZA, which you install yourself."""

    path: str | None = setting(
        None,
        "folder of the programs GIZA++ or mgiza, mkcls and snt2cooc; null searches the PATH",
    )
    iterations: Iterations = setting(5, "iterations of EM for each of Model 1, HMM and Model 4")
    longest: Iterations = setting(
        100,
        "maximum number of words of a sentence for which GIZA++ was compiled; longer ones are truncated",
    )


class Embed(Section):
    """The encoder of `semihmm.encoder` and of the systems that align by it."""

    model: str = setting(
        "sentence-transformers/all-MiniLM-L6-v2",
        "path of an encoder, or name of one to download; the default one is part of its package",
    )
    layer: Annotated[int, Field(ge=0, le=1000)] = setting(4, "hidden layer that gives the word vectors")
    device: str = setting(
        "cpu",
        "where the encoder runs; any device other than cpu, such as cuda, needs torch (`make torch`)",
    )


class Score(Section):
    """The scores."""

    bootstrap: Annotated[int, Field(ge=100, le=10**6)] = setting(
        1000, "number of bootstrap samples of pairs for the confidence interval of SoftF"
    )
    errors: Annotated[int, Field(ge=0, le=10**6)] = setting(
        20, "number of random error examples for each system"
    )
    skip: Annotated[int, Field(ge=0, le=10**9)] = setting(
        0,
        "number of pairs, the first ones in the gold file that several annotators have marked, that "
        "are left out of their agreement and of the rows `annotator-…`, such as those that they discussed",
    )


class FieldSets(Section):
    """`make field`, which compares systems on public sets."""

    data: str | None = setting(None, "for `make field` only: a folder with a folder for each set")
    sets: tuple[str, ...] | None = setting(None, "for `make field` only: the sets to use; null means all")
    systems: tuple[str, ...] | None = setting(
        None, "for `make field` only: the systems to use; null means all"
    )


class Report(Section):
    """The report page."""

    pairs: Annotated[int, Field(ge=0, le=10**6)] = setting(
        1000, "number of pairs in the viewer of the report page; those with gold come first"
    )


class Config(Section):
    """A whole config."""

    corpus: Corpus
    extract: Extract = Extract()
    parse: Parse = Parse()
    semihmm: SemiHmm = SemiHmm()
    cutpaste: CutPaste = CutPaste()
    translation: Translation = Translation()
    giza: Giza = Giza()
    embed: Embed = Embed()
    systems: Annotated[tuple[System, ...], Field(min_length=1), AfterValidator(_check_unique)] = setting(
        (
            "semihmm-relative",
            "semihmm-gaussian",
            "semihmm-syntax",
            "cutpaste",
            "hmm-doc",
            "hmm-sum",
            "model4-doc",
            "model4-sum",
        ),
        "systems to align and score",
    )
    score: Score = Score()
    field: FieldSets = FieldSets()
    report: Report = Report()
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = setting(1, "seed of all random numbers")

    @model_validator(mode="before")
    @classmethod
    def _add_semihmm(cls, values: Any) -> Any:
        """Add an empty section, so that what depends on the encoder is filled in."""
        return {"semihmm": {}} | values if isinstance(values, dict) else values

    @model_validator(mode="after")
    def _check_jumps(self) -> Self:
        for system in self.systems:
            jump = system.removeprefix(SEMIHMM)
            if system.startswith(SEMIHMM) and jump not in self.semihmm.jumps:
                raise ValueError(
                    f"`systems` has {system} but `semihmm.jumps` does not have {jump}; add it there or "
                    "remove the system"
                )
        return self


def validate(
    section: type[SectionType], values: Mapping[str, Any] | None = None, encoder: bool = False
) -> SectionType:
    """Return a section of given values, with the defaults of all others.

    Args:
        section: its class, such as `Extract`, or `Config`.
        values: its settings by key; numbers and truth values may be texts.
        encoder: what `semihmm.encoder: auto` becomes.

    Raises:
        InputError: for an unknown key or a value that is not allowed.
    """
    try:
        return section.model_validate(dict(values or {}), context=encoder)
    except ValidationError as error:
        raise InputError(f"config: {_explain(section, error.errors())}") from None


def check_files(config: Config) -> None:
    """Raise `InputError` unless the files of a config exist and its parser reads the language."""
    files = {"corpus.path": config.corpus.path, "corpus.gold": config.corpus.gold}
    if config.parse.backend == "trees":
        files["parse.trees"] = config.parse.trees
        if not config.parse.trees:
            raise InputError("config: `parse.trees` is missing; name your file of Penn bracketed trees")
    if config.parse.backend == "benepar" and "/" in config.parse.benepar_model:
        files["parse.benepar_model"] = config.parse.benepar_model
    for key, path in files.items():
        if path and not os.path.exists(path):
            raise InputError(
                f"config: `{key}` is {path}, which does not exist; a relative path starts at the working "
                f"directory, {os.getcwd()}"
            )
    language = config.corpus.language
    if config.parse.backend == "pattern" and language != "en" and "syntax" in config.semihmm.jumps:
        raise InputError(
            f"config: `corpus.language` is {language}, but the parser `pattern` reads English alone; remove "
            "syntax from `semihmm.jumps` and semihmm-syntax from `systems`, or give trees (`parse.backend`)"
        )


def read_by(section: type[Section] | str, reader: str = "semihmm") -> tuple[str, ...]:
    """Return the keys of a section that `reader` reads, in order: `rules`, `train`, `reverse` or `decode`."""
    if isinstance(section, str):
        return settings_by_key.read_by(section, reader)
    return tuple(key for key, field in section.model_fields.items() if reader in _extra(field)["read_by"])


def options(
    settings: Section | JsonObject, only: Collection[str] | None = None, without: Collection[str] = ()
) -> str:
    """Return the command-line options that set the settings of a section, shell-quoted.

    Nested settings have dotted names, and all names have hyphens: `--fake-counts.word 2`.

    Args:
        settings: the section.
        only: keys of the section; None means all.
    """
    if isinstance(settings, dict):
        return settings_by_key.options(settings, only, without)
    values = settings.model_dump(mode="json", include=None if only is None else set(only))
    return " ".join(f"{_option(key)} {shlex.quote(to_text(value))}" for key, value in _flatten(values))


def add_options(
    parser: argparse.ArgumentParser, section: type[Section] | str, only: Collection[str] | None = None
) -> None:
    """Add an option for each setting of a section.

    Args:
        parser: the parser to add them to.
        section: the class of the section.
        only: keys of the section; None means all.
    """
    if isinstance(section, str):
        return settings_by_key.add_options(parser, section, only)
    name = _name(section)
    group = parser.add_argument_group(f"settings of the stage ({name} in config.yaml)")
    for key, field in fields(section):
        if only is None or key.partition(".")[0] in only:
            default = "required" if field.is_required() else f"default: {json.dumps(default_of(field))}"
            group.add_argument(
                _option(key),
                metavar=key.rpartition(".")[2].upper(),
                dest=f"{name}/{key}",
                default=argparse.SUPPRESS,
                help=f"{field.description} ({default})".replace("%", "%%"),
            )


@overload
def from_options(arguments: argparse.Namespace, section: str, encoder: bool = False) -> JsonObject: ...
@overload
def from_options(
    arguments: argparse.Namespace, section: type[SectionType], encoder: bool = False
) -> SectionType: ...
def from_options(
    arguments: argparse.Namespace, section: type[SectionType] | str, encoder: bool = False
) -> SectionType | JsonObject:
    """Return the settings of a section from parsed arguments of `add_options`.

    Args:
        arguments: the parsed arguments.
        section: the class of the section.
        encoder: what `semihmm.encoder: auto` becomes.

    Raises:
        InputError: for a value that is not allowed.
    """
    if isinstance(section, str):
        return settings_by_key.from_options(arguments, section, encoder)
    values: dict[str, Any] = {}
    for key, text in vars(arguments).items():
        if key.startswith(f"{_name(section)}/"):
            *parts, last = key.partition("/")[2].split(".")
            place = values
            for part in parts:
                place = place.setdefault(part, {})
            place[last] = json.loads(text) if text == "null" or text.startswith("[") else text
    return validate(section, values, encoder)


def fields(section: type[Section], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield the dotted key and the field of each setting of a section."""
    for key, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from fields(field.annotation, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", field


def default_of(field: FieldInfo) -> Any:
    """Return the default of a setting as a value of JSON."""
    return list(field.default) if isinstance(field.default, tuple) else field.default


def to_text(value: Any) -> str:
    """Return a value as the text of an option: JSON, but a text as it is."""
    return value if isinstance(value, str) else json.dumps(value)


def _name(section: type[Section]) -> str:
    """Return the name of a section in the config."""
    return next((key for key, field in Config.model_fields.items() if field.annotation is section), "")


def _option(key: str) -> str:
    """Return the option of a setting: `--fake-counts.word` for `fake_counts.word`."""
    return f"--{key.replace('_', '-')}"


def _flatten(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted key and the value of each setting."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _explain(section: type[Section], errors: Sequence[ErrorDetails]) -> str:
    """Return the first of pydantic's errors in one line: which setting, its value, what it must be."""
    first = errors[0]
    place: Any = section
    keys, description = [_name(section)], ""
    for part in first["loc"]:
        if part not in getattr(place, "model_fields", ()):
            break  # an unknown key, a number in a list, or an alternative of a union
        keys.append(str(part))
        description, place = place.model_fields[part].description, place.model_fields[part].annotation
    where = ".".join(filter(None, keys))
    if first["type"] == "value_error" and "`" in first["msg"]:
        return str(first["ctx"]["error"])  # a check of several settings, which it names
    if first["type"] == "extra_forbidden":
        unknown = f"{where}.{first['loc'][-1]}".removeprefix(".")
        return f"unknown key `{unknown}`; known here: {', '.join(place.model_fields)}"
    if first["type"] == "missing":
        return f"`{where}` is missing; add it"
    if first["type"] == "string_pattern_mismatch":
        messages = [f"it must be {description}"]
    elif first["type"] == "model_type":
        messages = ["it must be a section of settings"]
    else:  # the alternatives of a union have an error each
        prefix = first["loc"][: len(keys) - 1]
        messages = [
            re.sub("^(Input|String|Tuple) should", "it must", error["msg"].removeprefix("Value error, "))
            for error in errors
            if error["loc"][: len(prefix)] == prefix and len(error["loc"]) == len(first["loc"])
        ]
    value = json.dumps(first["input"], default=str)
    return f"`{where}` is {value:.300}; {', or '.join(dict.fromkeys(messages))}"
