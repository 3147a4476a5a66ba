"""Keep the scores of a run, and put them into a page.

    python experiments/scores_table.py --scores scores.tsv --name sample --tables docs/results/scores.tsv \\
        [--file docs/results.md]

The rows replace those of the same name in the table; a page gets a row for each system in the place
`<!-- scores NAME -->`.
"""

import argparse
from pathlib import Path

import pandas as pd
from markdown_tables import insert_into_file, markdown_table

COLUMNS = ["table", "system", "words", "precision", "recall", "f", "low", "high", "hard_f"]


def to_rows(scores: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows of a `scores.tsv` or `phrases.tsv` as text with three decimals."""
    shown = scores.rename(columns={"soft_precision": "precision", "soft_f": "f"}).assign(table=name)
    shown = shown.reindex(columns=COLUMNS).fillna("")
    return shown.map(lambda value: f"{value:.3f}" if isinstance(value, float) else value)


def make_table(rows: pd.DataFrame) -> str:
    """Return a Markdown table of a row for each system: over all words, and F over non-stop words."""
    words = {name: of_words.set_index("system") for name, of_words in rows.groupby("words")}
    lines = []
    for system, row in words["all"].iterrows():
        f = f"{row['f']} ({row['low']}–{row['high']})"
        others = row["hard_f"], words["nonstop"].loc[system, "f"]
        lines.append([str(system), row["precision"], row["recall"], f, *others])
    return markdown_table(["system", "SoftP", "recall", "SoftF", "HardF", "SoftF, non-stop"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scores", required=True, help="scores.tsv or phrases.tsv of the score stage")
    parser.add_argument("--name", required=True, help="name of the rows, and of the place in the page")
    parser.add_argument("--tables", required=True, type=Path, help="table to change")
    parser.add_argument("--file", type=Path, help="page to change")
    options = parser.parse_args()
    rows = to_rows(pd.read_table(options.scores), options.name)
    kept = pd.read_table(options.tables, dtype=str, keep_default_na=False)
    others = kept[kept["table"] != options.name]
    pd.concat([others, rows]).to_csv(options.tables, sep="\t", index=False)
    if options.file:
        insert_into_file(options.file, {f"scores {options.name}": make_table(rows)})


if __name__ == "__main__":
    main()
