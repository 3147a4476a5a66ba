"""``python -m pipeline.score``: score the alignments of one or more systems against token gold."""

import logging

from pipeline.run.errors import command
from pipeline.score import command as command_line
from pipeline.score.bootstrap import resample
from pipeline.score.reference import make_reference, read_annotated
from pipeline.score.rows import MEASURES, score_rows, stack
from pipeline.score.signature import signature
from pipeline.score.systems import read_systems
from pipeline.score.tsv import readable, write_tsv
from pipeline.settings import add_options, from_options

log = logging.getLogger("pipeline")


def score(corpus, gold, alignments, samples, seed):
    """Score the systems of the files ``alignments`` (paths) on the pairs of ``corpus`` with token ``gold``.

    Returns the rows of ``scores.tsv`` as dicts, two a system (all words, non-stop words). ``low`` and
    ``high`` bound 95 % of SoftF over ``samples`` bootstrap samples of pairs; ``pairs`` are those with
    token gold; ``links`` counts the word links of the system that were scored, under the soft rule.
    """
    annotated, ids = read_annotated(corpus, gold)
    references = {key: make_reference(pair, golds) for key, (pair, golds) in annotated.items()}
    weights = resample(len(references), samples, seed)
    choices = signature(annotated, samples, seed)
    rows = []
    for system, found in read_systems(alignments, annotated, ids):
        counts = stack(found, references)
        rows.extend(score_rows(system, counts, weights, choices))
        log.info(f"{system}: scored on {len(references)} pairs")
    return rows


@command
def main(arguments=None):
    """Score alignments against gold."""
    parser = command_line.arguments(
        "pipeline.score",
        "Score alignments against gold in tokens: precision, recall and F of word links, over "
        "all words and over non-stop words, with a bootstrap interval of SoftF over the pairs. "
        "Where several annotators marked a pair, the gold is the union of what they marked.",
        "scores.tsv to write",
        epilog="Soft: a phrase pair with equal words on both sides counts as its diagonal; hard: every "
        "phrase pair counts as all its word pairs. `recall` is that of the soft links; `hard_f` takes the "
        "recall of the hard links. A ratio whose denominator is 0 is 0.",
    )
    add_options(parser, "score", ("bootstrap",))
    given = command_line.parse(parser, arguments)
    samples = from_options(given, "score")["bootstrap"]
    rows = score(given.corpus, given.gold, given.alignments, samples, given.seed)
    write_tsv(given.output, rows)
    table = readable(rows, ["system", "words", *MEASURES, "low", "high", "pairs", "links"])
    print(table, f"signature: {rows[0]['signature']}", sep="\n")
    if given.log:
        for line in table.splitlines():
            log.info(line)


if __name__ == "__main__":
    main()
