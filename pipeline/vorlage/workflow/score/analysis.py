"""Describe alignments and compare them with gold: `vorlage analysis`.

Writes a table for each question to a folder. With gold in tokens the tables are about the annotated pairs,
and the gold has a row of its own beside the systems; without it they are about all pairs, and the tables that
need gold have no rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.errors import command
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.types import StrPath
from vorlage.workflow.gold import TOKENS, read_gold
from vorlage.workflow.score import calibration, outcomes, profile, rows
from vorlage.workflow.score.counts import count_all_links, count_shared_links, non_identical, oracle_null
from vorlage.workflow.score.profile import AlignmentProfile
from vorlage.workflow.score.reference import make_references, read_annotated, token_links
from vorlage.workflow.score.rows import resample, signature
from vorlage.workflow.score.systems import GOLD, make_parser, read_side_by_side, read_systems
from vorlage.workflow.settings import Score
from vorlage.workflow.tables import Row, write_tsv

# The tables and their columns; those from `significance` on need gold.
TABLES = {
    **profile.COLUMNS,
    "pairwise": rows.PAIRWISE_COLUMNS,
    "significance": rows.DIFFERENCE_COLUMNS,
    "oracle": rows.SCORE_COLUMNS,
    "nonidentical": rows.SCORE_COLUMNS,
    "outcomes": outcomes.OUTCOME_COLUMNS,
    "errors": outcomes.ERROR_COLUMNS,
    "calibration": calibration.CALIBRATION_COLUMNS,
    "reliability": calibration.RELIABILITY_COLUMNS,
}
# Rows of tables by the name of the table.
Tables: TypeAlias = defaultdict[str, list[Row]]


def describe_alignments(aligned: Iterable[tuple[Pair, Sequence[Alignment]]]) -> Tables:
    """Return the tables that need no gold; `aligned`: pairs with the alignment of each system."""
    profiles: defaultdict[str, AlignmentProfile] = defaultdict(AlignmentProfile)
    shared = np.zeros((), dtype=np.int64)
    for pair, alignments in aligned:
        shared = shared + count_shared_links(pair, alignments)
        for alignment in alignments:
            profiles[alignment.system].add(alignment.links, pair)
    tables: Tables = defaultdict(list)
    for system, system_profile in profiles.items():
        _add(tables, system_profile.rows(system))
        log.info(f"{system}: described")
    tables["pairwise"] += rows.pairwise_rows(list(profiles), shared)
    return tables


def compare_with_gold(
    corpus: StrPath, gold: StrPath, alignments: Sequence[StrPath], score: Score, seed: int
) -> Tables:
    """Return all tables, over the annotated pairs.

    Args:
        corpus: pairs, of the corpus stage or in input form
        gold: gold with annotations in tokens
        alignments: a file for each system
        score: the number of bootstrap samples, and that of examples of errors of each system
        seed: that of samples and examples
    """
    annotated, ids = read_annotated(corpus, gold)
    references = make_references(annotated)
    weights = resample(len(references), score.bootstrap, seed)
    choices = signature(annotated, score.bootstrap, seed)
    tables: Tables = defaultdict(list)
    gold_profile = AlignmentProfile()
    for pair, golds in annotated.values():
        for annotation in golds:  # every annotation counts by itself, as in the paper
            gold_profile.add(token_links(annotation), pair)
    _add(tables, gold_profile.rows(GOLD))
    systems = dict(read_systems(alignments, annotated, ids))
    pairs = ((pair, [by_id[key] for by_id in systems.values()]) for key, (pair, _) in annotated.items())
    _add(tables, describe_alignments(pairs))
    counts = {}
    for system, alignments_by_id in systems.items():
        counts[system] = count_all_links(alignments_by_id, references)
        for name, select in (("oracle", oracle_null), ("nonidentical", non_identical)):
            selected = count_all_links(alignments_by_id, references, select)
            tables[name] += rows.score_rows(system, selected, weights, choices)
        _add(
            tables, outcomes.make_tables(system, alignments_by_id, annotated, references, score.errors, seed)
        )
        _add(tables, calibration.make_tables(system, alignments_by_id, references))
        log.info(f"{system}: analysed on {len(references)} pairs")
    tables["significance"] += rows.difference_rows(counts, weights)
    return tables


def _add(tables: Tables, added: Mapping[str, Sequence[Row]]) -> None:
    for name, more in added.items():
        tables[name] += more


@command
def main(arguments: list[str] | None = None) -> None:
    """Describe alignments and compare them with gold."""
    parser = make_parser(
        "analysis",
        main,
        "Describe alignments and compare them with gold: a table for each question. With gold in tokens the "
        "tables are about the annotated pairs, and the gold has a row of its own; without it they are about "
        "all pairs, and the tables that need gold have no rows.",
        "folder for the tables",
        gold_required=False,
    )
    Score.add_options(parser, ("bootstrap", "errors"))
    options = parser.parse(arguments)
    settings = Score.from_options(options)
    if options.gold and any(gold.unit == TOKENS for gold in read_gold(options.gold)):
        tables = compare_with_gold(options.corpus, options.gold, options.alignments, settings, options.seed)
    else:
        tables = describe_alignments(read_side_by_side(options.corpus, options.alignments))
    for name, columns in TABLES.items():
        write_tsv(Path(options.output) / f"{name}.tsv", tables[name], columns)
