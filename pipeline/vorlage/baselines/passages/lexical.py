"""Scorers of passages by the words that they share with a span: idf overlap, BM25 and ROUGE-L."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from vorlage.baselines.passages.scorer import Pairwise, Scores, table
from vorlage.baselines.passages.task import Task, Unit
from vorlage.types import Floats


def terms(words: Iterable[str]) -> list[str]:
    """Return the words in lower case, without those that have no letter or digit."""
    return [word.lower() for word in words if any(character.isalnum() for character in word)]


@dataclass(frozen=True)
class IdfOverlap:
    """Scores a passage by the share of the span's words that it has, weighted by inverse document frequency.

    The weight of a word is log((N + 1) / (n + 1)) if n of the N passages of the corpus have it (Spärck Jones
    1972, smoothed). A word that the document has is supported; another one is unsupported with its weight,
    divided by the largest possible one. A summary is unsupported with the share of the weight of its words
    that the document does not have.
    """

    passages: int
    frequencies: Counter[str]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> "IdfOverlap":
        """Return the scorer with the frequencies of words in the passages of a corpus."""
        count, frequencies = 0, Counter[str]()
        for task in tasks:
            count += len(task.passages)
            for passage in task.passages:
                frequencies.update(set(terms(passage.words)))
        return cls(count, frequencies)

    def weight(self, term: str) -> float:
        """Return the inverse document frequency of a word."""
        return log((self.passages + 1) / (self.frequencies[term] + 1))

    def score(self, task: Task) -> Scores:
        """Return the scores of a pair."""
        document = set(terms(task.pair.document.words))
        weights = [sum(map(self.weight, terms([word]))) for word in task.pair.summary.words]
        absent = [not document.issuperset(terms([word])) for word in task.pair.summary.words]
        unsupported = np.where(absent, weights, 0.0)
        words = unsupported / (log(self.passages + 1) or 1)
        spans = table(task.spans, task.passages, self._overlap)
        return Scores(spans, words, float(unsupported.sum() / (sum(weights) or 1)))

    def _overlap(self, span: Unit, passage: Unit) -> float:
        wanted, found = set(terms(span.words)), set(terms(passage.words))
        # Sorted: the order of a set differs from run to run, and so would the sums.
        shared, whole = (sum(map(self.weight, sorted(part))) for part in (wanted & found, wanted))
        return shared / whole if whole else 0.0


@dataclass(frozen=True)
class BM25:
    """Scores a passage by BM25 (Robertson & Zaragoza 2009) by the package rank-bm25, with its defaults.

    `index`: the `BM25Okapi` of all passages of the corpus; `first`: the number of the first passage of
    each pair. Scores have no upper bound, so nothing says how unsupported words or summaries are.
    """

    index: Any
    first: dict[str, int]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> "BM25":
        """Return the scorer with an index of the passages of a corpus, which it holds in memory."""
        from rank_bm25 import BM25Okapi

        passages: list[list[str]] = []
        first = {}
        for task in tasks:
            first[task.pair.id] = len(passages)
            passages += [terms(passage.words) for passage in task.passages]
        return cls(BM25Okapi(passages), first)

    def score(self, task: Task) -> Scores:
        """Return the scores of the spans of a pair."""
        first = self.first[task.pair.id]
        numbers = list(range(first, first + len(task.passages)))
        rows = [self.index.get_batch_scores(terms(span.words), numbers) for span in task.spans]
        return Scores(np.array(rows, dtype=np.float64).reshape(len(rows), len(numbers)))


def rouge_l() -> Pairwise:
    """Return the scorer by the recall of ROUGE-L (Lin 2004), by the package rouge-score.

    The recall is the length of the longest common subsequence, divided by that of the span: a passage may be
    much longer.
    """
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"])

    def similarities(spans: Sequence[Unit], passages: Sequence[Unit]) -> Floats:
        return table(
            spans, passages, lambda span, passage: scorer.score(span.raw, passage.raw)["rougeL"].recall
        )

    return Pairwise(similarities)
