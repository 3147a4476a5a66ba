"""Measures of attribution: passages of spans, supporting sentences, fused spans."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.corpus.gold import EvidenceGold, GoldLink
from vorlage.corpus.pair import Pair
from vorlage.score.field.evidence import Evidence
from vorlage.score.field.measures import Measures, f_measure, mean_of, share_of
from vorlage.score.field.ranking import average_precision
from vorlage.score.ratios import share
from vorlage.types import Floats, LongInts

SENTENCES = 3  # the most that count as found
# The pairs with gold by their ids.
Golds: TypeAlias = Mapping[str, tuple[Pair, EvidenceGold]]


def best_passage(scores: Floats) -> int | None:
    """Return the passage with the highest score, the first of several; None if all scores are 0."""
    return int(scores.argmax()) if scores.any() else None


def passage_measures(evidence: Mapping[str, Evidence], golds: Golds) -> Measures:
    """Return the share of spans whose best passage supports them."""
    right = [
        sum(
            best_passage(scores) in span.passages
            for scores, span in zip(evidence[key].spans, gold.spans, strict=True)
        )
        for key, (_, gold) in golds.items()
    ]
    return {"accuracy": share_of(np.array(right), np.array([len(gold.spans) for _, gold in golds.values()]))}


def sentence_measures(evidence: Mapping[str, Evidence], golds: Golds) -> Measures:
    """Return measures of the sentences that support a summary.

    *Best* is the share of summaries whose best sentence is in one of the sets of the gold. The `SENTENCES`
    best sentences with a score above 0 count as found: precision is the share of them that is in a set, and
    recall the largest share of a set that is found, both averaged over the pairs; F is computed from the
    averages. *Average precision* is that of the ranking of all sentences, averaged.
    """
    values = []
    for key, (_, gold) in golds.items():
        (scores,) = evidence[key].spans
        in_a_set = {number for numbers in gold.sentences for number in numbers}
        ranked = {n for n in np.argsort(-scores, kind="stable")[:SENTENCES].tolist() if scores[n] > 0}
        shares = [len(ranked & set(numbers)) / len(numbers) for numbers in gold.sentences if numbers]
        labels = np.isin(np.arange(len(scores)), list(in_a_set))
        best, precision = best_passage(scores) in in_a_set, share(len(ranked & in_a_set), len(ranked))
        ranking = average_precision(scores, labels, np.ones((1, len(scores)), dtype=np.int64))
        values.append((best, precision, max(shares, default=0.0), *ranking))
    best_share, p, r, average = map(mean_of, np.array(values, dtype=float).T)
    f = f_measure(p, r)
    return {"best": best_share, "precision": p, "recall": r, "f": f, "average_precision": average}


def fusion_measures(alignments: Mapping[str, Alignment], golds: Golds) -> Measures:
    """Return measures of fused spans, by the links that the system chose.

    Recall is the share of the document spans that a link from the summary span reaches; precision the share
    of the links from it, to each document word of the linked phrase, that end inside one; *all sources* the
    share of summary spans of which every document span is reached.
    """
    counts = [
        np.sum([_count_fused(fused, _linked(alignments[key])) for fused in gold.fused], axis=0)
        for key, (_, gold) in golds.items()
    ]
    reached, sources, inside, links, complete, spans = np.array(counts).T
    p, r = share_of(inside, links), share_of(reached, sources)
    return {"recall": r, "precision": p, "f": f_measure(p, r), "all_sources": share_of(complete, spans)}


def _linked(alignment: Alignment) -> list[list[int]]:
    """Return the document words that each summary word is linked to, once for each link."""
    linked: list[list[int]] = [[] for _ in alignment.summary_words]
    for i, j in (cell for link in alignment.links for cell in link.all_cells()):
        linked[i].append(j)
    return linked


def _count_fused(fused: GoldLink, linked: Sequence[Sequence[int]]) -> LongInts:
    """Return reached sources, sources, links inside a source, links, whether all are reached, and 1."""
    ends = [j for span in fused.summary for i in range(*span) for j in linked[i]]
    reached = [any(j in range(*span) for j in ends) for span in fused.document]
    inside = [any(j in range(*span) for span in fused.document) for j in ends]
    return np.array([sum(reached), len(reached), sum(inside), len(inside), all(reached), 1], dtype=np.int64)
