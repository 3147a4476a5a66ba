"""Judges what the papers say of their systems, `docs/replication-claims.tsv`, by bootstraps over documents.

A claim says that a measure of one system is larger than that of another. It *holds* if the 95 % interval of
the difference is above 0, *does not hold* if it is below 0, and is *undecided* if it contains 0.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from markdown_tables import markdown_table, with_bounds
from runs import SOFT_F, Measure, Run, alignments_of, compare, score, share
from vorlage.types import AnyArray, Floats
from vorlage.workflow.score.agreement import kappa
from vorlage.workflow.score.profile import AlignmentProfile, count_jumps
from vorlage.workflow.score.reference import make_reference
from vorlage.workflow.score.systems import ANNOTATOR, GOLD

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
        return with_bounds(f"{self.verdict}: {self.first:.3f}, {self.second:.3f}", self.low, self.high)


def identical(run: Run, system: str) -> dict[str, AnyArray]:
    """Return how many links join identical words or phrases, and how many there are, by pair."""
    counts = {}
    for key, links in run.links(system).items():
        profile = AlignmentProfile()
        for each in links:
            profile.add(each, run.annotated[key].pair)
        same = sum(n for (likeness, *_), n in profile.links.items() if likeness == "identical")
        counts[key] = np.array([same, profile.links.total()])
    return counts


def jumps(run: Run, system: str, distance: int) -> dict[str, AnyArray]:
    """Return how many jumps have a distance, and how many there are, by pair."""
    counts = {}
    for key, links in run.links(system).items():
        found = sum((Counter(count_jumps(each)) for each in links), Counter())
        counts[key] = np.array([float(found[distance]), float(found.total())])
    return counts


def sentences(run: Run, system: str) -> dict[str, AnyArray]:
    """Return the F of the extract that the links imply, and 1, by pair; nothing without such extracts."""
    path = run.folder / "score/implied_extracts.tsv"
    table = pd.read_table(path) if path.exists() else pd.DataFrame(columns=["system", "id", "f"])
    rows = table[table["system"] == system].iloc[:-2]
    return {key: np.array([f, 1.0]) for key, f in zip(rows["id"], rows["f"], strict=True)}


def agreement(run: Run, _: str, only_possible: bool) -> dict[str, AnyArray]:
    """Return what κ of two annotators is computed from, by pair, of sure or of only possible links."""
    counts = {}
    for key, (pair, golds) in run.everyone.items():
        if len(golds) == 2:
            one, other = (make_reference(pair, [gold]) for gold in golds)
            a, b = ((r.possible - r.sure if only_possible else r.sure) for r in (one, other))
            cells = len(one.summary_words) * len(one.document_words)
            counts[key] = np.array([len(a & b), len(a), len(b), cells])
    return counts


def _kappa(sums: AnyArray) -> Floats:
    return np.array([kappa(*map(int, row)) for row in np.atleast_2d(sums)]).reshape(sums.shape[:-1])


# How a measure counts a system, and what it makes of sums of the counts.
MEASURES: dict[str, tuple[Callable[[Run, str], Mapping[str, AnyArray]], Measure]] = {
    **{name: (Run.scores, score(name)) for name in ("soft_f", "soft_precision", "recall")},
    "nonstop_soft_precision": (partial(Run.scores, words="nonstop"), score("soft_precision")),
    "nonstop_recall": (partial(Run.scores, words="nonstop"), score("recall")),
    "oracle_soft_f": (partial(Run.scores, oracle=True), SOFT_F),
    "identical": (identical, share),
    "jump_1": (partial(jumps, distance=1), share),
    "jump_2": (partial(jumps, distance=2), share),
    "sentence_f": (sentences, share),
    "kappa_sure": (partial(agreement, only_possible=False), _kappa),
    "kappa_only_possible": (partial(agreement, only_possible=True), _kappa),
}


def judge(run: Run, *sides: str) -> Judgement | None:
    """Compare two sides of a claim, each a measure and a system; return None if the run lacks one."""
    counted = []
    for measure, system in map(str.split, sides):
        system = best_system(run) if system == BEST else system
        if not (system.startswith((ANNOTATOR, GOLD)) or alignments_of(run.folder, system).exists()):
            return None
        count, of_sums = MEASURES[measure]
        counted.append((count(run, system), of_sums))
    keys = [key for key in counted[0][0] if key in counted[1][0]]
    if not keys:
        return None
    return Judgement(*compare(*((np.stack([counts[k] for k in keys]), of) for counts, of in counted)))


@cache
def best_system(run: Run) -> str:
    """Return the system of the run with the highest SoftF over all words."""
    scores = pd.read_table(run.folder / "score/scores.tsv")
    rows = scores[(scores["words"] == "all") & ~scores["system"].str.startswith(ANNOTATOR)]
    return str(rows.loc[rows["soft_f"].idxmax(), "system"])


def judge_claims(runs: Mapping[str, Path]) -> pd.DataFrame:
    """Return the judgement of each claim by each run that can judge it.

    `runs`: the folder of each run by its heading.
    """
    rows = [
        {"claim": claim.claim, "run": name} | one._asdict() | {"verdict": one.verdict}
        for name, run in ((name, Run(folder)) for name, folder in runs.items())
        for claim in pd.read_table(CLAIMS).itertuples()
        if (one := judge(run, claim.first, claim.second))
    ]
    return pd.DataFrame(rows)


def claims_table(judgements: pd.DataFrame, runs: Sequence[str]) -> str:
    """Return the Markdown table of all claims, with a column for each of `runs` that has judged any."""
    claims = pd.read_table(CLAIMS)[["claim", "place", "paper"]]
    cells = judgements.assign(
        cell=[str(Judgement(*row)) for row in judgements[[*Judgement._fields]].to_numpy()]
    )
    by_run = cells.pivot(index="claim", columns="run", values="cell")
    by_run = by_run[[run for run in runs if run in by_run]]
    rows = claims.join(by_run, on="claim").fillna(NONE)
    heading = ["the paper says", "in", "its numbers", *by_run]
    return markdown_table(heading, rows.to_numpy().tolist(), len(heading))
