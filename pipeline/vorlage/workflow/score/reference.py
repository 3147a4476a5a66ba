"""The gold that scores are computed against: the union of its annotators, and the words that count."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from vorlage.alignments.alignment import Link, WordPair
from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.documents.records import read_records, tokenize
from vorlage.text.words import is_stop_word
from vorlage.types import StrPath
from vorlage.workflow.gold import (
    Annotations,
    Gold,
    check_gold,
    read_annotations,
    read_gold,
    refuse_unknown,
    settled,
)

ALL_IN_OTHER_UNIT = {
    "token": "all gold is in characters (unit `char`), but word scores need gold in tokens; add alignments "
    "with unit `token`, or score phrases: vorlage score-phrases",
    "char": "all gold is in tokens, but phrase scores need gold in characters; add alignments with unit "
    "`char`, or score words: vorlage score",
}
UNNAMED = "unnamed"  # the name that tables give to an annotator without a name


@dataclass(frozen=True)
class Reference:
    """The gold of one pair as sets of word links.

    `sure` (S) is a subset of `possible` (P), as in Och & Ney 2003.
    """

    document_words: list[str]
    summary_words: list[str]
    sure: frozenset[WordPair]
    possible: frozenset[WordPair]
    language: str = "en"

    @cached_property
    def document_content(self) -> list[bool]:
        """Whether each document token is a content word, that is, not a stop word."""
        return [not is_stop_word(word, self.language) for word in self.document_words]

    @cached_property
    def summary_content(self) -> list[bool]:
        """Whether each summary token is a content word, that is, not a stop word."""
        return [not is_stop_word(word, self.language) for word in self.summary_words]

    def content_links(self, links: Iterable[WordPair]) -> set[WordPair]:
        """Return the links between two content words."""
        return {(i, j) for i, j in links if self.summary_content[i] and self.document_content[j]}


class AnnotatedPair(NamedTuple):
    """A pair and the gold of each of its annotators."""

    pair: Pair
    golds: list[Gold]


# The annotated pairs of a corpus by their ids, in corpus order.
Annotated: TypeAlias = dict[str, AnnotatedPair]


def make_reference(pair: Pair, golds: Sequence[Gold]) -> Reference:
    """Return the reference of a pair: S and P are the unions of the links that its annotators marked."""
    return Reference(
        pair.document.words,
        pair.summary.words,
        frozenset[WordPair]().union(*(gold.cells(sure_only=True) for gold in golds)),
        frozenset[WordPair]().union(*(gold.cells(sure_only=False) for gold in golds)),
        pair.summary.language,
    )


def in_gold_order(annotated: Annotated, gold_path: StrPath) -> Annotated:
    """Return the annotated pairs in the order of the gold file, in which they were annotated."""
    order = dict.fromkeys(gold.id for gold in read_gold(gold_path))
    return {key: annotated[key] for key in order if key in annotated}


def token_links(gold: Gold) -> list[Link]:
    """Return what an annotator marked in tokens, sure and possible, as the links of a system."""
    return [Link(link.summary[0], link.document[0]) for link in gold.links]


def make_references(annotated: Annotated) -> dict[str, Reference]:
    """Return the reference of each annotated pair by its id."""
    return {key: make_reference(pair, golds) for key, (pair, golds) in annotated.items()}


def read_annotated(
    corpus_path: StrPath, gold_path: StrPath, unit: str = "token", every_annotator: bool = False
) -> tuple[Annotated, set[str]]:
    """Return the pairs that have gold in `unit` (`token` or `char`), and the ids of all pairs.

    The corpus is a `corpus.jsonl` of the corpus stage, or pairs in input form, which get the same tokens.
    Gold in the other unit is left out, and the log says how much. Adjudicated gold is the only gold of
    its pair, unless `every_annotator`. Raise `InputError` as
    `vorlage.workflow.gold.read_annotations`, when no gold is left, for gold of an unknown pair, and for
    spans out of range.
    """
    annotations: Annotations = {}
    others = 0
    for key, golds in read_annotations(gold_path).items():
        if in_unit := [gold for gold in golds if gold.unit == unit]:
            annotations[key] = in_unit
        others += len(golds) - len(in_unit)
    if not annotations and others:
        raise InputError(f"{gold_path}: {ALL_IN_OTHER_UNIT[unit]}")
    if not annotations:
        raise InputError(f"{gold_path}: no gold alignments, so there is nothing to score; set `corpus.gold`")
    if others:
        log.info(f"{gold_path}: left out {others} annotations that are not in {unit}s")

    annotated: Annotated = {}
    ids = set()
    for pair in map(tokenize, read_records(corpus_path)):
        ids.add(pair.id)
        if pair.id in annotations:
            annotated[pair.id] = AnnotatedPair(pair, annotations.pop(pair.id))
            for gold in annotated[pair.id].golds:
                check_gold(gold, pair)
    refuse_unknown(annotations, corpus_path)
    return (annotated if every_annotator else settle(annotated)), ids


def settle(annotated: Annotated) -> Annotated:
    """Return annotated pairs with the gold that counts, see `vorlage.workflow.gold.settled`."""
    return {key: AnnotatedPair(pair, settled(golds)) for key, (pair, golds) in annotated.items()}
