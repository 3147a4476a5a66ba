"""The pairs that the report shows: which ones, their gold as spans of tokens, and the F of each system."""

from collections.abc import Container, Iterable, Sequence

from vorlage.alignments.alignment import Alignment
from vorlage.alignments.viewer import GoldSpans
from vorlage.documents.pair import Pair, read_pairs
from vorlage.types import StrPath
from vorlage.workflow.gold import CHARACTERS, TOKENS, Gold
from vorlage.workflow.score import phrases
from vorlage.workflow.score.counts import count_links, scores
from vorlage.workflow.score.reference import make_reference

DIGITS = 3  # decimals of F


def choose_pairs(corpus: StrPath, golds: Container[str], limit: int) -> list[str]:
    """Return the ids of at most `limit` pairs in corpus order, those in `golds` before all others."""
    return sorted((pair.id for pair in read_pairs(corpus)), key=lambda name: name not in golds)[:limit]


def gold_spans(pair: Pair, golds: Sequence[Gold]) -> GoldSpans | None:
    """Return the gold of a pair for the viewer, or None without gold.

    Gold in characters counts only if the pair has no gold in tokens.
    """
    if not golds:
        return None
    unit = TOKENS if any(gold.unit == TOKENS for gold in golds) else CHARACTERS
    spans = []
    for link in (link for gold in golds if gold.unit == unit for link in gold.links):
        if unit == TOKENS:
            sides = [[list(span) for span in side] for side in (link.summary, link.document)]
        else:
            texts = (pair.summary, link.summary), (pair.document, link.document)
            sides = [_runs(phrases.tokens_inside(text, side)) for text, side in texts]
        spans.append([*sides, int(link.sure)])
    return GoldSpans(unit, spans)


def _runs(tokens: set[int]) -> list[list[int]]:
    """Return the half-open spans that a set of tokens consists of."""
    starts = sorted(token for token in tokens if token - 1 not in tokens)
    ends = sorted(token + 1 for token in tokens if token + 1 not in tokens)
    return [[start, end] for start, end in zip(starts, ends, strict=True)]


def pair_f(pair: Pair, golds: Sequence[Gold], alignments: Iterable[Alignment]) -> dict[str, float] | None:
    """Return the F of each system on one pair, or None without gold.

    F is SoftF over all words, or the F of phrases for gold in characters.
    """
    if not golds:
        return None
    tokens = [gold for gold in golds if gold.unit == TOKENS]
    reference = make_reference(pair, tokens)
    values = {}
    for made in alignments:
        if tokens:
            f = scores(count_links(made.links, reference))["soft_f"]
        else:
            f = phrases.scores(phrases.count(made.links, pair, golds))["f"]
        values[made.system] = round(float(f[0]), DIGITS)
    return values
