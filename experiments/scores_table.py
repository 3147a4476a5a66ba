"""Put scores into a page.

    python experiments/scores_table.py --scores scores.tsv --name sample --file docs/tutorial.md

The table goes to the place `<!-- scores NAME -->`.
"""

import argparse
from pathlib import Path

import pandas as pd
from markdown_tables import insert_into_file, markdown_table

COLUMNS = {
    "system": "system",
    "words": "words",
    "soft_precision": "SoftP",
    "precision": "precision",
    "recall": "recall",
    "soft_f": "SoftF",
    "f": "F",
    "interval": "95 % interval",
    "hard_f": "HardF",
}


def make_table(scores: pd.DataFrame) -> str:
    """Return the rows of a `scores.tsv` or `phrases.tsv` as a Markdown table with three decimals."""
    shown = scores.assign(
        interval=[f"{low:.3f}–{high:.3f}" for low, high in zip(scores["low"], scores["high"], strict=True)],
        words=scores["words"].map({"all": "all", "nonstop": "non-stop"}),
    )
    shown = shown[[name for name in COLUMNS if name in shown]].rename(columns=COLUMNS)
    rows = [
        [f"{value:.3f}" if isinstance(value, float) else str(value) for value in row]
        for row in shown.itertuples(index=False)
    ]
    return markdown_table(list(shown), rows, text_columns=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scores", required=True, help="scores.tsv or phrases.tsv of the score stage")
    parser.add_argument("--name", required=True, help="NAME of the place in the page")
    parser.add_argument("--file", required=True, type=Path, help="page to change")
    parser.add_argument("--systems", nargs="+", help="systems to show, in this order (default: all)")
    options = parser.parse_args()
    scores = pd.read_table(options.scores)
    if options.systems:
        scores = scores.set_index("system").loc[options.systems].reset_index()
    insert_into_file(options.file, {f"scores {options.name}": make_table(scores)})


if __name__ == "__main__":
    main()
