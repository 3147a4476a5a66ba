"""The sizes of the corpus in the layout of the tables of Daumé & Marcu 2005 (Sections 2 and 5.1)."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

# Row of the printed table → column of statistics.tsv.
ROWS = {
    "Documents": "documents",
    "Sentences": "sentences",
    "Words": "words",
    "Unique words": "unique_words",
    "Unique words of both sides": "unique_words_with_summaries",
    "Sentences/Doc": "sentences_per_document",
    "Words/Doc": "words_per_document",
    "Words/Sent": "words_per_sentence",
}
GROUPS = {"all": "all pairs", "annotated": "annotated pairs"}


def printed(value: float) -> str:
    """Return a count as the paper prints it: 244, 6.4k, 13k, 2.5m."""
    if value < 1_000:
        return f"{value:.0f}"
    if value < 999_500:
        text = f"{value / 1e3:.1f}k" if value < 9_950 else f"{value / 1e3:.0f}k"
    else:
        text = f"{value / 1e6:.1f}m"
    return text.replace(".0", "")


def size_frame(statistics: pd.DataFrame) -> pd.DataFrame:
    """Return the printed table: column `size`, then one for each row of `statistics.tsv`.

    The columns are named `all summaries`, `all extracts`, …, and the values are texts. A table without
    rows gives one without rows.
    """
    cells: dict[str, list[str]] = {"size": list(ROWS)} if len(statistics) else {}
    for row in statistics.to_dict("records"):
        cells[f"{row['pairs']} {row['text']}"] = [_cell(row, name) for name in ROWS.values()]
    return pd.DataFrame(cells)


def _cell(row: Mapping[Hashable, Any], name: str) -> str:
    if name == "documents":
        return f"{row[name]:.0f}"
    if name == "unique_words_with_summaries" and row["text"] == "summaries":
        return "–"
    return f"{row[name]:.2f}" if "_per_" in name else printed(row[name])
