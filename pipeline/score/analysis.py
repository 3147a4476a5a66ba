"""``python -m pipeline.score.analysis``: what alignments are like, and where they fail.

Writes a table for each question to a folder. With gold in tokens the annotated pairs are looked at, and
the gold is a row of its own beside the systems; else all pairs, and the tables that want gold have no rows.
"""

import logging
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from pipeline.alignments import Link
from pipeline.corpus.gold import read_gold
from pipeline.io.parts import part_files
from pipeline.run.errors import command
from pipeline.score import calibration, unaligned
from pipeline.score import command as command_line
from pipeline.score import identical as identity
from pipeline.score import jump_histogram as jumps
from pipeline.score import outcomes as errors
from pipeline.score.bootstrap import resample
from pipeline.score.counts import non_identical, oracle_null
from pipeline.score.profile import Portrait, add_up, make_portraits
from pipeline.score.reference import make_reference, read_annotated
from pipeline.score.rows import COLUMNS, DIFFERENCES, difference_rows, score_rows, stack
from pipeline.score.signature import signature
from pipeline.score.systems import GOLD, read_systems
from pipeline.score.tsv import write_tsv
from pipeline.settings import add_options, from_options

log = logging.getLogger("pipeline")

# The tables and their columns; those from `significance` on want gold.
TABLES = {
    "identity": identity.IDENTITY,
    "sizes": identity.SIZES,
    "unaligned": unaligned.UNALIGNED,
    "jumps": jumps.JUMPS,
    "significance": DIFFERENCES,
    "oracle": COLUMNS,
    "nonidentical": COLUMNS,
    "outcomes": errors.OUTCOMES,
    "errors": errors.ERRORS,
    "calibration": calibration.CALIBRATION,
    "reliability": calibration.RELIABILITY,
}


def describe(portraits):
    """The tables that need no gold: name → rows. ``portraits``: system → its :class:`Portrait`."""
    tables = defaultdict(list)
    for system, portrait in portraits.items():
        _extend(tables, portrait.rows(system))
        log.info(f"{system}: described")
    return tables


def compare(corpus, gold, alignments, samples, most, seed):
    """All tables, of the annotated pairs: name → rows.

    ``samples`` of the bootstrap; ``most`` error examples for each system; ``seed`` of both.
    """
    annotated, ids = read_annotated(corpus, gold)
    references = {key: make_reference(pair, golds) for key, (pair, golds) in annotated.items()}
    spans = {key: errors.sure_spans(golds) for key, (_, golds) in annotated.items()}
    weights, choices = resample(len(references), samples, seed), signature(annotated, samples, seed)
    tables = defaultdict(list)
    _extend(tables, _gold_portrait(annotated).rows(GOLD))
    counts = {}
    for system, found in read_systems(alignments, annotated, ids):
        counts[system] = stack(found, references)
        for name, taken in (("oracle", oracle_null), ("nonidentical", non_identical)):
            taken_counts = stack(found, references, taken)
            tables[name] += score_rows(system, taken_counts, weights, choices)
        portrait, outcomes, total = Portrait(), {}, Counter()
        for key, reference in references.items():
            links = found[key].links
            portrait.add(links, reference.summary_words, reference.document_words)
            outcomes[key] = list(errors.outcomes(links, reference, spans[key]))
            total += errors.count(outcomes[key], links, reference)
        _extend(tables, portrait.rows(system))
        tables["outcomes"].append(errors.row(system, total))
        tables["errors"] += errors.examples(system, outcomes, references, most, seed)
        _extend(tables, _calibration(system, found, references))
        log.info(f"{system}: analysed on {len(references)} pairs")
    tables["significance"] += difference_rows(counts, weights)
    return tables


def _gold_portrait(annotated):
    """Every annotation counts by itself, as in the paper."""
    portrait = Portrait()
    for pair, golds in annotated.values():
        for gold in golds:
            links = [Link(link.summary[0], link.document[0]) for link in gold.links]
            portrait.add(links, pair.summary.words, pair.document.words)
    return portrait


def _calibration(system, found, references):
    observed = [calibration.observe(found[key], reference) for key, reference in references.items()]
    if any(one is None for one in observed):
        return {}
    posteriors, right = (np.concatenate(parts) for parts in zip(*observed, strict=True))
    if not len(posteriors):
        return {}
    whole, bins = calibration.rows(system, posteriors, right)
    return {"calibration": [whole], "reliability": bins}


def _extend(tables, rows):
    for name, more in rows.items():
        tables[name] += more


def has_token_gold(path):
    """Whether a gold file has annotations in tokens."""
    return any(gold.unit == "token" for _, gold in read_gold(path))


@command
def main(arguments=None):
    """Describe alignments and compare them with gold."""
    parser = command_line.arguments(
        "pipeline.score.analysis", __doc__.split("\n\n")[1], "folder for the tables", gold=False
    )
    parser.add_argument(
        "--portraits", help="without gold: folder of what pipeline.score.profile made of each part"
    )
    parser.add_argument("--of", type=int, default=1, help="with --portraits: how many parts there are")
    add_options(parser, "score")
    given = command_line.parse(parser, arguments)
    settings = from_options(given, "score")
    if given.gold and has_token_gold(given.gold):
        samples, most = settings["bootstrap"], settings["errors"]
        tables = compare(given.corpus, given.gold, given.alignments, samples, most, given.seed)
    elif given.portraits:
        tables = describe(add_up(part_files(given.portraits, given.of, ".json")))
    else:
        tables = describe(make_portraits(given.corpus, given.alignments))
    for name, columns in TABLES.items():
        write_tsv(Path(given.output) / f"{name}.tsv", tables[name], columns)


if __name__ == "__main__":
    main()
