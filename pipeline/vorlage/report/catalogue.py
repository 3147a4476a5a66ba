"""The tables and figures of a corpus: category and title of each.

The score stage writes `TABLES` and the decompose stage `DECOMPOSITIONS`; `vorlage.report.figures`
draws the figures, and `captions/` holds the captions of all of them.
"""

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
