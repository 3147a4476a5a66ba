"""Describe alignments and compare them with gold: `vorlage analysis`.

Writes a table for each question to a folder. With gold in tokens the tables are about the annotated pairs,
and the gold has a row of its own beside the systems; without it they are about all pairs, and the tables that
need gold have no rows.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.command.errors import command
from vorlage.command.progress import log
from vorlage.corpus.gold import read_gold
from vorlage.files.parts import part_files
from vorlage.score import calibration, identical, jump_histogram, outcomes, unaligned
from vorlage.score.bootstrap import resample
from vorlage.score.command_line import make_parser, parse_options
from vorlage.score.counts import non_identical, oracle_null
from vorlage.score.outcomes import Outcome
from vorlage.score.profile import Profile, make_profiles, sum_profiles
from vorlage.score.reference import Annotated, Reference, make_references, read_annotated, token_links
from vorlage.score.rows import DIFFERENCE_COLUMNS, SCORE_COLUMNS, difference_rows, score_rows, stack
from vorlage.score.signature import signature
from vorlage.score.systems import GOLD, read_systems
from vorlage.score.tsv import Row, write_tsv
from vorlage.settings import Score, add_options, from_options
from vorlage.types import StrPath

# The tables and their columns; those from `significance` on need gold.
TABLES = {
    "identity": identical.IDENTITY_COLUMNS,
    "sizes": identical.SIZE_COLUMNS,
    "unaligned": unaligned.COLUMNS,
    "jumps": jump_histogram.COLUMNS,
    "significance": DIFFERENCE_COLUMNS,
    "oracle": SCORE_COLUMNS,
    "nonidentical": SCORE_COLUMNS,
    "outcomes": outcomes.OUTCOME_COLUMNS,
    "errors": outcomes.ERROR_COLUMNS,
    "calibration": calibration.CALIBRATION_COLUMNS,
    "reliability": calibration.RELIABILITY_COLUMNS,
}
# Rows of tables by the name of the table.
Tables: TypeAlias = defaultdict[str, list[Row]]


def describe(profiles: Mapping[str, Profile]) -> Tables:
    """Return the tables that need no gold; `profiles` are keyed by system."""
    tables: Tables = defaultdict(list)
    for system, profile in profiles.items():
        _extend(tables, profile.rows(system))
        log.info(f"{system}: described")
    return tables


def compare(
    corpus: StrPath,
    gold: StrPath,
    alignments: Sequence[StrPath],
    samples: int,
    most: int,
    seed: int,
) -> Tables:
    """Return all tables, over the annotated pairs.

    `samples`: how many bootstrap samples; `most`: how many examples of errors of each system at most;
    `seed`: of both.
    """
    annotated, ids = read_annotated(corpus, gold)
    references = make_references(annotated)
    weights, choices = resample(len(references), samples, seed), signature(annotated, samples, seed)
    tables: Tables = defaultdict(list)
    _extend(tables, _gold_profile(annotated).rows(GOLD))
    counts = {}
    for system, of_pairs in read_systems(alignments, annotated, ids):
        counts[system] = stack(of_pairs, references)
        for name, select in (("oracle", oracle_null), ("nonidentical", non_identical)):
            selected = stack(of_pairs, references, select)
            tables[name] += score_rows(system, selected, weights, choices)
        _extend(tables, _profile(of_pairs, references).rows(system))
        _extend(tables, _outcomes(system, of_pairs, annotated, references, most, seed))
        _extend(tables, _calibration(system, of_pairs, references))
        log.info(f"{system}: analysed on {len(references)} pairs")
    tables["significance"] += difference_rows(counts, weights)
    return tables


def _gold_profile(annotated: Annotated) -> Profile:
    """Return the profile of the gold; every annotation counts by itself, as in the paper."""
    profile = Profile()
    for pair, golds in annotated.values():
        for gold in golds:
            profile.add(token_links(gold), pair.summary.words, pair.document.words, pair.summary.language)
    return profile


def _profile(alignments: Mapping[str, Alignment], references: Mapping[str, Reference]) -> Profile:
    profile = Profile()
    for key, reference in references.items():
        words = reference.summary_words, reference.document_words
        profile.add(alignments[key].links, *words, reference.language)
    return profile


def _outcomes(
    system: str,
    alignments: Mapping[str, Alignment],
    annotated: Annotated,
    references: Mapping[str, Reference],
    most: int,
    seed: int,
) -> dict[str, list[Row]]:
    """Return the tables `outcomes` and `errors` of a system."""
    by_pair: dict[str, list[Outcome]] = {}
    total: Counter[str] = Counter()
    for key, reference in references.items():
        links, spans = alignments[key].links, outcomes.sure_spans(annotated[key].golds)
        by_pair[key] = list(outcomes.classify(links, reference, spans))
        total += outcomes.count(by_pair[key], links, reference)
    return {
        "outcomes": [outcomes.row(system, total)],
        "errors": list(outcomes.examples(system, by_pair, references, most, seed)),
    }


def _calibration(
    system: str, alignments: Mapping[str, Alignment], references: Mapping[str, Reference]
) -> dict[str, list[Row]]:
    """Return the tables `calibration` and `reliability` of a system, none if it has no posteriors."""
    observed = []
    for key, reference in references.items():
        of_pair = calibration.observe(alignments[key], reference)
        if of_pair is None:
            return {}
        observed.append(of_pair)
    posteriors = np.concatenate([of_pair.posteriors for of_pair in observed])
    right = np.concatenate([of_pair.right for of_pair in observed])
    if not len(posteriors):
        return {}
    whole, bins = calibration.rows(system, posteriors, right)
    return {"calibration": [whole], "reliability": bins}


def _extend(tables: Tables, rows: Mapping[str, Sequence[Row]]) -> None:
    for name, more in rows.items():
        tables[name] += more


def has_token_gold(path: StrPath) -> bool:
    """Return whether a gold file has annotations in tokens."""
    return any(gold.unit == "token" for gold in read_gold(path))


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
    parser.add_argument(
        "--profiles", help="without gold: folder of what vorlage.score.profile wrote for each part"
    )
    parser.add_argument("--of", type=int, default=1, help="with --profiles: the number of parts (default: 1)")
    add_options(parser, Score, ("bootstrap", "errors"))
    options = parse_options(parser, arguments)
    settings = from_options(options, Score)
    if options.gold and has_token_gold(options.gold):
        samples, most = settings.bootstrap, settings.errors
        tables = compare(options.corpus, options.gold, options.alignments, samples, most, options.seed)
    elif options.profiles:
        tables = describe(sum_profiles(part_files(options.profiles, options.of, ".json")))
    else:
        tables = describe(make_profiles(options.corpus, options.alignments))
    for name, columns in TABLES.items():
        write_tsv(Path(options.output) / f"{name}.tsv", tables[name], columns)
