"""What a scorer is asked about a pair: the spans of the summary, and the passages of the document."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from vorlage.corpus.corpus_file import read_pairs
from vorlage.corpus.gold import (
    PASSAGES,
    SUPPORTED,
    EvidenceGold,
    check_evidence_gold,
    read_evidence_gold,
    refuse_unknown,
)
from vorlage.corpus.pair import Pair
from vorlage.text.tokenized import Text
from vorlage.types import Span, StrPath


class Unit(NamedTuple):
    """A stretch of a text: the positions of its words, the words, and the characters as they are written."""

    positions: range
    words: list[str]
    raw: str


@dataclass(frozen=True)
class Task:
    """A pair, and the spans of `characters` of its summary whose passages are asked for.

    `judged`: whether the gold says how much of the summary is supported.
    """

    pair: Pair
    characters: tuple[Span, ...] = ()
    judged: bool = True

    @cached_property
    def spans(self) -> list[Unit]:
        """The spans of the summary; each has the words that it overlaps."""
        return [_overlapping(self.pair.summary, span) for span in self.characters]

    @cached_property
    def passages(self) -> list[Unit]:
        """The passages of the document: its lines."""
        breaks = [at for at, character in enumerate(self.pair.document.raw) if character == "\n"]
        edges = pairwise([-1, *breaks, len(self.pair.document.raw)])
        return [_overlapping(self.pair.document, (before + 1, end)) for before, end in edges]


def sentences(text: Text) -> list[Unit]:
    """Return the sentences of a text."""
    return [_unit(text, range(start, end)) for start, end in text.sentences]


def _overlapping(text: Text, span: Span) -> Unit:
    inside = [t for t, (start, end) in enumerate(text.tokens) if start < span[1] and end > span[0]]
    return _unit(text, range(inside[0], inside[-1] + 1) if inside else range(0))


def _unit(text: Text, positions: range) -> Unit:
    if not positions:
        return Unit(positions, [], "")
    raw = text.raw[text.tokens[positions[0]][0] : text.tokens[positions[-1]][1]]
    return Unit(positions, text.words[positions.start : positions.stop], raw)


def read_tasks(corpus: StrPath, gold: StrPath) -> Iterator[Task]:
    """Yield the task of each pair of a corpus that has gold, in the order of the corpus.

    For gold of the kind `supported`, the whole summary is the one span. Raise `InputError` for gold
    that is malformed, or that does not fit the corpus.
    """
    golds = {evidence.id: evidence for evidence in read_evidence_gold(gold)}
    for pair in read_pairs(corpus):
        if pair.id in golds:
            evidence = golds.pop(pair.id)
            check_evidence_gold(evidence, pair)
            yield Task(pair, _characters(evidence, pair), evidence.kind != PASSAGES)
    refuse_unknown({key: [evidence] for key, evidence in golds.items()}, corpus)


def _characters(gold: EvidenceGold, pair: Pair) -> tuple[Span, ...]:
    if gold.kind == SUPPORTED:
        return ((0, len(pair.summary.raw)),)
    return tuple(span.summary for span in gold.spans)
