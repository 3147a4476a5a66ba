"""The questions to a scorer: spans of a summary, passages of the document; and its answer, scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from vorlage.documents.pair import Pair
from vorlage.text.tokenized import Text
from vorlage.types import Floats, Span, StrPath

from field.evidence_gold import PASSAGES, read_evidence_pairs


class Unit(NamedTuple):
    """A stretch of a text: the positions of its words, the words, and the characters as they are written."""

    positions: range
    words: list[str]
    raw: str


@dataclass(frozen=True)
class PassageTask:
    """A pair, and the spans of `characters` of its summary whose passages are asked for.

    `judged`: whether the gold says how much of the summary is supported.
    """

    pair: Pair
    characters: tuple[Span, ...] = ()
    judged: bool = True

    @cached_property
    def spans(self) -> list[Unit]:
        """The spans of the summary; each has the words that it overlaps."""
        return [_unit(self.pair.summary, self.pair.summary.tokens_in(span)) for span in self.characters]

    @cached_property
    def passages(self) -> list[Unit]:
        """The passages of the document: its lines."""
        document = self.pair.document
        breaks = [at for at, character in enumerate(document.raw) if character == "\n"]
        edges = pairwise([-1, *breaks, len(document.raw)])
        return [_unit(document, document.tokens_in((start + 1, end))) for start, end in edges]


class Scores(NamedTuple):
    """What a scorer says about a pair.

    `spans` (spans, passages): the score of each passage for each span, the higher the better. `words`: how
    unsupported each word of the summary is, and `text`: how unsupported the summary is, the higher the less
    supported; None where the scorer does not say.
    """

    spans: Floats
    words: Floats | None = None
    text: float | None = None


# Finds the passages that each span comes from, and what has no support.
Scorer: TypeAlias = Callable[[PassageTask], Scores]


def by_similarity(similarities: Callable[[Sequence[Unit], Sequence[Unit]], Floats]) -> Scorer:
    """Return a scorer by the similarity, between 0 and 1, of two stretches of text.

    A summary is unsupported with 1 − the mean over its sentences of the similarity to the most similar
    sentence of the document. It is compared only if the gold is about support: that takes most of the time.
    Words have no scores.

    Args:
        similarities: returns the similarities (m, n) of all pairs of two lists of stretches.
    """

    def score(task: PassageTask) -> Scores:
        spans = similarities(task.spans, task.passages)
        if not task.judged:
            return Scores(spans)
        sides = similarities(sentences(task.pair.summary), sentences(task.pair.document))
        return Scores(spans, None, 1 - float(sides.max(axis=1).mean()))

    return score


def table(spans: Sequence[Unit], passages: Sequence[Unit], function: Callable[[Unit, Unit], float]) -> Floats:
    """Return a function of each span and each passage, (spans, passages); 0 where one has no words."""
    rows = [
        [function(span, passage) if span.words and passage.words else 0.0 for passage in passages]
        for span in spans
    ]
    return np.array(rows, dtype=np.float64).reshape(len(spans), len(passages))


def sentences(text: Text) -> list[Unit]:
    """Return the sentences of a text."""
    return [_unit(text, range(start, end)) for start, end in text.sentences]


def _unit(text: Text, positions: range) -> Unit:
    if not positions:
        return Unit(positions, [], "")
    raw = text.raw[text.tokens[positions[0]][0] : text.tokens[positions[-1]][1]]
    return Unit(positions, text.words[positions.start : positions.stop], raw)


def read_tasks(corpus: StrPath, gold: StrPath) -> Iterator[PassageTask]:
    """Yield the task of each pair of a corpus that has gold, in the order of the corpus.

    Raises:
        InputError: for gold that is malformed, or that does not fit the corpus.
    """
    for pair, evidence in read_evidence_pairs(corpus, gold):
        if evidence:
            yield PassageTask(pair, tuple(evidence.characters(pair)), evidence.kind != PASSAGES)
