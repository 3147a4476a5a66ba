"""Scorers by copied fragments: the extractive coverage and density of Grusky, Naaman & Artzi (2018)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.baselines.passages.scorer import Scores, table
from vorlage.baselines.passages.task import Task, Unit
from vorlage.types import Floats, LongInts


def find_fragments(summary: Sequence[str], document: Sequence[str]) -> list[tuple[int, int]]:
    """Return the extractive fragments of a summary as half-open spans, by figure 3 of the paper.

    At each word of the summary, the document is searched from left to right for runs that are equal to what
    follows; a search goes on after the last run that it found. The longest run, the first of several, is a
    fragment, and the next word is the one after it. Words are equal regardless of case.
    """
    left, right = ([word.lower() for word in side] for side in (summary, document))
    places = defaultdict(list)
    for j, word in enumerate(right):
        places[word].append(j)
    fragments, i = [], 0
    while i < len(left):
        longest = after = 0
        for j in places.get(left[i], ()):
            if j >= after:
                length = _common_prefix(left[i:], right[j:])
                longest, after = max(longest, length), j + length
        if longest:
            fragments.append((i, i + longest))
        i += max(longest, 1)
    return fragments


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = zip(left, right, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def fragment_lengths(summary: Sequence[str], document: Sequence[str]) -> LongInts:
    """Return for each word of a summary the length of its fragment, 0 outside of fragments."""
    lengths = np.zeros(len(summary), dtype=np.int64)
    for start, end in find_fragments(summary, document):
        lengths[start:end] = end - start
    return lengths


@dataclass(frozen=True)
class Fragments:
    """Scores a passage by the coverage of a span, or by its density.

    Coverage is the share of the words that are in fragments, density the mean over the words of the length of
    their fragment, 0 outside. By coverage, a word is unsupported with 1 outside of fragments and with 0
    inside, a summary with 1 − its coverage. By density, a word is unsupported with 1 / (1 + its length), a
    summary with 1 / (1 + its density).
    """

    by_density: bool

    def score(self, task: Task) -> Scores:
        """Return the scores of a pair."""
        spans = table(task.spans, task.passages, self._mean)
        lengths = fragment_lengths(task.pair.summary.words, task.pair.document.words)
        support = self._support(lengths)
        if self.by_density:
            return Scores(spans, 1 / (1 + support), 1 / (1 + float(support.mean())))
        return Scores(spans, 1 - support, 1 - float(support.mean()))

    def _mean(self, span: Unit, passage: Unit) -> float:
        return float(self._support(fragment_lengths(span.words, passage.words)).mean())

    def _support(self, lengths: LongInts) -> Floats:
        return (lengths if self.by_density else lengths > 0).astype(np.float64)
