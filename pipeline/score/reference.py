"""The gold that scores are computed against: annotators joined, and the words that count."""

import logging
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from pipeline.corpus.gold import check_gold, read_gold
from pipeline.corpus.pair import read_pairs
from pipeline.run.errors import InputError
from pipeline.text.words import is_stop_word

ALL_IN_OTHER_UNIT = {
    "token": "all gold is in characters (unit `char`), but word scores need gold in tokens; add alignments "
    "with unit `token`, or score phrases: python -m pipeline.score.phrases",
    "char": "all gold is in tokens, but phrase scores need gold in characters; add alignments with unit "
    "`char`, or score words: python -m pipeline.score",
}
UNNAMED = "unnamed"  # what tables call an annotator whose name the gold leaves out

log = logging.getLogger("pipeline")


@dataclass(frozen=True)
class Reference:
    """The gold of one pair as sets of word links (summary token, document token).

    ``sure`` (S) is contained in ``possible`` (P), as in Och & Ney 2003.
    """

    document_words: list
    summary_words: list
    sure: frozenset
    possible: frozenset

    @cached_property
    def document_content(self):
        """For each document token, whether it is not a stop word."""
        return [not is_stop_word(word) for word in self.document_words]

    @cached_property
    def summary_content(self):
        """For each summary token, whether it is not a stop word."""
        return [not is_stop_word(word) for word in self.summary_words]

    def content_links(self, links):
        """The links of a set in which neither word is a stop word."""
        return {(i, j) for i, j in links if self.summary_content[i] and self.document_content[j]}


def make_reference(pair, golds):
    """The reference of a pair: S and P are the unions over what its annotators marked (a list of Gold)."""
    return Reference(
        pair.document.words,
        pair.summary.words,
        frozenset().union(*(gold.cells(sure_only=True) for gold in golds)),
        frozenset().union(*(gold.cells(sure_only=False) for gold in golds)),
    )


def read_annotated(corpus_path, gold_path, unit="token"):
    """Read the pairs that have gold in ``unit``, ``token`` or ``char``.

    Returns ``(annotated, ids)``: ``annotated`` maps the id of each such pair, in corpus order, to
    ``(pair, list of its Gold)``; ``ids`` is the set of all ids of the corpus. Gold in the other unit is
    left out, which is logged. Raises :class:`InputError` when no gold is left, for gold of an unknown
    pair, for two lines by one annotator on one pair, and for spans out of range.
    """
    lines, others = defaultdict(list), 0
    for number, gold in read_gold(gold_path):
        if gold.unit != unit:
            others += 1
            continue
        where = f"{gold_path}, line {number}"
        if any(gold.annotator == other.annotator for _, other in lines[gold.id]):
            raise InputError(
                f"{where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                "give each annotator one line a pair"
            )
        lines[gold.id].append((where, gold))
    if not lines and others:
        raise InputError(f"{gold_path}: {ALL_IN_OTHER_UNIT[unit]}")
    if not lines:
        raise InputError(f"{gold_path}: no gold alignments, so there is nothing to score; set `corpus.gold`")
    if others:
        log.info(f"{gold_path}: left out {others} annotations that are not in {unit}s")

    annotated, ids = {}, set()
    for pair in read_pairs(corpus_path):
        ids.add(pair.id)
        if pair.id in lines:
            for where, gold in lines[pair.id]:
                check_gold(gold, pair, where)
            annotated[pair.id] = (pair, [gold for _, gold in lines[pair.id]])
    for key, found in lines.items():
        if key not in annotated:
            raise InputError(f"{found[0][0]}: gold for pair {key}, which is not in {corpus_path}; remove it")
    return annotated, ids
