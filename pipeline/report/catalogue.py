"""What there is to see of a corpus: the category and the title of each table and figure.

Tables are files of the score stage, figures those of :mod:`pipeline.report.figures`. Captions are in
``captions/``.
"""

TABLES = {
    "significance": ("Scores", "systems against the best baseline"),
    "oracle": ("Scores", "scores with an oracle for null"),
    "nonidentical": ("Scores", "scores of links between words that are not identical"),
    "outcomes": ("Errors", "phrases of the gold found, in part or not"),
    "errors": ("Errors", "examples of errors"),
    "identity": ("Links", "identical and stem-identical links"),
    "sizes": ("Links", "sizes of links"),
    "unaligned": ("Links", "unaligned words"),
    "jumps": ("Links", "jumps"),
    "calibration": ("Posteriors", "calibration"),
    "reliability": ("Posteriors", "reliability"),
}
FIGURES = {
    "scores": ("Scores", "scores"),
    "jumps": ("Links", "jumps"),
    "learned": ("Model", "learned jump tables"),
    "em": ("Model", "course of EM"),
    "calibration": ("Posteriors", "calibration"),
}
