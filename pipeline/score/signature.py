"""The signature beside each score: every choice that could change it, as sacreBLEU has (Post 2018)."""

from importlib.metadata import version

from pipeline.fingerprint import digest
from pipeline.score.bootstrap import COVERAGE
from pipeline.score.reference import UNNAMED
from pipeline.text.words import STOP_WORDS


def signature(annotated, samples, seed):
    """The signature of scores on the pairs of ``annotated`` (as ``read_annotated`` returns them).

    Scores with equal signatures can be compared: ``gold`` is a digest of what the annotators marked in
    which pairs, ``stop`` the number of stop words and a digest of them.
    """
    golds = [gold for _, marked in annotated.values() for gold in marked]
    annotators = sorted({gold.annotator or UNNAMED for gold in golds})
    marked = sorted((gold.id, gold.annotator, sorted(_cells(gold))) for gold in golds)
    choices = {
        "annotators": "+".join(annotators),
        "gold": digest(marked),
        "case": "lower",
        "stop": f"{len(STOP_WORDS)}.{digest(sorted(STOP_WORDS))}",
        "soft": "diagonal",
        "bootstrap": samples,
        "seed": seed,
        "interval": f"{COVERAGE:.0%} percentile",
        "version": version("palimpsest"),
    }
    return "|".join(f"{name}:{value}" for name, value in choices.items())


def _cells(gold):
    if gold.unit == "char":
        return [(link.summary, link.document, link.sure) for link in gold.links]
    sure = gold.cells(sure_only=True)
    return [(i, j, (i, j) in sure) for i, j in gold.cells(sure_only=False)]
