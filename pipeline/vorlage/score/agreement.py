"""Agreement between annotators: `vorlage agreement`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from itertools import permutations

import numpy as np

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.gold import Gold
from vorlage.corpus.pair import Pair
from vorlage.score.counts import WORDS, count_links
from vorlage.score.kappa import kappa
from vorlage.score.metrics import scores
from vorlage.score.reference import (
    UNNAMED,
    Annotated,
    Reference,
    WordLink,
    in_gold_order,
    make_reference,
    read_annotated,
    token_links,
)
from vorlage.score.tsv import Row, format_table, write_tsv
from vorlage.settings import Score, add_options, from_options
from vorlage.types import LongInts, StrPath

COLUMNS = (
    *("annotator", "against", "words", "soft_precision", "recall", "soft_f"),
    *("kappa_sure", "kappa_possible", "pairs", "cells"),
)


def agreement(corpus: StrPath, gold: StrPath, skip: int = 0) -> list[Row]:
    """Compare each two annotators of a gold file; see `compare_annotators`, which returns the rows."""
    annotated, _ = read_annotated(corpus, gold, every_annotator=True)
    rows = compare_annotators(in_gold_order(annotated, gold), skip)
    if not rows:
        after = f" after the first {skip}" if skip else ""
        log.info(f"{gold}: no pair{after} has token gold by two annotators, so there is nothing to compare")
    return rows


def compare_annotators(annotated: Annotated, skip: int = 0) -> list[Row]:
    """Compare each two annotators over the pairs that both annotated, without the first `skip` of these.

    The first five pairs of Daumé & Marcu 2005 were discussed, so their agreement is over the others.
    `annotated`: the pairs, in the order in which they were annotated.

    Return rows with the keys `COLUMNS` for each ordered pair of annotators, over all and over non-stop
    words: precision, recall and F under the soft rule, with everything that the annotator marked, sure and
    possible, as the hypothesis and the other annotator as the gold; κ of the sure and of all links (Daumé &
    Marcu 2005, Section 2.2, phrases as all their word pairs); `pairs`, and `cells`, the number of
    decisions that κ is over.
    """
    pairs = {key: pair for key, (pair, _) in annotated.items()}
    by_annotator: defaultdict[str, dict[str, Gold]] = defaultdict(dict)
    for key, (_, golds) in annotated.items():
        for marked in golds:
            by_annotator[marked.annotator][key] = marked
    return [
        row
        for annotator, other in permutations(sorted(by_annotator), 2)
        for row in _rows(pairs, annotator, other, by_annotator[annotator], by_annotator[other], skip)
    ]


def _rows(
    pairs: Mapping[str, Pair],
    annotator: str,
    other: str,
    marked: Mapping[str, Gold],
    marked_by_other: Mapping[str, Gold],
    skip: int,
) -> Iterator[Row]:
    shared = [key for key in marked if key in marked_by_other][skip:]
    if not shared:
        return
    counts, decisions = [], []
    for key in shared:
        mine = make_reference(pairs[key], [marked[key]])
        theirs = make_reference(pairs[key], [marked_by_other[key]])
        counts.append(count_links(token_links(marked[key]), theirs))
        decisions.append(_decisions(mine, theirs))
    soft = scores(np.sum(counts, axis=0)).soft
    for index, words in enumerate(WORDS):
        sure, possible = np.sum(decisions, axis=0)[index].tolist()
        yield {
            "annotator": annotator or UNNAMED,
            "against": other or UNNAMED,
            "words": words,
            "soft_precision": float(soft.precision[index]),
            "recall": float(soft.recall[index]),
            "soft_f": float(soft.f[index]),
            "kappa_sure": kappa(*sure),
            "kappa_possible": kappa(*possible),
            "pairs": len(shared),
            "cells": sure[-1],
        }


def _decisions(mine: Reference, theirs: Reference) -> LongInts:
    """Return the arguments of `kappa` for one pair: shape (2, 2, 4), over `WORDS` and (S, P)."""
    sets = [(mine.sure, theirs.sure), (mine.possible, theirs.possible)]
    cells = len(mine.summary_words) * len(mine.document_words)
    content = sum(mine.summary_content) * sum(mine.document_content)
    return np.array(
        [
            [_overlap(a, b, cells) for a, b in sets],
            [_overlap(mine.content_links(a), mine.content_links(b), content) for a, b in sets],
        ],
        dtype=np.int64,
    )


def _overlap(first: Set[WordLink], second: Set[WordLink], cells: int) -> list[int]:
    return [len(first & second), len(first), len(second), cells]


@command
def main(arguments: list[str] | None = None) -> None:
    """Compare annotators."""
    parser = CommandParser(
        "agreement",
        main,
        description="Compare each two annotators: the scores of one against the other as gold, and Cohen's "
        "kappa over all cells (summary word, document word).",
    )
    parser.add_argument("--corpus", required=True, help="pairs: of the corpus stage, or in input form")
    parser.add_argument("--gold", required=True, help="gold file")
    parser.add_argument("--output", required=True, help="table to write (tab-separated)")
    add_options(parser, Score, ("skip",))
    options = parser.parse(arguments)
    rows = agreement(options.corpus, options.gold, from_options(options, Score).skip)
    write_tsv(options.output, rows, COLUMNS)
    print(format_table(rows, COLUMNS))
