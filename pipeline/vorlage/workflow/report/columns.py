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


Kind: TypeAlias = Literal["text", "long", "printed", "whole", "number", "percent"]


@dataclass(frozen=True)
class Column:
    """A column: its `name` in the file and its `heading` on the page.

    `kind` decides how values are written, `printed` ones as they are; `best`: whether the largest value
    is marked; `group`: the heading over several columns; `folded`: whether it is hidden at first.
    """

    name: str
    heading: str
    kind: Kind = "number"
    best: bool = False
    group: str = ""
    folded: bool = False


def typed(kind: Kind, *names: str, group: str = "", **headings: str) -> list[Column]:
    """Return columns of a kind: names that are headings, with spaces for `_`, and name → heading."""
    headings = {name: name.replace("_", " ") for name in names} | headings
    return [Column(name, heading, kind, group=group) for name, heading in headings.items()]


def folded(columns: Iterable[Column]) -> list[Column]:
    """Return columns that are hidden at first."""
    return [replace(column, folded=True) for column in columns]


WORDS = {"all": "all words", "nonstop": "non-stop words"}
SYSTEM = typed("text", "system")
SCORES = {"soft_precision": "SoftP", "recall": "recall", "soft_f": "SoftF"}
HARD = {"hard_precision": "HardP", "hard_f": "HardF"}
PHRASES = {"precision": "precision", "recall": "recall", "f": "F"}
# The columns of the tables that have the rows of their files.
COLUMNS: dict[str, list[Column]] = {
    "statistics": [
        *typed("text", "pairs", "text"),
        *typed("whole", "documents", "sentences", "words", "unique_words", "unique_words_with_summaries"),
        *typed(
            "number",
            sentences_per_document="sentences per document",
            words_per_document="words per document",
            words_per_sentence="words per sentence",
            summary_words_per_word="summary words per word",
            sentences_per_summary_sentence="sentences per summary sentence",
        ),
        *typed("whole", "summary_sentences", made_by_deletion="of these made by deletion"),
        *typed("number", share_made_by_deletion="their share"),
    ],
    "agreement": [
        *typed("text", "annotator", "against", "words"),
        *typed("number", kappa_sure="κ sure", kappa_possible="κ possible", soft_f="SoftF"),
        *typed("whole", "pairs"),
        *folded(typed("number", soft_precision="SoftP", recall="recall")),
    ],
    "reliability": [
        *SYSTEM,
        *typed("number", low="from", high="to"),
        *typed("whole", "links"),
        *typed("number", posterior="mean posterior", right="share right"),
    ],
    "systems": [
        *typed("text", "system", "extract"),
        *typed("number", links_per_word="links per word"),
        *typed("percent", unaligned="without source", identical="identical", rewritten="rewritten"),
        *typed("printed", "seconds"),
    ],
    "identity": [
        *typed("text", "system", phrases="links of"),
        *typed("whole", "links"),
        *typed("percent", "identical", stem_identical="identical up to stem"),
    ],
    "sizes": [
        *SYSTEM,
        *typed("whole", "links"),
        *typed("percent", "1–1", "1–n", "n–1", "n–n"),
        *folded(
            typed(
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
        *typed("whole", "words"),
        *typed("percent", "unaligned", "punctuation", "function", "content"),
    ],
    "decomposition": [
        *SYSTEM,
        *typed("whole", "sentences"),
        *typed("percent", cut_and_pasted="cut and pasted"),
        *folded(
            typed(
                "percent",
                group="source sentences",
                sources_0="0",
                sources_1="1",
                sources_2_3="2–3",
                sources_more="more",
            )
        ),
        *typed("percent", *OPERATIONS, group="operations"),
    ],
    "implied_extracts": [
        *SYSTEM,
        *typed("number", extract_sentences="sentences", gold_sentences="of the gold", **PHRASES),
    ],
    "outcomes": [
        *SYSTEM,
        *typed("whole", "phrases", "correct", "partial", "incorrect"),
        *folded(typed("whole", "null", "null_words", "null_found")),
    ],
    "errors": [
        *typed("text", "system", id="pair"),
        Column("summary", "summary phrase", "long"),
        Column("document", "true phrase", "long"),
        Column("aligned", "aligned phrase", "long"),
        *typed("text", "class"),
    ],
    "calibration": [
        *SYSTEM,
        *typed("whole", "links"),
        *typed("number", error="expected calibration error", posterior="mean posterior", right="share right"),
    ],
}
