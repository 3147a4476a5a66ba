"""The signature of a score: every choice that could change it, as in sacreBLEU (Post 2018)."""

from importlib.metadata import version

from vorlage.corpus.gold import Gold
from vorlage.fingerprint import digest
from vorlage.score.bootstrap import COVERAGE
from vorlage.score.reference import UNNAMED, Annotated
from vorlage.text.words import stop_words


def signature(annotated: Annotated, samples: int, seed: int) -> str:
    """Return the signature of scores on the `annotated` pairs.

    Scores with equal signatures can be compared: `gold` is a digest of the links that each annotator marked
    in each pair, `stop` gives the number of stop words and a digest of them.
    """
    golds = [gold for _, golds_of_pair in annotated.values() for gold in golds_of_pair]
    annotators = sorted({gold.annotator or UNNAMED for gold in golds})
    marked = sorted((gold.id, gold.annotator, _marked_links(gold)) for gold in golds)
    languages = sorted({pair.summary.language for pair, _ in annotated.values()})
    ignored = sorted(frozenset[str]().union(*map(stop_words, languages)))
    choices = {
        "annotators": "+".join(annotators),
        "gold": digest(marked),
        "case": "lower",
        "stop": f"{len(ignored)}.{digest(ignored)}",
        "soft": "diagonal",
        "bootstrap": samples,
        "seed": seed,
        "interval": f"{COVERAGE:.0%} percentile",
        "version": version("vorlage"),
    }
    return "|".join(f"{name}:{value}" for name, value in choices.items())


def _marked_links(gold: Gold) -> list[tuple[object, object, bool]]:
    """Return the links of an annotator as (summary, document, sure), sorted."""
    if gold.unit == "char":
        return sorted((link.summary, link.document, link.sure) for link in gold.links)
    sure = gold.cells(sure_only=True)
    return sorted((i, j, (i, j) in sure) for i, j in gold.cells(sure_only=False))
