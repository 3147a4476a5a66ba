"""The interface of a scorer of passages, and scorers that compare each span with each passage by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from vorlage.baselines.passages.task import Task, Unit, sentences
from vorlage.types import Floats


class Scores(NamedTuple):
    """What a scorer says about a pair.

    `spans`: the score of each passage for each span, (spans, passages), the higher the better. `words`:
    how unsupported each word of the summary is, and `text`: how unsupported the summary is, the higher the
    less supported; None where the scorer does not say.
    """

    spans: Floats
    words: Floats | None = None
    text: float | None = None


class Scorer(Protocol):
    """Finds the passages that a span comes from, and what has no support."""

    def score(self, task: Task) -> Scores:
        """Return the scores of a pair."""


# The similarities of all spans (rows) and passages (columns).
Similarities: TypeAlias = Callable[[Sequence[Unit], Sequence[Unit]], Floats]


@dataclass(frozen=True)
class Pairwise:
    """Scores passages by a similarity between 0 and 1 of two stretches of text.

    A summary is unsupported with 1 − the mean over its sentences of the similarity to the most similar
    sentence of the document. It is compared only if the gold is about support: that takes most of the time.
    """

    similarities: Similarities

    def score(self, task: Task) -> Scores:
        """Return the scores of a pair; words have none."""
        spans = self.similarities(task.spans, task.passages)
        if not task.judged:
            return Scores(spans)
        both = self.similarities(sentences(task.pair.summary), sentences(task.pair.document))
        return Scores(spans, None, 1 - float(both.max(axis=1).mean()))


def table(spans: Sequence[Unit], passages: Sequence[Unit], of_pair: Callable[[Unit, Unit], float]) -> Floats:
    """Return a function of each span and each passage, (spans, passages); 0 for an empty unit."""
    rows = [
        [of_pair(span, passage) if span.words and passage.words else 0.0 for passage in passages]
        for span in spans
    ]
    return np.array(rows, dtype=np.float64).reshape(len(spans), len(passages))
