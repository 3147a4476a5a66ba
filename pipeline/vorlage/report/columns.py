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


def texts(*names: str, **headings: str) -> list[Column]:
    """Return columns of text: names that are headings, and name → heading."""
    return [Column(name, heading, "text") for name, heading in (_same(names) | headings).items()]


def numbers(*names: str, **headings: str) -> list[Column]:
    """Return columns of numbers with three decimals."""
    return [Column(name, heading) for name, heading in (_same(names) | headings).items()]


def wholes(*names: str) -> list[Column]:
    """Return columns of whole numbers."""
    return [Column(name, name.replace("_", " "), "whole") for name in names]


def percents(*names: str, group: str = "", **headings: str) -> list[Column]:
    """Return columns of percentages; `group`: the heading over them."""
    return [
        Column(name, heading, "percent", group=group) for name, heading in (_same(names) | headings).items()
    ]


def _same(names: tuple[str, ...]) -> dict[str, str]:
    return {name: name for name in names}


SYSTEM = texts("system")
SCORES = {"soft_precision": "SoftP", "recall": "recall", "soft_f": "SoftF"}
HARD = {"hard_precision": "HardP", "hard_f": "HardF"}
PHRASES = {"precision": "precision", "recall": "recall", "f": "F"}
DIFFERENCES = [*texts("system", "words", "against"), *numbers("difference", "low", "high", "p")]
# The columns of the tables that have the rows of their files.
COLUMNS: dict[str, list[Column]] = {
    "statistics": [
        *texts("pairs", "text"),
        *wholes("documents", "sentences", "words", "unique_words", "unique_words_with_summaries"),
        *numbers(
            sentences_per_document="sentences per document",
            words_per_document="words per document",
            words_per_sentence="words per sentence",
        ),
    ],
    "agreement": [
        *texts("annotator", "against", "words"),
        *numbers(**SCORES, kappa_sure="κ sure", kappa_possible="κ possible"),
        *wholes("pairs"),
    ],
    "cutpaste": [
        *texts("system", "words"),
        *(
            Column(f"{name} {where}", heading, group=f"on {where}")
            for where in ("extracts", "documents")
            for name, heading in SCORES.items()
        ),
        Column("difference", "gain in SoftF"),
    ],
    "significance": DIFFERENCES,
    "phrase_significance": DIFFERENCES,
    "reliability": [
        *SYSTEM,
        *numbers(low="from", high="to"),
        *wholes("links"),
        *numbers(posterior="mean posterior", right="share right"),
    ],
    "identity": [
        *texts("system", phrases="links of"),
        *wholes("links"),
        *percents("identical", stem_identical="identical up to stem"),
    ],
    "sizes": [
        *SYSTEM,
        *wholes("links"),
        *percents("1–1", "1–n", "n–1", "n–n"),
        *percents(summary_1="1 summary word", summary_2="2", summary_3="3", summary_more="more"),
    ],
    "unaligned": [*SYSTEM, *wholes("words"), *percents("unaligned", "punctuation", "function", "content")],
    "decomposition": [
        *SYSTEM,
        *wholes("sentences"),
        *percents(cut_and_pasted="cut and pasted"),
        *percents(
            group="source sentences", sources_0="0", sources_1="1", sources_2_3="2–3", sources_more="more"
        ),
        *percents(*OPERATIONS, group="operations"),
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
        *texts("system", id="pair"),
        Column("summary", "summary phrase", "long"),
        Column("document", "true phrase", "long"),
        Column("aligned", "aligned phrase", "long"),
        *texts("class"),
    ],
    "calibration": [
        *SYSTEM,
        *wholes("links"),
        *numbers(error="expected calibration error", posterior="mean posterior", right="share right"),
    ],
}
