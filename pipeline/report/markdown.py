"""Put a table of scores into a Markdown file: ``python -m pipeline.report.markdown``.

The table stands between the lines ``<!-- scores NAME -->`` and ``<!-- end -->``, so that the numbers of a
document are those of a run and never typed in.
"""

import argparse
import re
from pathlib import Path

import pandas as pd

from pipeline.io.inputs import open_file
from pipeline.io.jsonl import write_text
from pipeline.run.errors import InputError, command

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


def markdown(scores):
    """The rows of a ``scores.tsv`` or ``phrases.tsv`` (a data frame) as a Markdown table, three decimals."""
    shown = scores.assign(
        interval=[f"{low:.3f}–{high:.3f}" for low, high in zip(scores["low"], scores["high"], strict=True)],
        words=scores["words"].map({"all": "all", "nonstop": "non-stop"}),
    )
    columns = [name for name in COLUMNS if name in shown]
    rows = [[COLUMNS[name] for name in columns], ["---"] * 2 + ["---:"] * (len(columns) - 2)]
    for _, row in shown.iterrows():
        rows.append([f"{x:.3f}" if isinstance(x, float) else str(x) for x in row[columns]])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def chosen(scores, systems):
    """The rows of ``systems``, in their order, or all; raises :class:`InputError` for one that has none."""
    if systems is None:
        return scores
    missing = [system for system in systems if system not in set(scores["system"])]
    if missing:
        known = ", ".join(scores["system"].unique())
        raise InputError(f"the scores have no system {missing[0]}; they have {known}")
    return scores.set_index("system").loc[systems].reset_index()


def insert(text, mark, table):
    """``text`` with ``table`` after the comment ``mark``; raises :class:`InputError` where there is none."""
    place = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", flags=re.DOTALL)
    if not place.search(text):
        raise InputError(f"no place marked `<!-- {mark} -->` … `<!-- end -->`; add the two lines")
    return place.sub(lambda found: found[1] + table + "\n" + found[2], text)


@command
def main(arguments=None):
    """Put a table of scores into a Markdown file."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report.markdown", description=main.__doc__)
    parser.add_argument("--scores", required=True, help="scores.tsv or phrases.tsv of the score stage")
    parser.add_argument("--name", required=True, help="name of the place in the file")
    parser.add_argument("--file", required=True, type=Path, help="Markdown file to change")
    parser.add_argument("--systems", nargs="+", help="systems to show, in this order (default: all)")
    given = parser.parse_args(arguments)
    try:
        with open_file(given.scores, encoding="utf-8") as file:
            scores = pd.read_table(file)
        text = given.file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror}); check the path") from None
    write_text(given.file, insert(text, f"scores {given.name}", markdown(chosen(scores, given.systems))))


if __name__ == "__main__":
    main()
