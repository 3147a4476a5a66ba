"""Scores of annotators as if they were systems, as Human1 and Human2 of Daumé & Marcu 2005, Section 5.2."""

from collections.abc import Iterator

import numpy as np

from vorlage.corpus.gold import ADJUDICATED
from vorlage.score.bootstrap import resample
from vorlage.score.counts import count_links
from vorlage.score.reference import UNNAMED, Annotated, make_reference, token_links
from vorlage.score.rows import score_rows
from vorlage.score.signature import signature
from vorlage.score.tsv import Row

ANNOTATOR = "annotator-"  # before the name of an annotator


def annotator_rows(annotated: Annotated, skip: int, samples: int, seed: int) -> Iterator[Row]:
    """Yield the rows of each annotator in `scores.tsv`: system `annotator-<name>`, keys `SCORE_COLUMNS`.

    The hypothesis is everything that the annotator marked, sure and possible; the gold is the union of the
    other annotators. (Against the union of all, which systems are scored against, precision and recall would
    be 1.) The pairs are those that another annotator has marked too; an annotator without such pairs has no
    rows, and adjudicated gold does not count as an annotator.

    Args:
        annotated: the pairs with the gold of every annotator, in the order in which they were annotated
        skip: how many pairs to leave out, the first ones
        samples: the number of bootstrap samples of pairs
        seed: that of the samples
    """
    names = {gold.annotator for _, golds in annotated.values() for gold in golds} - {ADJUDICATED}
    for name in sorted(names):
        shared: Annotated = {}
        counts = []
        for key, (pair, golds) in annotated.items():
            mine = [gold for gold in golds if gold.annotator == name]
            others = [gold for gold in golds if gold.annotator not in (name, ADJUDICATED)]
            if mine and others:
                shared[key] = annotated[key]._replace(golds=[*mine, *others])
                counts.append(count_links(token_links(mine[0]), make_reference(pair, others)))
        if counts[skip:]:
            scored = dict(list(shared.items())[skip:])
            weights = resample(len(scored), samples, seed)
            choices = f"{signature(scored, samples, seed)}|against:others"
            yield from score_rows(f"{ANNOTATOR}{name or UNNAMED}", np.stack(counts[skip:]), weights, choices)
