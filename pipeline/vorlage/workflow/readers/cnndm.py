"""Reads CNN and Daily Mail stories (Hermann et al. 2015): `.story` or Parquet files.

The corpus is one such file, or a folder with any number of them at any depth; other files are ignored.

- `.story`: one pair per file. The document is the text before the first line `@highlight`, one paragraph
  per line. The summary is the highlights, one per line. The id is the file name without `.story`.
- `.parquet`: one pair per row, in the columns `id`, `article` and `highlights`, which hold strings.
  Other columns are ignored.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.documents.records import Record
from vorlage.files.inputs import read_text
from vorlage.types import JsonObject
from vorlage.workflow.reader import Reader, find_files
from vorlage.workflow.settings import Corpus

MARK = "@highlight"
COLUMNS = ("id", "article", "highlights")
ROWS = 256  # held at once


def read(path: Path, settings: Corpus) -> Iterator[Record]:
    """Yield the records of a file or of all files below a folder, sorted by path."""
    for file in find_files(path, "*.story", "*.parquet"):
        yield from _rows(file) if file.suffix == ".parquet" else [_story(file)]


def _story(file: Path) -> Record:
    lines = [line.strip() for line in read_text(file).splitlines() if line.strip()]
    start = lines.index(MARK) if MARK in lines else len(lines)
    highlights = [line for line in lines[start:] if line != MARK]
    return Record(file.stem, str(file), "\n".join(lines[:start]), "\n".join(highlights))


def _rows(file: Path) -> Iterator[Record]:
    """Yield the records of a Parquet file, few rows in memory."""
    import pyarrow
    from pyarrow import parquet

    row = 0
    try:
        with parquet.ParquetFile(file) as table:
            if missing := sorted(set(COLUMNS) - set(table.schema_arrow.names)):
                raise InputError(f"{file}: no column `{missing[0]}`; it must have {', '.join(COLUMNS)}")
            for batch in table.iter_batches(batch_size=ROWS, columns=list(COLUMNS)):
                for values in batch.to_pylist():
                    row += 1
                    yield _record(values, f"{file}, row {row}")
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        problem = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"{file}: cannot be read as Parquet after {row} rows ({problem}); get or write the file again"
        ) from None


def _record(values: JsonObject, where: str) -> Record:
    name, article, highlights = (values[column] for column in COLUMNS)
    if not isinstance(name, str) or not all(isinstance(side, str | None) for side in (article, highlights)):
        raise InputError(f"{where}: `id`, `article` and `highlights` must be strings; write the file again")
    return Record(name, where, article, highlights)


READER = Reader("cnndm", read)
