"""Read the tables of other stages as data frames."""

from pathlib import Path

import pandas as pd

from vorlage.command.errors import InputError
from vorlage.files.inputs import open_file
from vorlage.types import StrPath

NOTHING = pd.DataFrame()
# Columns of texts, even if their values look like numbers.
TEXTS = ["system", "id", "summary", "document", "aligned", "against", "annotator", "signature"]


def read_table(folder: StrPath, name: str) -> pd.DataFrame:
    """Return a table of the score stage; without its file, a table without rows.

    A column whose values are all numbers or `nan` becomes numbers; all others are texts as in the file.
    """
    path = Path(folder) / f"{name}.tsv"
    return read_tsv(path) if path.exists() else NOTHING


def read_tsv(path: StrPath) -> pd.DataFrame:
    """Return a tab-separated file as `read_table` does; raise `InputError` for another file."""
    try:
        with open_file(path, encoding="utf-8") as file:
            frame = pd.read_table(file, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError(f"{path}: not a table ({error}); write it again") from None
    for column in frame.columns.difference(TEXTS):
        numbers = pd.to_numeric(frame[column], errors="coerce")
        if (numbers.notna() | frame[column].eq("nan")).all():
            frame[column] = numbers
    return frame
