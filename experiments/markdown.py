"""Put a table of scores into a Markdown file: `python experiments/markdown.py`.

The table is between the lines `<!-- scores NAME -->` and `<!-- end -->`. So the numbers of a document
come from a run and are never typed by hand.
"""

import re
from pathlib import Path

import pandas as pd
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.inputs import open_file
from vorlage.files.outputs import write_text

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
    columns = [name for name in COLUMNS if name in shown]
    rows = [[COLUMNS[name] for name in columns], ["---"] * 2 + ["---:"] * (len(columns) - 2)]
    for _, row in shown.iterrows():
        rows.append([f"{value:.3f}" if isinstance(value, float) else str(value) for value in row[columns]])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def select_systems(scores: pd.DataFrame, systems: list[str] | None) -> pd.DataFrame:
    """Return the rows of `systems` in the given order, or all rows without `systems`.

    Raise `InputError` for a system without scores.
    """
    if systems is None:
        return scores
    missing = [system for system in systems if system not in set(scores["system"])]
    if missing:
        known = ", ".join(scores["system"].unique())
        raise InputError(f"--systems: {missing[0]} has no scores; choose from {known}")
    return scores.set_index("system").loc[systems].reset_index()


def insert(text: str, mark: str, table: str) -> str:
    """Return `text` with `table` between `<!-- mark -->` and the next `<!-- end -->`.

    Raise `InputError` if the text lacks these lines.
    """
    place = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", flags=re.DOTALL)
    if not place.search(text):
        raise InputError(f"no lines `<!-- {mark} -->` and `<!-- end -->`; add them")
    return place.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def insert_into_file(path: Path, tables: dict[str, str]) -> None:
    """Put tables into a Markdown file, each in the place of its mark; see `insert`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    try:
        for mark, table in tables.items():
            text = insert(text, mark, table)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    write_text(path, text)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put a table of scores into a Markdown file."""
    parser = CommandParser("markdown", main, log=False)
    parser.add_argument("--scores", required=True, help="scores.tsv or phrases.tsv of the score stage")
    parser.add_argument("--name", required=True, help="NAME of the marked place in the file")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    parser.add_argument("--systems", nargs="+", help="systems to show, in this order (default: all)")
    options = parser.parse(arguments)
    with open_file(options.scores, encoding="utf-8") as file:
        scores = pd.read_table(file)
    table = make_table(select_systems(scores, options.systems))
    insert_into_file(options.file, {f"scores {options.name}": table})


if __name__ == "__main__":
    main()
