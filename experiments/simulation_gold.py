"""How well jump models, fitted to gold links, predict those of other documents, for `simulation.py`."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from markdown_tables import markdown_table
from simulation_likelihoods import fit_to_steps
from simulation_models import TRAINED, bundled_pairs, bundled_texts, collect_trees
from simulation_texts import Document, Drawn, jump_matrix
from vorlage.semihmm.jumps.base import jump_model
from vorlage.settings import SemiHmm, validate

GOLD = Path("data/sample/gold.jsonl")


class GoldJump(NamedTuple):
    """A jump of gold links: the number of its document, the position that it starts from, and its target."""

    document: int
    position: int
    target: int


def read_gold() -> tuple[list[Document], list[Drawn], list[GoldJump]]:
    """Return the bundled documents, and the links of annotator A as drawn texts and as jumps."""
    with GOLD.open(encoding="utf-8") as lines:
        gold = {g["id"]: g["alignments"] for g in map(json.loads, lines) if g["annotator"] == "A"}
    drawn, jumps = [], []
    for number, pair in enumerate(bundled_pairs()):
        steps, t, position = list[tuple[int, int]](), 0, 0
        for link in sorted(gold[pair.id], key=lambda link: link["summary"]):
            (first, last), (start, end) = link["summary"], link["document"]
            if first >= t:
                steps += [(-1, 1)] * (first - t)
                steps.append((start, end - start))
                jumps.append(GoldJump(number, position, start))
                t, position = last, end
        drawn.append(Drawn(pair.summary.words, steps + [(-1, 1)] * (len(pair.summary.words) - t)))
    return [Document(*map(list, zip(*text, strict=True))) for text in bundled_texts()], drawn, jumps


def gold_jumps() -> dict[str, str]:
    """Return the table of how well jump models, fitted to gold links, predict those of other documents."""
    documents, drawn, jumps = read_gold()
    labels = collect_trees(documents).labels
    longest = max(len(document.words) for document in documents)
    # One fake count a distance predicts the table's jumps best, among 0.01, 0.1, 1 and 10.
    smoothed = validate(SemiHmm, {"jump_smoothing": 1.0}, encoder=False)
    rows = []
    for jump in TRAINED:
        predicted = []
        for half in (0, 1):
            model = jump_model(jump).start(longest, labels, smoothed)
            model = fit_to_steps(model, documents[half::2], drawn[half::2])
            matrices = {i: jump_matrix(model, documents[i]) for i in range(1 - half, len(documents), 2)}
            predicted += [
                (row[j.target], row.sum(), row[j.position : j.position + 1].sum())
                for j in jumps
                if j.document in matrices
                for row in [matrices[j.document][j.position, :-1] / (1 - model.null)]
            ]
        value, mass, next_word = np.array(predicted).T
        logs = np.log(value).mean(), np.log(value / mass).mean()
        rows.append([jump, *(f"{x:.2f}" for x in (*logs, mass.mean())), f"{(next_word / mass).mean():.3f}"])
    gold = np.mean([jump.target == jump.position for jump in jumps])
    rows.append(["gold", "", "", "", f"{gold:.3f}"])
    heading = ["jumps", "log J", "log J, normalised", "sum of J", "share of the next word"]
    return {"simulation gold jumps": markdown_table(heading, rows)}
