"""The ways to make extracts compared: what each changes in F of the semi-HMMs and in the gold that it keeps.

`experiments/replication.py` makes the alignments, by variants of the settings of each run, and puts the table
into docs/replication.md.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from markdown_tables import markdown_table
from vorlage.score.bootstrap import compare, resample
from vorlage.score.counts import count_links, scores
from vorlage.score.reference import make_reference, read_annotated
from vorlage.score.systems import read_systems
from vorlage.types import AnyArray, LongInts

JUMPS = ("relative", "gaussian", "syntax-counts")
# The runs, how their tables call them, and the systems of each way by what precedes the jump model.
RUNS = {
    "sample": ("default", {"cosine": "semihmm", "deletion": "deletion", "deletion-each": "deletion-each"}),
    "replication-sample": ("paper", {"cosine": "cosine", "deletion": "deletion", "deletion-each": "semihmm"}),
}
SAMPLES, SEED = 1000, 1


def variants(run: str) -> tuple[dict[str, object], list[str]]:
    """Return the settings of the variants of a run, and the systems of all ways."""
    names = RUNS[run][1].values()
    settings = {name: {"extract": {"method": name}} for name in names if name != "semihmm"}
    return settings, [f"{name}-{jump}" for name in names for jump in JUMPS]


def table(results: Path) -> str:
    """Return the Markdown table: differences from `cosine` with 95 % intervals over samples of documents."""
    rows = []
    for run, (settings, systems) in RUNS.items():
        folder = results / run
        for jump in JUMPS:
            counts = [count(folder, f"{name}-{jump}") for name in systems.values()]
            weights = resample(len(counts[0]), SAMPLES, SEED)
            total = float(scores(counts[0].sum(axis=0))["soft_f"])
            values = [(scores(c.sum(axis=0))["soft_f"], scores(weights @ c)["soft_f"]) for c in counts]
            rows.append([f"{settings}, {jump} jumps: SoftF", f"{total:.3f}", *differences(values, weights)])
    folder = results / "sample"
    places = ["", *(f"variants/{name}/" for name in ("deletion", "deletion-each"))]
    for column, what in (("sure_kept", "sure gold links kept"), ("f", "sentences of the gold: F")):
        tables = [pd.read_table(folder / f"{place}extract/evaluation.tsv").iloc[:-2] for place in places]
        kept = [one[column].to_numpy(dtype=float) for one in tables]
        weights = resample(len(kept[0]), SAMPLES, SEED)
        values = [(np.mean(part), weights @ part / len(part)) for part in kept]
        rows.append([f"extracts, {what}", f"{np.mean(kept[0]):.3f}", *differences(values, weights)])
    return markdown_table(["bundled corpus", "`cosine`", "`deletion`", "`deletion-each`"], rows)


def differences(values: list[tuple[AnyArray, AnyArray]], weights: LongInts) -> list[str]:
    """Return the differences of values from the first of them; each is given with those of the samples."""
    (base, base_sampled), *others = values
    shown = []
    for value, sampled in others:
        low, high, _ = compare(sampled, base_sampled, weights)
        shown.append(f"{float(value - base):+.3f} ({low:+.3f} to {high:+.3f})")
    return shown


def count(folder: Path, system: str) -> LongInts:
    """Return the counts of links over all words by pair."""
    annotated, ids = read_annotated(folder / "corpus/corpus.jsonl", folder / "corpus/gold.jsonl")
    [(_, alignments)] = read_systems([folder / f"align/{system}/alignments.jsonl"], annotated, ids)
    pairs = annotated.items()
    return np.array([count_links(alignments[key].links, make_reference(*both))[0] for key, both in pairs])
