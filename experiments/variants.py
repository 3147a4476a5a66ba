"""The rewrite models of both papers, and the ways to make extracts, as variants of the settings of a run.

`replication.py` aligns by them and puts the tables into docs/replication.md, and that of all systems into
docs/results.md.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from markdown_tables import markdown_table
from vorlage.alignments.alignment import Alignment
from vorlage.settings import SEMIHMM
from vorlage.types import AnyArray, Floats
from vorlage.workflow.gold import TOKENS
from vorlage.workflow.score import phrases
from vorlage.workflow.score.counts import compute_scores, count_all_links
from vorlage.workflow.score.reference import make_references, read_annotated
from vorlage.workflow.score.rows import compare_samples, resample
from vorlage.workflow.score.systems import read_systems

SAMPLES, SEED = 1000, 1
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


def alignments_of(run: Path, system: str) -> Path:
    """Return the file of the alignments of a system of a run."""
    return run / f"align/{system}/alignments.jsonl"


def read(
    run: Path, systems: Sequence[str], unit: str = TOKENS
) -> Iterator[tuple[dict[str, Alignment], AnyArray]]:
    """Yield the alignments of each system by pair, and the counts of its links by pair, over all words.

    The counts are those of `vorlage.workflow.score.counts` or, for gold in characters, of
    `vorlage.workflow.score.phrases`.
    """
    annotated, ids = read_annotated(run / "corpus/corpus.jsonl", run / "corpus/gold.jsonl", unit)
    references = make_references(annotated) if unit == TOKENS else {}
    for _, made in read_systems([alignments_of(run, system) for system in systems], annotated, ids):
        counts = count_all_links(made, references) if references else phrases.count_all_words(made, annotated)
        yield made, counts[:, 0]


def soft_f(counts: AnyArray) -> Floats:
    """Return SoftF of sums of counts."""
    return compute_scores(counts)["soft_f"]


def mean(sums: AnyArray) -> Floats:
    """Return the mean of a value from sums of the value and of 1."""
    return sums[..., 0] / sums[..., 1]


def differences(counts: Sequence[AnyArray], measure: Callable[[AnyArray], Floats] = soft_f) -> list[str]:
    """Return the differences of a measure from that of the first counts, with 95 % intervals over pairs.

    Args:
        counts: of each system, by pair.
        measure: from the sum of the counts.
    """
    weights = resample(len(counts[0]), SAMPLES, SEED)
    (base, base_sampled), *others = ((measure(each.sum(axis=0)), measure(weights @ each)) for each in counts)
    shown = []
    for value, sampled in others:
        low, high, _ = compare_samples(sampled, base_sampled, weights)
        shown.append(f"{value - base:+.3f} ({low:+.3f} to {high:+.3f})")
    return shown


def extract_table(results: Path) -> str:
    """Return the Markdown table of the ways to make extracts: differences from `cosine`."""
    rows = []
    for run, ways in EXTRACTS.items():
        settings = "paper" if run == PAPER else "default"
        for jump in EXTRACT_JUMPS:
            counts = [made for _, made in read(results / run, [f"{name}-{jump}" for name in ways.values()])]
            base = f"{soft_f(counts[0].sum(axis=0)):.3f}"
            rows.append([f"{settings}, {jump} jumps: SoftF", base, *differences(counts)])
    places = ["", *(f"variants/{name}/" for name in ("deletion", "deletion-each"))]
    tables = [pd.read_table(results / f"sample/{place}extract/evaluation.tsv").iloc[:-2] for place in places]
    for column, what in (("sure_kept", "sure gold links kept"), ("f", "sentences of the gold: F")):
        kept = [table.assign(documents=1)[[column, "documents"]].to_numpy(dtype=float) for table in tables]
        base = f"{mean(kept[0].sum(axis=0)):.3f}"
        rows.append([f"extracts, {what}", base, *differences(kept, mean)])
    return markdown_table(["bundled corpus", "`cosine`", "`deletion`", "`deletion-each`"], rows)


def score_table(results: Path) -> str:
    """Return the Markdown table of the scores of the bundled corpus with the default settings."""
    scores = pd.read_table(results / "sample/score/scores.tsv").set_index("system")
    nonstop, rows = scores[scores["words"] == "nonstop"], []
    for system, row in scores[scores["words"] == "all"].iterrows():
        three, interval = ("soft_precision", "recall", "soft_f"), f" ({row['low']:.3f}–{row['high']:.3f})"
        cells = [f"{value:.3f}" for value in (*row[[*three, "hard_f"]], nonstop.loc[system, "soft_f"])]
        rows.append([str(system), *cells[:2], cells[2] + interval, *cells[3:]])
    return markdown_table(["system", "SoftP", "recall", "SoftF", "HardF", "SoftF, non-stop"], rows)


def rewrite_table(results: Path) -> str:
    """Return the Markdown table of the rewrite models: scores, sizes of links, and the course of EM."""
    run = results / PAPER
    labels = {SEMIHMM: "the preset `paper`"} | {name: label for name, (label, _) in REWRITES.items()}
    made = list(read(run, [f"{name}-relative" for name in labels]))
    gains = ["–", *differences([counts for _, counts in made])]
    rows = []
    for (name, label), (alignments, counts), gain in zip(labels.items(), made, gains, strict=True):
        measures = compute_scores(counts.sum(axis=0))
        three = "/".join(f"{measures[key]:.3f}" for key in ("soft_precision", "recall", "soft_f"))
        folder = run if name == SEMIHMM else run / f"variants/{name}"
        course = pd.read_table(folder / "train/relative/em.tsv")
        likelihoods = "/".join(f"{x:,.0f}" for x in course["log_likelihood"].iloc[[0, 1, 4, -1]])
        null = f"{course['null_probability'].iloc[-1]:.2g}"
        rows.append([label, three, gain, shares_by_size(alignments), likelihoods, null])
    heads = ["relative jumps", "SoftP/recall/SoftF", "SoftF: difference", "1:1/1:n/n:1/n:n"]
    return markdown_table([*heads, "log-likelihood in iterations 1, 2, 5, 10", "φ"], rows)


def shares_by_size(alignments: dict[str, Alignment]) -> str:
    """Return the shares of links by whether each side, first of the summary, has one word or several."""
    links = [link for alignment in alignments.values() for link in alignment.links if link.document]
    sizes = [tuple(end - start > 1 for start, end in (link.summary, link.document)) for link in links]
    kinds = [(False, False), (False, True), (True, False), (True, True)]
    return "/".join(f"{sizes.count(kind) / len(sizes):.2f}" for kind in kinds)
