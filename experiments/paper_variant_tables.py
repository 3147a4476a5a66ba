"""The tables of the variants of the paper, from docs/paper-variants.tsv."""

import re
from collections.abc import Iterable

import pandas as pd

SENTENCES = re.compile("own sentences|remade|whole")
BASES = ("default", "encoder", "paper")
ORDER = ("relative", "gaussian", "exponential", "syntax")
CHANGES = ("", "trees by benepar", "flat trees", "8 pairs", "16 pairs", "single words", "one iteration")
CHANGES += ("two iterations", "100 fake counts", "Model 1 5", "table of relative jumps", "φ 0.5", "φ 0.8")
CHANGES += ("φ 0.95", "one direction")
HEADS = ("variant", "jumps", "SoftP", "recall", "SoftF", "95 % interval", "gain", "95 % interval")


def tables(rows: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Return the text of each table by the page and the name of its place in it."""
    names = rows["variant"].unique()
    return {
        "experiments.md": {
            "paper-variants model1": table(
                rows, [name for name in names if name.startswith("paper, Model 1")]
            ),
            "paper-variants sentences": table(rows, [name for name in names if SENTENCES.search(name)]),
            "paper-variants smoothing": table(rows, ["paper", "paper, smoothed"]),
        },
        "jump-models.md": {
            "paper-variants jumps": table(rows, BASES, gains=False),
            "paper-variants syntax": ablations(rows),
        },
    }


def table(rows: pd.DataFrame, variants: Iterable[str], corpus: str = "sample", gains: bool = True) -> str:
    """Return SoftF of the variants over all words, with its interval, and the gain from the base."""
    shown = len(HEADS) if gains else len(HEADS) - 2
    lines = [HEADS[:shown], ("---",) * 2 + ("---:",) * (shown - 2)]
    chosen = rows[(rows["corpus"] == corpus) & (rows["words"] == "all")]
    for name in variants:
        of_variant = chosen[chosen["variant"] == name]
        for _, row in of_variant.sort_values("jump", key=lambda jumps: jumps.map(ORDER.index)).iterrows():
            scores = [f"{row[key]:.3f}" for key in ("soft_precision", "recall", "soft_f")]
            gain = [f"{row[key]:+.3f}" for key in ("difference", "difference_low", "difference_high")]
            cells = [name, row["jump"], *scores, f"{row['low']:.3f}–{row['high']:.3f}"]
            cells += [gain[0], f"{gain[1]} … {gain[2]}"] if pd.notna(row["difference"]) else ["", ""]
            lines.append(tuple(cells[:shown]))
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def ablations(rows: pd.DataFrame, corpus: str = "sample") -> str:
    """Return SoftF of relative and of syntax jumps under each change, a pair of columns for each base."""
    chosen = rows[(rows["corpus"] == corpus) & (rows["words"] == "all")]
    f = chosen.set_index(["variant", "jump"])["soft_f"]
    columns = [(base, jump) for base in BASES for jump in ("relative", "syntax")]
    lines = [["change", *(f"{base}, {jump}" for base, jump in columns)], ["---"] + ["---:"] * len(columns)]
    for change in CHANGES:
        name = f", {change}" if change else ""
        found = [f.get((base + name, jump)) for base, jump in columns]
        lines.append([change or "none", *("" if value is None else f"{value:.3f}" for value in found)])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
