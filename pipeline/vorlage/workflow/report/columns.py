"""The tables and figures of a corpus: category, title and columns of each.

The score stage writes `TABLES` and the decompose stage `DECOMPOSITIONS`; `vorlage.workflow.report.figures`
draws the figures, and `captions/` holds the captions of all of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from vorlage.workflow.decompose.operations import OPERATIONS

TABLES = {
    "significance": ("Scores", "systems against the best baseline"),
    "oracle": ("Scores", "scores with an oracle for null"),
    "nonidentical": ("Scores", "scores of links between words that are not identical"),
    "outcomes": ("Errors", "correct, partial and incorrect phrases"),
    "errors": ("Errors", "examples of errors"),
    "systems": ("Links", "systems side by side"),
    "identity": ("Links", "identical and stem-identical links"),
    "sizes": ("Links", "sizes of links"),
    "unaligned": ("Links", "unaligned words"),
    "jumps": ("Links", "jumps"),
    "pairwise": ("Links", "SoftF between systems"),
    "calibration": ("Posteriors", "calibration"),
    "reliability": ("Posteriors", "reliability"),
}
DECOMPOSITIONS = {
    "decomposition": ("Decomposition", "how the summary sentences were made"),
    "implied_extracts": ("Decomposition", "the extracts that decompositions imply"),
}
FIGURES = {
    "scores": ("Scores", "scores"),
    "jumps": ("Links", "jumps"),
    "learned": ("Model", "learned jump probabilities"),
    "head_to_head": ("Model", "jump models head to head"),
    "em": ("Model", "course of EM"),
    "calibration": ("Posteriors", "calibration"),
}


ColumnKind: TypeAlias = Literal["text", "long", "printed", "whole", "number", "percent"]


@dataclass(frozen=True)
class Column:
    """A column: its `name` in the file and its `heading` on the page.

    `kind` decides how values are written, `printed` ones as they are; `best`: whether the largest value
    is marked; `group`: the heading over several columns; `folded`: whether it is hidden at first.
    """

    name: str
    heading: str
    kind: ColumnKind = "number"
    best: bool = False
    group: str = ""
    folded: bool = False


def to_columns(kind: ColumnKind, *names: str, group: str = "", **headings: str) -> list[Column]:
    """Return columns of a kind: names that are headings, with spaces for `_`, and name → heading."""
    headings = {name: name.replace("_", " ") for name in names} | headings
    return [Column(name, heading, kind, group=group) for name, heading in headings.items()]


def fold_columns(columns: Iterable[Column]) -> list[Column]:
    """Return columns that are hidden at first."""
    return [replace(column, folded=True) for column in columns]


WORDS = {"all": "all words", "nonstop": "non-stop words"}
SYSTEM = to_columns("text", "system")
SCORES = {"soft_precision": "SoftP", "recall": "recall", "soft_f": "SoftF"}
HARD = {"hard_precision": "HardP", "hard_f": "HardF"}
PHRASES = {"precision": "precision", "recall": "recall", "f": "F"}
# The columns of the tables that have the rows of their files.
COLUMNS: dict[str, list[Column]] = {
    "statistics": [
        *to_columns("text", "pairs", "text"),
        *to_columns(
            "whole", "documents", "sentences", "words", "unique_words", "unique_words_with_summaries"
        ),
        *to_columns(
            "number",
            sentences_per_document="sentences per document",
            words_per_document="words per document",
            words_per_sentence="words per sentence",
            summary_words_per_word="summary words per word",
            sentences_per_summary_sentence="sentences per summary sentence",
        ),
        *to_columns("whole", "summary_sentences", made_by_deletion="of these made by deletion"),
        *to_columns("number", share_made_by_deletion="their share"),
    ],
    "agreement": [
        *to_columns("text", "annotator", "against", "words"),
        *to_columns("number", kappa_sure="κ sure", kappa_possible="κ sure or possible"),
        *to_columns("number", kappa_only_possible="κ only possible", soft_f="SoftF"),
        *to_columns("whole", "pairs"),
        *fold_columns(to_columns("number", soft_precision="SoftP", recall="recall")),
    ],
    "reliability": [
        *SYSTEM,
        *to_columns("number", low="from", high="to"),
        *to_columns("whole", "links"),
        *to_columns("number", posterior="mean posterior", right="share right"),
    ],
    "systems": [
        *to_columns("text", "system", "extract"),
        *to_columns("number", links_per_word="links per word"),
        *to_columns("percent", unaligned="without source", identical="identical", rewritten="rewritten"),
        *to_columns("printed", "seconds"),
    ],
    "identity": [
        *to_columns("text", "system", phrases="links of"),
        *to_columns("whole", "links"),
        *to_columns("percent", "identical", stem_identical="identical up to stem"),
    ],
    "sizes": [
        *SYSTEM,
        *to_columns("whole", "links"),
        *to_columns("percent", "1–1", "1–n", "n–1", "n–n"),
        *fold_columns(
            to_columns(
                "percent",
                group="summary words",
                summary_1="1",
                summary_2="2",
                summary_3="3",
                summary_more="more",
            )
        ),
    ],
    "unaligned": [
        *SYSTEM,
        *to_columns("whole", "words"),
        *to_columns("percent", "unaligned", "punctuation", "function", "content"),
    ],
    "decomposition": [
        *SYSTEM,
        *to_columns("whole", "sentences"),
        *to_columns("percent", cut_and_pasted="cut and pasted"),
        *fold_columns(
            to_columns(
                "percent",
                group="source sentences",
                sources_0="0",
                sources_1="1",
                sources_2_3="2–3",
                sources_more="more",
            )
        ),
        *to_columns("percent", *OPERATIONS, group="operations"),
    ],
    "implied_extracts": [
        *SYSTEM,
        *to_columns("number", extract_sentences="sentences", gold_sentences="of the gold", **PHRASES),
    ],
    "outcomes": [
        *SYSTEM,
        *to_columns("whole", "phrases", "correct", "partial", "incorrect"),
        *fold_columns(to_columns("whole", "null", "null_words", "null_found")),
    ],
    "errors": [
        *to_columns("text", "system", id="pair"),
        Column("summary", "summary phrase", "long"),
        Column("document", "true phrase", "long"),
        Column("aligned", "aligned phrase", "long"),
        *to_columns("text", "class"),
    ],
    "calibration": [
        *SYSTEM,
        *to_columns("whole", "links"),
        *to_columns(
            "number", error="expected calibration error", posterior="mean posterior", right="share right"
        ),
    ],
}
