"""The rewrite models of both papers, and the ways to make extracts, as variants of the settings of a run.

`replication.py` aligns by them and puts the tables into docs/replication.md, and that of all systems into
docs/results.md.
"""

from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from markdown_tables import decimals, markdown_table, with_range
from runs import SOFT_F, Run, differences, share
from vorlage.settings import SEMIHMM
from vorlage.types import AnyArray
from vorlage.workflow.score.counts import compute_scores

PAPER = "replication-sample"  # the run with the settings of the paper on the bundled corpus

# Each way to make extracts by its variant in a run; the run makes its own extracts for `semihmm`.
EXTRACTS = {
    "sample": {"cosine": SEMIHMM, "deletion": "deletion", "deletion-each": "deletion-each"},
    PAPER: {"cosine": "cosine", "deletion": "deletion", "deletion-each": SEMIHMM},
}
EXTRACT_JUMPS = ("relative", "gaussian", "syntax-counts")

PAPER_2005, PAPER_2004 = (
    yaml.safe_load(Path(f"workflow/presets/{name}.yaml").read_text(encoding="utf-8"))["semihmm"]
    for name in ("paper", "paper-2004")
)
OF_2004 = {name: value for name, value in PAPER_2004.items() if name != "jumps"}
NOTHING = 1e-30  # fake counts that change no sum of counts
# The variants of the rewrite model: name → the row and the settings.
REWRITES: dict[str, tuple[str, dict[str, Any]]] = {
    "null-jumps": ("null states that jump (2005 Table 4.1.1)", {"null_state": "jumps"}),
    "null-2": ("2 fake counts for each word of ∅", {"null_smoothing": 2}),
    "without-wordnet": ("no WordNet", {"wordnet": False}),
    "of-2004": ("the 2004 paper (`paper-2004.yaml`)", OF_2004),
    "words": ("single words alone", {"max_document_phrase": 1, "max_summary_phrase": 1}),
    "full": ("all phrase pairs, no fake counts for pairs that differ", {"fake_counts": {"phrase": NOTHING}}),
    "full-ml": (
        "all phrase pairs, no fake counts at all",
        {"fake_counts": {"phrase": NOTHING, "word": NOTHING, "identical": 0, "stem": 0}},
    ),
    "full-0.1": ("all phrase pairs, 0.1 fake counts each", {"fake_counts": {"phrase": 0.1}}),
    "full-2": ("all phrase pairs, 2 fake counts each", {"fake_counts": {"phrase": 2}}),
    "full-2004": ("the 2004 paper, all phrase pairs, 0.1 each", OF_2004 | {"fake_counts": {"phrase": 0.1}}),
}


def rewrite_variants() -> dict[str, Any]:
    """Return the sections of the config that align by all rewrite models."""
    variants = {}
    for name, (_, settings) in REWRITES.items():
        fake_counts = PAPER_2005["fake_counts"] | settings.get("fake_counts", {})
        variants[name] = {"semihmm": settings | {"fake_counts": fake_counts}}
    return {"variants": variants, "systems": [f"{name}-relative" for name in REWRITES]}


def extract_variants(run: str) -> dict[str, Any]:
    """Return the sections of the config that align a run by all ways to make extracts."""
    ways = EXTRACTS[run]
    variants = {name: {"extract": {"method": way}} for way, name in ways.items() if name != SEMIHMM}
    systems = [f"{name}-{jump}" for name in ways.values() for jump in EXTRACT_JUMPS]
    return {"variants": variants, "systems": systems, "semihmm": {"jumps": list(EXTRACT_JUMPS)}}


def counts_of(run: Run, systems: Iterable[str]) -> list[AnyArray]:
    """Return the counts of the links of systems by pair, over all words."""
    return [np.stack(list(run.scores(system).values())) for system in systems]


def extract_table(results: Path) -> str:
    """Return the Markdown table of the ways to make extracts: differences from `cosine`."""
    rows = []
    for name, ways in EXTRACTS.items():
        run, settings = Run(results / name), "paper" if name == PAPER else "default"
        for jump in EXTRACT_JUMPS:
            counts = counts_of(run, (f"{variant}-{jump}" for variant in ways.values()))
            base = f"{SOFT_F(counts[0].sum(axis=0)):.3f}"
            rows.append([f"{settings}, {jump} jumps: SoftF", base, *differences(counts)])
    places = ["", *(f"variants/{name}/" for name in ("deletion", "deletion-each"))]
    tables = [pd.read_table(results / f"sample/{place}extract/evaluation.tsv").iloc[:-2] for place in places]
    for column, what in (("sure_kept", "sure gold links kept"), ("f", "sentences of the gold: F")):
        kept = [table.assign(documents=1)[[column, "documents"]].to_numpy(dtype=float) for table in tables]
        base = f"{share(kept[0].sum(axis=0)):.3f}"
        rows.append([f"extracts, {what}", base, *differences(kept, share)])
    return markdown_table(["bundled corpus", "`cosine`", "`deletion`", "`deletion-each`"], rows)


def score_table(results: Path) -> str:
    """Return the Markdown table of the scores of the bundled corpus with the default settings."""
    table = pd.read_table(results / "sample/score/scores.tsv").set_index("system")
    nonstop, rows = table[table["words"] == "nonstop"]["soft_f"], []
    for system, row in table[table["words"] == "all"].iterrows():
        soft_f = with_range(*row[["soft_f", "low", "high"]])
        others = decimals((*row[["soft_precision", "recall", "hard_f"]], nonstop[system]))
        rows.append([str(system), *others[:2], soft_f, *others[2:]])
    return markdown_table(["system", "SoftP", "recall", "SoftF", "HardF", "SoftF, non-stop"], rows)


def rewrite_table(results: Path) -> str:
    """Return the Markdown table of the rewrite models: scores, sizes of links, and the course of EM."""
    run, rows = Run(results / PAPER), []
    labels = {SEMIHMM: "the preset `paper`"} | {name: label for name, (label, _) in REWRITES.items()}
    made = counts_of(run, (f"{name}-relative" for name in labels))
    gains = ["–", *differences(made)]
    for (name, label), counts, gain in zip(labels.items(), made, gains, strict=True):
        measures = compute_scores(counts.sum(axis=0))
        three = "/".join(decimals(measures[key] for key in ("soft_precision", "recall", "soft_f")))
        folder = run.folder if name == SEMIHMM else run.folder / f"variants/{name}"
        course = pd.read_table(folder / "train/relative/em.tsv")
        likelihoods = "/".join(f"{x:,.0f}" for x in course["log_likelihood"].iloc[[0, 1, 4, -1]])
        null = f"{course['null_probability'].iloc[-1]:.2g}"
        rows.append([label, three, gain, shares_by_size(run, f"{name}-relative"), likelihoods, null])
    heads = ["relative jumps", "SoftP/recall/SoftF", "SoftF: difference", "1:1/1:n/n:1/n:n"]
    return markdown_table([*heads, "log-likelihood in iterations 1, 2, 5, 10", "φ"], rows)


def shares_by_size(run: Run, system: str) -> str:
    """Return the shares of links by whether each side, first of the summary, has one word or several."""
    links = [link for [links] in run.links(system).values() for link in links if link.document]
    sizes = [tuple(end - start > 1 for start, end in (link.summary, link.document)) for link in links]
    return "/".join(
        decimals((sizes.count(kind) / len(sizes) for kind in product((False, True), repeat=2)), 2)
    )
