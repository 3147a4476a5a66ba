"""Score the alignments of one or more systems against token gold: `vorlage score`."""

from collections.abc import Iterator, Sequence

import numpy as np

from vorlage.command.errors import command
from vorlage.command.progress import log
from vorlage.types import StrPath
from vorlage.workflow.gold import ADJUDICATED
from vorlage.workflow.score.counts import count_all_links, count_links
from vorlage.workflow.score.reference import (
    UNNAMED,
    AnnotatedPairs,
    make_reference,
    make_references,
    read_annotated,
    select_annotated_gold,
    sort_by_gold,
    token_links,
)
from vorlage.workflow.score.rows import MEASURES, resample, score_rows, signature
from vorlage.workflow.score.systems import ANNOTATOR, make_parser, read_systems
from vorlage.workflow.settings import Score
from vorlage.workflow.tables import Row, format_table, write_tsv


def score_systems(
    corpus: StrPath, gold: StrPath, alignments: Sequence[StrPath], samples: int, seed: int, skip: int = 0
) -> list[Row]:
    """Return the rows of `scores.tsv`: two for each system (all words, non-stop words), then annotators.

    `low` and `high` bound 95 % of SoftF over the bootstrap samples of pairs; `pairs` counts the pairs with
    gold in tokens; `links` counts the word links that were scored, under the soft rule.

    Args:
        corpus: pairs, of the corpus stage or in input form
        gold: gold with annotations in tokens
        alignments: a file for each system
        samples: the number of bootstrap samples
        seed: that of the samples
        skip: how many pairs to leave out of the rows of annotators, the first ones
    """
    everyone, ids = read_annotated(corpus, gold, every_annotator=True)
    annotated = select_annotated_gold(everyone)
    references = make_references(annotated)
    weights, choices = resample(len(references), samples, seed), signature(annotated, samples, seed)
    rows: list[Row] = []
    for system, alignments_by_id in read_systems(alignments, annotated, ids):
        rows += score_rows(system, count_all_links(alignments_by_id, references), weights, choices)
        log.info(f"{system}: scored on {len(references)} pairs")
    return [*rows, *annotator_rows(sort_by_gold(everyone, gold), skip, samples, seed)]


def annotator_rows(annotated: AnnotatedPairs, skip: int, samples: int, seed: int) -> Iterator[Row]:
    """Yield rows that score each annotator as if it were a system: Human1 and Human2 of Daumé & Marcu 2005.

    The system is `annotator-NAME`. The hypothesis is everything that the annotator marked, sure and possible;
    the gold is the union of the other annotators. (Against the union of all, which systems are scored
    against, precision and recall would be 1.) The pairs are those that another annotator has marked too; an
    annotator without such pairs has no rows, and adjudicated gold does not count as an annotator.

    Args:
        annotated: the pairs with the gold of every annotator, in the order in which they were annotated
        skip: how many pairs to leave out, the first ones
        samples: the number of bootstrap samples of pairs
        seed: that of the samples
    """
    names = {gold.annotator for _, golds in annotated.values() for gold in golds} - {ADJUDICATED}
    for name in sorted(names):
        shared: AnnotatedPairs = {}
        counts = []
        for key, (pair, golds) in annotated.items():
            own_gold = [gold for gold in golds if gold.annotator == name]
            other_gold = [gold for gold in golds if gold.annotator not in (name, ADJUDICATED)]
            if own_gold and other_gold:
                shared[key] = annotated[key]._replace(golds=[*own_gold, *other_gold])
                counts.append(count_links(token_links(own_gold[0]), make_reference(pair, other_gold)))
        if counts[skip:]:
            scored = dict(list(shared.items())[skip:])
            weights = resample(len(scored), samples, seed)
            choices = f"{signature(scored, samples, seed)}|against:others"
            yield from score_rows(f"{ANNOTATOR}{name or UNNAMED}", np.stack(counts[skip:]), weights, choices)


@command
def main(arguments: list[str] | None = None) -> None:
    """Score alignments against gold."""
    parser = make_parser(
        "score",
        main,
        "Score alignments against gold in tokens: precision, recall and F of word links, over "
        "all words and over non-stop words, with a bootstrap interval of SoftF over the pairs. "
        "Where several annotators marked a pair, the gold is the union of what they marked, and each of them "
        "has rows too, annotator-NAME, scored against the others.",
        "scores.tsv to write",
        epilog="Soft: a phrase pair with equal words on both sides counts as its diagonal; hard: every "
        "phrase pair counts as all its word pairs. `recall` is that of the soft links; `hard_f` is computed "
        "from the recall of the hard links. A ratio whose denominator is 0 is 0.",
    )
    Score.add_options(parser, ("bootstrap", "skip"))
    options = parser.parse(arguments)
    settings = Score.from_options(options)
    files = options.corpus, options.gold, options.alignments
    rows = score_systems(*files, settings.bootstrap, options.seed, settings.skip)
    write_tsv(options.output, rows)
    table = format_table(rows, ["system", "words", *MEASURES, "low", "high", "pairs", "links"])
    print(table, f"signature: {rows[0]['signature']}", sep="\n")
    if options.log:
        for line in table.splitlines():
            log.info(line)
