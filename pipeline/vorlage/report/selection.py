"""The pairs that the report shows: which ones, their gold as spans of tokens, and the F of each system."""

from collections.abc import Container, Iterable, Sequence

from vorlage.alignments.alignment import Alignment
from vorlage.corpus.corpus_file import read_pairs
from vorlage.corpus.gold import Gold
from vorlage.corpus.pair import Pair
from vorlage.score import phrases
from vorlage.score.counts import count_links, scores
from vorlage.score.reference import make_reference
from vorlage.types import StrPath
from vorlage.viewer.viewer import GoldSpans

DIGITS = 3  # decimals of F


def choose_pairs(corpus: StrPath, golds: Container[str], limit: int) -> list[str]:
    """Return the ids of at most `limit` pairs in corpus order, those in `golds` before all others."""
    annotated: list[str] = []
    others: list[str] = []
    for pair in read_pairs(corpus):
        ids = annotated if pair.id in golds else others
        if len(ids) < limit:
            ids.append(pair.id)
    return (annotated + others)[:limit]


def gold_spans(pair: Pair, golds: Sequence[Gold]) -> GoldSpans | None:
    """Return the gold of a pair for the viewer, or None without gold.

    Gold in characters counts only if the pair has no gold in tokens.
    """
    if not golds:
        return None
    unit = "token" if any(gold.unit == "token" for gold in golds) else "char"
    spans = []
    for gold in golds:
        for link in gold.links if gold.unit == unit else ():
            if unit == "token":
                sides = [[list(span) for span in side] for side in (link.summary, link.document)]
            else:
                sides = [
                    _runs(phrases.tokens_inside(pair.summary, link.summary)),
                    _runs(phrases.tokens_inside(pair.document, link.document)),
                ]
            spans.append([*sides, int(link.sure)])
    return GoldSpans(unit, spans)


def _runs(tokens: Iterable[int]) -> list[list[int]]:
    """Return the half-open spans that a set of tokens consists of."""
    spans: list[list[int]] = []
    for token in sorted(tokens):
        if spans and spans[-1][1] == token:
            spans[-1][1] += 1
        else:
            spans.append([token, token + 1])
    return spans


def pair_f(pair: Pair, golds: Sequence[Gold], alignments: Iterable[Alignment]) -> dict[str, float] | None:
    """Return the F of each system on one pair, or None without gold.

    F is SoftF over all words, or the F of phrases for gold in characters.
    """
    if not golds:
        return None
    tokens = [gold for gold in golds if gold.unit == "token"]
    if tokens:
        reference = make_reference(pair, tokens)
        values = {made.system: scores(count_links(made.links, reference))["soft_f"][0] for made in alignments}
    else:
        counted = {made.system: phrases.count(made.links, pair, golds) for made in alignments}
        values = {system: phrases.scores(counts)["f"][0] for system, counts in counted.items()}
    return {system: round(float(value), DIGITS) for system, value in values.items()}
