"""The settings of an experiment: the sections of `config.yaml` that the core does not know, and the whole.

They add a corpus, its systems, scores and report to the sections of `vorlage.settings`.
"""

import os
import re
from importlib.util import find_spec
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from vorlage.command.errors import InputError, did_you_mean
from vorlage.extensions import JUMPS, Registry
from vorlage.files.inputs import did_you_mean_file
from vorlage.files.jsonl import FORMAT, check_format
from vorlage.settings import (
    SEMIHMM,
    Count,
    Embed,
    Extraction,
    Iterations,
    Parse,
    Section,
    SemiHmm,
    check_unique,
    setting,
)

VITERBI = "-viterbi"  # behind the name of a system: its model, with that decoder
READERS = Registry("workflow/readers")
BASELINES = Registry("workflow/baselines/systems")
DEFAULT_SYSTEMS = tuple(
    """semihmm-syntax semihmm-relative semihmm-gaussian semihmm-relative-viterbi
    paper-syntax paper-syntax-counts paper-relative paper-gaussian
    cutpaste cutpaste-1-document hmm-doc hmm-sum model4-doc model4-sum""".split()
)
# Folders of `results/` that all corpora share; no corpus can have such a name.
SHARED_FOLDERS = ("benchmarks", "benepar", "encoders", "field", "logs")


class SemiHmmSystem(NamedTuple):
    """A semi-HMM as a system: the variant of its settings, its jump model, whether it decodes by Viterbi."""

    variant: str
    jump: str
    viterbi: bool


def semihmm_system(name: str) -> SemiHmmSystem | None:
    """Return the semi-HMM that a system is, such as `paper-relative-viterbi`; None for any other system."""
    match = re.fullmatch(rf"(.+)-({'|'.join(JUMPS.names())})({VITERBI})?", name)
    return SemiHmmSystem(match[1], match[2], bool(match[3])) if match else None


def baselines() -> list[Any]:
    """Return the families of systems to compare with, each a `vorlage.workflow.baselines.system.Baseline`."""
    return [BASELINES.load(name) for name in BASELINES.names()]


def known_systems() -> list[str]:
    """Return the names of all systems but those of variants."""
    others = (name for baseline in baselines() for name in (*baseline.systems, *baseline.symmetrized))
    return [*(f"{SEMIHMM}-{jump}" for jump in JUMPS.names()), *others]


def _check_version(number: int) -> int:
    check_format(number, "config: `version`")
    return number


def _check_variants(variants: dict[str, Any]) -> dict[str, Any]:
    if SEMIHMM in variants:
        raise ValueError(f"`variants` has {SEMIHMM}, which is the config itself; rename the variant")
    for name, sections in variants.items():
        if isinstance(sections, dict) and (unknown := sections.keys() - {"extract", "semihmm"}):
            raise ValueError(
                f"`variants.{name}` has {min(unknown)}; a variant has the sections extract and semihmm"
            )
    return variants


FolderName = Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
System = Annotated[str, Field(json_schema_extra=lambda schema: schema.update(enum=known_systems()))]
Systems = Annotated[tuple[System, ...], Field(min_length=1), AfterValidator(check_unique)]
Variants = Annotated[dict[FolderName, str | dict[str, dict[str, Any]]], AfterValidator(_check_variants)]
ReaderName = Annotated[
    str, AfterValidator(READERS.check), Field(json_schema_extra={"enum": list(READERS.names())})
]
Language = Annotated[str, Field(pattern="^[a-z]{2}$")] | None
Natural = Annotated[int, Field(ge=0, le=10**9)]
SmallCount = Annotated[int, Field(ge=1, le=1000)]


class PairSelection(Section):
    """The pairs of a corpus to use."""

    shortest: Count | None = setting(
        None, "number of pairs with the shortest documents to keep, and with gold"
    )
    max_document_words: Count | None = setting(None, "maximum number of tokens of the document of a pair")
    max_summary_words: Count | None = setting(None, "maximum number of tokens of the summary of a pair")
    sample: Count | None = setting(None, "number of random pairs to keep; pairs with gold are kept too")
    unusable: Literal["error", "drop"] = setting(
        "error", "whether an unusable pair, such as one with an empty summary, ends the run or is dropped"
    )


class Corpus(Section):
    """The corpus to align."""

    key = "corpus"

    name: FolderName = setting(
        ..., "at most 100 letters, digits, `.`, `_` and `-`, beginning with a letter or digit"
    )
    reader: ReaderName = setting(..., "its format")
    path: str = setting(..., "file or folder of the corpus")
    gold: str | None = setting(None, "file of gold alignments")
    tokenized: bool = setting(False, "whether tokens are separated by single spaces and lists are sentences")
    language: Language = setting(None, "a two-letter code (ISO 639-1), of the summaries; null finds it")
    document_language: Language = setting(
        None, "a two-letter code, of the documents; null means `language`, or finds it if that is null too"
    )
    summary: Literal["human", "abstract", "citances"] = setting(
        "human", "for scisummnet: the human one, the author's abstract, or each sentence that cites the paper"
    )
    abstract: Literal["in", "out"] = setting(
        "out", "for scisummnet: whether the author's abstract is in the document or out of it"
    )
    select: PairSelection = PairSelection()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.name in SHARED_FOLDERS:
            raise ValueError(f"`corpus.name` is {self.name}, a folder of all corpora; rename it")
        if (self.reader, self.abstract, self.summary) == ("scisummnet", "in", "abstract"):
            raise ValueError("`corpus.summary` abstract would be in its document; set `corpus.abstract: out`")
        return self


class CutPaste(Section):
    """The system Cut & Paste (Jing 2002)."""

    key = "cutpaste"

    run: SmallCount = setting(2, "minimum number of consecutive words in a run (n of the 2005 paper)")
    stem: bool = setting(True, "whether words with equal stems match; false requires equal words")
    weights: tuple[Annotated[float, Field(gt=0, le=1e6)], ...] = setting(
        (1.0, 0.9, 0.8, 0.7, 0.6, 0.5), "weights P1 to P6 of the bigrams", min_length=6, max_length=6
    )
    window: SmallCount = setting(3, "maximum distance, in sentences, of a nearby sentence (CONST)")
    lone_stop_words: bool = setting(
        True, "whether a stop word alone can be a phrase; false cancels it, a third rule of post-editing"
    )
    determiners: bool = setting(
        True, "whether a, an and the must match; false ignores how they differ, as in Jing's Figure 5"
    )


class Translation(Section):
    """The translation models."""

    key = "translation"

    iterations: Iterations = setting(5, "iterations of EM for each of Model 1, HMM and Model 4, not eflomal")


class Score(Section):
    """The scores."""

    key = "score"

    bootstrap: Annotated[int, Field(ge=100, le=10**6)] = setting(
        1000, "number of bootstrap samples of pairs for the confidence interval of SoftF"
    )
    errors: Natural = setting(20, "number of random error examples for each system")
    skip: Natural = setting(
        0,
        "number of first pairs of several annotators in the gold, such as those that they discussed, left "
        "out where annotators are compared",
    )


class FieldSets(Section):
    """`make field`, which compares systems on public sets."""

    key = "field"

    data: str | None = setting(None, "for `make field` only: a folder with a folder for each set")
    sets: tuple[str, ...] | None = setting(None, "for `make field` only: the sets to use; null means all")
    systems: tuple[str, ...] | None = setting(None, "for `make field` only: its systems; null means all")


class Report(Section):
    """The report page."""

    key = "report"

    pairs: Natural = setting(1000, "number of pairs in the viewer of the report; those with gold come first")


class Config(Section):
    """A whole config."""

    corpus: Corpus
    extract: Extraction = Extraction()
    parse: Parse = Parse()
    semihmm: SemiHmm = setting({}, "")  # the defaults are those with or without the encoder
    cutpaste: CutPaste = CutPaste()
    translation: Translation = Translation()
    embed: Embed = Embed()
    variants: Variants = setting(
        {"paper": "workflow/presets/paper.yaml"},
        "semi-HMMs with other settings, as systems such as `paper-relative`: the name of each, and a file "
        "with its sections `extract` and `semihmm`, or these sections",
    )
    systems: Systems = setting(
        DEFAULT_SYSTEMS,
        "systems to align and compare; also `NAME-relative` and so on for a variant NAME, and with "
        "`-viterbi` all semi-HMMs with that decoder; by default those with the jump models `semihmm.jumps`, "
        "and with `syntax` also `paper-syntax-counts`",
    )
    score: Score = Score()
    field: FieldSets = FieldSets()
    report: Report = Report()
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = setting(1, "seed of all random numbers")
    version: Annotated[int, AfterValidator(_check_version)] = setting(FORMAT, "the format of the config")

    @model_validator(mode="after")
    def _check_systems(self) -> Self:
        if self.systems == DEFAULT_SYSTEMS:
            return self.model_copy(update={"systems": self._default_systems()})
        for name in self.systems:
            system = semihmm_system(name)
            if name not in known_systems() and (
                system is None or system.variant not in (SEMIHMM, *self.variants)
            ):
                known = *known_systems(), *(f"{variant}-relative" for variant in self.variants)
                similar = did_you_mean(name, known)
                raise ValueError(f"`systems` has {name}; it must be one of: {', '.join(known)}{similar}")
            if system and system.variant == SEMIHMM and system.jump not in self.semihmm.jumps:
                raise ValueError(f"`semihmm.jumps` lacks {system.jump}, but `systems` has {name}; add it")
        return self

    def _default_systems(self) -> tuple[str, ...]:
        """Return the default systems with the jump models and the variants of the config."""
        jumps, variants = self.semihmm.jumps, (SEMIHMM, *self.variants)
        systems = [(name, semihmm_system(name)) for name in DEFAULT_SYSTEMS]
        available = [
            name
            for name, semihmm in systems
            if not semihmm or semihmm.jump.removesuffix("-counts") in jumps and semihmm.variant in variants
        ]
        return tuple(dict.fromkeys([*(f"{SEMIHMM}-{jump}" for jump in jumps), *available]))


def check_files(config: Config) -> None:
    """Raise `InputError` unless the files of a config exist and its parser reads the documents."""
    files = {
        "corpus.path": config.corpus.path,
        "corpus.gold": config.corpus.gold,
        "semihmm.rescorer": config.semihmm.rescorer,
    }
    if config.parse.backend == "trees":
        files["parse.trees"] = config.parse.trees
        if not config.parse.trees:
            raise InputError("config: `parse.trees` is missing; name your file of Penn bracketed trees")
    if config.parse.backend == "benepar" and not find_spec("benepar"):
        raise InputError(
            "config: `parse.backend` is benepar, which is not installed; install it with `make torch`, or "
            "set `parse.backend: auto`"
        )
    if config.parse.backend == "benepar" and "/" in config.parse.benepar_model:
        files["parse.benepar_model"] = config.parse.benepar_model
    for key, path in files.items():
        if path and not os.path.exists(path):
            where = f"a relative path starts at the working directory, {os.getcwd()}"
            similar = did_you_mean_file(path)
            raise InputError(f"config: `{key}` is {path}, which does not exist; {where}{similar}")
    language = config.corpus.document_language or config.corpus.language or "en"
    systems = [
        name
        for name in config.systems
        if (system := semihmm_system(name)) and JUMPS.load(system.jump).needs_trees
    ]
    parsed = systems or any(JUMPS.load(jump).needs_trees for jump in config.semihmm.jumps)
    parser = config.parse.benepar_model if config.parse.backend == "benepar" else config.parse.backend
    if parser.startswith(("pattern", "benepar_en")) and language != "en" and parsed:
        raise InputError(
            f"config: the language of documents is {language}, but the parser `{parser}` reads English "
            f"alone; remove syntax from `semihmm.jumps` and {', '.join(systems)} from `systems`, or give "
            "trees (`parse.backend`)"
        )
