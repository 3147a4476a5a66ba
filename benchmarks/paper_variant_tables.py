"""The tables of the variants of the paper, from docs/paper-variants.tsv."""

import pandas as pd


def tables(rows: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Return the text of each table by the page and the name of its place in it."""
    return {
        "experiments.md": {
            "paper-variants model1": table(
                rows, [name for name in rows["variant"].unique() if "Model 1" in name]
            )
        }
    }


def table(rows: pd.DataFrame, variants: list[str], corpus: str = "sample") -> str:
    """Return SoftF of the variants over all words, with its interval, and the gain from the base."""
    lines = [
        "| variant | jumps | SoftP | recall | SoftF | 95 % interval | gain | 95 % interval |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    chosen = rows[(rows["corpus"] == corpus) & (rows["words"] == "all")]
    for name in variants:
        for _, row in chosen[chosen["variant"] == name].iterrows():
            gain, interval = "", ""
            if pd.notna(row["difference"]):
                gain = f"{row['difference']:+.3f}"
                interval = f"{row['difference_low']:+.3f} … {row['difference_high']:+.3f}"
            cells = [
                name,
                row["jump"],
                *(f"{row[key]:.3f}" for key in ("soft_precision", "recall", "soft_f")),
            ]
            cells += [f"{row['low']:.3f}–{row['high']:.3f}", gain, interval]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
