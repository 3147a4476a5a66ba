"""``python -m pipeline.score.agreement``: how far annotators agree with each other."""

import argparse
import logging
from itertools import permutations

import numpy as np

from pipeline.alignments import Link
from pipeline.run.errors import command
from pipeline.run.progress import start_log
from pipeline.score.counts import WORDS, count_links
from pipeline.score.kappa import kappa
from pipeline.score.metrics import scores
from pipeline.score.reference import UNNAMED, make_reference, read_annotated
from pipeline.score.tsv import readable, write_tsv

log = logging.getLogger("pipeline")

COLUMNS = (
    *("annotator", "against", "words", "soft_precision", "recall", "soft_f"),
    *("kappa_sure", "kappa_possible", "pairs", "cells"),
)


def agreement(corpus, gold):
    """Compare each two annotators over the pairs that both annotated.

    Returns rows (dicts), for each ordered pair of annotators over all and over non-stop words:
    precision, recall and F under the soft rule with everything the annotator marked, sure and possible,
    as the hypothesis and the other as the gold; κ of the sure and of all links (Daumé & Marcu 2005,
    Section 2.2, phrases as all their word pairs); ``pairs``, and ``cells``, the decisions κ is over.
    """
    annotated, _ = read_annotated(corpus, gold)
    by_annotator = {}
    for pair, golds in annotated.values():
        for marked in golds:
            by_annotator.setdefault(marked.annotator, {})[pair.id] = (pair, marked)
    rows = [
        row
        for annotator, other in permutations(sorted(by_annotator), 2)
        for row in _rows(annotator, other, by_annotator[annotator], by_annotator[other])
    ]
    if not rows:
        log.info(f"{gold}: no pair has token gold by two annotators, so there is nothing to compare")
    return rows


def _rows(annotator, other, marked, marked_by_other):
    shared = [key for key in marked if key in marked_by_other]
    if not shared:
        return
    counts, decisions = 0, 0
    for key in shared:
        pair, gold = marked[key]
        mine, theirs = make_reference(pair, [gold]), make_reference(pair, [marked_by_other[key][1]])
        links = [Link(link.summary[0], link.document[0]) for link in gold.links]
        counts = counts + count_links(links, theirs)
        decisions = decisions + _decisions(mine, theirs)
    measured = scores(counts)
    for index, words in enumerate(WORDS):
        sure, possible = decisions[index].tolist()
        yield {
            "annotator": annotator or UNNAMED,
            "against": other or UNNAMED,
            "words": words,
            **{name: float(measured[name][index]) for name in ("soft_precision", "recall", "soft_f")},
            "kappa_sure": kappa(*sure),
            "kappa_possible": kappa(*possible),
            "pairs": len(shared),
            "cells": sure[-1],
        }


def _decisions(mine, theirs):
    """The arguments of :func:`kappa` for one pair: shape (2, 2, 4), over ``WORDS`` and (S, P)."""
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


def _overlap(first, second, cells):
    return [len(first & second), len(first), len(second), cells]


@command
def main(arguments=None):
    """Compare annotators."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.score.agreement",
        description="Compare annotators two by two: the scores of one against the other as gold, and "
        "Cohen's kappa over all cells of summary word and document word.",
    )
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl of the corpus stage")
    parser.add_argument("--output", required=True, help="table to write (tab-separated)")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    rows = agreement(given.corpus, given.gold)
    write_tsv(given.output, rows, COLUMNS)
    print(readable(rows, COLUMNS))


if __name__ == "__main__":
    main()
