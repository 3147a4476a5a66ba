"""The rewrite models of both papers compared: the null state, the phrase table, and phrases made from words.

`experiments/replication.py` makes the alignments, by variants of the settings of the paper, and puts the
table into docs/replication.md.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from extract_methods import SAMPLES, SEED, differences
from markdown_tables import markdown_table
from nltk.translate.phrase_based import phrase_extraction
from vorlage.alignments.alignment import Link
from vorlage.corpus.pair import Pair
from vorlage.score.bootstrap import resample
from vorlage.score.counts import count_links, scores
from vorlage.score.reference import make_reference, read_annotated
from vorlage.score.systems import read_systems
from vorlage.settings import SEMIHMM

RUN, JUMP = "replication-sample", "relative"
OF_2004 = yaml.safe_load(Path("workflow/presets/paper-2004.yaml").read_text())["semihmm"]
NOTHING = 1e-30  # fake counts that change no sum of counts
FULL = {"phrase": NOTHING}
# Name → the row and the settings.
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "null-2": ("2 fake counts for each word of ∅", {"null_smoothing": 2}),
    "without-wordnet": ("no WordNet", {"wordnet": False}),
    "of-2004": ("the 2004 paper (`paper-2004.yaml`)", OF_2004),
    "words": ("single words alone", {"max_document_phrase": 1, "max_summary_phrase": 1}),
    "full": ("all phrase pairs, no fake counts for pairs that differ", {"fake_counts": FULL}),
    "full-ml": (
        "all phrase pairs, no fake counts at all",
        {"fake_counts": FULL | {"word": NOTHING, "identical": 0, "stem": 0}},
    ),
    "full-0.1": ("all phrase pairs, 0.1 fake counts each", {"fake_counts": {"phrase": 0.1}}),
    "full-2": ("all phrase pairs, 2 fake counts each", {"fake_counts": {"phrase": 2}}),
    "full-2004": ("the 2004 paper, all phrase pairs, 0.1 each", OF_2004 | {"fake_counts": {"phrase": 0.1}}),
}
LONGEST = 3  # words of an extracted phrase
NONE = "–"


def variants() -> tuple[dict[str, object], list[str]]:
    """Return the settings of the variants, and their systems."""
    preset = yaml.safe_load(Path("workflow/presets/paper.yaml").read_text())["semihmm"]["fake_counts"]
    sections: dict[str, object] = {}
    for name, (_, changes) in VARIANTS.items():
        fake = preset | changes["fake_counts"] if isinstance(changes.get("fake_counts"), dict) else preset
        settings = {key: value for key, value in changes.items() if key != "jumps"} | {"fake_counts": fake}
        sections[name] = {"semihmm": settings}
    return sections, [f"{name}-{JUMP}" for name in VARIANTS]


def path(system: str) -> str:
    """Return the file of the alignments of a system."""
    return f"results/{RUN}/align/{system}/alignments.jsonl"


def table(results: Path) -> str:
    """Return the Markdown table: scores, sizes of links, and the course of EM."""
    folder = results / RUN
    annotated, ids = read_annotated(folder / "corpus/corpus.jsonl", folder / "corpus/gold.jsonl")
    pairs = {key: pair for key, (pair, _) in annotated.items()}
    references = {key: make_reference(*both) for key, both in annotated.items()}
    rows: list[tuple[str, dict[str, list[Link]], list[str]]] = []
    labels = {SEMIHMM: "the preset `paper`"} | {name: label for name, (label, _) in VARIANTS.items()}
    for name, label in labels.items():
        [(_, alignments)] = read_systems([path(f"{name}-{JUMP}")], annotated, ids)
        links = {key: alignments[key].links for key in pairs}
        place = folder if name == SEMIHMM else folder / f"variants/{name}"
        course = pd.read_table(place / f"train/{JUMP}/em.tsv")
        likelihoods = "/".join(f"{x:,.0f}" for x in course["log_likelihood"].iloc[[0, 1, 4, -1]])
        rows.append((label, links, [likelihoods, f"{course['null_probability'].iloc[-1]:.2g}"]))
        if name == "words":
            for extracted, tight in (("all phrases", False), ("phrases that begin and end with links", True)):
                phrases = {key: extract(links[key], pairs[key], tight) for key in pairs}
                rows.append((f"the same, and {extracted} extracted from them", phrases, [NONE, NONE]))
    counts = [
        np.array([count_links(links[key], reference)[0] for key, reference in references.items()])
        for _, links, _ in rows
    ]
    weights = resample(len(pairs), SAMPLES, SEED)
    values = [(scores(c.sum(axis=0))["soft_f"], scores(weights @ c)["soft_f"]) for c in counts]
    gains = [NONE, *differences(values, weights)]
    shown = []
    for (label, links, em), counted, gain in zip(rows, counts, gains, strict=True):
        measures = scores(counted.sum(axis=0))
        three = "/".join(f"{float(measures[key]):.3f}" for key in ("soft_precision", "recall", "soft_f"))
        shown.append([label, three, gain, shares_by_size(links), *em])
    heads = ["relative jumps", "SoftP/recall/SoftF", "SoftF: difference", "1:1/1:n/n:1/n:n"]
    return markdown_table([*heads, "log-likelihood in iterations 1, 2, 5, 10", "φ"], shown)


def shares_by_size(links: dict[str, list[Link]]) -> str:
    """Return the shares of links by whether each side, first of the summary, has one word or several."""
    sizes = [
        (link.summary[1] - link.summary[0] > 1, link.document[1] - link.document[0] > 1)
        for of_pair in links.values()
        for link in of_pair
        if link.document
    ]
    kinds = [(False, False), (False, True), (True, False), (True, True)]
    return "/".join(f"{sizes.count(kind) / len(sizes):.2f}" for kind in kinds)


def extract(links: list[Link], pair: Pair, tight: bool) -> list[Link]:
    """Return the phrase pairs that are consistent with the word links of a pair (Och & Ney 2000).

    `tight`: only those whose first and last words have links.
    """
    cells = [cell for link in links for cell in link.all_cells()]
    texts = [" ".join("x" * len(side.words)) for side in (pair.summary, pair.document)]
    linked = [{cell[side] for cell in cells} for side in (0, 1)]
    phrases = sorted({spans[:2] for spans in phrase_extraction(*texts, cells, LONGEST)}) if cells else []
    return [
        Link(*spans)
        for spans in phrases
        if not tight
        or all({first, end - 1} <= words for (first, end), words in zip(spans, linked, strict=True))
    ]
