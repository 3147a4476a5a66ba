"""Measures of what a summary says without support: of its words, and of the whole text."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from vorlage.corpus.gold import SUPPORTED, UNWANTED, EvidenceGold
from vorlage.corpus.pair import Pair
from vorlage.score.field.attributed import Golds
from vorlage.score.field.evidence import Evidence
from vorlage.score.field.measures import Measure, Measures
from vorlage.score.field.ranking import auroc, average_precision, calibration_error
from vorlage.types import Bools, Floats, LongInts, Span

HELD = 2**22  # weights of words that are held at once


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
        spans, words = unsupported_spans(gold, pair), evidence[key].words
        if words is None:
            continue
        for (start, end), score in zip(pair.summary.tokens, words.tolist(), strict=True):
            if any(character.isalnum() for character in pair.summary.raw[start:end]):
                scores.append(score)
                labels.append(any(start < last and end > first for first, last in spans))
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
