"""Measures of attribution: passages of spans, supporting sentences, fused spans, what has no support."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from vorlage.alignments.alignment import Alignment
from vorlage.documents.pair import Pair
from vorlage.text.words import is_punctuation
from vorlage.types import Bools, Floats, LongInts, Span
from vorlage.workflow.gold import GoldLink

from field.evidence import Evidence
from field.evidence_gold import SUPPORTED, UNWANTED, EvidenceGold
from field.measures import (
    Measure,
    Measures,
    auroc,
    average_precision,
    calibration_error,
    f_measure,
    mean_of,
    share_of,
)

SENTENCES = 3  # the most that count as found
HELD = 2**22  # weights of words that are held at once
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
        best, precision = best_passage(scores) in in_a_set, len(ranked & in_a_set) / max(1, len(ranked))
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


def unsupported_spans(gold: EvidenceGold, pair: Pair) -> list[Span]:
    """Return the spans of characters of the summary that the gold says are not supported.

    Of marked spans, these are the ones with a label that begins with `Unwanted`.
    """
    if gold.kind != SUPPORTED:
        return [mark.summary for mark in gold.marks if mark.label.startswith(UNWANTED)]
    spans, start = [], 0
    for word, supported in zip(pair.summary.raw.split(" "), gold.supported, strict=True):
        if not supported:
            spans.append((start, start + len(word)))
        start += len(word) + 1
    return spans


def support_measures(evidence: Mapping[str, Evidence], golds: Golds) -> Measures:
    """Return the measures of a system's scores of words and, for marked summaries, of whole texts.

    Words are the tokens with a letter or digit. A summary is unsupported if one of its spans is.
    """
    scores, labels, pairs = list[float](), list[bool](), list[int]()
    for number, (key, (pair, gold)) in enumerate(golds.items()):
        summary, words = pair.summary, evidence[key].words
        if words is None:
            continue
        unsupported = {token for span in unsupported_spans(gold, pair) for token in summary.tokens_in(span)}
        for token, (word, score) in enumerate(zip(summary.words, words.tolist(), strict=True)):
            if not is_punctuation(word):
                scores.append(score)
                labels.append(token in unsupported)
                pairs.append(number)
    measures = _ranked("word", np.array(scores), np.array(labels, dtype=bool), np.array(pairs, dtype=int))
    if any(gold.kind == SUPPORTED for _, gold in golds.values()):
        return measures
    return measures | _text_measures([evidence[key].text for key in golds], golds)


def detector_measures(golds: Golds) -> dict[str, Measures]:
    """Return the measures of whole texts by each detector whose outputs every pair of the gold has."""
    names = [set(gold.detectors) for _, gold in golds.values()]
    return {
        name: _text_measures([1 - gold.detectors[name] for _, gold in golds.values()], golds)
        for name in sorted(set[str]().union(*names).intersection(*names))
    }


def _text_measures(scores: Sequence[float | None], golds: Golds) -> Measures:
    """Return the measures of scores of texts, none if a score is missing."""
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return {}
    labels = [bool(unsupported_spans(gold, pair)) for pair, gold in golds.values()]
    return _ranked("text", np.array(known), np.array(labels), np.arange(len(known)))


def _ranked(prefix: str, scores: Floats, labels: Bools, pairs: LongInts) -> Measures:
    """Return AUROC and average precision of scores and, if they are from 0 to 1, their calibration error.

    `pairs`: the number of the pair of each score. No scores give no measures.
    """
    if not len(scores):
        return {}
    measures = {"auroc": auroc, "average_precision": average_precision}
    if scores.min() >= 0 and scores.max() <= 1:
        measures["calibration_error"] = calibration_error

    def over(measure: Callable[[Floats, Bools, LongInts], Floats]) -> Measure:
        def of_samples(weights: LongInts) -> Floats:
            parts = np.array_split(weights, -(-weights.shape[0] * len(scores) // HELD))
            return np.concatenate([measure(scores, labels, part[:, pairs]) for part in parts])

        return of_samples

    return {f"{prefix}_{name}": over(measure) for name, measure in measures.items()}
