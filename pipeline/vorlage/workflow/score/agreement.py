"""Agreement between annotators: `vorlage agreement`."""

from collections import defaultdict
from itertools import permutations

import numpy as np

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.types import LongInts, StrPath
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.counts import WORDS, compute_scores, count_links
from vorlage.workflow.score.ratings import RATING_COLUMNS, rating_table, read_ratings
from vorlage.workflow.score.reference import (
    UNNAMED,
    AnnotatedPairs,
    Reference,
    make_reference,
    read_annotated,
    sort_by_gold,
    token_links,
)
from vorlage.workflow.settings import Score
from vorlage.workflow.tables import Row, format_table, write_tsv

COLUMNS = (
    *("annotator", "against", "words", "soft_precision", "recall", "soft_f"),
    *("kappa_sure", "kappa_possible", "kappa_only_possible", "pairs", "cells"),
)


def measure_agreement(corpus: StrPath, gold: StrPath, skip: int = 0) -> list[Row]:
    """Compare each two annotators of a gold file, without the first `skip` pairs that both annotated."""
    annotated, _ = read_annotated(corpus, gold, every_annotator=True)
    rows = compare_annotators(sort_by_gold(annotated, gold), skip)
    if not rows:
        after = f" after the first {skip}" if skip else ""
        log.info(f"{gold}: no pair{after} has token gold by two annotators, so there is nothing to compare")
    return rows


def compare_annotators(annotated: AnnotatedPairs, skip: int = 0) -> list[Row]:
    """Compare each two annotators over the pairs that both annotated.

    The hypothesis is everything that an annotator marked, sure and possible, the gold that of the other; κ is
    over phrases as all their word pairs (Daumé & Marcu 2005, Section 2.2).

    Args:
        annotated: the pairs, in the order in which they were annotated
        skip: how many shared pairs to leave out, the first ones; the first five of the paper were discussed

    Returns:
        rows with the keys `COLUMNS` for each ordered pair of annotators, over all and over non-stop words; κ
        is of S, of P with S, and of P without S, and `cells` is the number of decisions that it is over
    """
    by_annotator: defaultdict[str, dict[str, Gold]] = defaultdict(dict)
    for key, (_, golds) in annotated.items():
        for gold in golds:
            by_annotator[gold.annotator][key] = gold
    rows: list[Row] = []
    for annotator, against in permutations(sorted(by_annotator), 2):
        first_golds, second_golds = by_annotator[annotator], by_annotator[against]
        shared = [key for key in first_golds if key in second_golds][skip:]
        counts, decisions = [], []
        for key in shared:
            pair = annotated[key].pair
            first, second = (make_reference(pair, [golds[key]]) for golds in (first_golds, second_golds))
            counts.append(count_links(token_links(first_golds[key]), second))
            decisions.append(_decisions(first, second))
        if not shared:
            continue
        measured, cells = compute_scores(np.sum(counts, axis=0)), np.sum(decisions, axis=0).tolist()
        for index, words in enumerate(WORDS):
            sure, possible, only_possible = cells[index]
            row: Row = {"annotator": annotator or UNNAMED, "against": against or UNNAMED, "words": words}
            row |= {name: float(measured[name][index]) for name in ("soft_precision", "recall", "soft_f")}
            row |= {"kappa_sure": kappa(*sure), "kappa_possible": kappa(*possible)}
            row |= {"kappa_only_possible": kappa(*only_possible)}
            rows.append(row | {"pairs": len(counts), "cells": sure[-1]})
    return rows


def _decisions(first: Reference, second: Reference) -> LongInts:
    """Return the arguments of `kappa` for one pair: shape (2, 3, 4), over `WORDS` and (S, P, P without S)."""
    sets = [(first.sure, second.sure), (first.possible, second.possible)]
    sets.append((first.possible - first.sure, second.possible - second.sure))
    content_sets = [(first.content_links(a), first.content_links(b)) for a, b in sets]
    cells = len(first.summary_words) * len(first.document_words)
    content_cells = sum(first.summary_content) * sum(first.document_content)
    return np.array(
        [
            [[len(a & b), len(a), len(b), size] for a, b in pairs]
            for pairs, size in ((sets, cells), (content_sets, content_cells))
        ],
        dtype=np.int64,
    )


def kappa(both: int, first: int, second: int, cells: int) -> float:
    """Return Cohen's κ over binary decisions, one for each cell (summary word, document word).

    Of `cells` in all, the first annotator linked `first`, the second `second`, and the two of them
    `both`. With observed agreement p and chance agreement e, κ = (p − e) / (1 − e); it is NaN where e is 1,
    as when neither annotator linked anything. The computation is exact up to one division: the cells,
    millions in a corpus, are never listed (Cohen 1960; Carletta 1995).
    """
    agreed = cells - first - second + 2 * both
    chance = first * second + (cells - first) * (cells - second)
    if chance == cells * cells:
        return float("nan")
    return (agreed * cells - chance) / (cells * cells - chance)


@command
def main(arguments: list[str] | None = None) -> None:
    """Compare annotators."""
    parser = CommandParser(
        "agreement",
        main,
        description="Compare each two annotators: the scores of one against the other as gold, and Cohen's "
        "kappa over all cells (summary word, document word).",
    )
    parser.add_argument("--corpus", help="pairs: of the corpus stage, or in input form")
    parser.add_argument("--gold", help="gold file")
    ratings = "ratings of extracts or decompositions, instead of gold"
    parser.add_argument("--ratings", nargs="+", metavar="FILE", help=ratings)
    parser.add_argument("--output", required=True, help="table to write (tab-separated)")
    Score.add_options(parser, ("skip",))
    options = parser.parse(arguments)
    if options.ratings:
        rows, columns = rating_table(read_ratings(options.ratings)), list(RATING_COLUMNS)
    elif options.corpus and options.gold:
        rows = measure_agreement(options.corpus, options.gold, Score.from_options(options).skip)
        columns = list(COLUMNS)
    else:
        raise InputError("agreement needs --corpus and --gold, or --ratings")
    write_tsv(options.output, rows, columns)
    print(format_table(rows, columns))
