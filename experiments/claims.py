"""Judges what the papers say of their systems, `docs/replication-claims.tsv`, by bootstraps over documents.

A claim says that a measure of one system is larger than that of another. It *holds* if the 95 % interval of
the difference is above 0, *does not hold* if it is below 0, and is *undecided* if it contains 0.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from vorlage.alignments.alignment import Link
from vorlage.types import AnyArray, Floats
from vorlage.workflow.score.agreement import kappa
from vorlage.workflow.score.counts import WORDS, compute_scores, count_links, oracle_null, ratio
from vorlage.workflow.score.profile import AlignmentProfile, count_jumps
from vorlage.workflow.score.reference import (
    make_reference,
    make_references,
    read_annotated,
    select_annotated_gold,
    token_links,
)
from vorlage.workflow.score.rows import compare_samples, resample
from vorlage.workflow.score.systems import ANNOTATOR, GOLD, read_systems

SAMPLES, SEED = 10_000, 1
CLAIMS = Path("docs/replication-claims.tsv")
BEST = "best"  # stands for the system with the highest SoftF
NONE = "–"


class Judgement(NamedTuple):
    """The values of both sides of a claim, and the 95 % interval of their difference."""

    first: float
    second: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Whether the first side is larger."""
        return "holds" if self.low > 0 else "does not hold" if self.high < 0 else "undecided"

    def __str__(self) -> str:
        values = f"{self.first:.3f}, {self.second:.3f}"
        return f"{self.verdict}: {values} ({self.low:+.3f} to {self.high:+.3f})"


class Run:
    """What a run has made: the gold of its corpus, and the links of its systems by pair."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files = folder / "corpus/corpus.jsonl", folder / "corpus/gold.jsonl"
        self.everyone, self.ids = read_annotated(*files, every_annotator=True)
        self.annotated = select_annotated_gold(self.everyone)
        self.references = make_references(self.annotated)
        self._links: dict[str, Mapping[str, list[list[Link]]]] = {}

    def path(self, system: str) -> Path:
        """Return the file of the alignments of a system."""
        return self.folder / f"align/{system}/alignments.jsonl"

    def links(self, system: str) -> Mapping[str, list[list[Link]]]:
        """Return the links of a system, or those of each annotator for `gold`, by pair."""
        if system == GOLD:
            return {key: list(map(token_links, golds)) for key, (_, golds) in self.annotated.items()}
        if system not in self._links:
            [(_, alignments)] = read_systems([self.path(system)], self.annotated, self.ids)
            self._links[system] = {key: [alignment.links] for key, alignment in alignments.items()}
        return self._links[system]

    def scores(self, system: str, words: str = "all", oracle: bool = False) -> dict[str, AnyArray]:
        """Return the counts of a system by pair, as `vorlage.workflow.score.stage` has them."""
        select, row = oracle_null if oracle else None, WORDS.index(words)
        if not system.startswith(ANNOTATOR):
            links = self.links(system)
            return {key: count_links(links[key][0], r, select)[row] for key, r in self.references.items()}
        name, counts = system.removeprefix(ANNOTATOR), {}
        for key, (pair, golds) in self.everyone.items():
            own = [gold for gold in golds if gold.annotator == name]
            others = [gold for gold in golds if gold.annotator != name]
            if own and others:
                counts[key] = count_links(token_links(own[0]), make_reference(pair, others))[row]
        return counts

    def identical(self, system: str) -> dict[str, AnyArray]:
        """Return how many links join identical words or phrases, and how many there are, by pair."""
        counts = {}
        for key, links in self.links(system).items():
            profile = AlignmentProfile()
            for each in links:
                profile.add(each, self.annotated[key].pair)
            same = sum(n for (likeness, *_), n in profile.links.items() if likeness == "identical")
            counts[key] = np.array([same, profile.links.total()])
        return counts

    def jumps(self, system: str, distance: int) -> dict[str, AnyArray]:
        """Return how many jumps have a distance, and how many there are, by pair."""
        counts = {}
        for key, links in self.links(system).items():
            jumps = sum((Counter(count_jumps(each)) for each in links), Counter())
            counts[key] = np.array([float(jumps[distance]), float(jumps.total())])
        return counts

    def sentences(self, system: str) -> dict[str, AnyArray]:
        """Return the F of the extract that the links imply, and 1, by pair."""
        path = self.folder / "score/implied_extracts.tsv"
        if not path.exists():
            return {}
        table = pd.read_table(path).set_index("system")
        if system not in table.index:
            return {}
        rows = table.loc[[system]].iloc[:-2].set_index("id")["f"]
        return {key: np.array([f, 1.0]) for key, f in rows.items()}

    def agreement(self, only_possible: bool) -> dict[str, AnyArray]:
        """Return what κ of two annotators is computed from, by pair, of sure or of only possible links."""
        counts = {}
        for key, (pair, golds) in self.everyone.items():
            if len(golds) == 2:
                one, other = (make_reference(pair, [gold]) for gold in golds)
                a, b = ((r.possible - r.sure if only_possible else r.sure) for r in (one, other))
                cells = len(one.summary_words) * len(one.document_words)
                counts[key] = np.array([len(a & b), len(a), len(b), cells])
        return counts


def _share(sums: AnyArray) -> Floats:
    return ratio(sums[..., 0], sums[..., 1])


def _kappa(sums: AnyArray) -> Floats:
    return np.array([kappa(*map(int, row)) for row in np.atleast_2d(sums)]).reshape(sums.shape[:-1])


def _measure(name: str) -> Callable[[AnyArray], Floats]:
    return lambda sums: compute_scores(sums)[name]


Counts = Callable[[Run, str], Mapping[str, AnyArray]]
# How a measure counts a system, and what it makes of sums of the counts.
MEASURES: dict[str, tuple[Counts, Callable[[AnyArray], Floats]]] = {
    **{name: (Run.scores, _measure(name)) for name in ("soft_f", "soft_precision", "recall")},
    "nonstop_soft_precision": (lambda run, x: run.scores(x, "nonstop"), _measure("soft_precision")),
    "nonstop_recall": (lambda run, x: run.scores(x, "nonstop"), _measure("recall")),
    "oracle_soft_f": (lambda run, x: run.scores(x, oracle=True), _measure("soft_f")),
    "identical": (Run.identical, _share),
    "jump_1": (lambda run, x: run.jumps(x, 1), _share),
    "jump_2": (lambda run, x: run.jumps(x, 2), _share),
    "sentence_f": (Run.sentences, _share),
    "kappa_sure": (lambda run, _: run.agreement(False), _kappa),
    "kappa_only_possible": (lambda run, _: run.agreement(True), _kappa),
}


def judge(run: Run, first: str, second: str) -> Judgement | None:
    """Compare two sides of a claim, each a measure and a system; return None if the run lacks one."""
    counted = []
    for side in (first, second):
        measure, system = side.split()
        system = best_system(run) if system == BEST else system
        if not (system.startswith((ANNOTATOR, GOLD)) or run.path(system).exists()):
            return None
        count, score = MEASURES[measure]
        counted.append((count(run, system), score))
    keys = [key for key in counted[0][0] if key in counted[1][0]]
    if not keys:
        return None
    weights = _weights(len(keys))
    values, samples = [], []
    for counts, score in counted:
        rows = np.stack([counts[key] for key in keys])
        values.append(float(score(rows.sum(axis=0))))
        samples.append(score(weights @ rows))
    low, high, _ = compare_samples(*samples, weights)
    return Judgement(*values, low, high)


@cache
def best_system(run: Run) -> str:
    """Return the system with the highest SoftF over all words."""
    systems = sorted(path.parent.name for path in run.folder.glob("align/*/alignments.jsonl"))
    systems = [system for system in systems if system != GOLD]
    return max(systems, key=lambda x: float(compute_scores(sum(run.scores(x).values()))["soft_f"]))


@cache
def _weights(pairs: int) -> AnyArray:
    return resample(pairs, SAMPLES, SEED)


def judge_claims(runs: Mapping[str, Path]) -> tuple[pd.DataFrame, list[list[str]]]:
    """Judge all claims by all runs.

    Args:
        runs: the folder of each run by its heading.

    Returns:
        a table with a row for each claim and run, and the rows of the table of the page
    """
    claims, opened = pd.read_table(CLAIMS), {name: Run(folder) for name, folder in runs.items()}
    rows, cells = [], []
    for claim in claims.itertuples():
        judged = {name: judge(run, claim.first, claim.second) for name, run in opened.items()}
        cells.append([claim.claim, claim.place, claim.paper, *(str(one or NONE) for one in judged.values())])
        rows += [
            {"claim": claim.claim, "run": name, "first": claim.first, "second": claim.second}
            | one._asdict()
            | {"verdict": one.verdict}
            for name, one in judged.items()
            if one
        ]
    return pd.DataFrame(rows), cells
