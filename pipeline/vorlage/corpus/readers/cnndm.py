"""Reads CNN and Daily Mail stories (Hermann et al. 2015): `.story` or Parquet files.

The corpus is one such file, or a folder with any number of them at any depth; other files are ignored.

- `.story`: one pair per file. The document is the text before the first line `@highlight`, one paragraph
  per line. The summary is the highlights, one per line. The id is the file name without `.story`.
- `.parquet`: one pair per row, in the columns `id`, `article` and `highlights`, which hold strings.
  Other columns are ignored.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vorlage.command.errors import InputError
from vorlage.corpus.readers.files import find_files
from vorlage.corpus.records import Record
from vorlage.files.inputs import read_text
from vorlage.settings import Corpus

if TYPE_CHECKING:
    import pyarrow

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
    # Imported here because it takes a third of a second, which other formats need not spend.
    import pyarrow
    from pyarrow import parquet

    row = 0
    try:
        with parquet.ParquetFile(file) as table:
            _check_columns(file, table.schema_arrow)
            for batch in table.iter_batches(batch_size=ROWS, columns=list(COLUMNS)):
                for name, article, highlights in zip(*(batch[column] for column in COLUMNS), strict=True):
                    row += 1
                    where = f"{file}, row {row}"
                    if not name.is_valid:
                        raise InputError(f"{where}: no `id`; each row needs one")
                    yield Record(name.as_py(), where, article.as_py(), highlights.as_py())
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}, row {row}: not UTF-8 at byte {error.start}; write the file again"
        ) from None
    except (pyarrow.ArrowException, OSError) as error:
        problem = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"{file}: cannot be read as Parquet after {row} rows ({problem}); get or write the file again"
        ) from None


def _check_columns(file: Path, schema: "pyarrow.Schema") -> None:
    """Raise `InputError` unless all columns exist and hold strings."""
    from pyarrow import types

    for column in COLUMNS:
        if column not in schema.names:
            raise InputError(
                f"{file}: no column `{column}`; it has {', '.join(schema.names) or 'none'} and must have "
                f"{', '.join(COLUMNS)}"
            )
        kind = schema.field(column).type
        if not (types.is_string(kind) or types.is_large_string(kind)):
            raise InputError(f"{file}: column `{column}` is of type {kind}; make it a column of strings")
