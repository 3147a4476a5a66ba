"""The settings of Cut & Paste varied: rules of post-editing, determiners, weights, on the bundled corpus.

    python experiments/cutpaste_settings.py

prints the table that `experiments/replication.py` puts into docs/replication.md, from the corpus in
`results/replication-sample/`.
"""

from pathlib import Path
from typing import TypeAlias

import numpy as np
from markdown_tables import markdown_table
from vorlage.alignments.alignment import soft_links
from vorlage.baselines import cutpaste
from vorlage.corpus.gold import Annotations, read_annotations
from vorlage.corpus.pair import Pair
from vorlage.decompose.operations import decompose
from vorlage.extract.evaluate import count as count_sentences
from vorlage.extract.evaluate import measures
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.score.bootstrap import compare, resample
from vorlage.score.counts import count_links, scores
from vorlage.score.reference import make_reference
from vorlage.settings import CutPaste
from vorlage.types import LongInts

Pairs: TypeAlias = list[tuple[Pair, Extract]]

SETTINGS = {
    "two rules, weights 1, 0.9, … 0.5, CONST 3": CutPaste(),
    "and no phrase of one stop word": CutPaste(lone_stop_words=False),
    "determiners ignored": CutPaste(determiners=False),
    "words equal, not up to stem": CutPaste(stem=False),
    "CONST 5": CutPaste(window=5),
    "weights 1, 0.99, … 0.95": CutPaste(weights=tuple(1 - 0.01 * n for n in range(6))),
    "weights 1, 0.1, … 0.00001": CutPaste(weights=tuple(0.1**n for n in range(6))),
    "all weights but P1 equal": CutPaste(weights=(1, *[0.5] * 5)),
    "weights of a sentence (P1–P3), others": CutPaste(weights=(*[1] * 3, *[0.5] * 3)),
    "all weights equal": CutPaste(weights=(1,) * 6),
}
HEADING = (
    *("Cut & Paste on documents", "cut and pasted", "the same, ScisummNet", "SoftP", "recall", "SoftF"),
    "difference",
    *("implied extract: F", "on extracts, n = 2: SoftF"),
)
SAMPLES, TRIALS, SEED = 1000, 100, 1


def table(results: Path) -> str:
    """Return the Markdown table: a row for each of `SETTINGS`, and one for the best of random weights."""
    pairs, golds = read(results / "replication-sample")
    weights = resample(len(pairs), SAMPLES, SEED)
    links = {name: count(settings, pairs, golds) for name, settings in SETTINGS.items()}
    first = next(iter(links.values()))
    rows, scisummnet = [], results / "replication-scisummnet"
    for name, settings in SETTINGS.items():
        score = {measure: float(value) for measure, value in scores(links[name].sum(axis=0)).items()}
        copied, extract_f = decomposed(settings, pairs, golds)
        papers = "–"  # of ScisummNet, whose documents are long: only for the rules of post-editing
        if scisummnet.exists() and settings in (CutPaste(), CutPaste(lone_stop_words=False)):
            papers = f"{decomposed(settings, *read(scisummnet))[0]:.3f}"
        runs = scores(count(settings, pairs, golds, whole=False).sum(axis=0))["soft_f"]
        values = (score["soft_precision"], score["recall"], score["soft_f"])
        rows.append(
            [
                name,
                f"{copied:.3f}",
                papers,
                *map("{:.3f}".format, values),
                difference(links[name], first, weights),
            ]
            + [f"{extract_f:.3f}", f"{runs:.3f}"]
        )
    chosen, held_out = best_of_random(pairs, golds, first)
    rows.append(
        [f"weights {chosen}, chosen on half of the pairs", *["–"] * 5, f"{held_out} on the others", "–", "–"]
    )
    return markdown_table(HEADING, rows)


def read(folder: Path) -> tuple[list[tuple[Pair, Extract]], Annotations]:
    """Return the pairs in a folder of results with their extracts, and the gold of each."""
    pairs = list(read_extracted_pairs(folder / "corpus/corpus.jsonl", folder / "extract/extracts.jsonl"))
    return pairs, read_annotations(folder / "corpus/gold.jsonl")


def count(settings: CutPaste, pairs: Pairs, golds: Annotations, whole: bool = True) -> LongInts:
    """Return the counts of links by pair: of documents with runs of one word, as Jing has, or of extracts."""
    settings = settings.model_copy(update={"run": 1}) if whole else settings
    return np.array(
        [
            count_links(cutpaste.align(settings, whole, pair, extract), make_reference(pair, golds[pair.id]))[
                0
            ]
            for pair, extract in pairs
        ]
    )


def decomposed(settings: CutPaste, pairs: Pairs, golds: Annotations) -> tuple[float, float]:
    """Return the share of cut and pasted sentences, and the mean F of the extracts that they imply."""
    copied, extracts = [], []
    for pair, extract in pairs:
        links = cutpaste.align(settings.model_copy(update={"run": 1}), True, pair, extract)
        sentences = decompose(pair, soft_links(links, pair.summary.words, pair.document.words))
        copied += [sentence.is_cut_and_pasted for sentence in sentences]
        if pair.id in golds:
            sources = sorted({source for sentence in sentences for source in sentence.sources})
            extracts.append(count_sentences(pair, golds[pair.id], Extract(pair.id, tuple(sources), ())))
    return float(np.mean(copied)), float(measures(extracts)["f"].mean()) if extracts else np.nan


def difference(counts: LongInts, base: LongInts, weights: LongInts) -> str:
    """Return the difference of SoftF with its 95 % interval over bootstrap samples of pairs."""
    gain = scores(counts.sum(axis=0))["soft_f"] - scores(base.sum(axis=0))["soft_f"]
    low, high, _ = compare(*(scores(weights @ part)["soft_f"] for part in (counts, base)), weights)
    return f"{gain:+.3f} ({low:+.3f} to {high:+.3f})"


def best_of_random(pairs: Pairs, golds: Annotations, base: LongInts) -> tuple[str, str]:
    """Return the best of random falling weights on every second pair, and its difference on the others."""
    random = np.random.default_rng(SEED)
    trials = [(1.0, *sorted(random.uniform(0, 1, 5).tolist(), reverse=True)) for _ in range(TRIALS)]
    tried = [count(CutPaste(weights=trial), pairs[::2], golds).sum(axis=0) for trial in trials]
    best = trials[int(np.argmax([scores(counts)["soft_f"] for counts in tried]))]
    others = count(CutPaste(weights=best), pairs[1::2], golds)
    weights = resample(len(others), SAMPLES, SEED)
    return ", ".join(f"{weight:.2f}" for weight in best), difference(others, base[1::2], weights)


if __name__ == "__main__":
    print(table(Path("results")))
