"""Score the alignments of one or more systems against token gold: `vorlage score`."""

from collections.abc import Sequence

from vorlage.command.errors import command
from vorlage.command.progress import log
from vorlage.score.annotators import annotator_rows
from vorlage.score.bootstrap import resample
from vorlage.score.command_line import make_parser
from vorlage.score.reference import in_gold_order, make_references, read_annotated, settle
from vorlage.score.rows import MEASURES, score_rows, stack
from vorlage.score.signature import signature
from vorlage.score.systems import read_systems
from vorlage.score.tsv import Row, format_table, write_tsv
from vorlage.settings import Score
from vorlage.types import StrPath


def score(
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
    annotated = settle(everyone)
    references = make_references(annotated)
    weights = resample(len(references), samples, seed)
    choices = signature(annotated, samples, seed)
    rows: list[Row] = []
    for system, alignments_by_id in read_systems(alignments, annotated, ids):
        rows.extend(score_rows(system, stack(alignments_by_id, references), weights, choices))
        log.info(f"{system}: scored on {len(references)} pairs")
    rows.extend(annotator_rows(in_gold_order(everyone, gold), skip, samples, seed))
    return rows


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
    rows = score(*files, settings.bootstrap, options.seed, settings.skip)
    write_tsv(options.output, rows)
    table = format_table(rows, ["system", "words", *MEASURES, "low", "high", "pairs", "links"])
    print(table, f"signature: {rows[0]['signature']}", sep="\n")
    if options.log:
        for line in table.splitlines():
            log.info(line)
