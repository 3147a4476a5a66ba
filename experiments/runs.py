"""What runs have made: links of systems by pair, and differences between systems, with 95 % intervals.

The intervals are by bootstraps over documents, paired: all systems are scored on the same samples.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pandas as pd
from markdown_tables import with_bounds
from vorlage.alignments.alignment import Link
from vorlage.types import AnyArray, Floats, LongInts
from vorlage.workflow.score.counts import WORDS, compute_scores, count_links, oracle_null, ratio
from vorlage.workflow.score.reference import (
    make_reference,
    make_references,
    read_annotated,
    select_annotated_gold,
    token_links,
)
from vorlage.workflow.score.rows import compare_samples, resample
from vorlage.workflow.score.systems import ANNOTATOR, GOLD, read_systems

SEED = 1
Measure: TypeAlias = Callable[[AnyArray], Floats]  # of sums of counts


class Run:
    """What a run has made: the gold of its corpus, and the links of its systems by pair."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files = folder / "corpus/corpus.jsonl", folder / "corpus/gold.jsonl"
        self.everyone, self.ids = read_annotated(*files, every_annotator=True)
        self.annotated = select_annotated_gold(self.everyone)
        self.references = make_references(self.annotated)
        self._links: dict[str, Mapping[str, list[list[Link]]]] = {}

    def links(self, system: str) -> Mapping[str, list[list[Link]]]:
        """Return the links of a system, or those of each annotator for `gold`, by pair."""
        if system == GOLD:
            return {key: list(map(token_links, golds)) for key, (_, golds) in self.annotated.items()}
        if system not in self._links:
            [(_, made)] = read_systems([alignments_of(self.folder, system)], self.annotated, self.ids)
            self._links[system] = {key: [alignment.links] for key, alignment in made.items()}
        return self._links[system]

    def scores(self, system: str, words: str = "all", oracle: bool = False) -> dict[str, AnyArray]:
        """Return the counts of a system by pair, as `vorlage.workflow.score.stage` has them."""
        select, row = oracle_null if oracle else None, WORDS.index(words)
        if not system.startswith(ANNOTATOR):
            links = self.links(system)
            return {key: count_links(links[key][0], r, select)[row] for key, r in self.references.items()}
        counts = {}
        for key, (pair, golds) in self.everyone.items():
            own = [gold for gold in golds if gold.annotator == system.removeprefix(ANNOTATOR)]
            others = [gold for gold in golds if gold not in own]
            if own and others:
                counts[key] = count_links(token_links(own[0]), make_reference(pair, others))[row]
        return counts


def update(path: Path, rows: pd.DataFrame, key: str) -> pd.DataFrame:
    """Put rows into a table, where they replace those with the same values of `key`; return all of it."""
    if path.exists():
        kept = pd.read_table(path, dtype=rows.dtypes.to_dict(), keep_default_na=False)
        rows = pd.concat([kept[~kept[key].isin(rows[key])], rows])
    rows = rows.sort_values(key, kind="stable")
    rows.to_csv(path, sep="\t", index=False, float_format="%.6f")
    return rows


def alignments_of(run: Path, system: str) -> Path:
    """Return the file of the alignments of a system of a run."""
    return run / f"align/{system}/alignments.jsonl"


def score(name: str) -> Measure:
    """Return the score of that name in `scores.tsv`, of sums of `vorlage.workflow.score.counts`."""
    return lambda sums: compute_scores(sums)[name]


SOFT_F = score("soft_f")


def share(sums: AnyArray) -> Floats:
    """Return part / whole of sums of both, 0 without a whole."""
    return ratio(sums[..., 0], sums[..., 1])


@cache
def draw_samples(pairs: int, samples: int) -> LongInts:
    """Return the bootstrap samples, (samples, pairs): how often each has each pair."""
    return resample(pairs, samples, SEED)


def compare(
    first: tuple[AnyArray, Measure], second: tuple[AnyArray, Measure], samples: int = 10_000
) -> tuple[float, float, float, float]:
    """Return the values of two systems, and the interval of the first minus the second.

    Args:
        first: the counts of a system by pair, (pairs, fields), and what is measured.
        second: those of the other, over the same pairs.
        samples: number of bootstrap samples.
    """
    weights = draw_samples(len(first[0]), samples)
    values = [float(measure(counts.sum(axis=0))) for counts, measure in (first, second)]
    sampled = [measure(weights @ counts) for counts, measure in (first, second)]
    low, high, _ = compare_samples(*sampled, weights)
    return *values, low, high


def differences(counts: Sequence[AnyArray], measure: Measure = SOFT_F, samples: int = 1000) -> list[str]:
    """Return a cell for each system but the first: the difference from it, with its interval.

    `counts`: of each system, (pairs, fields).
    """
    base, *others = ((each, measure) for each in counts)
    compared = (compare(other, base, samples) for other in others)
    return [with_bounds(f"{value - less:+.3f}", low, high) for value, less, low, high in compared]
