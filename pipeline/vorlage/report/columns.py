"""The columns of the tables of the report page: their names in the files, headings and decimals."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from vorlage.decompose.operations import OPERATIONS

Kind: TypeAlias = Literal["text", "long", "printed", "whole", "number", "percent"]


@dataclass(frozen=True)
class Column:
    """A column: its `name` in the file and its `heading` on the page.

    `kind` decides how values are written, `printed` ones as they are; `best`: whether the largest value
    is marked; `group`: the heading over several columns.
    """

    name: str
    heading: str
    kind: Kind = "number"
    best: bool = False
    group: str = ""


def texts(**headings: str) -> list[Column]:
    """Return columns of text: name → heading."""
    return [Column(name, heading, "text") for name, heading in headings.items()]


def numbers(**headings: str) -> list[Column]:
    """Return columns of numbers with three decimals: name → heading."""
    return [Column(name, heading) for name, heading in headings.items()]


def wholes(*names: str) -> list[Column]:
    """Return columns of whole numbers."""
    return [Column(name, name.replace("_", " "), "whole") for name in names]


def percents(group: str = "", /, **headings: str) -> list[Column]:
    """Return columns of percentages: name → heading; `group`: the heading over them."""
    return [Column(name, heading, "percent", group=group) for name, heading in headings.items()]


SYSTEM = texts(system="system")
SCORES = {"soft_precision": "SoftP", "recall": "recall", "soft_f": "SoftF"}
HARD = {"hard_precision": "HardP", "hard_f": "HardF"}
PHRASES = {"precision": "precision", "recall": "recall", "f": "F"}
# The columns of the tables that have the rows of their files.
COLUMNS: dict[str, list[Column]] = {
    "statistics": [
        *texts(pairs="pairs", text="text"),
        *wholes("documents", "sentences", "words", "unique_words", "unique_words_with_summaries"),
        *numbers(
            sentences_per_document="sentences per document",
            words_per_document="words per document",
            words_per_sentence="words per sentence",
        ),
    ],
    "agreement": [
        *texts(annotator="annotator", against="against", words="words"),
        *numbers(**SCORES, kappa_sure="κ sure", kappa_possible="κ possible"),
        *wholes("pairs"),
    ],
    "cutpaste": [
        *texts(system="system", words="words"),
        *(
            Column(f"{name} {where}", heading, group=f"on {where}")
            for where in ("extracts", "documents")
            for name, heading in SCORES.items()
        ),
        Column("difference", "gain in SoftF"),
    ],
    "significance": [
        *texts(system="system", words="words", against="against"),
        *numbers(difference="difference", low="low", high="high", p="p"),
    ],
    "phrase_significance": [
        *texts(system="system", words="words", against="against"),
        *numbers(difference="difference", low="low", high="high", p="p"),
    ],
    "reliability": [
        *SYSTEM,
        *numbers(low="from", high="to"),
        *wholes("links"),
        *numbers(posterior="mean posterior", right="share right"),
    ],
    "identity": [
        *texts(system="system", phrases="links of"),
        *wholes("links"),
        *percents(identical="identical", stem_identical="identical up to stem"),
    ],
    "sizes": [
        *SYSTEM,
        *wholes("links"),
        *percents(**{shape: shape for shape in ("1–1", "1–n", "n–1", "n–n")}),
        *percents(summary_1="1 summary word", summary_2="2", summary_3="3", summary_more="more"),
    ],
    "unaligned": [
        *SYSTEM,
        *wholes("words"),
        *percents(**{kind: kind for kind in ("unaligned", "punctuation", "function", "content")}),
    ],
    "decomposition": [
        *SYSTEM,
        *wholes("sentences"),
        *percents(cut_and_pasted="cut and pasted"),
        *percents("source sentences", sources_0="0", sources_1="1", sources_2_3="2–3", sources_more="more"),
        *percents("operations", **{name: name for name in OPERATIONS}),
    ],
    "implied_extracts": [
        *SYSTEM,
        *numbers(extract_sentences="sentences", gold_sentences="of the gold", **PHRASES),
    ],
    "outcomes": [
        *SYSTEM,
        *wholes("phrases", "correct", "partial", "incorrect", "null", "null_words", "null_found"),
    ],
    "errors": [
        *texts(system="system", id="pair"),
        *[
            Column(name, heading, "long")
            for name, heading in (("summary", "summary phrase"), ("document", "true phrase"))
        ],
        Column("aligned", "aligned phrase", "long"),
        *texts(**{"class": "class"}),
    ],
    "calibration": [
        *SYSTEM,
        *wholes("links"),
        *numbers(error="expected calibration error", posterior="mean posterior", right="share right"),
    ],
}
